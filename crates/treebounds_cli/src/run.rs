//! From the command line to the drawings.

use crate::{
    args::Args,
    diff,
    failure::Failure,
    input::Input,
    loaded::report_text,
    query,
    show::{Prepared, Show, Subject},
};
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use treebounds_core::Scene;
use treebounds_encoding::svg::{self, Drawing};
use treebounds_inspector::ReadReport;

/// What `svg_clips` is called.
const PROGRAM: &str = "svg_clips";

/// Shows every drawing of the command line; what fails is told, and the first failure's code is the program's.
pub(crate) fn run(args: &Args) -> ExitCode {
    let other = match &args.task {
        task if task.diff => Some(args.check().and_then(|()| diff::run(args))),
        task if task.document || task.query_all => {
            Some(args.check().and_then(|()| query::run(args)))
        }
        _ => None,
    };
    if let Some(done) = other {
        return done.unwrap_or_else(|failure| failure.tell(PROGRAM));
    }
    let mut show = Show::new(&args.options, args.files.len());
    let prepare = |file: &PathBuf| prepare(file, &mut show);
    let prepared: Result<Vec<_>, _> =
        args.check().and_then(|()| args.files.iter().map(prepare).collect());
    let prepared = match prepared {
        // Nothing is read, let alone written, before it is known where everything goes.
        Err(failure) => return failure.tell(PROGRAM),
        Ok(prepared) => prepared,
    };
    let mut code = 0;
    for (input, prepared) in prepared {
        if let Err(failure) = one(&input, prepared, &mut show) {
            failure.tell(PROGRAM);
            code = if code == 0 { failure.code() } else { code };
        }
    }
    ExitCode::from(code)
}

fn prepare(file: &Path, show: &mut Show<'_>) -> Result<(Input, Prepared), Failure> {
    let input = Input::named(file)?;
    let prepared = show.prepare(&input.stem(), input.path())?;
    Ok((input, prepared))
}

fn one(input: &Input, mut prepared: Prepared, show: &mut Show<'_>) -> Result<(), Failure> {
    let (data, read) = show.read(&mut prepared, &input.name, || {
        let data = input.read()?;
        let read = Read::from(&data, input)?;
        Ok((data, read))
    })?;
    let subject = match &read {
        Read::Drawing(drawing) => Subject {
            name: &input.name,
            scene: &drawing.scene,
            document: Some(&drawing.document),
            tree: Some(&drawing.tree),
            file: Some(&data),
        },
        Read::Report(scene) => {
            Subject { name: &input.name, scene, document: None, tree: None, file: None }
        }
    };
    show.show(prepared, subject)
}

/// What an input holds.
enum Read {
    Drawing(Box<Drawing>),
    /// The scene of a report.
    Report(Scene),
}

impl Read {
    fn from(data: &[u8], input: &Input) -> Result<Self, Failure> {
        if let Some(text) = report_text(data) {
            let scene = ReadReport::from_json(text).and_then(|report| report.scene());
            return scene.map(Self::Report).map_err(|error| input.bad(error));
        }
        let drawing = svg::encode(data, &input.options()).map_err(|error| input.bad(error))?;
        Ok(Self::Drawing(Box::new(drawing)))
    }
}
