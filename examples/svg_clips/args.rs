//! The command line.

use clap::{CommandFactory, Parser, error::ErrorKind};
use std::path::{Path, PathBuf};
use treebounds_debug::Frame;
use treebounds_examples::Choice;

/// Shows where every element, clip and layer of an SVG drawing is.
///
/// Writes a picture of all bounding boxes over the dimmed drawing: of a draw and of a layer what is visible of it, of a
/// clip what it lets through (in the CSV, what is visible inside it). Crossed out is what cannot be seen. Exit codes:
/// 0 done, 1 the input is bad (or an output cannot be written), 2 wrong usage,
/// 3 `--backend gpu` but no GPU works.
#[derive(Debug, Parser)]
#[command(name = "svg_clips", version, max_term_width = 100)]
pub(crate) struct Args {
    /// The drawing, .svg or .svgz; - reads standard input
    #[arg(value_name = "FILE.svg|-")]
    pub(crate) file: PathBuf,

    /// Overlay picture [default: <stem>.bounds.png in the current folder]
    #[arg(short, long, value_name = "PNG")]
    pub(crate) output: Option<PathBuf>,

    /// Full report as JSON, to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    pub(crate) json: Option<PathBuf>,

    /// id,kind,x,y,w,h, one line per element, to a file or (-) to standard output
    #[arg(long, value_name = "PATH|-")]
    pub(crate) csv: Option<PathBuf>,

    /// Where to compute; auto: on the GPU if one works, else on the CPU
    #[arg(long, value_name = "WHERE", default_value = "auto")]
    pub(crate) backend: Choice,

    /// Width of the picture in pixels; boxes are always reported in SVG pixels
    /// [default: the drawing's own size, brought to 1000 to 2000 pixels on its
    /// longer side]
    #[arg(long, value_name = "PX", conflicts_with = "scale")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(Frame::MAX_SIDE)))]
    pub(crate) width: Option<u32>,

    /// Picture pixels for an SVG pixel
    #[arg(long, value_name = "S", value_parser = scale)]
    pub(crate) scale: Option<f64>,

    /// Only the elements with this id, or inside a group or use that has it, and the clips and
    /// layers around them
    #[arg(long, value_name = "ID")]
    pub(crate) id: Option<String>,

    /// No table, no notes, no progress
    #[arg(short, long)]
    pub(crate) quiet: bool,
}

fn scale(text: &str) -> Result<f64, String> {
    match text.parse::<f64>() {
        Ok(scale) if scale.is_finite() && scale > 0.0 => Ok(scale),
        _ => Err("it must be a number greater than 0".into()),
    }
}

/// Whether this path means a standard stream.
pub(crate) fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

impl Args {
    /// Whether standard output is for data.
    pub(crate) fn pipes(&self) -> bool {
        self.outputs().any(is_stream)
    }

    fn outputs(&self) -> impl Iterator<Item = &Path> {
        [&self.output, &self.json, &self.csv].into_iter().filter_map(|path| path.as_deref())
    }

    /// The arguments, or the end of the program where they contradict each other.
    pub(crate) fn checked(self) -> Self {
        if self.outputs().filter(|path| is_stream(path)).count() > 1 {
            let message = "only one of --output, --json and --csv can go to standard output";
            Self::command().error(ErrorKind::ArgumentConflict, message).exit();
        }
        self
    }
}
