//! Options and errors of reading SVG files.

use super::files::Files;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use treebounds_core::BuildError;
use usvg::fontdb::Database;
use usvg_css::Media;
use usvg_guard::Error as GuardError;

/// The default of [`Options::image_bytes_max`]: 64 MiB.
const IMAGE_BYTES_MAX: u64 = 64 << 20;

/// Options for reading an SVG file.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The folder of the drawing. Relative image links are resolved against it, and no link may leave it. With `None`,
    /// the default, no image files are read.
    pub resources_dir: Option<PathBuf>,
    /// Additional folders whose images may be read, none by default. An image outside all folders is left out, with a
    /// note in the scene.
    pub allow_files: Vec<PathBuf>,
    /// The maximum size of a linked image file in bytes, 64 MiB by default. All images of a drawing together may have
    /// four times this size. A larger image, or one that is not a regular file, is left out, with a note in the scene.
    pub image_bytes_max: u64,
    /// Whether text may use system fonts; `true` by default.
    pub load_system_fonts: bool,
    /// Additional fonts for text.
    pub fonts: Option<Arc<Database>>,
    /// The renderer whose strokes the boxes contain, [`Painter::Exact`] by default.
    pub painter: Painter,
    /// The medium for style sheets: by default, a screen and a user without preferences.
    pub media: Media,
}

/// The renderer whose strokes the boxes contain.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Painter {
    /// Strokes as SVG defines them, at any scale: for browsers, GPU renderers and measurements.
    #[default]
    Exact,
    /// Strokes as resvg paints them. Strokes up to a pixel wide reach up to a pixel further, and dashes on curves are
    /// off by up to half a pixel. A filter reads nothing outside its region.
    Resvg,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            resources_dir: None,
            allow_files: Vec::new(),
            image_bytes_max: IMAGE_BYTES_MAX,
            load_system_fonts: true,
            fonts: None,
            painter: Painter::default(),
            media: Media::default(),
        }
    }
}

impl Options {
    /// Sets the folder of the drawing.
    #[must_use]
    pub fn resources_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.resources_dir = Some(folder.into());
        self
    }

    /// Adds a folder whose images may be read.
    #[must_use]
    pub fn allow_files(mut self, folder: impl Into<PathBuf>) -> Self {
        self.allow_files.push(folder.into());
        self
    }

    /// Enables or disables system fonts.
    #[must_use]
    pub fn system_fonts(mut self, load: bool) -> Self {
        self.load_system_fonts = load;
        self
    }

    /// Sets the medium for style sheets.
    #[must_use]
    pub fn media(mut self, media: Media) -> Self {
        self.media = media;
        self
    }

    /// Sets the renderer whose strokes the boxes contain.
    #[must_use]
    pub fn painter(mut self, painter: Painter) -> Self {
        self.painter = painter;
        self
    }

    /// Returns the images that the drawing may link to.
    pub(super) fn files(&self) -> Files {
        let own = self.resources_dir.iter();
        Files::new(own.clone().chain(own.flat_map(|_| &self.allow_files)), self.image_bytes_max)
    }

    pub(super) fn fontdb(&self) -> Arc<Database> {
        let given = || self.fonts.clone().unwrap_or_default();
        match (self.load_system_fonts, &self.fonts) {
            (true, None) => system_fonts(),
            (true, Some(fonts)) => {
                let mut all = Database::clone(fonts);
                all.load_system_fonts();
                Arc::new(all)
            }
            (false, _) => given(),
        }
    }
}

/// The system fonts, loaded once.
fn system_fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}

/// The reason why an SVG cannot be encoded. Each message is one line.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum SvgError {
    /// The file is damaged, is not an SVG file, or exceeds a limit.
    #[error(transparent)]
    Guard(#[from] GuardError),
    /// Masks and clip paths are nested too deeply, or refer to each other too deeply.
    #[error(
        "masks and clip paths nested {depth} deep exceed the maximum of {max} levels; remove some of them"
    )]
    TooDeep {
        /// The depth at which counting stopped.
        depth: u64,
        /// The maximum depth.
        max: u64,
    },
    /// With every reference expanded, there are too many elements.
    #[error(
        "with every use, pattern, mask, marker and clip path expanded there are more than {max} elements; remove some references"
    )]
    TooMuch {
        /// The maximum number of elements.
        max: u64,
    },
    /// The elements do not form a stream.
    #[error(transparent)]
    Stream(#[from] BuildError),
}
