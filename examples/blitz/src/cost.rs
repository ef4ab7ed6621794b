//! Measures the cost of repainting only the damage of a change, and checks that the picture is
//! right.

use crate::changes::Change;
use crate::damage::{Patch, Screen};
use crate::paint::difference;
use anyhow::{Result, ensure};
use anyrender::{ImageRenderer, Scene};
use anyrender_vello_cpu::VelloCpuImageRenderer;
use comfy_table::Table;
use kurbo::Rect;
use std::time::{Duration, Instant};
use treebounds_anyrender::{ListDamage, Options, Repaint, Scroll, replay};

/// The costs of a change: the minimum over all runs.
pub struct Cost {
    pub name: &'static str,
    pub commands: usize,
    pub rects: Vec<Rect>,
    /// The damaged share of the window.
    pub part: f64,
    pub record: Duration,
    pub find: Duration,
    pub paint_all: Duration,
    pub paint_damage: Duration,
}

/// Measures a change like successive frames: each is recorded, and then its damage is found.
pub fn cost(change: &mut Change, runs: usize) -> Result<Cost> {
    let [width, height] = change.view.size;
    let window = Rect::new(0.0, 0.0, width.into(), height.into());
    let [old, new] = &change.frames;
    let mut damage = ListDamage::new(8, &Options::EXACT);
    let (mut record, mut find) = (Duration::MAX, Duration::MAX);
    let mut copy = None;
    for _ in 0..runs.max(1) {
        damage.update(old, window)?;
        let start = Instant::now();
        let scene = change.page.record(&change.view);
        record = record.min(start.elapsed());
        let start = Instant::now();
        copy = update(&mut damage, &scene, window, change.scroll)?;
        find = find.min(start.elapsed());
        ensure!(scene == *new, "a page that changes by itself");
    }
    let mut renderer = VelloCpuImageRenderer::new(width, height);
    let mut paint = |scene: &Scene, runs| {
        let (mut pixels, mut least) = (Vec::new(), Duration::MAX);
        for _ in 0..runs {
            renderer.reset();
            let start = Instant::now();
            renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            least = least.min(start.elapsed());
        }
        (pixels, least)
    };
    let paints = runs.clamp(2, 9);
    let (before, _) = paint(old, 1);
    let (after, paint_all) = paint(new, paints);
    // Paints only the damage, as the window does.
    let mut screen = Screen::default();
    screen.partial = true;
    screen.show(old.clone(), change.view.size, [0, 0])?;
    let by = change.scroll.map_or([0, 0], |scroll| scroll.by);
    let (shown, _) = screen.show(new.clone(), change.view.size, by)?;
    let (most, pixels) = difference(&paint(&shown, 1).0, &after);
    ensure!(most <= 2, "{}: {pixels} pixels of the window differ by up to {most}", change.name);
    let mut patch = Patch::default();
    let mut paint_damage = Duration::MAX;
    for _ in 0..paints {
        let mut picture = before.clone();
        let start = Instant::now();
        patch.paint(&damage, new, copy, &mut picture, width as usize);
        paint_damage = paint_damage.min(start.elapsed());
        let (most, pixels) = difference(&picture, &after);
        // When painted at another origin, shapes at fractions of a pixel may be rounded
        // differently.
        ensure!(most <= 2, "{}: {pixels} pixels differ by up to {most}", change.name);
    }
    let area: f64 = damage.rects().iter().map(Rect::area).sum();
    Ok(Cost {
        name: change.name,
        commands: new.commands.len(),
        rects: damage.rects().to_vec(),
        part: area / window.area(),
        record,
        find,
        paint_all,
        paint_damage,
    })
}

fn update(
    damage: &mut ListDamage,
    new: &Scene,
    window: Rect,
    scroll: Option<Scroll>,
) -> Result<Option<Scroll>> {
    let Some(scroll) = scroll else {
        damage.update(new, window)?;
        return Ok(None);
    };
    let Repaint { copy, .. } = damage.update_scrolled(new, window, scroll)?;
    Ok(copy)
}

/// Formats the costs as a table.
pub fn table(costs: &[Cost]) -> Table {
    let mut table = Table::new();
    table.load_style(comfy_table::presets::ASCII_MARKDOWN);
    table.set_header([
        "change",
        "commands",
        "rects",
        "damaged",
        "recording",
        "finding",
        "part",
        "ns per command",
        "painting everything",
        "painting the damage",
    ]);
    for cost in costs {
        let micros = |time: Duration| time.as_secs_f64() * 1e6;
        let (record, find) = (micros(cost.record), micros(cost.find));
        table.add_row([
            cost.name.to_owned(),
            cost.commands.to_string(),
            cost.rects.len().to_string(),
            format!("{:.3}%", 100.0 * cost.part),
            format!("{record:.0} us"),
            format!("{find:.1} us"),
            format!("{:.1}%", 100.0 * find / record),
            format!("{:.0}", 1e3 * find / cost.commands.max(1) as f64),
            format!("{:.2} ms", micros(cost.paint_all) / 1e3),
            format!("{:.2} ms", micros(cost.paint_damage) / 1e3),
        ]);
    }
    table
}
