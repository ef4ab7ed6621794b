//! The program's reports are what their JSON Schema says.
#![allow(clippy::unwrap_used, clippy::panic)]

use serde_json::Value;
use std::path::Path;
use std::process::Command;

const SCHEMA: &str = include_str!("../../treebounds_debug/report.schema.json");

/// The report on a file.
fn report(file: &Path) -> Value {
    let program = Command::new(env!("CARGO_BIN_EXE_svg_clips"))
        .arg(file)
        .args(["--json", "-", "--quiet", "--backend", "cpu"])
        .output()
        .unwrap();
    serde_json::from_slice(&program.stdout)
        .unwrap_or_else(|error| panic!("{}: {error}", file.display()))
}

#[test]
fn every_report_is_valid() {
    let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let assets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets");
    let files = std::fs::read_dir(assets).unwrap().map(|file| file.unwrap().path());
    let drawings: Vec<_> =
        files.filter(|path| path.extension().is_some_and(|it| it == "svg")).collect();
    assert!(drawings.len() > 10);
    for file in &drawings {
        let report = report(file);
        let wrong: Vec<_> = schema
            .iter_errors(&report)
            .map(|error| format!("{}: {error}", error.instance_path()))
            .collect();
        assert!(wrong.is_empty(), "{}: {wrong:#?}", file.display());
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
