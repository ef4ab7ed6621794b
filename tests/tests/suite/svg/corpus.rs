//! Tests that every file quickly yields a result or a clear error, that no box is too small, and that reports
//! conform to their JSON Schema.
//!
//! The files are the assets of this repository, and in an ignored test those in the folder `TREEBOUNDS_SVG_CORPUS`.

use jsonschema::Validator;
use serde_json::Value;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use treebounds_core::reference;
use treebounds_encoding::svg::{self, Drawing, GuardError, SvgError, usvg};
use treebounds_report::{Backend, Findings, Report, Selection};
use treebounds_tests::svg::{assets, corpus, misfits, options};

const SCHEMA: &str = include_str!("../../../../crates/treebounds_report/report.schema.json");

/// The maximum time for encoding a file.
const TIME_MAX: Duration = Duration::from_secs(10);

/// Reports are checked for one of this number of files in a corpus.
const SAMPLE: usize = 25;

fn schema() -> Validator {
    jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap()
}

#[test]
fn every_asset_is_a_drawing() {
    let (schema, assets) = (schema(), assets());
    assert!(assets.len() >= 12, "{} assets", assets.len());
    let mut tally = Tally::default();
    for file in &assets {
        let drawing = tally.read(file).unwrap_or_else(|| panic!("{} is refused", file.display()));
        check_reports(&schema, &drawing, file);
    }
    tally.finish();
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn every_file_of_a_corpus_yields_a_result_or_an_error() {
    let (schema, mut tally) = (schema(), Tally::default());
    for (at, file) in corpus().iter().enumerate() {
        if let Some(drawing) = tally.read(file).filter(|_| at % SAMPLE == 0) {
            check_reports(&schema, &drawing, file);
        }
    }
    tally.finish();
}

/// Statistics over the files.
#[derive(Default)]
struct Tally {
    drawings: usize,
    refused: usize,
    slowest: (Duration, PathBuf),
    wrong: Vec<String>,
}

impl Tally {
    fn read(&mut self, file: &Path) -> Option<Drawing> {
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
                misfits(&drawing).into_iter().for_each(|what| self.fail(file, what));
                return Some(drawing);
            }
            Err(SvgError::Guard(
                error @ (GuardError::Panicked { .. } | GuardError::NoStack { .. }),
            )) => {
                self.fail(file, error.to_string());
            }
            Err(error) => {
                let text = String::from_utf8_lossy(&data);
                let options =
                    usvg::roxmltree::ParsingOptions { allow_dtd: true, ..Default::default() };
                let is_xml = usvg::roxmltree::Document::parse_with_options(&text, options).is_ok();
                if is_xml && error.to_string().contains("well-formed") {
                    self.fail(file, format!("is well-formed, but: {error}"));
                }
                self.refused += 1;
                assert_eq!(error.to_string().lines().count(), 1, "{error:?}");
            }
        }
        None
    }

    fn fail(&mut self, file: &Path, what: String) {
        self.wrong.push(format!("{}: {what}", file.display()));
    }

    fn finish(self) {
        let Self { drawings, refused, slowest, wrong } = self;
        eprintln!("{drawings} drawings, {refused} refused");
        eprintln!("slowest: {:?}, {}", slowest.0, slowest.1.display());
        assert!(wrong.is_empty(), "{} files are wrong:\n{}", wrong.len(), wrong.join("\n"));
    }
}

/// Returns the report on a drawing, or on an id in it.
fn report(drawing: &Drawing, id: Option<&str>) -> Value {
    let Drawing { scene, document, .. } = drawing;
    let bounds = reference::bounds(&scene.stream);
    let selection =
        id.map_or(Some(Selection::all()), |id| Selection::of_object(scene, document, id));
    let findings = Findings::new(scene, &bounds).unwrap().of(document).unwrap();
    let findings = findings.only(selection.unwrap());
    let mut json = Vec::new();
    Report::new(&findings, Backend::Cpu, "drawing.svg").write_json(&mut json).unwrap();
    serde_json::from_slice(&json).unwrap()
}

/// Checks the full report, and one filtered by the first id of the drawing.
fn check_reports(schema: &Validator, drawing: &Drawing, file: &Path) {
    let is_valid = |report: &Value| {
        let wrong: Vec<_> = schema
            .iter_errors(report)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", file.display());
    };
    let whole = report(drawing, None);
    is_valid(&whole);
    let ids = whole["objects"].as_array().unwrap().iter().skip(1);
    if let Some(id) = ids.filter_map(|object| object["id"].as_str()).next() {
        is_valid(&report(drawing, Some(id)));
    }
}

#[test]
fn the_schema_rejects_invalid_reports() {
    let (schema, asset) = (schema(), &assets()[0]);
    let drawing = svg::encode(&std::fs::read(asset).unwrap(), &options(asset)).unwrap();
    let changes: [fn(&mut Value); 4] = [
        |report| report["schema"] = "treebounds.report/2".into(),
        |report| report["elements"][0]["kind"] = "doodle".into(),
        |report| report["elements"][0]["bounds"] = serde_json::json!([1, 2, 3]),
        |report| report["width"] = Value::Null,
    ];
    for change in changes {
        let mut report = report(&drawing, None);
        change(&mut report);
        assert!(!schema.is_valid(&report), "{report}");
    }
}
