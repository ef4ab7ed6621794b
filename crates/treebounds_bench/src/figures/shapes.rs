//! How each input fares at the largest size: bars, as parts of the copy kernel.

use super::Drawn;
use super::labels::thousands;
use super::style::{GRID, INK, SOFT, look, text};
use crate::record::Record;
use plotters::prelude::*;
use plotters::style::text_anchor::{HPos, Pos, VPos};

const WIDTH: u32 = 1000;
/// From the left to where bars begin, and from where 1 is to the right.
const LEFT: i32 = 250;
const RIGHT: i32 = 60;
const TOP: i32 = 104;
const BOTTOM: i32 = 44;
/// A bar with the gap after it, and the bar alone.
const ROW: i32 = 36;
const BAR: i32 = 22;

/// The figure as SVG.
pub(super) fn draw(record: &Record) -> Drawn {
    let strategy = crate::ours::NAME;
    let n = record.sizes().last().copied().unwrap_or(0);
    let bars: Vec<_> = record
        .inputs()
        .into_iter()
        .filter_map(|input| Some((input, record.figures(strategy, input, n)?.of_copy?)))
        .collect();
    let bottom = TOP + ROW * bars.len() as i32;
    let most = bars.iter().map(|bar| bar.1).fold(1.0, f64::max);
    let scale = f64::from(WIDTH as i32 - LEFT - RIGHT) / most;
    let at = |ratio: f64| LEFT + (ratio * scale) as i32;

    let mut svg = String::new();
    {
        let size = (WIDTH, (bottom + BOTTOM) as u32);
        let area = SVGBackend::with_string(&mut svg, size).into_drawing_area();
        area.fill(&WHITE)?;
        let title =
            format!("{strategy}, {} elements: part of the copy kernel's speed", thousands(n));
        area.draw(&Text::new(title, (24, 20), text(24, INK)))?;
        area.draw(&Text::new(record.adapter.clone(), (24, 50), text(17, SOFT)))?;
        for quarter in 0..=4 {
            let ratio = f64::from(quarter) / 4.0;
            let x = at(ratio);
            let color = if quarter == 4 { SOFT } else { GRID };
            area.draw(&PathElement::new([(x, TOP - 6), (x, bottom)], color))?;
            let style = text(17, SOFT).pos(Pos::new(HPos::Center, VPos::Top));
            let label = if quarter == 4 { "copy".to_owned() } else { ratio.to_string() };
            area.draw(&Text::new(label, (x, bottom + 8), style))?;
        }
        for (row, (input, ratio)) in (0..).zip(bars) {
            let top = TOP + row * ROW + (ROW - BAR) / 2;
            let bar = [(LEFT, top), (at(ratio), top + BAR)];
            area.draw(&Rectangle::new(bar, look(strategy).color.filled()))?;
            let middle = top + BAR / 2;
            let style = text(18, INK).pos(Pos::new(HPos::Right, VPos::Center));
            area.draw(&Text::new(input, (LEFT - 12, middle), style))?;
            let back = [(at(ratio) + 5, middle - 8), (at(ratio) + 46, middle + 8)];
            area.draw(&Rectangle::new(back, WHITE.filled()))?;
            let style = text(18, INK).pos(Pos::new(HPos::Left, VPos::Center));
            area.draw(&Text::new(format!("{ratio:.2}"), (at(ratio) + 8, middle), style))?;
        }
        area.present()?;
    }
    Ok(svg)
}
