//! Figures as SVG and PNG: throughput over n with logarithmic axes and one line per strategy, and the speed on each input
//! at the largest size.

use crate::record::{MATCHING, PAPER, Record, is_ours};
use anyhow::{Context, anyhow};
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};
use resvg::{tiny_skia, usvg};
use std::collections::BTreeSet;
use std::path::Path;

/// Draws all figures into a folder, which is created if necessary.
pub(crate) fn draw(record: &Record, folder: &Path) -> anyhow::Result<()> {
    std::fs::create_dir_all(folder)
        .with_context(|| format!("cannot make the folder {}", folder.display()))?;
    let leads = record.figure_inputs().into_iter().enumerate();
    let mut figures: Vec<_> =
        leads.map(|(ix, lead)| (file_name(ix, lead), throughput(record, lead))).collect();
    figures.push(("shapes".to_owned(), bars(record)));
    for (name, figure) in figures {
        let svg = figure.map_err(|error| anyhow!("cannot draw {name}: {error}"))?;
        write(&folder.join(&name).with_extension("svg"), svg.as_bytes())?;
        match rasterize(&svg)? {
            Some(png) => write(&folder.join(&name).with_extension("png"), &png)?,
            None => eprintln!(
                "no fonts here, so no {name}.png; `treebounds_bench show` draws it elsewhere, from the JSON"
            ),
        }
    }
    Ok(())
}

/// The name of the first figure is `throughput`. Later names end with the number in the input's name: the
/// percentage of markers, or the depth.
fn file_name(ix: usize, input: &str) -> String {
    let percent: String = input.chars().filter(char::is_ascii_digit).collect();
    if ix == 0 { "throughput".to_owned() } else { format!("throughput-{percent}") }
}

/// The result of drawing.
type Drawn = Result<String, Box<dyn std::error::Error>>;

fn write(path: &Path, bytes: &[u8]) -> anyhow::Result<()> {
    std::fs::write(path, bytes).with_context(|| format!("cannot write {}", path.display()))
}

/// Pixels per unit of the figure.
const SCALE: f32 = 2.0;

/// Font families in order of preference.
const FAMILIES: [&str; 7] = [
    "Inter",
    "Helvetica Neue",
    "Helvetica",
    "Arial",
    "Liberation Sans",
    "DejaVu Sans",
    "Noto Sans",
];

/// Converts a figure to PNG. Returns `None` on machines without fonts.
fn rasterize(svg: &str) -> anyhow::Result<Option<Vec<u8>>> {
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

    let tree = usvg::Tree::from_str(svg, &options).context("the figure is not an SVG")?;
    let size = tree.size().to_int_size();
    let size = size.scale_by(SCALE).context("the figure has no size")?;
    let mut pixels =
        tiny_skia::Pixmap::new(size.width(), size.height()).context("the figure is too large")?;
    resvg::render(&tree, tiny_skia::Transform::from_scale(SCALE, SCALE), &mut pixels.as_mut());
    Ok(Some(pixels.encode_png().context("cannot encode the figure")?))
}

const SIZE: (u32, u32) = (1000, 640);

/// Plots the throughput of every strategy on one input against n.
fn throughput(record: &Record, input: &str) -> Drawn {
    let lines = lines(record, input);
    let points = || lines.iter().flat_map(|line| line.points.iter().copied());
    let range = |of: fn((f64, f64)) -> f64| {
        points().map(of).fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    let (left, right) = if x.0 < x.1 { x } else { (x.0 - 1.0, x.1 + 1.0) };
    let (low, high) = (y.0.floor(), y.1.ceil().max(y.0.floor() + 1.0));

    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        let title = format!("{}, {input}: billions of elements per second", record.title());
        let area = area.titled(&title, text(24, INK))?;
        let place = format!("{}; CPU: {} threads", record.adapter, record.cores);
        let area = area.titled(&place, text(17, SOFT))?;
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .margin_right(40)
            .x_label_area_size(48)
            .y_label_area_size(64)
            .build_cartesian_2d(left..right, low..high)?;
        chart
            .configure_mesh()
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(SOFT)
            .x_desc("elements")
            .x_labels(10)
            .x_label_formatter(&power_of_two)
            .y_labels((high - low) as usize + 1)
            .y_label_formatter(&|log10| axis_label(*log10))
            .label_style(text(17, INK))
            .axis_desc_style(text(17, SOFT))
            .draw()?;
        let mut named = BTreeSet::new();
        for line in &lines {
            let Look { color, width, point } = line.look;
            let stroke = color.stroke_width(width);
            let series = chart.draw_series(LineSeries::new(line.points.iter().copied(), stroke))?;
            // The paper's lines look the same and share one entry, so that the legend does not cover any line.
            let name = if line.name.starts_with(PAPER) { PAPER } else { line.name };
            if named.insert(name) {
                series
                    .label(name)
                    .legend(move |(x, y)| PathElement::new([(x, y), (x + 20, y)], stroke));
            }
            let points = line.points.iter().filter(|_| point > 0);
            chart.draw_series(points.map(|&at| Circle::new(at, point, color.filled())))?;
        }
        chart
            .configure_series_labels()
            .position(SeriesLabelPosition::UpperLeft)
            .background_style(WHITE.mix(0.8))
            .border_style(GRID)
            .label_font(text(17, INK))
            .draw()?;
        area.present()?;
    }
    Ok(svg)
}

