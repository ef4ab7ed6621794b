//! Reports on drawings are what their JSON Schema says.

use jsonschema::Validator;
use serde_json::Value;
use std::path::{Path, PathBuf};
use treebounds_core::reference;
use treebounds_encoding::svg::{self, Options};
use treebounds_report::{Backend, Findings, Report, Selection};

const SCHEMA: &str = include_str!("../../../../crates/treebounds_report/report.schema.json");

/// One of so many files of the corpus is tried.
const SAMPLE: usize = 25;

/// The report on a file, or on an id in it; `None` for a file that is refused.
fn report_of(file: &Path, id: Option<&str>) -> Option<Value> {
    let folder = file.parent().unwrap_or(Path::new("."));
    let options = Options::default().resources_dir(folder);
    let drawing = svg::encode(&std::fs::read(file).unwrap(), &options).ok()?;
    let bounds = reference::bounds(&drawing.scene.stream);
    let selection = id.map_or(Some(Selection::all()), |id| {
        Selection::of_object(&drawing.scene, &drawing.document, id)
    });
    let findings = Findings::new(&drawing.scene, &bounds).unwrap().of(&drawing.document).unwrap();
    let findings = findings.only(selection.unwrap());
    let mut json = Vec::new();
    Report::new(&findings, Backend::Cpu, "drawing.svg").write_json(&mut json).unwrap();
    Some(serde_json::from_slice(&json).unwrap())
}

fn report(file: &Path) -> Value {
    report_of(file, None).unwrap_or_else(|| panic!("{} is refused", file.display()))
}

/// Every `.svg` file in the folder and the folders in it, sorted.
fn files(folder: &Path) -> Vec<PathBuf> {
    let mut found = Vec::new();
    for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
        if path.is_dir() {
            found.extend(files(&path));
        } else if path.extension().is_some_and(|it| it == "svg") {
            found.push(path);
        }
    }
    found.sort();
    found
}

fn is_valid(schema: &Validator, report: &Value, about: &Path) {
    let wrong: Vec<_> = schema
        .iter_errors(report)
        .map(|error| format!("{}: {error}", error.instance_path()))
        .collect();
    assert!(wrong.is_empty(), "{}: {wrong:#?}", about.display());
}

#[test]
fn every_report_is_valid() {
    let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let drawings = files(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets"));
    assert!(drawings.len() > 10);
    for file in &drawings {
        let report = report(file);
        is_valid(&schema, &report, file);
        // A filtered report: of the first id that the drawing has.
        let ids = report["objects"].as_array().unwrap().iter().skip(1);
        if let Some(id) = ids.filter_map(|object| object["id"].as_str()).next() {
            is_valid(&schema, &report_of(file, Some(id)).unwrap(), file);
        }
    }
    if let Some(corpus) = std::env::var_os("TREEBOUNDS_SVG_CORPUS") {
        let all = files(Path::new(&corpus));
        let valid = all.iter().step_by(SAMPLE).filter_map(|file| {
            report_of(file, None).map(|report| is_valid(&schema, &report, file))
        });
        println!("{} reports of a corpus of {} files are valid", valid.count(), all.len());
    }
    let whole = report(&drawings[0]);
    let changes: [fn(&mut Value); 4] = [
        |report| report["schema"] = "treebounds.report/2".into(),
        |report| report["elements"][0]["kind"] = "doodle".into(),
        |report| report["elements"][0]["bounds"] = serde_json::json!([1, 2, 3]),
        |report| report["width"] = Value::Null,
    ];
    for change in changes {
        let mut report = whole.clone();
        change(&mut report);
        assert!(!schema.is_valid(&report), "the schema allows anything");
    }
}
