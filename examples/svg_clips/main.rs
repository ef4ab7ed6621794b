//! An SVG in, every bounding box out: as a picture, as a report, as a table.
//!
//! ```text
//! cargo run --release --example svg_clips -- drawing.svg
//! ```

mod args;
mod backend;
mod failure;
mod input;
mod output;
mod painting;
mod progress;
mod table;

use args::Args;
use clap::Parser;
use failure::Failure;
use input::Input;
use output::Outputs;
use progress::Progress;
use std::{process::ExitCode, time::Instant};
use treebounds_debug::{Findings, Report, Selection};
use treebounds_encoding::svg::{self, Drawing};

fn main() -> ExitCode {
    // Panics on these threads, which read and paint, are caught and told as errors.
    let tell = std::panic::take_hook();
    std::panic::set_hook(Box::new(move |panic| {
        if !matches!(std::thread::current().name(), Some("treebounds svg" | "treebounds paint")) {
            tell(panic);
        }
    }));
    let args = Args::parse().checked();
    match run(&args) {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => failure.tell(),
    }
}

/// What has the id, and what is inside the groups that have it.
fn of_id(drawing: &Drawing, id: &str) -> Option<Selection> {
    let groups = drawing.groups.iter().filter(|group| group.id == id);
    let inside = groups.flat_map(|group| group.elements.clone());
    Selection::of_elements(&drawing.scene, drawing.scene.elements_of(id).chain(inside))
}

fn run(args: &Args) -> Result<(), Failure> {
    let progress = Progress::new(args);
    let input = Input::named(&args.file)?;
    let mut outputs = Outputs::new(args, &input)?;

    progress.step("reading");
    let start = Instant::now();
    let data = input.read()?;
    let drawing = svg::encode(&data, &input.options()).map_err(|error| input.bad(error))?;
    let reading = start.elapsed();
    drop(data);
    let scene = &drawing.scene;
    let frame = painting::frame(args, scene).map_err(|failure| failure.about(&input.name))?;

    let selection = match &args.id {
        Some(id) => of_id(&drawing, id).ok_or_else(|| input.lacks(id))?,
        None => Selection::all(),
    };

    progress.step("computing the bounds");
    let computed = backend::compute(args.backend, &scene.stream)
        .map_err(|failure| failure.about(&input.name))?;
    let findings =
        Findings::new(scene, &computed.bounds).map_err(|error| input.bad(error))?.only(selection);

    progress.step("painting");
    let start = Instant::now();
    let painted = painting::paint(&findings, &drawing.tree, frame)
        .map_err(|failure| failure.about(&input.name))?;
    let painting = start.elapsed();

    progress.step("writing");
    let report = Report::new(&findings, computed.backend.clone(), &input.name);
    outputs.png(&painted.picture)?;
    outputs.json(&report)?;
    outputs.csv(&report)?;
    let file = outputs.picture();
    outputs.commit()?;
    progress.finish();

    if !args.quiet {
        let times = [("read", reading), ("bounds", computed.time), ("picture", painting)];
        let notes = scene.notes.iter().chain(&painted.note);
        table::print(
            args,
            &input,
            &findings.summary(),
            &computed,
            (&painted.picture, &file),
            &times,
        );
        table::notes(notes);
    }
    Ok(())
}
