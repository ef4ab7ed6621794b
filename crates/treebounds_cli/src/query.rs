//! Prints boxes in Inkscape's format.

use crate::{
    Failure, Input,
    failure::printable,
    input::Reported,
    options::Args,
    table::tidy,
    worker::{self, Job, Output, Sink},
};
use std::{
    io::{self, Write},
    path::Path,
};
use treebounds_core::{Rect, Role};
use treebounds_report::Element;

/// Sends the boxes of one file in the format of Inkscape's `--query-all`: lines of `id,x,y,w,h`. Runs in a worker.
///
/// As in Inkscape and resvg, the boxes of ids ignore clips. The box of the whole drawing, the only one printed with
/// `--document`, surrounds its visible part. If there are no objects, as in a scene file, elements with an id are listed. If
/// there are several files, each line begins with the file name and a colon.
pub(crate) fn work(args: &Args, job: &Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
    let data = job.files.first().map(|file| file.as_slice()).unwrap_or_default();
    let input = Input::named(Path::new(&job.path));
    let report = Reported::from(data, &input, &args.limits)?.report;
    let file = if args.are_several() { format!("{}:", input.name) } else { String::new() };
    let bounds = report.elements.iter().map(Element::place);
    let all = bounds.fold(Rect::NOTHING, Rect::union);
    worker::write(sink, Output::Lines, &mut |out| {
        let mut objects = report.objects.iter();
        let root = objects.next().and_then(|root| root.id.as_deref()).unwrap_or("svg");
        write_box(out, &file, root, all)?;
        if args.task.query_all {
            for object in objects {
                let unclipped = object.unclipped;
                let rect = if unclipped.is_empty() { object.bounds } else { unclipped };
                write_box(out, &file, object.id.as_deref().unwrap_or_default(), rect)?;
            }
            let elements = report.elements.iter().filter(|it| it.tag.role() != Role::End);
            for element in elements.filter(|_| report.objects.is_empty()) {
                if let Some(id) = &element.id {
                    let Rect { x0, y0, x1, y1 } = element.unclipped;
                    // The unclipped box may be infinite; the place on the canvas is not.
                    let is_finite = (x1 - x0).is_finite() && (y1 - y0).is_finite();
                    let rect = if is_finite { element.unclipped } else { element.place() };
                    write_box(out, &file, id, rect)?;
                }
            }
        }
        Ok(())
    })?;
    Ok(0)
}

fn write_box(out: &mut dyn Write, file: &str, id: &str, rect: Rect) -> io::Result<()> {
    let [x0, y0, x1, y1] = if rect.is_empty() { [0.0; 4] } else { rect.to_array() };
    let [x, y, w, h] = [x0, y0, x1 - x0, y1 - y0].map(tidy);
    writeln!(out, "{file}{},{x},{y},{w},{h}", printable(id))
}
