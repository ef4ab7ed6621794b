//! Throughput over n, both logarithmic: one line a strategy.

use super::Drawn;
use super::style::{GRID, INK, Look, SOFT, is_paper, look, text, text_width};
use super::style::{apart, plain};
use crate::record::Record;
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (1000, 640);
/// Room for the labels on the right.
const RIGHT: u32 = 200;
const LABEL: i32 = 18;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A strategy's points, as (log2 n, log10 Gelem/s).
struct Line<'a> {
    name: &'a str,
    look: Look,
    points: Vec<(f64, f64)>,
}

/// The figure as SVG, of an input.
pub(super) fn draw(record: &Record, input: &str) -> Drawn {
    let lines = lines(record, input);
    let mut svg = String::new();
    {
        let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
        area.fill(&WHITE)?;
        headline(&area, record, input)?;
        let mut chart = axes(&area, &lines)?;
        for line in &lines {
            stroke(&mut chart, line)?;
        }
        name_lines(&area, &chart, &lines)?;
        area.present()?;
    }
    Ok(svg)
}

/// The lines that have points, ours last: it is drawn over the others.
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

fn headline(
    area: &Area<'_>,
    record: &Record,
    input: &str,
) -> Result<(), Box<dyn std::error::Error>> {
    let title = format!("{}, {input}: billions of elements a second", record.title());
    area.draw(&Text::new(title, (24, 20), text(24, INK)))?;
    let place = format!("{}; CPU: {} threads", record.adapter, record.cores);
    area.draw(&Text::new(place, (24, 50), text(17, SOFT)))?;
    Ok(())
}

fn axes<'a, 'b>(
    area: &'a Area<'b>,
    lines: &[Line<'_>],
) -> Result<Chart<'a, 'b>, Box<dyn std::error::Error>> {
    let points = || lines.iter().flat_map(|line| &line.points);
    let range = |of: fn(&(f64, f64)) -> f64| {
        let values = points().map(of);
        values.fold((f64::MAX, f64::MIN), |(low, high), x| (low.min(x), high.max(x)))
    };
    let (x, y) = (range(|point| point.0), range(|point| point.1));
    let (left, right) = if x.0 < x.1 { x } else { (x.0 - 1.0, x.1 + 1.0) };
    let (low, high) = (y.0.floor(), y.1.ceil().max(y.0.floor() + 1.0));
    let mut chart = ChartBuilder::on(area)
        .margin_top(84)
        .margin_left(16)
        .margin_right(RIGHT)
        .margin_bottom(14)
        .x_label_area_size(48)
        .y_label_area_size(56)
        .build_cartesian_2d(left..right, low..high)?;
    chart
        .configure_mesh()
        .light_line_style(TRANSPARENT)
        .bold_line_style(GRID)
        .axis_style(SOFT)
        .x_desc("elements")
        .x_labels(0)
        .y_labels((high - low) as usize + 1)
        .y_label_formatter(&|log10| plain(*log10))
        .label_style(text(17, INK))
        .axis_desc_style(text(17, SOFT))
        .draw()?;
    let powers = (left.ceil() as i32..=right as i32).step_by(2);
    for power in powers {
        let (x, bottom) = chart.backend_coord(&(f64::from(power), low));
        let (_, top) = chart.backend_coord(&(f64::from(power), high));
        area.draw(&PathElement::new([(x, top), (x, bottom)], GRID))?;
        power_of_two(area, power, (x, bottom + 22))?;
    }
    Ok(chart)
}

/// Two to a power, around this place. Few fonts have all raised digits.
fn power_of_two(
    area: &Area<'_>,
    power: i32,
    (x, y): (i32, i32),
) -> Result<(), Box<dyn std::error::Error>> {
    let style = |size, side| text(size, INK).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new("2", (x - 2, y), style(17, HPos::Right)))?;
    area.draw(&Text::new(power.to_string(), (x - 1, y - 5), style(13, HPos::Left)))?;
    Ok(())
}

fn stroke(chart: &mut Chart<'_, '_>, line: &Line<'_>) -> Result<(), Box<dyn std::error::Error>> {
    let Look { color, width, point } = line.look;
    chart.draw_series(LineSeries::new(line.points.iter().copied(), color.stroke_width(width)))?;
    if point > 0 {
        let points = line.points.iter();
        chart.draw_series(points.map(|&at| Circle::new(at, point, color.filled())))?;
    }
    Ok(())
}

/// Each line's name beside its end: on the right of the figure, or, for lines that end
/// earlier, right there.
fn name_lines(
    area: &Area<'_>,
    chart: &Chart<'_, '_>,
    lines: &[Line<'_>],
) -> Result<(), Box<dyn std::error::Error>> {
    let ends: Vec<_> = lines
        .iter()
        .filter_map(|line| Some((line, chart.backend_coord(line.points.last()?))))
        .collect();
    let right = SIZE.0 as i32 - RIGHT as i32;
    let (outer, inner): (Vec<_>, Vec<_>) = ends.into_iter().partition(|end| end.1.0 >= right - 12);
    for (ix, (line, (x, y))) in inner.iter().enumerate() {
        // The last says what they have in common.
        let label = if ix + 1 == inner.len() {
            margin_name(line.name)
        } else {
            short(line.name).to_owned()
        };
        // The paper's end side by side, below others; another ends among lines that rise, and
        // is named below them.
        let color = line.look.color;
        let (left, middle) = if is_paper(line.name) { (x + 10, y + 16) } else { (x + 30, y + 76) };
        if is_paper(line.name) {
            let back = [(x + 8, y + 9), (x + 12 + text_width(&label, LABEL), y + 23)];
            area.draw(&Rectangle::new(back, WHITE.mix(0.8).filled()))?;
        } else {
            let leader = [(x + 2, y + 6), (left - 4, middle - 6)];
            area.draw(&PathElement::new(leader, color.mix(0.5)))?;
        }
        let style = text(LABEL, color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(label, (left, middle), style))?;
    }
    let mut heights: Vec<i32> = outer.iter().map(|end| end.1.1).collect();
    apart(&mut heights, LABEL + 4, 90, SIZE.1 as i32 - 70);
    for ((line, (x, y)), height) in outer.into_iter().zip(heights) {
        let color = line.look.color;
        if (height - y).abs() > 3 {
            area.draw(&PathElement::new([(x + 6, y), (right + 14, height)], color.mix(0.5)))?;
        }
        let style = text(LABEL, color).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(margin_name(line.name), (right + 18, height), style))?;
    }
    Ok(())
}

fn margin_name(name: &str) -> String {
    if is_paper(name) { format!("Levien 2022, {}", short(name)) } else { name.to_owned() }
}

/// A paper's line ends with its k.
fn short(name: &str) -> &str {
    if is_paper(name) { name.rsplit(", ").next().unwrap_or(name) } else { name }
}
