//! The options that the programs of this repository share, with the same words.

use crate::{Choice, Failure};
use clap::Args;
use std::path::{Path, PathBuf};
use treebounds_report::Frame;

/// Where to compute.
#[derive(Clone, Debug, Args)]
pub struct Where {
    /// Where to compute; auto: on a GPU if one works, else on the CPU, which is faster than a
    /// software adapter
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub backend: Choice,
}

/// How large a picture is.
#[derive(Clone, Debug, Args)]
pub struct Size {
    /// Width of the drawing in the picture, in pixels; a legend may need more. Boxes are always
    /// reported in pixels of the drawing [default: the drawing's own size, brought to 1000 to 2000
    /// pixels on its longer side; up to 8000, where the shorter one would have less than 300]
    #[arg(long, value_name = "PX", conflicts_with = "scale")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(Frame::MAX_SIDE)))]
    pub width: Option<u32>,

    /// Picture pixels for a pixel of the drawing
    #[arg(long, value_name = "S", value_parser = scale)]
    pub scale: Option<f64>,
}

/// What is written, and where to.
#[derive(Clone, Debug, Default, Args)]
pub struct Written {
    /// Picture of the boxes [default: STEM.bounds.png in the current folder, and none where
    /// --json, --csv, --html or --open is given]
    #[arg(short, long, value_name = "PNG")]
    pub output: Option<PathBuf>,

    /// No picture
    #[arg(long, conflicts_with = "output")]
    pub no_picture: bool,

    /// Full report as JSON, to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    pub json: Option<PathBuf>,

    /// Every element and every id with its boxes as CSV, to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    pub csv: Option<PathBuf>,

    /// The inspector: one page in which one sees why every box is where it is, to a file or (-) to
    /// standard output
    #[arg(long, value_name = "PATH|-")]
    pub html: Option<PathBuf>,

    /// Open the page in a browser; without --html it lies among temporary files
    #[arg(long)]
    pub open: bool,
}

/// What is spoken of.
#[derive(Clone, Debug, Args)]
pub struct Focus {
    /// Only what has this id, a group or clip path too, with all that is in it, and the clips
    /// and layers around it
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,
}

/// How much is said.
#[derive(Clone, Copy, Debug, Args)]
pub struct Quiet {
    /// No table, no notes, no progress
    #[arg(short, long)]
    pub quiet: bool,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err("it must be a number greater than 0".into()),
    }
}

/// Whether this path means a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Written {
    /// Whether standard output is for data.
    pub fn pipes(&self) -> bool {
        self.outputs().any(is_stream)
    }

    /// Whether there is to be a picture.
    pub fn has_picture(&self) -> bool {
        let has_other = self.json.is_some() || self.csv.is_some() || self.has_page();
        self.output.is_some() || !self.no_picture && !has_other
    }

    /// Whether there is to be a page.
    pub fn has_page(&self) -> bool {
        self.html.is_some() || self.open
    }

    fn outputs(&self) -> impl Iterator<Item = &Path> {
        let all = [&self.output, &self.json, &self.csv, &self.html];
        all.into_iter().filter_map(|path| path.as_deref())
    }

    /// What contradicts itself.
    ///
    /// # Errors
    /// More than one output is to go to standard output.
    pub fn check(&self) -> Result<(), Failure> {
        if self.outputs().filter(|path| is_stream(path)).count() > 1 {
            let message =
                "only one of --output, --json, --csv and --html can go to standard output";
            return Err(Failure::usage(message));
        }
        if self.open && self.html.as_deref().is_some_and(is_stream) {
            return Err(Failure::usage("a page on standard output cannot be opened"));
        }
        Ok(())
    }
}
