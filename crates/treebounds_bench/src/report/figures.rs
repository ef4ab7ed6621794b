//! The record as pictures: SVG, and the same as PNG.

use crate::record::Record;
use anyhow::{Context, anyhow};
use resvg::{tiny_skia, usvg};
use std::path::Path;

mod shapes;
mod style;
mod throughput;

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
        match rasterise(&svg)? {
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

/// Pixels a unit of the figure.
const SCALE: f32 = 2.0;

/// Families that look right, the best first.
const FAMILIES: [&str; 7] = [
    "Inter",
    "Helvetica Neue",
    "Helvetica",
    "Arial",
    "Liberation Sans",
    "DejaVu Sans",
    "Noto Sans",
];

/// The picture as PNG; `None` on a machine without fonts.
pub(super) fn rasterise(svg: &str) -> anyhow::Result<Option<Vec<u8>>> {
    let mut options = usvg::Options::default();
    let fonts = options.fontdb_mut();
    fonts.load_system_fonts();
    let families: Vec<String> = fonts
        .faces()
        .filter_map(|face| face.families.first().map(|family| family.0.clone()))
        .collect();
    let has = |wanted: &&&str| families.iter().any(|family| family == **wanted);
    let best = FAMILIES.iter().find(has).map(|family| (*family).to_owned());
    let Some(family) = best.or_else(|| families.first().cloned()) else { return Ok(None) };
    fonts.set_sans_serif_family(family);

    let tree = usvg::Tree::from_str(svg, &options).context("the figure is no SVG")?;
    let size = tree.size().to_int_size();
    let size = size.scale_by(SCALE).context("the figure has no size")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the figure is too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(Some(pixels.encode_png().context("cannot encode the figure")?))
}
