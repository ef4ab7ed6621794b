//! A record on the terminal and as figures.

mod figures;
pub(crate) mod floors;
pub(crate) mod tables;

use crate::arguments::{Common, ShowArguments, save};
use crate::record::{BOUNDS, MATCHING, Record};
use anyhow::{Context, bail, ensure};
use std::path::Path;

/// Saves, prints and draws what was just measured. An error where anything was wrong.
pub(crate) fn finish(record: &Record, common: &Common, variants: bool) -> anyhow::Result<()> {
    if let Some(path) = &common.json {
        save(path, record)?;
    }
    present(record, variants, common.rows, common.figures.as_deref())?;
    if record.is_right() { Ok(()) } else { bail!("something is WRONG or FAILED, see above") }
}

/// Prints and draws what was measured before.
pub(crate) fn show(arguments: &ShowArguments) -> anyhow::Result<()> {
    let path = arguments.json.display();
    let json = std::fs::read(&arguments.json).with_context(|| format!("cannot read {path}"))?;
    let record: Record = serde_json::from_slice(&json)
        .with_context(|| format!("{path} is no run of `matching` or `bounds`"))?;
    let known = [MATCHING, BOUNDS].contains(&record.schema.as_str());
    ensure!(known, "{path} has another schema");
    present(&record, false, arguments.rows, arguments.figures.as_deref())
}

fn present(
    record: &Record,
    variants: bool,
    rows: bool,
    folder: Option<&Path>,
) -> anyhow::Result<()> {
    print!("{}", tables::heading(record));
    if variants {
        print!("{}", tables::variants(record));
    } else {
        print!("{}", tables::summary(record));
    }
    if rows {
        print!("{}", tables::rows(record));
    }
    if record.schema == BOUNDS {
        print!("{}", floors::floors(record));
    }
    print!("{}", tables::wrong(record));
    match folder {
        Some(folder) => figures::draw(record, folder),
        None => Ok(()),
    }
}
