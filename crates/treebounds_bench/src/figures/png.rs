//! From SVG to PNG.

use anyhow::Context;
use resvg::{tiny_skia, usvg};

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
