//! How an SVG is read.

use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use usvg::fontdb::Database;
use usvg_guard::{FilePolicy, Limits};

/// How many bytes a linked image file may have where nothing else is asked for.
pub const IMAGE_BYTES_MAX: u64 = 64 << 20;

/// How an SVG is read.
#[derive(Clone, Debug)]
#[non_exhaustive]
pub struct Options {
    /// The folder that relative links to images start from, and that no link may lead out of. Without one, no
    /// image is read from a file.
    pub resources_dir: Option<PathBuf>,
    /// Folders whose files may be read besides those of `resources_dir`. A link to any other file is left out and named
    /// in the scene's notes.
    pub allow_files: Vec<PathBuf>,
    /// How many bytes a linked image file may have, [`IMAGE_BYTES_MAX`] if nothing
    /// else is asked for. All those of a drawing together may have four times as
    /// many. What is longer, or no regular file, is left out and named in the
    /// scene's notes.
    pub image_bytes_max: u64,
    /// Whether the fonts of this machine are used for text.
    pub load_system_fonts: bool,
    /// Further fonts for text.
    pub fonts: Option<Arc<Database>>,
}

impl Default for Options {
    fn default() -> Self {
        Self {
            resources_dir: None,
            allow_files: Vec::new(),
            image_bytes_max: IMAGE_BYTES_MAX,
            load_system_fonts: true,
            fonts: None,
        }
    }
}

impl Options {
    /// The same options with this folder for relative links to images.
    #[must_use]
    pub fn resources_dir(mut self, folder: impl Into<PathBuf>) -> Self {
        self.resources_dir = Some(folder.into());
        self
    }

    /// The same options with one more folder whose files images may link to.
    #[must_use]
    pub fn allow_files(mut self, folder: impl Into<PathBuf>) -> Self {
        self.allow_files.push(folder.into());
        self
    }

    /// The same options with this limit to the length of linked image files.
    #[must_use]
    pub fn image_bytes_max(mut self, bytes: u64) -> Self {
        self.image_bytes_max = bytes;
        self
    }

    /// The same options, with or without the fonts of this machine.
    #[must_use]
    pub fn system_fonts(mut self, load: bool) -> Self {
        self.load_system_fonts = load;
        self
    }

    /// How much a file may cost.
    pub(super) fn limits(&self) -> Limits {
        Limits { image_bytes: self.image_bytes_max, ..Limits::default() }
    }

    /// Where linked images may be.
    pub(super) fn files(&self) -> FilePolicy {
        FilePolicy { folder: self.resources_dir.clone(), allowed: self.allow_files.clone() }
    }

    /// All fonts that text may use.
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

/// The fonts of this machine, looked for once.
fn system_fonts() -> Arc<Database> {
    static FONTS: OnceLock<Arc<Database>> = OnceLock::new();
    let load = || {
        let mut fonts = Database::new();
        fonts.load_system_fonts();
        Arc::new(fonts)
    };
    FONTS.get_or_init(load).clone()
}
