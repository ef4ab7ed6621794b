//! Boxes in the form of Inkscape's `--query-all`: a line `id,x,y,w,h` each.
//!
//! As Inkscape does, and resvg, `--query-all` gives the box of an id as if nothing cut it; the whole drawing's box, of
//! which `--document` tells too, is that of what is visible.

use crate::{Failure, Input, args::Args, failure::plain, loaded::Loaded};
use std::io::{self, Write};
use std::process::ExitCode;
use treebounds_inspector::{Edges, ReadObject};

/// Prints the whole drawing's box; with `--query-all`, that of every id too.
pub(crate) fn run(args: &Args) -> Result<ExitCode, Failure> {
    let mut out = String::new();
    for file in &args.files {
        let input = Input::named(file)?;
        let report = Loaded::read(&input)?.report;
        let all = report.elements.iter().filter_map(|element| element.bounds).reduce(union);
        let mut objects = report.objects.iter();
        let root = objects.next().and_then(|root| root.id.as_deref()).unwrap_or("svg");
        line(&mut out, root, all);
        if args.task.query_all {
            objects.for_each(|ReadObject { id, bounds, unclipped, .. }| {
                line(&mut out, id.as_deref().unwrap_or_default(), unclipped.or(*bounds))
            });
        }
    }
    match io::stdout().lock().write_all(out.as_bytes()) {
        // Whoever read has seen enough.
        Err(error) if error.kind() != io::ErrorKind::BrokenPipe => {
            Err(Failure::bad(plain(&error)).about("stdout"))
        }
        _ => Ok(ExitCode::SUCCESS),
    }
}

fn line(out: &mut String, id: &str, edges: Option<Edges>) {
    let [x0, y0, x1, y1] = edges.unwrap_or_default();
    let id: String = id.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    out.push_str(&format!("{id},{x0},{y0},{},{}\n", x1 - x0, y1 - y0));
}

fn union(a: Edges, b: Edges) -> Edges {
    [a[0].min(b[0]), a[1].min(b[1]), a[2].max(b[2]), a[3].max(b[3])]
}
