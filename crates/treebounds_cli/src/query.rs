//! Boxes in the form of Inkscape's `--query-all`: a line `id,x,y,w,h` each.
//!
//! As Inkscape does, and resvg, `--query-all` gives the box of an id as if nothing cut it; the whole drawing's box, of
//! which `--document` tells too, is that of what is visible.

use crate::{
    Failure, Input,
    args::Args,
    contain::Workers,
    loaded::Loaded,
    table::say,
    wire::{Job, Message, Sink},
};
use treebounds_core::Rect;
use treebounds_report::ObjectBox;

/// Prints the whole drawing's box; with `--query-all`, that of every id too.
pub(crate) fn run(args: &Args, workers: &mut Workers<'_>) -> Result<u8, Failure> {
    let mut lines = Lines(String::new());
    for (index, file) in args.files.iter().enumerate() {
        let input = Input::named(file)?;
        let job = Job::new(index, vec![input.read()?]);
        workers.run(job, &mut lines).map_err(|failure| failure.about_if_none(&input.name))?;
    }
    say(&lines.0, false)?;
    Ok(0)
}

/// The lines of all drawings.
struct Lines(String);

impl Sink for Lines {
    fn take(&mut self, message: Message) -> Result<(), Failure> {
        if let Message::Text(text) = message {
            self.0.push_str(&text);
        }
        Ok(())
    }
}

/// So many bytes of lines are told at once.
const PART: usize = 1 << 16;

/// Tells the boxes of one file: in a worker.
pub(crate) fn work(args: &Args, job: Job, sink: &mut dyn Sink) -> Result<u8, Failure> {
    for (data, file) in job.files.into_iter().zip(args.files.iter().skip(job.index)) {
        let report = Loaded::from(data, &Input::unseen(file), &args.limits.allow_files)?.report;
        let bounds = report.elements.iter().map(|element| element.bounds);
        let all = bounds.fold(Rect::NOTHING, Rect::union);
        let mut objects = report.objects.iter();
        let root = objects.next().and_then(|root| root.id.as_deref()).unwrap_or("svg");
        let mut out = String::new();
        line(&mut out, root, all);
        let objects = objects.take_while(|_| args.task.query_all);
        for ObjectBox { id, bounds, unclipped, .. } in objects {
            let rect = if unclipped.is_empty() { bounds } else { unclipped };
            line(&mut out, id.as_deref().unwrap_or_default(), *rect);
            if out.len() > PART {
                sink.take(Message::Text(std::mem::take(&mut out)))?;
            }
        }
        sink.take(Message::Text(out))?;
    }
    Ok(0)
}

fn line(out: &mut String, id: &str, rect: Rect) {
    let [x0, y0, x1, y1] = if rect.is_empty() { [0.0; 4] } else { rect.to_array() };
    let id: String = id.chars().map(|c| if c.is_control() { ' ' } else { c }).collect();
    out.push_str(&format!("{id},{x0},{y0},{},{}\n", x1 - x0, y1 - y0));
}
