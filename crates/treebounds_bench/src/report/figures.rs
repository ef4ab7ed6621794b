//! The record as pictures: SVG, and the same as PNG.

use super::charts;
use crate::record::Record;
use anyhow::{Context, anyhow};
use plotters::style::{Color, FontFamily, IntoFont, RGBColor, TextStyle};
use resvg::{tiny_skia, usvg};
use std::path::Path;

/// Draws all figures into a folder, which is made where there is none.
pub(crate) fn draw(record: &Record, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let leads = record.leads().into_iter().enumerate();
    let mut figures: Vec<_> =
        leads.map(|(ix, lead)| (file_name(ix, lead), charts::throughput(record, lead))).collect();
    figures.push(("shapes".to_owned(), charts::bars(record)));
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
/// of markers, or the depth.
fn file_name(ix: usize, input: &str) -> String {
    let percent: String = input.chars().filter(char::is_ascii_digit).collect();
    if ix == 0 { "throughput".to_owned() } else { format!("throughput-{percent}") }
}

/// What drawing can go wrong with.
pub(super) type Drawn = Result<String, Box<dyn std::error::Error>>;

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

/// Letters and axes.
pub(super) const INK: RGBColor = RGBColor(34, 34, 34);
/// What explains.
pub(super) const SOFT: RGBColor = RGBColor(102, 102, 102);
/// Behind everything else.
pub(super) const GRID: RGBColor = RGBColor(228, 228, 228);

/// The look of a line.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) color: RGBColor,
    pub(super) width: u32,
    /// Radius of the points; 0 for none.
    pub(super) point: i32,
}

const BLUE: RGBColor = RGBColor(0, 114, 178);
const SKY: RGBColor = RGBColor(66, 160, 216);
const NAVY: RGBColor = RGBColor(24, 52, 112);
const TEAL: RGBColor = RGBColor(0, 152, 168);
const LILAC: RGBColor = RGBColor(132, 124, 206);
const GREEN: RGBColor = RGBColor(0, 128, 96);
const PURPLE: RGBColor = RGBColor(170, 68, 136);
const VERMILLION: RGBColor = RGBColor(213, 94, 0);
const ORANGE: RGBColor = RGBColor(184, 128, 0);
const BLACK: RGBColor = RGBColor(60, 60, 60);

/// The look of a strategy's line.
pub(super) fn look(strategy: &str) -> Look {
    let thin = |color| Look { color, width: 2, point: 3 };
    match strategy {
        crate::record::MATCHING => Look { color: BLUE, width: 4, point: 5 },
        crate::record::MATCHING_BITS => Look { color: SKY, width: 3, point: 4 },
        crate::record::FUSED => Look { color: BLUE, width: 4, point: 5 },
        crate::record::MARKERS => Look { color: NAVY, width: 3, point: 4 },
        crate::record::MARKER_CLIPS => Look { color: TEAL, width: 3, point: 3 },
        crate::record::CLIPS => Look { color: SKY, width: 3, point: 3 },
        crate::record::BLENDS => Look { color: LILAC, width: 3, point: 3 },
        crate::record::COPY => Look { color: BLACK, width: 2, point: 0 },
        crate::record::VELLO_CPU => thin(ORANGE),
        _ if is_paper(strategy) || strategy == crate::record::VELLO_GPU => thin(VERMILLION),
        _ if strategy.contains("all cores") => thin(GREEN),
        _ => thin(PURPLE),
    }
}

/// Whether it is one of the paper's algorithms.
pub(super) fn is_paper(strategy: &str) -> bool {
    strategy.starts_with(crate::record::PAPER)
}

/// Text of a size.
pub(super) fn text(size: i32, color: RGBColor) -> TextStyle<'static> {
    (FontFamily::SansSerif, size).into_font().color(&color.to_rgba())
}

/// About how wide a text of a size is.
pub(super) fn text_width(text: &str, size: i32) -> i32 {
    (0.42 * f64::from(size) * text.chars().count() as f64) as i32
}

/// Moves positions apart, as little as it takes, so that neighbours are at least
/// `gap` apart; none goes beyond `lowest` and `highest` while there is room. The
/// positions keep their places in the list.
pub(super) fn apart(positions: &mut [i32], gap: i32, lowest: i32, highest: i32) {
    let mut order: Vec<usize> = (0..positions.len()).collect();
    order.sort_by_key(|&ix| positions[ix]);
    let mut below = lowest - gap;
    for &ix in &order {
        positions[ix] = positions[ix].max(below + gap);
        below = positions[ix];
    }
    let mut above = highest + gap;
    for &ix in order.iter().rev() {
        positions[ix] = positions[ix].min(above - gap);
        above = positions[ix];
    }
}

/// A value of the axis: powers of ten without noise.
pub(super) fn plain(log10: f64) -> String {
    let digits = (-log10.round()).max(0.0) as usize;
    format!("{:.digits$}", 10_f64.powi(log10.round() as i32))
}

/// An integer with commas.
pub(super) fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_do_not_overlap() {
        let mut positions = [50, 10, 52, 49, 100];
        apart(&mut positions, 15, 0, 100);
        let mut sorted = positions;
        sorted.sort_unstable();
        assert!(sorted.windows(2).all(|pair| pair[1] - pair[0] >= 15), "{positions:?}");
        assert!(positions[3] < positions[0] && positions[0] < positions[2]);
        assert!(sorted[0] >= 0 && sorted[4] <= 100);
    }

    #[test]
    fn numbers_read_well() {
        assert_eq!((thousands(7), thousands(65_536)), ("7".into(), "65,536".into()));
        assert_eq!(
            (plain(-2.0), plain(0.0), plain(2.0)),
            ("0.01".into(), "1".into(), "100".into())
        );
    }
}
