//! Parentheses matching: every strategy on every input at every size, checked,
//! then timed.

mod contest;
mod field;

use crate::arguments::{MatchingArguments, ShowArguments, save};
use crate::harness::Harness;
use crate::record::Record;
use crate::{figures, tables};
use anyhow::{Context, bail, ensure};
use contest::Contest;
use treebounds::Gpu;

/// Measures, prints, saves and draws. An error at the end where anything was
/// wrong.
pub(crate) fn run(arguments: &MatchingArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let mut contest = Contest::new(&harness, arguments)?;
    let sizes = arguments.sizes();
    contest.announce(sizes.len());
    for n in sizes {
        contest.size(n);
        if let Some(path) = &arguments.common.json {
            save(path, contest.record())?;
        }
    }
    let record = contest.finish();
    if let Some(path) = &arguments.common.json {
        save(path, &record)?;
    }
    present(&record, arguments.variants, arguments.rows, arguments.figures.as_deref())?;
    if record.is_right() { Ok(()) } else { bail!("something is WRONG or FAILED, see above") }
}

/// Prints and draws what was measured before.
pub(crate) fn show(arguments: &ShowArguments) -> anyhow::Result<()> {
    let path = arguments.json.display();
    let json = std::fs::read(&arguments.json).with_context(|| format!("cannot read {path}"))?;
    let record: Record =
        serde_json::from_slice(&json).with_context(|| format!("{path} is no run of `matching`"))?;
    ensure!(record.schema == crate::record::SCHEMA, "{path} has another schema");
    present(&record, false, arguments.rows, arguments.figures.as_deref())
}

fn present(
    record: &Record,
    variants: bool,
    rows: bool,
    folder: Option<&std::path::Path>,
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
    print!("{}", tables::wrong(record));
    match folder {
        Some(folder) => figures::draw(record, folder),
        None => Ok(()),
    }
}
