//! Compares picks with pixels: every command is painted alone through the layers around it, and must be found where it
//! paints.

use crate::support::paint::paint_at;
use crate::support::recordings;
use anyrender::filters::FilterEffect;
use anyrender::recording::{RenderCommand, Scene};
use anyrender::{Paint, PaintScene};
use kurbo::{Affine, Circle, Point, Rect};
use peniko::{BlendMode, Color, Fill, Mix};
use std::collections::HashMap;
use treebounds_anyrender::{Hit, Picker};
use treebounds_testkit::Rng;
use treebounds_testkit::lists::{SIZE, list};

/// A single command inside its layers, painted in plain black.
struct Alone {
    scene: Scene,
    /// The same scene without the command.
    empty: Scene,
    /// Whether a pick tests the shape of the command, not only a box.
    is_exact: bool,
    /// Whether a filter around the command floods its region. `vello_cpu` skips a flood without content, so any content
    /// changes the whole region.
    is_flooded: bool,
}

fn alone(scene: &Scene, command: usize) -> Alone {
    let mut open = Vec::new();
    for command in &scene.commands[..command] {
        match command {
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) => open.push(command),
            RenderCommand::PopLayer => _ = open.pop(),
            _ => {}
        }
    }
    let (mut is_exact, mut is_flooded) = (true, false);
    let around = open.iter().map(|push| match (*push).clone() {
        RenderCommand::PushLayer(mut layer) => {
            layer.blend = BlendMode::default();
            layer.alpha = if layer.alpha > 0.0 { 1.0 } else { 0.0 };
            layer.backdrop_filter = None;
            let effects = layer.filter.as_ref().map_or(&[][..], |filter| filter.nodes());
            is_exact &= effects.is_empty();
            is_flooded |= effects.iter().any(|node| matches!(node.effect, FilterEffect::Flood(_)));
            RenderCommand::PushLayer(layer)
        }
        other => other,
    });
    let around: Vec<_> = around.collect();
    let mut draw = scene.commands[command].clone();
    match &mut draw {
        RenderCommand::Fill(fill) => blacken(&mut fill.brush),
        RenderCommand::Stroke(stroke) => blacken(&mut stroke.brush),
        RenderCommand::GlyphRun(run) => blacken(&mut run.brush),
        RenderCommand::BoxShadow(shadow) => is_exact &= shadow.std_dev == 0.0,
        _ => {}
    }
    let pops = || vec![RenderCommand::PopLayer; around.len()];
    let empty = Scene { commands: [around.clone(), pops()].concat(), ..Scene::new() };
    let scene = Scene { commands: [around.clone(), vec![draw], pops()].concat(), ..Scene::new() };
    Alone { scene, empty, is_exact, is_flooded }
}

fn blacken(brush: &mut Paint) {
    if !matches!(brush, Paint::Solid(color) if color.components[3] == 0.0) {
        *brush = Paint::Solid(Color::BLACK);
    }
}

/// Picks at the centres of pixels, cached per pixel.
struct Picks<'a> {
    picker: Picker<'a>,
    known: HashMap<(i32, i32), Vec<usize>>,
}

impl Picks<'_> {
    fn has(&mut self, (x, y): (i32, i32), command: usize) -> bool {
        let center = Point::new(f64::from(x) + 0.5, f64::from(y) + 0.5);
        let found = self
            .known
            .entry((x, y))
            .or_insert_with(|| self.picker.hits(center).map(|hit| hit.command).collect());
        found.contains(&command)
    }
}

/// Checks commands at pixels. Returns the number of checks, and the number of those in which the command is found or
/// paints away from any edge.
///
/// A command that is found at a pixel and its eight neighbours must paint at least one of them. A command that covers
/// all nine must be found at one of them. All other cases are within a pixel of an edge. If only boxes are known, a
/// command must be found where it changes all nine pixels, unless a flood changes them.
fn check(
    name: &str,
    scene: &Scene,
    size: [u32; 2],
    commands: impl Iterator<Item = usize>,
    pixels: &[(i32, i32)],
) -> [u64; 2] {
    let mut picks = Picks { picker: Picker::new(scene).unwrap(), known: HashMap::new() };
    let (mut checked, mut inside) = (0, 0);
    for command in commands {
        let kind = &scene.commands[command];
        if matches!(
            kind,
            RenderCommand::PushLayer(_) | RenderCommand::PushClipLayer(_) | RenderCommand::PopLayer
        ) {
            continue;
        }
        let Alone { scene, empty, is_exact, is_flooded } = alone(scene, command);
        let (with, without) = (paint_at(&scene, size), paint_at(&empty, size));
        let painted = |(x, y): (i32, i32)| {
            let inside = (0..size[0] as i32).contains(&x) && (0..size[1] as i32).contains(&y);
            inside.then(|| {
                let at = 4 * (y as usize * size[0] as usize + x as usize);
                (with[at..at + 4] != without[at..at + 4], with[at + 3] == 255)
            })
        };
        for &(x, y) in pixels {
            checked += 1;
            let near = (-1..=1).flat_map(|dy| (-1..=1).map(move |dx| (x + dx, y + dy)));
            let near: Vec<_> = near.filter_map(|at| Some((at, painted(at)?))).collect();
            let found = near.iter().filter(|(at, _)| picks.has(*at, command)).count();
            let touched = near.iter().filter(|(_, (changes, _))| *changes).count();
            let covered = near.iter().filter(|(_, (_, covers))| *covers).count();
            let (nowhere, everywhere) = (found == 0, found == near.len());
            let paints = match is_exact {
                true => covered == near.len(),
                false => touched == near.len() && !is_flooded,
            };
            inside += u64::from(everywhere || paints);
            assert!(!(nowhere && paints), "{name}: {command} is not found at {x}, {y}: {scene:?}");
            assert!(
                !(everywhere && touched == 0 && is_exact),
                "{name}: {command} is found at {x}, {y}: {scene:?}"
            );
        }
    }
    [checked, inside]
}

