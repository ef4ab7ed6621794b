//! Every file of a corpus ends in a result or in a clear error, soon, and no result is too small.
//!
//! The corpus is the folder in `TREEBOUNDS_SVG_CORPUS`; without the variable, the assets of this repository.

use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use treebounds_encoding::svg::{self, Drawing, GuardError, SvgError};
use treebounds_tests::svg::{Fit, corpus, fit, options};
use treebounds_tests::svg_alone;

/// How long a file may take to be encoded.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Files whose pixels leave their boxes for a reason that lies with resvg: the
/// end of the path, and the reason. None is known.
const EXCEPTIONS: &[(&str, &str)] = &[];

/// What the files came to.
#[derive(Default)]
struct Tally {
    drawings: usize,
    refused: usize,
    slowest: (Duration, PathBuf),
    /// How many nodes were painted alone, and the sum of their tightness.
    parts: (usize, f64),
    wrong: Vec<String>,
}

#[test]
fn every_file_ends_well() {
    let files = corpus();
    let mut tally = Tally::default();
    for file in &files {
        tally.read(file);
    }
    let Tally { drawings, refused, slowest, parts, wrong } = tally;
    eprintln!("{} files: {drawings} drawings, {refused} refused", files.len());
    eprintln!("slowest: {:?}, {}", slowest.0, slowest.1.display());
    eprintln!("{} nodes alone, mean tightness {:.3}", parts.0, parts.1 / parts.0.max(1) as f64);
    assert!(wrong.is_empty(), "{} files are wrong:\n{}", wrong.len(), wrong.join("\n"));
}

impl Tally {
    fn read(&mut self, file: &Path) {
        let data = std::fs::read(file).expect("a file that can be read");
        let start = Instant::now();
        let result = svg::encode(&data, &options(file));
        let time = start.elapsed();
        if time > self.slowest.0 {
            self.slowest = (time, file.to_owned());
        }
        if time > TIME_MAX {
            self.fail(file, format!("took {time:?}"));
        }
        match result {
            Ok(drawing) => {
                self.drawings += 1;
                if let Err(error) = self.check(file, &drawing) {
                    self.fail(file, format!("cannot be painted: {error}"));
                }
            }
            Err(SvgError::Guard(
                error @ (GuardError::Panicked { .. } | GuardError::NoStack { .. }),
            )) => {
                self.fail(file, error.to_string());
            }
            Err(error) => {
                self.refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error:?}");
            }
        }
    }

    fn check(&mut self, file: &Path, drawing: &Drawing) -> Result<(), SvgError> {
        if let Some(whole) = fit(drawing)? {
            self.hold(file, "the whole", &whole);
        }
        for (id, part) in svg_alone::fits(drawing)? {
            self.hold(file, &format!("#{id}"), &part);
            if let Some(tightness) = part.tightness {
                self.parts = (self.parts.0 + 1, self.parts.1 + tightness.min(1.0));
            }
        }
        Ok(())
    }

    fn hold(&mut self, file: &Path, what: &str, fit: &Fit) {
        let known = EXCEPTIONS.iter().any(|(end, _)| file.ends_with(end));
        if fit.outside > 0 && !known {
            self.fail(file, format!("{what} leaves its boxes: {fit:?}"));
        }
    }

    fn fail(&mut self, file: &Path, what: String) {
        self.wrong.push(format!("{}: {what}", file.display()));
    }
}
