//! Small scenes that renderers have painted incorrectly, one row each, with the damage of a change.

use crate::support::paint::{differing_at, paint_at};
use anyrender::filters::FilterEffect;
use anyrender::recording::Scene;
use anyrender::{Filter, PaintScene};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, Mix};
use std::sync::Arc;
use treebounds_anyrender::{ListDamage, Options};

const CANVAS: Rect = Rect::new(0.0, 0.0, 400.0, 300.0);

#[derive(Clone)]
enum Part {
    Draw(Rect, Color),
    Clip(Rect),
    Layer(f32),
    Filtered(FilterEffect),
    /// Shows a blurred picture of the content below.
    Glass(Rect, f32),
    Pop,
}

use Part::{Clip, Draw, Filtered, Glass, Layer, Pop};

fn scene(parts: &[Part]) -> Scene {
    let mut scene = Scene::new();
    let (rule, here) = (Fill::NonZero, Affine::IDENTITY);
    let one = |effect: &FilterEffect| Some(Arc::new(Filter::single(effect.clone())));
    for part in parts {
        match part {
            Draw(rect, color) => scene.fill(rule, here, *color, None, rect),
            Clip(rect) => scene.push_clip_layer(rule, here, rect),
            Layer(alpha) => scene.push_layer(rule, Mix::Normal, *alpha, here, &CANVAS, None, None),
            Filtered(effect) => {
                scene.push_layer(rule, Mix::Normal, 1.0, here, &CANVAS, one(effect), None);
            }
            Glass(rect, deviation) => {
                let blur = one(&FilterEffect::blur(*deviation));
                scene.push_layer(rule, Mix::Normal, 1.0, here, rect, None, blur);
            }
            Pop => scene.pop_layer(),
        }
    }
    scene
}

fn damage(old: &[Part], new: &[Part], options: &Options) -> Vec<Rect> {
    let mut damage = ListDamage::new(8, options);
    damage.update(&scene(old), CANVAS).unwrap();
    damage.update(&scene(new), CANVAS).unwrap().to_vec()
}

/// A list, the index of a part and its replacement, and the expected damage in either direction.
type Change<'a> = (&'a str, &'a [Part], usize, Part, &'a [Rect]);

fn rect(x0: f64, y0: f64, x1: f64, y1: f64) -> Rect {
    Rect::new(x0, y0, x1, y1)
}

