//! The command line: the options that all programs of this repository share, and the arguments of `svg_clips`.

use crate::{Choice, Failure};
use clap::{Args as Group, Parser, ValueEnum};
use std::{
    ffi::OsStr,
    ops::RangeInclusive,
    path::{Path, PathBuf},
    time::Duration,
};
use treebounds_core::{NodeKind, Tag};
use treebounds_report::{PictureFrame, Scene, Selection};

/// Shows where every element, clip and layer of an SVG drawing is.
///
/// Writes a picture of all bounding boxes over the dimmed drawing. The box of a shape or a layer is its visible part; the box
/// of a clip is the area that it lets through. Invisible elements are crossed out.
#[derive(Clone, Debug, Parser)]
#[command(name = "svg_clips", version, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Args {
    /// Drawings (.svg or .svgz), reports written by --json, scene files, or folders of drawings and .scene.json files; - reads standard input. With
    /// several drawings, --output, --json, --csv and --html name a folder that gets one file for each, or - to write one after
    /// the other; --csv FILE.csv writes one table
    #[arg(value_name = "FILE.svg|FOLDER|-", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) task: Task,

    #[command(flatten)]
    pub(crate) shown: Shown,

    #[command(flatten)]
    pub(crate) limits: Limits,

    /// How many drawings to read at the same time [default: the number of cores]
    #[arg(long, value_name = "N", help_heading = "Limits")]
    #[arg(value_parser = clap::value_parser!(u8).range(1..))]
    pub(crate) jobs: Option<u8>,
}

/// Other tasks than showing a drawing.
#[derive(Clone, Copy, Debug, Group)]
pub(crate) struct Task {
    /// Compare two drawings, the old one first: prints a table; --json writes a list, --html a page with both
    #[arg(long, conflicts_with_all = ["output", "csv", "id", "only", "depth", "width", "scale"])]
    pub(crate) diff: bool,

    /// Differences for which --diff exits with code 4: boxes; any, also of paint, ids and paint order; or nothing
    #[arg(long, value_name = "WHAT", default_value = "boxes", hide_possible_values = true)]
    #[arg(value_name = "boxes|any|nothing")]
    pub(crate) fail_on: FailOn,

    /// Print only the box of the whole drawing, as id,x,y,w,h
    #[arg(long, conflicts_with_all = ["diff", "output", "csv", "json", "html", "open", "id", "only", "depth"])]
    pub(crate) document: bool,

    /// Print only the boxes of all ids as lines of id,x,y,w,h, like Inkscape's option of the same name. The first line is the
    /// visible box of the whole drawing; the others ignore clips, and are 0,0,0,0 where nothing is painted
    #[arg(long, conflicts_with_all = ["document", "diff", "output", "csv", "json", "html", "open", "id", "only", "depth"])]
    pub(crate) query_all: bool,

    /// Keep running, and write the outputs again whenever a drawing changes. An open page loads itself again, and keeps its
    /// selection and view
    #[arg(long, conflicts_with_all = ["document", "query_all"])]
    pub(crate) watch: bool,
}

/// The differences that are a failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Boxes,
    Any,
    Nothing,
}

const AFTER: &str = "\
Examples:
  svg_clips drawing.svg                   a picture, drawing.bounds.png, and a table
  svg_clips drawing.svg --csv boxes.csv   one line for each element and each id
  svg_clips *.svg --csv - | grep ,object, the box of every id of many drawings
  svg_clips drawing.svg --id badge        one group, clip path or shape
  svg_clips drawing.svg --only layers     no draws and no clips
  svg_clips drawing.svg --open            why every box is where it is, in a browser
  svg_clips old.svg new.svg --diff        what moved, grew, changed its paint, appeared or is gone

Exit codes: 0 done; 1 an input is bad or exceeds a limit, or an output cannot be written; 2 wrong usage; \
3 --backend gpu but no GPU works; 4 --diff found a difference of boxes (see --fail-on). Every drawing is tried, and the exit code is \
that of the first failure.

