//! Damage of pages as a user interface changes them, and the pictures that repainting it gives.
//!
//! `examples/blitz` records such changes from HTML pages, and measures what finding and painting the damage costs.

use crate::support::changes::{Change, changes};
use crate::support::pages::size;
use crate::support::paint::{difference, paint_at};
use anyrender::PaintScene;
use anyrender::recording::Scene;
use kurbo::{Affine, Rect};
use treebounds_anyrender::{Damage, Options, Repaint, Scroll};

/// The damage of a change; none of it for the first frame.
fn found(damage: &mut Damage, change: &Change, window: Rect) -> Option<Scroll> {
    let [old, new] = &change.frames;
    damage.forget();
    damage.update(old, window).unwrap();
    match change.scroll {
        None => _ = damage.update(new, window).unwrap(),
        Some(scroll) => {
            let Repaint { copy, .. } = damage.update_scrolled(new, window, scroll).unwrap();
            return copy;
        }
    }
    None
}

/// The new picture: the old one, moved by the copy, with the damage of it painted rect by rect.
fn repainted(
    damage: &Damage,
    new: &Scene,
    old: &[u8],
    copy: Option<Scroll>,
    width: u32,
) -> Vec<u8> {
    let mut picture = old.to_vec();
    let row = |x: f64, y: f64| 4 * (y as usize * width as usize + x as usize);
    if let Some(Scroll { area, by }) = copy {
        for y in area.y0 as i32..area.y1 as i32 {
            let length = 4 * area.width() as usize;
            let from = row(area.x0, f64::from(y));
            let to = row(area.x0 + f64::from(by[0]), f64::from(y + by[1]));
            picture[to..to + length].copy_from_slice(&old[from..from + length]);
        }
    }
    let mut inside = Scene::new();
    damage.replay(new, &mut inside);
    for rect in damage.rects() {
        let mut part = Scene::new();
        part.append_scene(inside.clone(), Affine::translate((-rect.x0, -rect.y0)));
        let [columns, rows] = [rect.width() as u32, rect.height() as u32];
        let pixels = paint_at(&part, [columns, rows]);
        for (y, line) in pixels.chunks(4 * columns as usize).enumerate() {
            let to = row(rect.x0, rect.y0 + y as f64);
            picture[to..to + line.len()].copy_from_slice(line);
        }
    }
    picture
}

#[test]
fn a_change_of_a_page_is_repainted_from_its_damage() {
    let scale = 0.75;
    let [width, height] = size(scale);
    let window = Rect::new(0.0, 0.0, width.into(), height.into());
    let mut damage = Damage::new(8, &Options::EXACT);
    println!("| change | rects | damaged |\n|---|--:|--:|");
    for change in changes(scale) {
        let [old, new] = change.frames.each_ref().map(|frame| paint_at(frame, [width, height]));
        let copy = found(&mut damage, &change, window);
        let area: f64 = damage.rects().iter().map(Rect::area).sum();
        let part = 100.0 * area / window.area();
        println!("| {} | {} | {part:.2}% |", change.name, damage.rects().len());
        let picture = repainted(&damage, &change.frames[1], &old, copy, width);
        let (most, pixels) = difference(&picture, &new);
        // Painted at another origin, shapes and glyphs at fractions of a pixel may be rounded in another way.
        assert!(most <= 2, "{}: {pixels} pixels differ by up to {most}", change.name);
        let is_whole = change.name.contains("modal") || change.name.contains("no hint");
        let limit = if is_whole {
            100.0
        } else if change.name.contains("card") {
            60.0
        } else {
            10.0
        };
        assert!(part <= limit && part > 0.0, "{}: {part}%", change.name);
    }
}
