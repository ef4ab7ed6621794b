//! The record as pictures: SVG, and the same as PNG.

mod labels;
mod png;
mod shapes;
mod style;
mod throughput;

use crate::record::Record;
use anyhow::{Context, anyhow};
use std::path::Path;

/// Draws all figures into a folder, which is made where there is none.
pub(crate) fn draw(record: &Record, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let leads = record.leads().into_iter().enumerate();
    let mut figures: Vec<_> =
        leads.map(|(ix, lead)| (file_name(ix, lead), throughput::draw(record, lead))).collect();
    figures.push(("shapes".to_owned(), shapes::draw(record)));
    for (name, figure) in figures {
        let svg = figure.map_err(|error| anyhow!("cannot draw {name}: {error}"))?;
        write(&folder.join(&name).with_extension("svg"), svg.as_bytes())?;
        match png::rasterise(&svg)? {
            Some(png) => write(&folder.join(&name).with_extension("png"), &png)?,
            None => eprintln!(
                "no fonts here, so no {name}.png; `treebounds_bench show` draws it elsewhere, from the JSON"
            ),
        }
    }
    Ok(())
}

/// The first is `throughput`; what follows ends with the number in its name: the percent
/// of nodes, or the depth.
fn file_name(ix: usize, input: &str) -> String {
    let percent: String = input.chars().filter(char::is_ascii_digit).collect();
    if ix == 0 { "throughput".to_owned() } else { format!("throughput-{percent}") }
}

/// What drawing can go wrong with.
type Drawn = Result<String, Box<dyn std::error::Error>>;

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}