Each drawing is read and painted in a separate process, so no drawing can crash the program. Outputs are \
written completely or not at all. If only painting exceeds a limit, the boxes are still written, and a \
message says that the picture is missing.

Elements may be nested 1,024 deep, the limit of the SVG parser.";

impl Args {
    pub(crate) fn are_several(&self) -> bool {
        self.files.len() > 1 || self.files.iter().any(|file| file.is_dir())
    }

    /// Returns the number of drawings to read at the same time.
    pub(crate) fn jobs(&self) -> usize {
        let cores = || std::thread::available_parallelism().map_or(1, usize::from);
        let asked = self.jobs.map_or_else(cores, |jobs| jobs.into());
        if self.limits.trust { 1 } else { asked }
    }

    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.files.iter().filter(|file| is_stream(file)).count() > 1 {
            return Err(Failure::usage("standard input can only be read once"));
        }
        if self.task.diff && self.files.len() != 2 {
            return Err(Failure::usage("--diff needs two files, the old one and the new one"));
        }
        if self.task.watch && self.files.iter().any(|file| is_stream(file)) {
            return Err(Failure::usage("--watch needs files, not standard input"));
        }
        if self.task.watch && self.shown.written.open && self.shown.written.html.is_none() {
            return Err(Failure::usage("--watch with --open needs --html PATH for the page"));
        }
        self.shown.written.check()
    }
}

/// The options for what to show of a scene, and how.
#[derive(Clone, Debug, Group)]
pub struct Shown {
    /// The outputs.
    #[command(flatten)]
    pub written: Written,
    /// Where to compute.
    #[command(flatten)]
    pub place: Where,
    /// How large the picture is.
    #[command(flatten)]
    pub size: Size,
    /// Which part of the drawing is shown.
    #[command(flatten)]
    pub focus: Focus,
    /// How much is printed.
    #[command(flatten)]
    pub quiet: Quiet,
}

/// Where to compute.
#[derive(Clone, Debug, Group)]
pub struct Where {
    /// Where to compute. auto: on the CPU for up to 200,000 elements, where that is faster than starting a GPU; otherwise on
    /// a hardware GPU, if one works
    #[arg(long, value_name = "WHERE", default_value = "auto", hide_possible_values = true)]
    #[arg(value_name = "auto|gpu|cpu")]
    pub backend: Choice,
}

/// How large a picture is.
#[derive(Clone, Debug, Group)]
pub struct Size {
    /// Width of the drawing in the picture, in pixels; the legend may need more. Boxes are always reported in pixels of the
    /// drawing [default: the drawing's own size, scaled so that its longer side has 1000 to 2000 pixels, or up to 8000 if
    /// the shorter one would have less than 300]
    #[arg(long, value_name = "PX", conflicts_with = "scale")]
    #[arg(value_parser = clap::value_parser!(u32).range(1..=i64::from(PictureFrame::MAX_SIDE)))]
    pub width: Option<u32>,

    /// Picture pixels per pixel of the drawing
    #[arg(long, value_name = "S", value_parser = scale)]
    pub scale: Option<f64>,
}

/// The outputs.
#[derive(Clone, Debug, Default, Group)]
pub struct Written {
    /// Picture of the boxes, as SVG if the name ends in .svg, else as PNG [default: STEM.bounds.png in the current folder,
    /// or none if --json, --csv, --html or --open is given]
    #[arg(short, long, value_name = "PATH|-")]
    pub output: Option<PathBuf>,

    /// Write no picture
    #[arg(long, conflicts_with = "output")]
    pub no_picture: bool,

    /// Write the full report as JSON to a file, or to standard output (-)
    #[arg(long, value_name = "PATH|-")]
    pub json: Option<PathBuf>,