#[test]
fn changes_damage_where_they_are_visible() {
    let ink = |rect: Rect| Draw(rect, Color::BLACK);
    let page = Draw(CANVAS, Color::WHITE);
    let (cursor, image) = (rect(50.0, 40.0, 52.0, 56.0), rect(20.0, 20.0, 60.0, 50.0));
    let [softer, soft] = [1.9, 0.9].map(|deviation| Filtered(FilterEffect::blur(deviation)));
    let shadow = Filtered(FilterEffect::drop_shadow(60.0, 50.0, 1.9, Color::BLACK));
    let above = rect(-40.0, -50.0, 0.0, -10.0);
    let glass = rect(60.0, 20.0, 140.0, 50.0);
    let [near, far] = [44.0, 20.0].map(|x| rect(x, 24.0, x + 12.0, 36.0));
    let side = ink(rect(100.0, 20.0, 120.0, 40.0));
    let layer = [page.clone(), Clip(CANVAS), Layer(0.9), ink(image), Pop, Pop, side];
    let moved = rect(30.0, 20.0, 70.0, 50.0);
    let red = |rect: Rect| Draw(rect, Color::from_rgb8(200, 0, 0));
    let rows: [Change; 10] = [
        (
            "a cursor in a blurred group",
            &[page.clone(), softer.clone(), ink(cursor), Pop],
            2,
            red(cursor),
            &[rect(44.0, 34.0, 58.0, 62.0)],
        ),
        (
            "a cursor in two blurs",
            &[soft, softer, ink(cursor), Pop, Pop],
            2,
            red(cursor),
            &[rect(41.0, 31.0, 61.0, 65.0)],
        ),
        (
            "the source of a shadow, off the canvas",
            &[shadow, ink(above), Pop],
            1,
            red(above),
            &[rect(0.0, 0.0, 66.0, 46.0)],
        ),
        // The glass is repainted as a whole, including everything that it reads.
        (
            "beside glass that reads it",
            &[page.clone(), ink(near), Glass(glass, 1.9), Pop],
            1,
            red(near),
            &[rect(44.0, 24.0, 54.0, 36.0), rect(54.0, 14.0, 146.0, 56.0)],
        ),
        (
            "beside glass that does not",
            &[page.clone(), ink(far), Glass(glass, 1.9), Pop],
            1,
            red(far),
            &[far],
        ),
        ("a layer fades", &layer, 2, Layer(0.5), &[image]),
        ("a layer disappears", &layer, 2, Layer(0.0), &[image]),
        ("the content of a layer moves", &layer, 3, ink(moved), &[rect(20.0, 20.0, 70.0, 50.0)]),
        ("the clip of a layer changes", &layer, 1, Clip(rect(0.0, 0.0, 45.0, 80.0)), &[image]),
        ("nothing changes", &layer, 3, ink(image), &[]),
    ];
    for (name, old, place, part, expected) in rows {
        let mut new = old.to_vec();
        new[place] = part;
        assert_eq!(damage(old, &new, &Options::EXACT), expected, "{name}");
        assert_eq!(damage(&new, old, &Options::EXACT), expected, "{name}, back");
    }
}

/// From a deviation of 8.46 on, `vello_cpu` halves the picture three times.
#[test]
fn frosted_glass_reads_no_farther_than_its_blur_reaches() {
    let glass = rect(200.0, 100.0, 300.0, 200.0);
    let rows = [
        (8.3, Options::EXACT, 33.0),
        (8.5, Options::EXACT, 45.0),
        (8.3, Options::ROUNDING, 25.0),
        (8.5, Options::ROUNDING, 26.0),
        (30.0, Options::ROUNDING, 90.0),
    ];
    for (deviation, options, reach) in rows {
        let changed = |gap: f64| {
            let thing = rect(190.0 - gap, 140.0, 200.0 - gap, 150.0);
            let list = |color| [Draw(thing, color), Glass(glass, deviation), Pop];
            (thing, damage(&list(Color::BLACK), &list(Color::WHITE), &options))
        };
        let (thing, rects) = changed(reach);
        assert_eq!(rects, [thing], "{deviation}, {options:?}");
        let (_, rects) = changed(reach - 1.0);
        let around = glass.inflate(reach, reach);
        let all: Rect = rects.iter().copied().reduce(|a, b| a.union(b)).unwrap();
        assert!(all.x1 == around.x1.min(CANVAS.x1) && all.y0 == around.y0.max(0.0), "{rects:?}");
    }
}

/// No painter here supports backdrop filters, but the blur of a layer whose content fills the canvas reads the same
/// pixels.
#[test]
fn vello_cpu_blurs_stay_within_their_reach() {
    let edge = 200;
    let size = [CANVAS.x1 as u32, CANVAS.y1 as u32];
    for (deviation, reach) in [(8.3, 33), (8.5, 45)] {
        let painted = |color| {
            let half = Draw(rect(0.0, 0.0, f64::from(edge), CANVAS.y1), color);
            let blur = Filtered(FilterEffect::blur(deviation));
            paint_at(&scene(&[blur, Draw(CANVAS, Color::WHITE), half, Pop]), size)
        };
        let (old, new) = (painted(Color::WHITE), painted(Color::BLACK));
        let last = differing_at(&old, &new, size[0]).map(|(x, _)| x).max().unwrap();
        assert!((edge..edge + reach).contains(&last), "{deviation}: {last}");
    }
}
