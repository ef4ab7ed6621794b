//! Outside the damage, both frames are bit-for-bit equal, and repainting only the damage gives the new frame, bit for
//! bit.
//!
//! `TREEBOUNDS_PAIRS=20000 cargo test -p treebounds_anyrender --test suite damage::` tries more pairs of lists; with
//! `-- --nocapture`, it prints how tight the damage is.

use crate::support::edits::{KINDS, pair};
use crate::support::paint::{copied, difference, differing_at, is_in, over_at, paint};
use anyrender::recording::{RenderCommand, Scene};
use anyrender::{Paint, PaintScene};
use kurbo::{Affine, Rect};
use peniko::{Color, Fill, ImageBrush, ImageSampler};
use std::collections::BTreeMap;
use treebounds_anyrender::{ListDamage, Options, Scroll};
use treebounds_testkit::lists::{SIZE, list, viewport};

const CELL: u32 = 16;

/// The number of pairs: `TREEBOUNDS_PAIRS`, or 400.
fn pairs() -> u64 {
    std::env::var("TREEBOUNDS_PAIRS").ok().map_or(400, |pairs| pairs.parse().unwrap())
}

fn of(old: &Scene, new: &Scene, most: usize) -> ListDamage {
    let mut damage = ListDamage::new(most, &Options::EXACT);
    assert_eq!(damage.update(old, viewport()), Ok(&[viewport()][..]));
    damage.update(new, viewport()).unwrap();
    damage
}

fn differing<'a>(a: &'a [u8], b: &'a [u8]) -> impl Iterator<Item = (u32, u32)> {
    differing_at(a, b, SIZE[0])
}

fn over(picture: &[u8]) -> Scene {
    over_at(picture, SIZE)
}

/// Returns the picture. `None` if `vello_cpu` 0.3 panics (index out of bounds), which some rotated and scaled images
/// cause.
fn painted(scene: &Scene) -> Option<Vec<u8>> {
    std::panic::catch_unwind(std::panic::AssertUnwindSafe(|| paint(scene))).ok()
}

/// The number of cells of 16 x 16 pixels that contain any of these pixels.
fn cells(pixels: impl Iterator<Item = (u32, u32)>) -> usize {
    let cells = pixels.map(|(x, y)| (x / CELL, y / CELL));
    cells.collect::<std::collections::BTreeSet<_>>().len()
}

fn all_pixels() -> impl Iterator<Item = (u32, u32)> {
    (0..SIZE[1]).flat_map(|y| (0..SIZE[0]).map(move |x| (x, y)))
}

#[test]
fn only_damage_differs_and_repainting_it_gives_the_new_picture() {
    let (mut ratios, mut equal, mut refused) = (BTreeMap::<&str, Vec<f64>>::new(), 0, 0);
    for seed in 0..pairs() {
        let kind = KINDS[seed as usize % KINDS.len()];
        let (old, new) = pair(seed, kind);
        let damage = of(&old, &new, 1 + seed as usize % 9);
        let (Some(before), Some(after)) = (painted(&old), painted(&new)) else {
            refused += 1;
            continue;
        };
        for (x, y) in differing(&before, &after) {
            if !is_in(damage.rects(), x, y) {
                fail(seed, kind, &old, &new, &damage, &format!("differs at {x}, {y}"));
            }
        }
        let mut scene = over(&before);
        damage.repaint(&new, &mut scene);
        let Some(repainted) = painted(&scene) else {
            refused += 1;
            continue;
        };
        if repainted != after {
            let (most, count) = difference(&repainted, &after);
            let first = differing(&repainted, &after).next();
            let what = format!("repainted, {count} pixels differ by up to {most}, first {first:?}");
            fail(seed, kind, &old, &new, &damage, &what);
        }
        let least = cells(differing(&before, &after));
        let found = cells(all_pixels().filter(|(x, y)| is_in(damage.rects(), *x, *y)));
        match least {
            0 => equal += 1,
            _ => ratios.entry(kind).or_default().push(found as f64 / least as f64),
        }
    }
    println!("| edit | pairs | median | 95% |\n|---|--:|--:|--:|");
    for (kind, ratios) in &mut ratios {
        ratios.sort_by(f64::total_cmp);
        let [median, most] = [0.5, 0.95].map(|part| ratios[(ratios.len() as f64 * part) as usize]);
        println!("| {kind} | {} | {median:.2} | {most:.2} |", ratios.len());
    }
    println!("{equal} pairs look the same, {refused} could not be painted");
    assert!(refused <= pairs() / 100, "{refused} pairs could not be painted");
}