    /// Write the boxes of every element and every id as CSV to a file, or to standard output (-). An apostrophe precedes text
    /// that a spreadsheet would take for a formula
    #[arg(long, value_name = "PATH|-")]
    pub csv: Option<PathBuf>,

    /// Write the inspector, one page that explains every box, to a file, or to standard output (-)
    #[arg(long, value_name = "PATH|-")]
    pub html: Option<PathBuf>,

    /// Open the page in a browser; without --html it is a temporary file
    #[arg(long)]
    pub open: bool,
}

/// Which part of a drawing is shown.
#[derive(Clone, Debug, Group)]
pub struct Focus {
    /// Show only the element with this id (also a group or a clip path), everything in it, and the clips and layers around it
    #[arg(long, value_name = "ID")]
    pub id: Option<String>,

    /// Show only elements of these kinds: draws, clips or layers, separated by commas
    #[arg(long, value_name = "KINDS", value_delimiter = ',', hide_possible_values = true)]
    pub only: Vec<Kind>,

    /// Show only elements with at most this number of clips and layers around them
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
}

/// A kind of elements.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Kind {
    /// Shapes, texts and images.
    Draws,
    /// Clips, also those that are layers.
    Clips,
    /// Layers, also those that clip.
    Layers,
}

impl Focus {
    /// Restricts the selection to the chosen kinds and depth.
    pub(crate) fn of(&self, selection: Selection, scene: &Scene) -> Selection {
        if self.only.is_empty() && self.depth.is_none() {
            return selection;
        }
        let is_kind = |tag: Tag| {
            use NodeKind::{Blend, Clip, ClipBlend};
            let is = |kind: &Kind| match kind {
                Kind::Draws => tag.node_kind().is_none(),
                Kind::Clips => matches!(tag.node_kind(), Some(Clip | ClipBlend)),
                Kind::Layers => matches!(tag.node_kind(), Some(Blend | ClipBlend)),
            };
            self.only.is_empty() || self.only.iter().any(is)
        };
        let is_near = |depth| self.depth.is_none_or(|most| depth <= most);
        selection.only(scene, |tag, depth| is_kind(tag) && is_near(depth))
    }
}

/// How much is printed.
#[derive(Clone, Copy, Debug, Group)]
pub struct Quiet {
    /// Print no table, no notes and no progress
    #[arg(short, long)]
    pub quiet: bool,
}

/// The limits for one drawing.
#[derive(Clone, Debug, Group)]
pub struct Limits {
    /// Time limit for one drawing in seconds: reading, boxes and picture together
    #[arg(long, value_name = "S", default_value_t = 60.0, value_parser = seconds)]
    #[arg(help_heading = "Limits", conflicts_with = "trust")]
    pub max_seconds: f64,

    /// Memory limit for one drawing in GiB; only enforced on Linux
    #[arg(long, value_name = "GIB", default_value_t = 4.0, value_parser = memory)]
    #[arg(help_heading = "Limits", conflicts_with = "trust")]
    pub max_memory: f64,

    /// Size limit for all outputs of one drawing together, in GiB
    #[arg(long, value_name = "GIB", default_value_t = 1.0, value_parser = output)]
    #[arg(help_heading = "Limits")]
    pub max_output: f64,

    /// Read and paint in this process, without limits on time and memory; only for drawings that you trust
    #[arg(long, help_heading = "Limits")]
    pub trust: bool,

    /// A folder whose files a drawing may link to, in addition to its own folder; may be repeated
    #[arg(long, value_name = "DIR", help_heading = "Limits")]
    pub allow_files: Vec<PathBuf>,

    /// Read style sheets for print instead of for a screen
    #[arg(long, help_heading = "Reading")]
    pub print: bool,

    /// Read style sheets for a reader who prefers dark colours
    #[arg(long, help_heading = "Reading")]
    pub dark: bool,
}

/// The minimum memory limit in GiB. The stacks of the threads that read and paint need 0.57 GiB.
const LEAST_MEMORY: f64 = 0.75;
/// The maximum time limit in seconds: a year.
const MOST_SECONDS: f64 = 3.2e7;
pub(crate) const GIB: f64 = (1u64 << 30) as f64;

