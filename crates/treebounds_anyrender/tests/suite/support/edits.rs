//! Pairs of random lists: the second is the first after an edit.

use anyrender::Paint;
use anyrender::recording::{RenderCommand, Scene};
use kurbo::{Affine, Vec2};
use peniko::Blob;
use std::ops::Range;
use treebounds_testkit::Rng;
use treebounds_testkit::lists::list;

/// The kinds of edits.
pub const KINDS: [&str; 10] = [
    "draw replaced",
    "inserted",
    "removed",
    "reordered",
    "moved",
    "clip changed",
    "blend or alpha changed",
    "filter changed",
    "image replaced",
    "several edits",
];

/// Returns a list, and the same list after an edit of this kind.
pub fn pair(seed: u64, kind: &str) -> (Scene, Scene) {
    let mut rng = Rng::new(5_000_000 + seed);
    loop {
        let old = list(rng.bits() >> 24);
        let mut new = old.clone();
        if kind == "several edits" {
            for _ in 0..2 + rng.below(4) {
                let kind = *rng.pick(&KINDS[..KINDS.len() - 1]);
                edit(&mut new.commands, kind, &mut rng);
            }
            return (old, new);
        }
        if edit(&mut new.commands, kind, &mut rng) {
            return (old, new);
        }
    }
}

/// Edits the commands. Returns whether they contain anything to edit in this way.
fn edit(commands: &mut Vec<RenderCommand>, kind: &str, rng: &mut Rng) -> bool {
    let donor = list(rng.bits() >> 24).commands;
    match kind {
        "draw replaced" => {
            let (Some(at), Some(from)) = (some(commands, rng, is_draw), some(&donor, rng, is_draw))
            else {
                return false;
            };
            commands[at] = donor[from].clone();
        }
        "inserted" => {
            let unit = unit(&donor, rng);
            let at = place(commands, rng);
            commands.splice(at..at, donor[unit].iter().cloned());
        }
        "removed" => {
            let unit = unit(commands, rng);
            // A layer is removed with its content, or without.
            if unit.len() > 1 && rng.percent(40) {
                commands.remove(unit.end - 1);
                commands.remove(unit.start);
            } else {
                commands.drain(unit);
            }
        }
        "reordered" => {
            let unit = unit(commands, rng);
            let cut: Vec<_> = commands.drain(unit).collect();
            let at = place(commands, rng);
            commands.splice(at..at, cut);
        }
        "moved" => {
            let by = Vec2::new(f64::from(rng.below(9)) - 4.0, f64::from(rng.below(17)) / 2.0 - 4.0);
            let unit = unit(commands, rng);
            let only_layer = rng.percent(20);
            for command in &mut commands[unit] {
                let Some(transform) = transform_of(command) else { continue };
                *transform = Affine::translate(by) * *transform;
                if only_layer {
                    break;
                }
            }
        }
        _ => return edit_one(commands, kind, &donor, rng),
    }
    true
}

fn edit_one(
    commands: &mut [RenderCommand],
    kind: &str,
    donor: &[RenderCommand],
    rng: &mut Rng,
) -> bool {
    use RenderCommand::{Fill, PushClipLayer, PushLayer};
    match kind {
        "clip changed" => {
            let (Some(at), Some(from)) = (some(commands, rng, is_push), some(donor, rng, is_push))
            else {
                return false;
            };
            let (path, rule) = match &donor[from] {
                PushLayer(layer) => (layer.clip.clone(), layer.fill),
                PushClipLayer(clip) => (clip.clip.clone(), clip.fill),
                _ => return false,
            };
            match &mut commands[at] {
                PushLayer(layer) => (layer.clip, layer.fill) = (path, rule),
                PushClipLayer(clip) => (clip.clip, clip.fill) = (path, rule),
                _ => return false,
            }
        }
        "blend or alpha changed" => {
            let is_layer = |command: &RenderCommand| matches!(command, PushLayer(_));
            let Some(at) = some(commands, rng, is_layer) else { return false };
            let from = some(donor, rng, is_layer).map(|from| &donor[from]);
            let (PushLayer(layer), Some(PushLayer(from))) = (&mut commands[at], from) else {
                return false;
            };
            (layer.blend, layer.alpha) = (from.blend, from.alpha);
        }
        "filter changed" => {
            // Exchanges filters only between layers without rotation and scale.
            let is_plain = |transform: Affine| {
                let [a, b, c, d, ..] = transform.as_coeffs();
                (a, b, c, d) == (1.0, 0.0, 0.0, 1.0)
            };
            let can = |command: &RenderCommand| matches!(command, PushLayer(layer) if is_plain(layer.transform));
            let has = |command: &RenderCommand| matches!(command, PushLayer(layer) if is_plain(layer.transform) && layer.filter.is_some());
            let Some(at) = some(commands, rng, can) else { return false };
            let from = some(donor, rng, has).map(|from| &donor[from]);
            let (PushLayer(layer), Some(PushLayer(from))) = (&mut commands[at], from) else {
                return false;
            };
            layer.filter =
                if layer.filter.is_some() && rng.percent(30) { None } else { from.filter.clone() };
        }
        _ => {
            let has = |command: &RenderCommand| matches!(command, Fill(fill) if matches!(fill.brush, Paint::Image(_)));
            let Some(at) = some(commands, rng, has) else { return false };
            let Fill(fill) = &mut commands[at] else { return false };
            let Paint::Image(image) = &mut fill.brush else { return false };
            let bytes = image.image.data.data().iter().map(|byte| byte / 2 + 90);
            image.image.data = Blob::from(bytes.collect::<Vec<_>>());
        }
    }
    true
}

fn is_push(command: &RenderCommand) -> bool {
    matches!(command, RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_))
}

fn is_draw(command: &RenderCommand) -> bool {
    !is_push(command) && !matches!(command, RenderCommand::PopLayer)
}

/// Returns a random command of this kind.
fn some(
    commands: &[RenderCommand],
    rng: &mut Rng,
    is: impl Fn(&RenderCommand) -> bool,
) -> Option<usize> {
    let of: Vec<_> = (0..commands.len()).filter(|at| is(&commands[*at])).collect();
    (!of.is_empty()).then(|| *rng.pick(&of))
}

/// Returns a random draw, or a layer with its content; an empty range for an empty list.
fn unit(commands: &[RenderCommand], rng: &mut Rng) -> Range<usize> {
    let is = |command: &RenderCommand| !matches!(command, RenderCommand::PopLayer);
    let Some(start) = some(commands, rng, is) else { return 0..0 };
    let mut depth = 0;
    for (at, command) in commands.iter().enumerate().skip(start) {
        depth += i32::from(is_push(command)) - i32::from(!is(command));
        if depth == 0 {
            return start..at + 1;
        }
    }
    start..commands.len()
}

/// Returns a random position between two commands.
fn place(commands: &[RenderCommand], rng: &mut Rng) -> usize {
    rng.below(commands.len() as u32 + 1) as usize
}

fn transform_of(command: &mut RenderCommand) -> Option<&mut Affine> {
    match command {
        RenderCommand::PushLayer(layer) => Some(&mut layer.transform),
        RenderCommand::PushClipLayer(clip) => Some(&mut clip.transform),
        RenderCommand::PopLayer => None,
        RenderCommand::Stroke(stroke) => Some(&mut stroke.transform),
        RenderCommand::Fill(fill) => Some(&mut fill.transform),
        RenderCommand::GlyphRun(run) => Some(&mut run.transform),
        RenderCommand::BoxShadow(shadow) => Some(&mut shadow.transform),
    }
}