fn fail(seed: u64, kind: &str, old: &Scene, new: &Scene, damage: &ListDamage, what: &str) -> ! {
    panic!(
        "pair {seed} ({kind}): {what}\n{:#?}\nbecame\n{:#?}\n{:?}",
        old.commands,
        new.commands,
        damage.rects()
    );
}

/// Checks that only differing commands are measured, and that the measurements of the others are kept.
#[test]
fn damage_depends_only_on_the_last_frame() {
    let mut running = ListDamage::new(4, &Options::EXACT);
    let mut last = Scene::new();
    for seed in 0..pairs() {
        // Adds more filters than the cache can store, which clears the cache.
        if seed % 16 == 0 {
            running = ListDamage::new(4, &Options::EXACT);
            running.update(&last, viewport()).unwrap();
        }
        let (old, new) = pair(seed, KINDS[seed as usize % KINDS.len()]);
        for scene in [old, new] {
            let fresh = of(&last, &scene, 4);
            let rects = running.update(&scene, viewport()).unwrap();
            assert_eq!(rects, fresh.rects(), "pair {seed}");
            let replayed = |damage: &ListDamage| {
                let mut inside = Scene::new();
                damage.replay(&scene, &mut inside);
                inside.commands
            };
            assert_eq!(replayed(&running), replayed(&fresh), "pair {seed}");
            last = scene;
        }
    }
}

/// An unbalanced list produces the same error after any other list.
#[test]
fn unbalanced_layers_are_an_error_after_any_list() {
    for seed in 0..pairs() {
        let (old, mut new) = pair(seed, KINDS[seed as usize % KINDS.len()]);
        let at = (seed % 7) as usize * new.commands.len() / 7;
        match seed % 3 {
            0 => new.commands.insert(at, RenderCommand::PopLayer),
            1 => new.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport()),
            _ => _ = new.commands.pop(),
        }
        let mut damage = ListDamage::new(4, &Options::EXACT);
        damage.update(&old, viewport()).unwrap();
        let found = damage.update(&new, viewport()).map(<[Rect]>::to_vec);
        let error = treebounds_anyrender::stream(&new, viewport()).err();
        assert_eq!(found.err(), error, "pair {seed}");
    }
}

#[test]
fn equal_lists_have_no_damage() {
    for seed in 0..50 {
        let scene = list(seed);
        assert_eq!(of(&scene, &scene.clone(), 4).rects(), []);
    }
}

fn square(scene: &mut Scene, x: f64, y: f64, color: Color) {
    let rect = Rect::new(0.0, 0.0, 6.0, 6.0);
    scene.fill(Fill::NonZero, Affine::translate((x, y)), color, None, &rect);
}

/// A white page under a fixed bar, with a scrolled column of squares.
fn scrolled(by: f64) -> Scene {
    let mut scene = Scene::new();
    let (page, all) = (viewport(), Affine::IDENTITY);
    scene.fill(Fill::NonZero, all, Color::WHITE, None, &page);
    scene.push_clip_layer(Fill::NonZero, all, &Rect { y0: 10.0, ..page });
    for row in 0..20 {
        square(
            &mut scene,
            20.0,
            12.0 + 9.0 * f64::from(row) - by,
            Color::from_rgb8(row * 9, 90, 0),
        );
    }
    scene.pop_layer();
    scene.fill(Fill::NonZero, all, Color::BLACK, None, &Rect { y1: 10.0, ..page });
    scene
}

