//! Two kinds of chart: throughput over n, both axes logarithmic, with one line per strategy; and the speed on each input
//! at the largest size.

use crate::record::{MATCHING, Record, is_ours};
use crate::report::figures::{
    Drawn, GRID, INK, Look, SOFT, apart, is_paper, look, plain, text, text_width, thousands,
};
use plotters::coord::Shift;
use plotters::coord::types::RangedCoordf64;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const SIZE: (u32, u32) = (1000, 640);
/// Room for the labels on the right.
const RIGHT: u32 = 200;
const LABEL: i32 = 18;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Done = Result<(), Box<dyn std::error::Error>>;
type Chart<'a, 'b> = ChartContext<'a, SVGBackend<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A strategy's points, as (log2 n, log10 Gelem/s).
struct Line<'a> {
    name: &'a str,
    look: Look,
    points: Vec<(f64, f64)>,
}

/// All strategies on an input over n. Returns SVG.
pub(super) fn throughput(record: &Record, input: &str) -> Drawn {
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

fn headline(area: &Area<'_>, record: &Record, input: &str) -> Done {
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
fn power_of_two(area: &Area<'_>, power: i32, (x, y): (i32, i32)) -> Done {
    let style = |size, side| text(size, INK).pos(Pos::new(side, VPos::Center));
    area.draw(&Text::new("2", (x - 2, y), style(17, HPos::Right)))?;
    area.draw(&Text::new(power.to_string(), (x - 1, y - 5), style(13, HPos::Left)))?;
    Ok(())
}

fn stroke(chart: &mut Chart<'_, '_>, line: &Line<'_>) -> Done {
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
fn name_lines(area: &Area<'_>, chart: &Chart<'_, '_>, lines: &[Line<'_>]) -> Done {
    let ends: Vec<_> = lines
        .iter()
        .filter_map(|line| Some((line, chart.backend_coord(line.points.last()?))))
        .collect();
    let right = SIZE.0 as i32 - RIGHT as i32;
    let (outer, inner): (Vec<_>, Vec<_>) = ends.into_iter().partition(|end| end.1.0 >= right - 12);
    for (ix, (line, (x, y))) in inner.iter().enumerate() {
        // The last one names what the lines share.
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

const WIDTH: u32 = 1000;
/// From the left to where bars begin, and from where the longest may end to the
/// right.
const LEFT: i32 = 250;
const BARS_RIGHT: i32 = 60;
const TOP: i32 = 104;
const BOTTOM: i32 = 44;
/// A bar, and what is free between two inputs.
const BAR: i32 = 18;
const GAP: i32 = 14;

/// Pixels for a ratio of 1.
struct Scale(f64);

impl Scale {
    fn at(&self, ratio: f64) -> i32 {
        LEFT + (ratio * self.0) as i32
    }
}

/// The speed on each input at the largest size, as bars, in parts of the copy kernel's. Returns SVG.
pub(super) fn bars(record: &Record) -> Drawn {
    let n = record.sizes().last().copied().unwrap_or(0);
    let ratio = |strategy: &str, input: &str| record.figures(strategy, input, n)?.of_copy;
    let inputs = record.inputs();
    let took_part = |strategy: &&str| inputs.iter().any(|input| ratio(strategy, input).is_some());
    let strategies: Vec<_> = {
        let all = record.strategies().into_iter();
        all.filter(|name| is_ours(name)).filter(took_part).collect()
    };
    let all = inputs.iter().flat_map(|input| strategies.iter().map(|name| ratio(name, input)));
    let most = all.flatten().fold(1.0, f64::max);
    let scale = Scale(f64::from(WIDTH as i32 - LEFT - BARS_RIGHT) / most);
    let row = BAR * strategies.len() as i32 + GAP;
    let bottom = TOP + row * inputs.len() as i32;

    let mut svg = String::new();
    {
        let size = (WIDTH, (bottom + BOTTOM) as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        bars_headline(&area, record, n, &strategies)?;
        axis(&area, &scale, bottom)?;
        for (top, input) in (TOP + GAP / 2..).step_by(row as usize).zip(&inputs) {
            let style = text(18, INK).pos(Pos::new(HPos::Right, VPos::Center));
            let middle = top + (row - GAP) / 2;
            area.draw(&Text::new(*input, (LEFT - 12, middle), style))?;
            for (top, strategy) in (top..).step_by(BAR as usize).zip(&strategies) {
                bar(&area, &scale, top, look(strategy).color, ratio(strategy, input))?;
            }
        }
        area.present()?;
    }
    Ok(svg)
}

fn bars_headline(area: &Area<'_>, record: &Record, n: usize, strategies: &[&str]) -> Done {
    let what = record.title().to_lowercase();
    let title =
        format!("{MATCHING}, {what}, {} elements: part of the copy kernel's speed", thousands(n));
    area.draw(&Text::new(title, (24, 20), text(24, INK)))?;
    area.draw(&Text::new(record.adapter.clone(), (24, 50), text(17, SOFT)))?;
    // One strategy needs no more than the title.
    let mut x = if strategies.len() > 1 { LEFT } else { WIDTH as i32 };
    for strategy in strategies {
        let color = look(strategy).color;
        area.draw(&Rectangle::new([(x, TOP - 24), (x + 12, TOP - 12)], color.filled()))?;
        let style = text(17, INK).pos(Pos::new(HPos::Left, VPos::Center));
        area.draw(&Text::new(*strategy, (x + 18, TOP - 18), style))?;
        x += 44 + text_width(strategy, 17);
    }
    Ok(())
}

fn axis(area: &Area<'_>, scale: &Scale, bottom: i32) -> Done {
    for quarter in 0..=4 {
        let ratio = f64::from(quarter) / 4.0;
        let x = scale.at(ratio);
        let color = if quarter == 4 { SOFT } else { GRID };
        area.draw(&PathElement::new([(x, TOP - 6), (x, bottom)], color))?;
        let style = text(17, SOFT).pos(Pos::new(HPos::Center, VPos::Top));
        let label = if quarter == 4 { "copy".to_owned() } else { ratio.to_string() };
        area.draw(&Text::new(label, (x, bottom + 8), style))?;
    }
    Ok(())
}

/// A bar with its figure, or a dash where there is none.
fn bar(area: &Area<'_>, scale: &Scale, top: i32, color: RGBColor, ratio: Option<f64>) -> Done {
    let end = scale.at(ratio.unwrap_or(0.0));
    let bar = [(LEFT, top + 1), (end, top + BAR - 1)];
    area.draw(&Rectangle::new(bar, color.filled()))?;
    let label = ratio.map_or_else(|| "-".to_owned(), |ratio| format!("{ratio:.2}"));
    let back = [(end + 5, top + 2), (end + 10 + text_width(&label, 17), top + BAR - 2)];
    area.draw(&Rectangle::new(back, WHITE.filled()))?;
    let style = text(17, INK).pos(Pos::new(HPos::Left, VPos::Center));
    area.draw(&Text::new(label, (end + 8, top + BAR / 2), style))?;
    Ok(())
}