/// With `TREEBOUNDS_POINTS` set, every command is checked; otherwise, one in 97.
#[test]
fn commands_of_recorded_pages_are_found_where_they_paint() {
    let (mut sum, mut lists) = ([0, 0], 0);
    let step = if std::env::var_os("TREEBOUNDS_POINTS").is_some() { 1 } else { 97 };
    for (name, recorded) in recordings() {
        for (frame, scene) in recorded.frames.iter().enumerate() {
            let mut rng = Rng::new(lists);
            let [width, height] = recorded.size;
            let pixels: Vec<_> = (0..points())
                .map(|_| (rng.below(width) as i32, rng.below(height) as i32))
                .collect();
            let (name, commands) = (format!("{name}, frame {frame}"), 0..scene.commands.len());
            let commands = commands.step_by(step);
            let [checked, inside] = check(&name, scene, recorded.size, commands, &pixels);
            (sum, lists) = ([sum[0] + checked, sum[1] + inside], lists + 1);
        }
    }
    let [checked, inside] = sum;
    println!("{lists} lists, {checked} commands at points, {inside} of them inside");
    assert!(inside > 0);
}

/// The number of points in each list: `TREEBOUNDS_POINTS`, or 200.
fn points() -> u64 {
    std::env::var("TREEBOUNDS_POINTS").ok().map_or(200, |points| points.parse().unwrap())
}

#[test]
fn commands_of_random_lists_are_found_where_they_paint() {
    let mut sum = [0, 0];
    for seed in 0..50 {
        let scene = list(seed);
        let mut rng = Rng::new(seed);
        let pixels: Vec<_> =
            (0..points()).map(|_| (rng.below(SIZE[0]) as i32, rng.below(SIZE[1]) as i32)).collect();
        let name = format!("list {seed}");
        let [checked, inside] = check(&name, &scene, SIZE, 0..scene.commands.len(), &pixels);
        sum = [sum[0] + checked, sum[1] + inside];
    }
    let [checked, inside] = sum;
    println!("{checked} commands at points, {inside} of them inside");
    assert!(checked >= 50 * points() && inside >= checked / 25);
}

fn fill(scene: &mut Scene, shape: &impl kurbo::Shape) {
    scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, shape);
}

fn hit(command: usize) -> Hit {
    Hit { command, is_exact: true }
}

#[test]
fn clips_and_transparent_layers_hide_their_content() {
    let mut scene = Scene::new();
    let all = Rect::new(0.0, 0.0, 100.0, 100.0);
    fill(&mut scene, &all);
    scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &Circle::new((50.0, 50.0), 50.0));
    scene.push_layer(Fill::NonZero, Mix::Normal, 0.5, Affine::IDENTITY, &all, None, None);
    fill(&mut scene, &all);
    scene.pop_layer();
    scene.push_layer(Fill::NonZero, Mix::Normal, 0.0, Affine::IDENTITY, &all, None, None);
    fill(&mut scene, &all);
    scene.pop_layer();
    scene.pop_layer();
    let picker = Picker::new(&scene).unwrap();
    let at = |x, y| picker.hits(Point::new(x, y)).collect::<Vec<_>>();
    assert_eq!(at(50.0, 50.0), [hit(3), hit(0)]);
    assert_eq!(at(5.0, 5.0), [hit(0)]);
    assert!(at(100.0, 50.0).is_empty());
    assert_eq!(picker.layers_around(3).collect::<Vec<_>>(), [2, 1]);
    assert_eq!(picker.layers_around(0).count(), 0);
    let empty = Scene::new();
    let picker = Picker::new(&empty).unwrap();
    assert_eq!(picker.hits(Point::new(0.0, f64::NAN)).count(), 0);
}

/// `cargo test --release` prints the time of a pick in a list of 100,000 commands.
#[test]
fn picks_in_long_lists_are_fast() {
    let mut scene = Scene::new();
    fill(&mut scene, &Rect::new(0.0, 0.0, 1280.0, 800.0));
    for i in 0..100_000 {
        let (x, y) = (f64::from(i % 400) * 3.2, f64::from(i / 400) * 3.2);
        fill(&mut scene, &Circle::new((x, y), 2.5));
    }
    let start = std::time::Instant::now();
    let picker = Picker::new(&scene).unwrap();
    let built = start.elapsed();
    let mut rng = Rng::new(7);
    let points: Vec<_> = (0..10_000).map(|_| (1280.0 * rng.unit(), 800.0 * rng.unit())).collect();
    let start = std::time::Instant::now();
    let found: usize = points.iter().map(|point| picker.hits((*point).into()).count()).sum();
    println!("100,001 commands: {built:?}, then {:?} per pick", start.elapsed() / 10_000);
    assert!((20_000..90_000).contains(&found), "{found}");
}