/// A strategy's points, as (log2 n, log10 Gelem/s).
struct Line<'a> {
    name: &'a str,
    look: Look,
    points: Vec<(f64, f64)>,
}

/// The lines with points. Ours are last, so that they are drawn on top.
fn lines<'a>(record: &'a Record, input: &str) -> Vec<Line<'a>> {
    let point = |name: &str, n: usize| {
        let figures = record.figures(name, input, n)?;
        Some(((n as f64).log2(), figures.gelem_per_s.log10()))
    };
    let mut lines: Vec<_> = record
        .strategies()
        .into_iter()
        .map(|name| Line {
            name,
            look: look(name),
            points: record.sizes().into_iter().filter_map(|n| point(name, n)).collect(),
        })
        .filter(|line| !line.points.is_empty())
        .collect();
    lines.sort_by_key(|line| line.look.width);
    lines
}

/// The height of a bar in pixels.
const BAR: usize = 18;
const NAMES: u32 = 250;

/// Draws bars of the speed on each input at the largest size, relative to the copy kernel.
fn bars(record: &Record) -> Drawn {
    let n = record.sizes().last().copied().unwrap_or(0);
    let ratio = |strategy: &str, input: &str| record.figures(strategy, input, n)?.of_copy;
    let inputs = record.inputs();
    let took_part = |strategy: &&str| inputs.iter().any(|input| ratio(strategy, input).is_some());
    let all = record.strategies().into_iter();
    let strategies: Vec<_> = all.filter(|name| is_ours(name)).filter(took_part).collect();
    let all = inputs.iter().flat_map(|input| strategies.iter().map(|name| ratio(name, input)));
    let most = all.flatten().fold(1.0, f64::max);
    // Each input has one row per strategy and an empty row.
    let rows = inputs.len() * (strategies.len() + 1);

    let mut svg = String::new();
    {
        let size = (SIZE.0, (rows * BAR) as u32 + 160);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let what = record.title().to_lowercase();
        let title = format!("{MATCHING}, {what}, {} elements", thousands(n));
        let area = area.titled(&title, text(24, INK))?;
        let area = area.titled(&record.adapter, text(17, SOFT))?;
        let mut chart = ChartBuilder::on(&area)
            .margin(16)
            .margin_right(60)
            .x_label_area_size(48)
            .y_label_area_size(NAMES)
            .build_cartesian_2d(0.0..most, 0.0..rows as f64)?;
        chart
            .configure_mesh()
            .disable_y_mesh()
            .y_labels(0)
            .light_line_style(TRANSPARENT)
            .bold_line_style(GRID)
            .axis_style(SOFT)
            .x_desc("part of the copy kernel's speed")
            .label_style(text(17, INK))
            .axis_desc_style(text(17, SOFT))
            .draw()?;
        // Rows start at the top.
        let row = |input: usize, at: f64| {
            rows as f64 - (input * (strategies.len() + 1)) as f64 - 0.5 - at
        };
        for (at, strategy) in strategies.iter().enumerate() {
            let color = look(strategy).color;
            let values: Vec<_> = inputs
                .iter()
                .enumerate()
                .map(|(input, name)| (row(input, at as f64), ratio(strategy, name)))
                .collect();
            let bar = |&(top, ratio): &(f64, Option<f64>)| {
                let corners = [(0.0, top), (ratio.unwrap_or(0.0), top - 0.9)];
                Rectangle::new(corners, color.filled())
            };
            chart.draw_series(values.iter().map(bar))?.label(*strategy).legend(move |(x, y)| {
                Rectangle::new([(x, y - 6), (x + 12, y + 6)], color.filled())
            });
            let style = text(17, INK).pos(Pos::new(HPos::Left, VPos::Center));
            chart.draw_series(values.iter().map(|&(top, ratio)| {
                let label = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
                let place = (ratio.unwrap_or(0.0) + 0.01 * most, top - 0.45);
                Text::new(label, place, style.clone())
            }))?;
        }
        for (input, name) in inputs.iter().enumerate() {
            let middle = row(input, strategies.len() as f64 / 2.0);
            let (x, y) = chart.backend_coord(&(0.0, middle));
            let style = text(18, INK).pos(Pos::new(HPos::Right, VPos::Center));
            // Coordinates in the whole picture, because `area` excludes the title.
            let (left, top) = area.get_base_pixel();
            area.draw(&Text::new(*name, (x - 12 - left, y - top), style))?;
        }
        // A single strategy needs no legend.
        if strategies.len() > 1 {
            let mut labels = chart.configure_series_labels();
            labels.position(SeriesLabelPosition::LowerRight).background_style(WHITE.mix(0.8));
            labels.border_style(GRID).label_font(text(17, INK)).draw()?;
        }
        area.present()?;
    }
    Ok(svg)
}

