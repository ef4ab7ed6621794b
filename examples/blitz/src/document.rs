//! An HTML page, laid out by Blitz, as a display list.

use anyhow::{Context, Result};
use anyrender::Scene;
use blitz_dom::DocumentConfig;
use blitz_html::HtmlDocument;
use blitz_paint::paint_scene;
use blitz_traits::net::{Bytes, NetHandler, NetProvider, Request};
use blitz_traits::shell::{ColorScheme, Viewport};
use std::path::Path;
use std::sync::Arc;

/// A view of a page: scroll position and scale.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct View {
    /// Width and height of the picture in pixels.
    pub size: [u32; 2],
    /// Pixels a CSS pixel.
    pub scale: f32,
    /// How far the page is scrolled: 0 is the top, 1 the end.
    pub place: f64,
}

/// A page, ready to be painted.
pub struct Page {
    document: HtmlDocument,
}

impl Page {
    /// Lays out an HTML text. Pictures and style sheets come from `base`: a `file:` address, or `page:` for the pictures that
    /// are drawn for the pages of this example.
    pub fn new(html: &str, base: &str) -> Self {
        let config = DocumentConfig {
            base_url: Some(base.to_owned()),
            net_provider: Some(Arc::new(Files)),
            viewport: Some(Viewport::new(1280, 800, 1.0, ColorScheme::Light)),
            ..Default::default()
        };
        Self { document: HtmlDocument::from_html(html, config) }
    }

    /// Lays out an HTML file.
    pub fn open(path: &Path) -> Result<Self> {
        let html = std::fs::read_to_string(path).with_context(|| path.display().to_string())?;
        let path = path.canonicalize()?;
        Ok(Self::new(&html, &format!("file://{}", path.display())))
    }

    /// Goes to a place of the page.
    pub fn look(&mut self, view: &View) {
        let [width, height] = view.size;
        self.document.set_viewport(Viewport::new(width, height, view.scale, ColorScheme::Light));
        // Once for the style sheets and pictures, and once for what they changed.
        for _ in 0..2 {
            self.document.handle_messages();
            self.document.resolve(0.0);
        }
        let page = f64::from(self.document.root_element().final_layout().size.height);
        let shown = f64::from(height) / f64::from(view.scale);
        let mut scroll = self.document.viewport_scroll();
        scroll.y = ((page - shown).max(0.0) * view.place).round();
        self.document.set_viewport_scroll(scroll);
        self.document.resolve(0.0);
    }

    /// The document, for events and changes.
    pub fn document(&mut self) -> &mut HtmlDocument {
        &mut self.document
    }

    /// Brings styles and layout up to date with the document at a time, in seconds.
    pub fn settle(&mut self, time: f64) {
        for _ in 0..2 {
            self.document.handle_messages();
            self.document.resolve(time);
        }
    }

    /// Paints what is looked at.
    pub fn paint(&mut self, scene: &mut impl anyrender::PaintScene, view: &View) {
        let [width, height] = view.size;
        paint_scene(scene, &mut self.document, view.scale.into(), width, height, 0, 0);
    }

    /// What is looked at as a display list.
    pub fn record(&mut self, view: &View) -> Scene {
        let mut scene = Scene::new();
        self.paint(&mut scene, view);
        scene
    }
}

/// Files of this machine, and pictures that are drawn on demand.
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

/// A picture like a photo of hills, a different one for each name.
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
    // Writing into memory does not fail.
    let _ = picture.write_to(&mut bytes, image::ImageFormat::Png);
    bytes.into_inner()
}
