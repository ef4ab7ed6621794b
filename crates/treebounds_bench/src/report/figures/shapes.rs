//! How each input fares at the largest size: bars, as parts of the copy kernel.

use super::Drawn;
use super::style::{GRID, INK, SOFT, look, text, text_width, thousands};
use crate::lines::{MATCHING, is_ours};
use crate::record::Record;
use plotters::coord::Shift;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: u32 = 1000;
/// From the left to where bars begin, and from where the longest may end to the
/// right.
const LEFT: i32 = 250;
const RIGHT: i32 = 60;
const TOP: i32 = 104;
const BOTTOM: i32 = 44;
/// A bar, and what is free between two inputs.
const BAR: i32 = 18;
const GAP: i32 = 14;

type Area<'a> = DrawingArea<SVGBackend<'a>, Shift>;
type Done = Result<(), Box<dyn std::error::Error>>;

/// Where a ratio is, from left to right.
struct Scale(f64);

impl Scale {
    fn at(&self, ratio: f64) -> i32 {
        LEFT + (ratio * self.0) as i32
    }
}

/// The figure as SVG.
pub(super) fn draw(record: &Record) -> Drawn {
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
    let scale = Scale(f64::from(WIDTH as i32 - LEFT - RIGHT) / most);
    let row = BAR * strategies.len() as i32 + GAP;
    let bottom = TOP + row * inputs.len() as i32;

    let mut svg = String::new();
    {
        let size = (WIDTH, (bottom + BOTTOM) as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        headline(&area, record, n, &strategies)?;
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

fn headline(area: &Area<'_>, record: &Record, n: usize, strategies: &[&str]) -> Done {
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