#[test]
fn scrolled_panes_are_copied_and_only_the_strip_is_painted() {
    let (old, new) = (scrolled(3.0), scrolled(10.0));
    let pane = Rect { y0: 10.0, ..viewport() };
    let mut damage = ListDamage::new(8, &Options::EXACT);
    damage.update(&old, viewport()).unwrap();
    let scroll = Scroll { area: pane, by: [0, -7] };
    let repaint = damage.update_scrolled(&new, viewport(), scroll).unwrap();
    assert_eq!(repaint.copy, Some(Scroll { area: Rect { y0: 17.0, ..pane }, by: [0, -7] }));
    assert_eq!(repaint.rects, [Rect { y0: 43.0, ..pane }]);
    let copy = repaint.copy;
    let mut scene = over(&copied(&paint(&old), copy, SIZE[0]));
    damage.repaint(&new, &mut scene);
    assert_eq!(paint(&scene), paint(&new));
    // Without the hint, all squares are damaged.
    assert_eq!(of(&old, &new, 8).rects().iter().map(Rect::area).sum::<f64>(), 6.0 * 36.0);
}

#[test]
fn wrong_hints_and_moved_lists_give_the_new_picture() {
    let mut copies = 0;
    for seed in 0..pairs() / 4 {
        let old = list(9_000_000 + seed);
        let by = [[0, -8], [3, 5], [0, 60], [-70, 0], [0, 0]][seed as usize % 5];
        // Every second list is moved by the hinted offset. Moved lists with filters are skipped, because filters clip
        // their content at the edge of the picture.
        let mut new = old.clone();
        let moves = seed % 2 == 0;
        if moves {
            new.commands.clear();
            new.append_scene(old.clone(), Affine::translate((by[0].into(), by[1].into())));
        }
        let has_filter = old.commands.iter().any(
            |command| matches!(command, RenderCommand::PushLayer(layer) if layer.filter.is_some()),
        );
        if has_filter && moves {
            continue;
        }
        let area = if seed % 3 == 0 { viewport() } else { Rect::new(5.0, 7.5, 60.0, 48.0) };
        let mut damage = ListDamage::new(6, &Options::EXACT);
        damage.update(&old, viewport()).unwrap();
        let copy = damage.update_scrolled(&new, viewport(), Scroll { area, by }).unwrap().copy;
        copies += usize::from(copy.is_some());
        let mut scene = over(&copied(&paint(&old), copy, SIZE[0]));
        damage.repaint(&new, &mut scene);
        let (most, pixels) = difference(&paint(&scene), &paint(&new));
        // A moved shape at a fractional position may be rounded differently.
        let limit = if moves { 2 } else { 0 };
        assert!(most <= limit, "list {seed}: {pixels} pixels differ by up to {most}");
    }
    assert!(copies > 20 || pairs() < 400, "{copies}");
}

#[test]
fn incomparable_paints_are_always_damaged() {
    let rect = Rect::new(10.0, 10.0, 20.0, 20.0);
    let brushes: [Paint; 2] = [
        Paint::Custom(std::sync::Arc::new(7_u32)),
        Paint::Resource(ImageBrush {
            image: anyrender::ResourceId::new(),
            sampler: ImageSampler::new(),
        }),
    ];
    for brush in brushes {
        let mut scene = Scene::new();
        scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &rect);
        if let Some(RenderCommand::Fill(fill)) = scene.commands.first_mut() {
            fill.brush = brush;
        }
        assert_eq!(of(&scene, &scene.clone(), 4).rects(), [rect]);
    }
}

#[test]
fn images_with_equal_bytes_differ() {
    let picture = vec![255; 4 * (SIZE[0] * SIZE[1]) as usize];
    let [first, second] = [over(&picture), over(&picture)];
    assert_eq!(of(&first, &second, 4).rects(), [viewport()]);
    assert_eq!(of(&first, &first.clone(), 4).rects(), []);
}

#[test]
fn after_an_error_everything_is_damaged() {
    let mut damage = ListDamage::new(4, &Options::EXACT);
    damage.update(&scrolled(0.0), viewport()).unwrap();
    let mut open = scrolled(0.0);
    open.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &viewport());
    assert!(damage.update(&open, viewport()).is_err() && damage.rects().is_empty());
    assert_eq!(damage.update(&scrolled(0.0), viewport()).unwrap(), [viewport()]);
    assert!(damage.update(&scrolled(0.0), Rect::new(0.0, 0.0, f64::NAN, 1.0)).is_err());
    damage.update(&scrolled(0.0), viewport()).unwrap();
    // The added edge of a larger target is damaged.
    let larger = Rect { x1: 90.0, ..viewport() };
    assert_eq!(damage.update(&scrolled(0.0), larger).unwrap(), [Rect { x0: 70.0, ..larger }]);
}
