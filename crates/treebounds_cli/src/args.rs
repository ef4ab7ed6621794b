//! The command line of `svg_clips`.

use crate::{failure::Failure, limits::Limits, options::is_stream, show::Options};
use clap::Parser;
use std::path::PathBuf;

/// Shows where every element, clip and layer of an SVG drawing is.
///
/// Writes a picture of all bounding boxes over the dimmed drawing: of a draw and of a layer what is visible of it, of a
/// clip what it lets through (in the reports, what is visible inside it). Crossed out is what cannot be seen.
#[derive(Debug, Parser)]
#[command(name = "svg_clips", version, max_term_width = 100, after_help = AFTER)]
pub(crate) struct Args {
    /// Drawings, .svg or .svgz, or reports that --json has written; - reads standard input. Of several, --output, --json and --csv
    /// name folders, which get a file for each; or -, one after the other
    #[arg(value_name = "FILE.svg|-", required = true)]
    pub(crate) files: Vec<PathBuf>,

    #[command(flatten)]
    pub(crate) task: Task,

    #[command(flatten)]
    pub(crate) options: Options,

    #[command(flatten)]
    pub(crate) limits: Limits,
}

/// What else the program does than showing.
#[derive(Clone, Copy, Debug, clap::Args)]
pub(crate) struct Task {
    /// What differs between two drawings, the old one first: a table; with --json a list, with
    /// --html a page with old and new
    #[arg(long, conflicts_with_all = ["output", "csv", "id", "width", "scale"])]
    pub(crate) diff: bool,

    /// Only the box of the whole drawing: a line id,x,y,w,h
    #[arg(long, conflicts_with_all = ["diff", "output", "csv", "json", "html", "open", "id"])]
    pub(crate) document: bool,

    /// Only the boxes of all ids, in the form of Inkscape's option of this name: lines of
    /// id,x,y,w,h, the whole drawing's visible box first, then boxes that nothing cuts; 0,0,0,0
    /// where nothing is painted
    #[arg(long, conflicts_with_all = ["document", "diff", "output", "csv", "json", "html", "open", "id"])]
    pub(crate) query_all: bool,
}

/// What a person asks next.
const AFTER: &str = "\
Examples:
  svg_clips drawing.svg                   a picture, drawing.bounds.png, and a table
  svg_clips drawing.svg --csv boxes.csv   every element and every id, a line each
  svg_clips *.svg --csv - | grep ,object, the box of every id of many drawings
  svg_clips drawing.svg --id badge        one group, clip path or shape
  svg_clips drawing.svg --open            why every box is where it is, in a browser
  svg_clips old.svg new.svg --diff        what moved, grew, shrank, appeared, is gone

Exit codes: 0 done, 1 the input is bad or takes more than the limits (or an output cannot be
written), 2 wrong usage, 3 --backend gpu but no GPU works, 4 --diff found a difference. Of several
drawings all are tried, and the first failure's code is the program's.

A drawing is read and painted in a process of its own, so that none can take the program down.
Where only painting takes too much, the picture has the boxes alone. Outputs are whole or not there.

Nesting has no limit but that of SVG files: usvg reads elements nested 1,024 deep.";

impl Args {
    /// What contradicts itself.
    pub(crate) fn check(&self) -> Result<(), Failure> {
        if self.files.iter().filter(|file| is_stream(file)).count() > 1 {
            return Err(Failure::usage("standard input can only be read once"));
        }
        if self.task.diff && self.files.len() != 2 {
            return Err(Failure::usage("--diff wants two files, the old one and the new one"));
        }
        self.options.written.check()
    }
}
