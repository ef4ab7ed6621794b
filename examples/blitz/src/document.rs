//! An HTML page laid out by Blitz, recorded as a display list.

use anyhow::{Context, Result};
use anyrender::Scene;
use blitz_dom::DocumentConfig;
use blitz_html::HtmlDocument;
use blitz_paint::paint_scene;
use blitz_traits::net::{Bytes, NetHandler, NetProvider, Request};
use blitz_traits::node_id::NodeId;
use blitz_traits::shell::{ColorScheme, Viewport};
use std::path::Path;
use std::sync::Arc;

/// A view of a page: scroll position and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// Pixels per CSS pixel.
    pub scale: f32,
    /// The scroll position: 0 is the top, 1 the end.
    pub place: f64,
}

/// A page, ready for painting.
pub struct Page {
    document: HtmlDocument,
    field: Option<NodeId>,
    /// The time of its animations, in seconds.
    time: f64,
}

impl Page {
    /// Lays out an HTML text. Pictures and style sheets are resolved relative to `base`: a `file:` address, or `page:` for
    /// the generated pictures of this example's pages.
    pub fn new(html: &str, base: &str) -> Self {
        let config = DocumentConfig {
            base_url: Some(base.to_owned()),
            net_provider: Some(Arc::new(Files)),
            viewport: Some(Viewport::new(1280, 800, 1.0, ColorScheme::Light)),
            ..Default::default()
        };
        Self { document: HtmlDocument::from_html(html, config), field: None, time: 0.0 }
    }

    /// Lays out an HTML file.
    pub fn open(path: &Path) -> Result<Self> {
        let html = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let path = path.canonicalize()?;
        Ok(Self::new(&html, &format!("file://{}", path.display())))
    }

    /// Scrolls to the view.
    pub fn look(&mut self, view: &View) {
        let [width, height] = view.size;
        self.document.set_viewport(Viewport::new(width, height, view.scale, ColorScheme::Light));
        self.settle(self.time);
        let mut scroll = self.document.viewport_scroll();
        scroll.y = (self.hidden(view) * view.place).round();
        self.document.set_viewport_scroll(scroll);
        self.document.resolve(self.time);
    }

    /// Returns the maximum scroll distance in CSS pixels.
    pub fn hidden(&self, view: &View) -> f64 {
        let page = f64::from(self.document.root_element().final_layout().size.height);
        (page - f64::from(view.size[1]) / f64::from(view.scale)).max(0.0)
    }

    /// Moves the pointer to a pixel of the view. Returns whether the page may look different.
    pub fn point(&mut self, view: &View, [x, y]: [f64; 2]) -> bool {
        let (scroll, scale) = (self.document.viewport_scroll(), f64::from(view.scale));
        self.document.set_hover_to((x / scale + scroll.x) as f32, (y / scale + scroll.y) as f32)
    }

    /// Clicks at the pointer. A field there gets the focus.
    pub fn click(&mut self) {
        let mut at = self.document.get_hover_node_id();
        while let Some(node) = at.and_then(|at| self.document.get_node(at)) {
            if node.element_data().is_some_and(|data| data.text_input_data().is_some()) {
                break;
            }
            at = node.parent;
        }
        self.field = at;
        match at {
            Some(field) => _ = self.document.set_focus_to(field),
            None => self.document.clear_focus(),
        }
    }

    /// Types into the focused field, or removes a letter from it. Returns whether a field has the focus.
    pub fn write(&mut self, text: Option<&str>) -> bool {
        let Some(field) = self.field else { return false };
        self.document.with_text_input(field, |mut driver| match text {
            Some(text) => driver.insert_or_replace_selection(text),
            None => driver.backdelete(),
        });
        true
    }

    /// Returns the document, for events and changes.
    pub fn document(&mut self) -> &mut HtmlDocument {
        &mut self.document
    }

    /// Updates the styles and the layout of the document for a time in seconds.
    ///
    /// Updates twice: once for style sheets and pictures, and once for their effects.
    pub fn settle(&mut self, time: f64) {
        self.time = time;
        for _ in 0..2 {
            self.document.handle_messages();
            self.document.resolve(time);
        }
    }

    /// Paints the visible part.
    pub fn paint(&mut self, scene: &mut impl anyrender::PaintScene, view: &View) {
        let [width, height] = view.size;
        paint_scene(scene, &mut self.document, view.scale.into(), width, height, 0, 0);
    }

    /// Records the visible part as a display list.
    pub fn record(&mut self, view: &View) -> Scene {
        let mut scene = Scene::new();
        self.paint(&mut scene, view);
        scene
    }
}

/// Provides files of this machine, and generated pictures.
struct Files;

impl NetProvider for Files {
    fn fetch(&self, _document: usize, request: Request, handler: Box<dyn NetHandler>) {
        let bytes = match request.url.scheme() {
            "file" => request.url.to_file_path().ok().and_then(|path| std::fs::read(path).ok()),
            "page" => Some(picture(request.url.path())),
            _ => None,
        };
        if let Some(bytes) = bytes {
            handler.bytes(request.url.to_string(), Bytes::from(bytes));
        }
    }
}

/// Returns a generated picture of hills, different for each name.
fn picture(name: &str) -> Vec<u8> {
    let seed = name.bytes().fold(7_u32, |sum, byte| sum.wrapping_mul(31).wrapping_add(byte.into()));
    let hue = f64::from(seed % 360) / 57.3;
    let picture = image::RgbImage::from_fn(160, 120, |x, y| {
        let (x, y) = (f64::from(x) / 160.0, f64::from(y) / 120.0);
        let hill = 0.55 + 0.12 * (x * 9.0 + hue).sin() + 0.05 * (x * 31.0 + hue).cos();
        let light = if y > hill { 0.35 + 0.3 * (1.0 - y) } else { 0.95 - 0.5 * y };
        let channel = |shift: f64| (255.0 * light * (0.7 + 0.3 * (hue + shift).sin())) as u8;
        image::Rgb([channel(0.0), channel(2.1), channel(4.2)])
    });
    let mut bytes = std::io::Cursor::new(Vec::new());
    // Writing to memory cannot fail.
    let _ = picture.write_to(&mut bytes, image::ImageFormat::Png);
    bytes.into_inner()
}
