//! An input as a report, whatever it was.

use crate::{Failure, Input};
use std::path::PathBuf;
use treebounds_core::reference;
use treebounds_encoding::svg;
use treebounds_inspector::{Exhibit, ReadReport};
use treebounds_report::{Backend, Findings, Report};

/// A drawing's report, or a report that was given.
pub(crate) struct Loaded {
    /// The report's text.
    text: String,
    /// What it says.
    pub(crate) report: ReadReport,
    /// The SVG file, if it was one.
    file: Option<Vec<u8>>,
}

impl Loaded {
    /// Reads an input. The boxes of a drawing are computed by the reference: all backends give the same bits.
    pub(crate) fn from(data: Vec<u8>, input: &Input, allowed: &[PathBuf]) -> Result<Self, Failure> {
        let (text, file) = match report_text(&data) {
            Some(text) => (text.to_owned(), None),
            None => (report_on(&data, input, allowed)?, Some(data)),
        };
        let report = ReadReport::from_json(&text).map_err(|error| input.bad(error))?;
        Ok(Self { text, report, file })
    }

    /// What a page shows of it.
    pub(crate) fn exhibit(&self) -> Exhibit<'_> {
        Exhibit { report: &self.text, drawing: self.file.as_deref() }
    }
}

fn report_on(data: &[u8], input: &Input, allowed: &[PathBuf]) -> Result<String, Failure> {
    let drawing = svg::encode(data, &input.options(allowed)).map_err(|error| input.bad(error))?;
    let bounds = reference::bounds(&drawing.scene.stream);
    let findings = Findings::new(&drawing.scene, &bounds)
        .and_then(|findings| findings.of(&drawing.document))
        .map_err(|error| input.bad(error))?;
    let mut json = Vec::new();
    Report::new(&findings, Backend::Cpu, &input.name)
        .write_json(&mut json)
        .map_err(|error| input.bad(error))?;
    String::from_utf8(json).map_err(|error| input.bad(error))
}

/// The text of what is a report and no drawing: it begins with a brace.
pub(crate) fn report_text(data: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(data).ok()?;
    text.trim_start().starts_with('{').then_some(text)
}
