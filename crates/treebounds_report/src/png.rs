//! Paints the overlay with resvg.

use crate::{Overlay, PictureError};
use image::{ExtendedColorType, ImageEncoder, codecs::png::PngEncoder};
use resvg::{
    tiny_skia::{Pixmap, PixmapPaint, Transform},
    usvg::{Indent, Node, Options, Tree, WriteOptions, fontdb::Database},
};
use std::{sync::Arc, thread};

/// A finished picture.
#[derive(Clone, Debug)]
pub struct Picture {
    pixmap: Pixmap,
}

impl Picture {
    /// Width in pixels.
    pub fn width(&self) -> u32 {
        self.pixmap.width()
    }

    /// Height in pixels, with the legend.
    pub fn height(&self) -> u32 {
        self.pixmap.height()
    }

    /// Returns the pixels row by row, four bytes each: red, green, blue and 255.
    pub fn pixels(&self) -> &[u8] {
        self.pixmap.data()
    }

    /// Encodes the picture as PNG.
    ///
    /// # Errors
    /// [`PictureError::Png`].
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        // Fast compression takes a tenth of the default's time, for files of twice the size.
        let mut file = Vec::new();
        let size = (self.width(), self.height());
        PngEncoder::new(&mut file)
            .write_image(self.pixels(), size.0, size.1, ExtendedColorType::Rgba8)
            .map_err(|error| PictureError::Png(error.to_string()))?;
        Ok(file)
    }
}

/// Runs usvg or resvg on a thread with a large stack and catches panics, because both recurse into groups and may panic.
/// Stack memory is only committed when used.
fn contained<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, PictureError> {
    const STACK: usize = 512 << 20;
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("treebounds paint".into()).stack_size(STACK);
        builder.spawn_scoped(scope, work)?.join().map_err(|_| PictureError::Failed)
    })
}

impl Overlay<'_> {
    /// Paints the picture.
    ///
    /// The drawing is painted without any checks. An untrusted drawing may take unlimited time and memory, or abort
    /// the process, so paint it in a separate process.
    ///
    /// # Errors
    /// [`PictureError`]. Panics of resvg are caught.
    pub fn paint(&self) -> Result<Picture, PictureError> {
        self.paint_telling(|_| {})
    }

    /// Paints the picture and reports the progress: calls `tell` repeatedly with the painted share of the drawing, from 0 to
    /// 1.
    ///
    /// # Errors
    /// The errors of [`paint`](Self::paint).
    pub fn paint_telling(&self, tell: impl FnMut(f64) + Send) -> Result<Picture, PictureError> {
        Ok(Picture { pixmap: contained(|| self.pixmap(tell))?? })
    }

    fn pixmap(&self, tell: impl FnMut(f64)) -> Result<Pixmap, PictureError> {
        let parts = self.parts();
        let [width, height] = parts.size;
        let empty = |width, height| {
            Pixmap::new(width, height).ok_or(PictureError::NoMemory { width, height })
        };
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans_mono::regular().to_vec());
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        let tree = |part: &str| {
            let svg = format!("{}{part}</svg>", parts.open);
            Tree::from_str(&svg, &options).map_err(|error| PictureError::Svg(error.to_string()))
        };

        let mut pixmap = empty(width, height)?;
        resvg::render(&tree(&parts.back)?, Transform::identity(), &mut pixmap.as_mut());
        if let Some(drawing) = self.drawing {
            let frame = self.frame();
            let scale = frame.scale() as f32;
            // Painted into a separate pixmap, because resvg does not clip a drawing to its canvas.
            let mut painted = empty(frame.width(), frame.height())?;
            paint_parts(drawing, Transform::from_scale(scale, scale), &mut painted, tell);
            let (plain, to) = (PixmapPaint::default(), Transform::identity());
            pixmap.draw_pixmap(0, 0, painted.as_ref(), &plain, to, None);
        }
        resvg::render(&tree(&parts.front)?, Transform::identity(), &mut pixmap.as_mut());
        Ok(pixmap)
    }
}

/// Paints a drawing part by part, with the same result as a single call of resvg.
fn paint_parts(drawing: &Tree, to: Transform, painted: &mut Pixmap, mut tell: impl FnMut(f64)) {
    let mut group = drawing.root();
    while let [Node::Group(inner)] = group.children()
        && !inner.should_isolate()
        && inner.transform().is_identity()
    {
        group = inner;
    }
    let all = group.children().len() as f64;
    for (at, node) in group.children().iter().enumerate() {
        tell(at as f64 / all);
        // resvg moves the node to the corner of the picture; this moves it back.
        if let Some(corner) = node.abs_layer_bounding_box() {
            let to = to.pre_translate(corner.x(), corner.y());
            resvg::render_node(node, to, &mut painted.as_mut());
        }
    }
}

/// Returns the drawing as SVG for embedding in another document: simplified by usvg, with prefixed ids.
pub(crate) fn inline(drawing: &Tree) -> Result<String, PictureError> {
    let options = WriteOptions { id_prefix: Some("drawing-".into()), ..WriteOptions::default() };
    contained(|| drawing.to_string(&options))
}

/// Returns the drawing as an SVG document that looks the same everywhere: texts are outlines, and linked images are
/// embedded.
///
/// # Errors
/// [`PictureError::NoThread`], or [`PictureError::Failed`] if usvg panics.
pub fn standalone(drawing: &Tree) -> Result<String, PictureError> {
    let options = WriteOptions { indent: Indent::None, ..WriteOptions::default() };
    contained(|| drawing.to_string(&options))
}
