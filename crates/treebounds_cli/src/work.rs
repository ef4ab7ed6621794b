//! What a worker of `svg_clips` does.

use crate::{
    args::Args,
    diff,
    failure::Failure,
    input::Input,
    loaded::report_text,
    picture::Behind,
    query,
    show::{Shower, Subject},
    times::Times,
    wire::{Job, Message, Sink},
};
use treebounds_encoding::svg::{self, Drawing};
use treebounds_inspector::ReadReport;
use treebounds_report::Scene;

/// The work on each job: a drawing is shown, or asked for boxes, or two are compared.
pub(crate) fn work(args: &Args) -> impl FnMut(Job, &mut dyn Sink) -> Result<u8, Failure> {
    let mut shower = Shower::new(&args.options);
    move |job, sink| match &args.task {
        task if task.diff => diff::work(args, job, sink),
        task if task.document || task.query_all => query::work(args, job, sink),
        _ => show(args, &job, &mut shower, sink),
    }
}

fn show(
    args: &Args,
    job: &Job,
    shower: &mut Shower<'_>,
    sink: &mut dyn Sink,
) -> Result<u8, Failure> {
    let (Some(file), Some(data)) = (args.files.get(job.index), job.files.first()) else {
        return Err(Failure::bad("there is no such drawing on the command line"));
    };
    let input = &Input::unseen(file);
    sink.take(Message::Step("reading".into()))?;
    let mut times = Times::default();
    let options = input.options(&args.limits.allow_files);
    let read = times.of("reading", || Read::from(data, input, &options))?;
    let (name, scene, file) = (&*input.name, read.scene(), Some(&**data));
    let subject = match &read {
        Read::Drawing(drawing) => Subject {
            name,
            scene,
            document: Some(&drawing.document),
            behind: Behind::Tree(&drawing.tree),
            file,
        },
        Read::Report(_) => {
            Subject { name, scene, document: None, behind: Behind::Nothing, file: None }
        }
    };
    shower.show(job, subject, times, sink)?;
    Ok(0)
}

/// What an input holds.
enum Read {
    Drawing(Box<Drawing>),
    /// The scene of a report.
    Report(Scene),
}

impl Read {
    fn from(data: &[u8], input: &Input, options: &svg::Options) -> Result<Self, Failure> {
        if let Some(text) = report_text(data) {
            let scene = ReadReport::from_json(text).and_then(|report| report.scene());
            return scene.map(Self::Report).map_err(|error| input.bad(error));
        }
        let drawing = svg::encode(data, options).map_err(|error| input.bad(error))?;
        Ok(Self::Drawing(Box::new(drawing)))
    }

    fn scene(&self) -> &Scene {
        match self {
            Self::Drawing(drawing) => &drawing.scene,
            Self::Report(scene) => scene,
        }
    }
}