/// The color of text and axes.
const INK: RGBColor = RGBColor(34, 34, 34);
/// The color of labels.
const SOFT: RGBColor = RGBColor(102, 102, 102);
/// The color of grid lines.
const GRID: RGBColor = RGBColor(228, 228, 228);

#[derive(Clone, Copy, Debug)]
struct Look {
    color: RGBColor,
    width: u32,
    /// The radius of points, or 0 for no points.
    point: i32,
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

fn look(strategy: &str) -> Look {
    let thin = |color| Look { color, width: 2, point: 3 };
    match strategy {
        crate::record::MATCHING => Look { color: BLUE, width: 4, point: 5 },
        crate::record::MATCHING_BITS => Look { color: SKY, width: 3, point: 4 },
        crate::record::BRACKETS => Look { color: LILAC, width: 3, point: 3 },
        crate::record::FUSED => Look { color: BLUE, width: 4, point: 5 },
        crate::record::MARKERS => Look { color: NAVY, width: 3, point: 4 },
        crate::record::MARKER_CLIPS => Look { color: TEAL, width: 3, point: 3 },
        crate::record::CLIPS => Look { color: SKY, width: 3, point: 3 },
        crate::record::BLENDS => Look { color: LILAC, width: 3, point: 3 },
        crate::record::COPY => Look { color: BLACK, width: 2, point: 0 },
        crate::record::VELLO_CPU => thin(ORANGE),
        crate::record::LOOKBACK => thin(TEAL),
        _ if strategy.starts_with(PAPER) || strategy == crate::record::VELLO_GPU => {
            thin(VERMILLION)
        }
        _ if strategy.contains("all cores") => thin(GREEN),
        _ => thin(PURPLE),
    }
}

fn text(size: i32, color: RGBColor) -> TextStyle<'static> {
    (FontFamily::SansSerif, size).into_font().color(&color.to_rgba())
}

/// Formats a power of two, if the exponent is whole.
fn power_of_two(log2: &f64) -> String {
    if log2.fract() == 0.0 { format!("2^{log2}") } else { String::new() }
}

/// Formats a power of ten as an axis label.
fn axis_label(log10: f64) -> String {
    let digits = (-log10.round()).max(0.0) as usize;
    format!("{:.digits$}", 10_f64.powi(log10.round() as i32))
}

fn thousands(n: usize) -> String {
    let digits = n.to_string();
    let groups: Vec<_> = digits.as_bytes().rchunks(3).rev().collect();
    groups.into_iter().map(String::from_utf8_lossy).collect::<Vec<_>>().join(",")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn axis_labels_are_readable() {
        assert_eq!((thousands(7), thousands(65_536)), ("7".into(), "65,536".into()));
        assert_eq!(
            (axis_label(-2.0), axis_label(0.0), axis_label(2.0)),
            ("0.01".into(), "1".into(), "100".into())
        );
    }
}
