//! The damage of typical user interface changes, and the repainted pictures.
//!
//! `examples/blitz` recorded the changes from HTML pages, and also measures the cost of finding and painting the
//! damage.

use crate::support::paint::{copied, difference, differing_at, is_in, over_at, paint_at};
use crate::support::recordings;
use anyrender::PaintScene;
use anyrender::recording::Scene;
use kurbo::{Affine, Rect};
use treebounds_anyrender::{ListDamage, Options, Scroll};

/// Returns the old picture after the copy, with the damage painted rect by rect.
fn repainted(
    damage: &ListDamage,
    new: &Scene,
    old: &[u8],
    copy: Option<Scroll>,
    width: u32,
) -> Vec<u8> {
    let mut picture = copied(old, copy, width);
    let row = |x: f64, y: f64| 4 * (y as usize * width as usize + x as usize);
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

/// Checks a change, and returns the damaged share of the window in percent.
///
/// Outside the damage, both frames are bit-for-bit equal, and repainting the damage gives the new picture. After a
/// copy, or if painted at another origin, shapes at fractional positions may be rounded differently.
fn check(name: &str, frames: &[Scene; 2], scroll: Option<Scroll>, size: [u32; 2]) -> f64 {
    let [width, height] = size;
    let window = Rect::new(0.0, 0.0, width.into(), height.into());
    let mut damage = ListDamage::new(8, &Options::EXACT);
    damage.update(&frames[0], window).unwrap();
    let new = &frames[1];
    let copy = match scroll {
        Some(scroll) => damage.update_scrolled(new, window, scroll).unwrap().copy,
        None => damage.update(new, window).map(|_| None).unwrap(),
    };
    let [old, after] = frames.each_ref().map(|frame| paint_at(frame, size));
    if copy.is_none() {
        let mut differing = differing_at(&old, &after, width);
        let outside = differing.find(|(x, y)| !is_in(damage.rects(), *x, *y));
        assert_eq!(outside, None, "{name}: a pixel outside the damage");
        let mut scene = over_at(&old, size);
        damage.repaint(new, &mut scene);
        let (most, pixels) = difference(&paint_at(&scene, size), &after);
        assert_eq!((most, pixels), (0, 0), "{name}: repainted with another result");
    }
    let (most, pixels) = difference(&repainted(&damage, new, &old, copy, width), &after);
    assert!(most <= 2, "{name}: {pixels} pixels differ by up to {most}");
    let part = 100.0 * damage.rects().iter().map(Rect::area).sum::<f64>() / window.area();
    println!("| {name} | {} | {part:.2}% |", damage.rects().len());
    part
}

/// The damaged share for each recorded change in percent, rounded up.
const RECORDED: [(&str, f64); 8] = [
    ("a button is hovered", 0.21),
    ("a card is removed", 36.2),
    ("a caret blinks", 0.005),
    ("a chart gets a point", 3.4),
    ("a letter is typed", 0.37),
    ("a modal opens", 100.0),
    ("a spinner turns", 0.43),
    ("scrolled by 40", 5.0),
];

#[test]
fn recorded_changes_are_repainted_from_their_damage() {
    let recordings = recordings();
    assert_eq!(recordings.len(), RECORDED.len());
    for ((name, recorded), (known, most)) in recordings.into_iter().zip(RECORDED) {
        assert_eq!(name, known);
        let part = check(&name, &recorded.frames, recorded.scroll, recorded.size);
        assert!(part > 0.0 && part <= most, "{name}: {part}% instead of {most}%");
        if recorded.scroll.is_some() {
            let name = format!("{name}, without a hint");
            let part = check(&name, &recorded.frames, None, recorded.size);
            assert!(part <= 55.7, "{name}: {part}%");
        }
    }
}
