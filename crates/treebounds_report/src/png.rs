//! The overlay in pixels, painted by resvg.

use crate::Overlay;
use resvg::{
    tiny_skia::{Pixmap, PixmapPaint, Transform},
    usvg::{Options, Tree, WriteOptions, fontdb::Database},
};
use std::{sync::Arc, thread};

/// Why there is no picture.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum PictureError {
    /// No memory for its pixels.
    #[error("there is no memory for a picture of {width} x {height} pixels; choose a smaller one")]
    NoMemory {
        /// Its width.
        width: u32,
        /// Its height.
        height: u32,
    },
    /// No thread to paint on.
    #[error("cannot start a thread to paint on: {0}")]
    NoThread(#[from] std::io::Error),
    /// resvg panicked.
    #[error("resvg failed to paint the drawing; paint the boxes without it")]
    Failed,
    /// The document that was made for the boxes is wrong, which is a fault of this crate.
    #[error("resvg does not read the boxes: {0}")]
    Svg(#[from] resvg::usvg::Error),
    /// The pixels cannot be written as PNG.
    #[error("the picture cannot be written as PNG: {0}")]
    Png(String),
}

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

    /// The pixels, four bytes each: red, green, blue and 255, row by row.
    pub fn pixels(&self) -> &[u8] {
        self.pixmap.data()
    }

    /// The picture as a PNG file.
    ///
    /// # Errors
    /// [`PictureError::Png`].
    pub fn png(&self) -> Result<Vec<u8>, PictureError> {
        self.pixmap.encode_png().map_err(|error| PictureError::Png(error.to_string()))
    }
}

/// resvg recurses into groups; memory for its stack is only taken where it is used.
const STACK: usize = 512 << 20;

impl Overlay<'_> {
    /// Paints the picture.
    ///
    /// resvg paints the drawing as it is, so a drawing from a stranger may take any time and memory, or abort the process:
    /// paint it in a process of its own.
    ///
    /// # Errors
    /// [`PictureError`]. A panic of resvg is caught.
    pub fn paint(&self) -> Result<Picture, PictureError> {
        thread::scope(|scope| {
            let painter = thread::Builder::new().name("treebounds paint".into()).stack_size(STACK);
            painter
                .spawn_scoped(scope, || self.pixmap())?
                .join()
                .map_err(|_| PictureError::Failed)?
        })
        .map(|pixmap| Picture { pixmap })
    }

    fn pixmap(&self) -> Result<Pixmap, PictureError> {
        let parts = self.parts();
        let [width, height] = parts.size;
        let empty = |width, height| {
            Pixmap::new(width, height).ok_or(PictureError::NoMemory { width, height })
        };
        let mut fonts = Database::new();
        fonts.load_font_data(dejavu::sans_mono::regular().to_vec());
        let options = Options { fontdb: Arc::new(fonts), ..Options::default() };
        let tree = |part: &str| Tree::from_str(&format!("{}{part}</svg>", parts.open), &options);

        let mut pixmap = empty(width, height)?;
        resvg::render(&tree(&parts.back)?, Transform::identity(), &mut pixmap.as_mut());
        if let Some(drawing) = self.drawing {
            let frame = self.frame();
            let scale = frame.scale() as f32;
            // In pixels of its own, because resvg does not cut a drawing at its canvas.
            let mut painted = empty(frame.width(), frame.height())?;
            resvg::render(drawing, Transform::from_scale(scale, scale), &mut painted.as_mut());
            let (plain, to) = (PixmapPaint::default(), Transform::identity());
            pixmap.draw_pixmap(0, 0, painted.as_ref(), &plain, to, None);
        }
        resvg::render(&tree(&parts.front)?, Transform::identity(), &mut pixmap.as_mut());
        Ok(pixmap)
    }
}

/// The drawing as SVG inside of another document: simplified by usvg, with ids of its own.
pub(crate) fn inline(drawing: &Tree) -> String {
    let options = WriteOptions { id_prefix: Some("drawing-".into()), ..WriteOptions::default() };
    drawing.to_string(&options)
}