fn scale(text: &str) -> Result<f64, String> {
    number(text, f64::MIN_POSITIVE..=f64::MAX, "greater than 0")
}

fn seconds(text: &str) -> Result<f64, String> {
    let most = format!("greater than 0 and at most {MOST_SECONDS:e}");
    number(text, f64::MIN_POSITIVE..=MOST_SECONDS, &most)
}

fn memory(text: &str) -> Result<f64, String> {
    number(text, LEAST_MEMORY..=1e9, &format!("from {LEAST_MEMORY} to 1e9"))
}

fn output(text: &str) -> Result<f64, String> {
    number(text, f64::MIN_POSITIVE..=1e9, "greater than 0 and at most 1e9")
}

fn number(text: &str, range: RangeInclusive<f64>, wanted: &str) -> Result<f64, String> {
    let number = text.parse::<f64>().ok().filter(|number| range.contains(number));
    number.ok_or_else(|| format!("it must be a number {wanted}"))
}

impl Limits {
    pub(crate) fn time(&self) -> Duration {
        Duration::from_secs_f64(self.max_seconds)
    }

    /// Returns the memory limit for one drawing, in bytes.
    pub(crate) fn memory(&self) -> u64 {
        (self.max_memory * GIB) as u64
    }

    /// Returns the size limit for all outputs of one drawing, in bytes.
    pub(crate) fn output(&self) -> u64 {
        (self.max_output * GIB) as u64
    }
}

/// Whether the path stands for a standard stream.
pub fn is_stream(path: &Path) -> bool {
    path.as_os_str() == "-"
}

/// Extensions of unsupported picture formats.
const OTHER_PICTURES: [&str; 10] =
    ["jpg", "jpeg", "gif", "webp", "avif", "bmp", "tif", "tiff", "pdf", "eps"];

impl Written {
    /// Whether a picture is requested.
    pub fn has_picture(&self) -> bool {
        let has_other = self.json.is_some() || self.csv.is_some() || self.has_page();
        self.output.is_some() || !self.no_picture && !has_other
    }

    /// Whether a page is requested.
    pub fn has_page(&self) -> bool {
        self.html.is_some() || self.open
    }

    fn paths(&self) -> impl Iterator<Item = &Path> {
        let all = [&self.output, &self.json, &self.csv, &self.html];
        all.into_iter().filter_map(|path| path.as_deref())
    }

    /// Whether the picture is an SVG, judging by the suffix `.svg`.
    pub fn is_svg(&self) -> bool {
        self.picture_extension().is_some_and(|extension| extension.eq_ignore_ascii_case("svg"))
    }

    fn picture_extension(&self) -> Option<&str> {
        self.output.as_deref().and_then(Path::extension).and_then(OsStr::to_str)
    }

    /// Rejects contradictory options.
    ///
    /// # Errors
    /// Fails if several outputs go to standard output, if the page would be opened but goes to standard output, or if the
    /// picture has the extension of another format.
    pub fn check(&self) -> Result<(), Failure> {
        if self.paths().filter(|path| is_stream(path)).count() > 1 {
            let message =
                "only one of --output, --json, --csv and --html can go to standard output";
            return Err(Failure::usage(message));
        }
        if self.open && self.html.as_deref().is_some_and(is_stream) {
            return Err(Failure::usage("a page on standard output cannot be opened"));
        }
        let extension = self.picture_extension();
        let is_other = |extension: &&str| {
            OTHER_PICTURES.iter().any(|other| other.eq_ignore_ascii_case(extension))
        };
        if let Some(extension) = extension.filter(is_other) {
            let cause = format!(
                "--output writes PNG and SVG pictures, not .{extension}; name it .png or .svg"
            );
            return Err(Failure::usage(cause));
        }
        Ok(())
    }
}
