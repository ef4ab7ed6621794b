//! Converts display lists to element streams. Boxes contain the pixels that `vello_cpu` paints, including filters, and
//! the bounds from the GPU match the reference bit for bit.
//!
//! The GPU needs a Vulkan driver, which may be a software one: `apt-get install mesa-vulkan-drivers`.

use crate::support::paint::{difference, paint};
use anyrender::PaintScene;
use anyrender::filters::FilterEffect;
use anyrender::recording::{RenderCommand, Scene};
use kurbo::Affine;
use peniko::{BlendMode, Fill};
use treebounds_anyrender::stream;
use treebounds_core::{Rect, reference};
use treebounds_testkit::lists::{count, list, viewport};

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn gpu_bounds_match_the_reference_on_two_hundred_lists() {
    let gpu = pollster::block_on(treebounds::Gpu::request())
        .unwrap_or_else(|error| panic!("{error}. apt-get install mesa-vulkan-drivers"));
    let (mut elements, mut culled) = (0, 0);
    let streams = (6_000_000..).map(|seed| stream(&list(seed), viewport()).unwrap().stream);
    for stream in streams.take(200) {
        let computed = treebounds::compute(&gpu.device, &gpu.queue, &stream).unwrap();
        let expected = reference::bounds(&stream);
        assert_eq!(computed, expected);
        elements += expected.boxes.len();
        culled += expected.boxes.iter().filter(|bounds| **bounds == Rect::NOTHING).count();
    }
    assert!((500..elements - 500).contains(&culled), "{culled} of {elements} are culled");
}

#[test]
fn draws_paint_inside_their_bounds() {
    // Paint one draw alone, with the clips and filters around it.
    let (mut filtered, mut cut) = (0, 0);
    for seed in 0..count() / 5 {
        let scene = list(3_000_000 + seed);
        let all = stream(&scene, viewport()).unwrap();
        let bounds = reference::bounds(&all.stream);
        for (index, command) in scene.commands.iter().enumerate() {
            use RenderCommand::{PopLayer, PushClipLayer, PushLayer};
            if matches!(command, PushLayer(_) | PushClipLayer(_) | PopLayer) {
                continue;
            }
            let needed = bounds.boxes[all.elements[index] as usize];
            let alone = Alone::of(&scene, index);
            let picture = paint(&alone.scene(None));
            // The first element is the draw, or the outermost layer with everything that it paints.
            let traced = reference::bounds(&stream(&alone.scene(None), viewport()).unwrap().stream);
            let rect = if alone.has_filter { traced.boxes[0] } else { needed };
            for (at, pixel) in picture.chunks(4).enumerate() {
                let (x, y) = ((at % 70) as f32, (at / 70) as f32);
                let inside = rect.x0 <= x && x < rect.x1 && rect.y0 <= y && y < rect.y1;
                assert!(
                    inside || pixel == [0; 4],
                    "list {seed}, command {index} at {x}, {y}: {rect:?}, {pixel:?}, {:#?}",
                    alone.scene(None).commands
                );
            }
            filtered += usize::from(alone.has_filter);
            // Clipped to its box, the draw paints the same pixels. But `vello_cpu` floods only the box of the content.
            if alone.has_filter && !alone.has_flood {
                let less = paint(&alone.scene(Some(needed)));
                let (most, _) = difference(&less, &picture);
                assert!(
                    most <= 1,
                    "list {seed}, command {index}: {needed:?}, {most}, {:#?}",
                    alone.scene(None).commands
                );
                cut += usize::from(less != picture);
            }
        }
    }
    println!("{filtered} draws in filters; cut to their boxes, {cut} differ by one");
    assert!(filtered > 300 || count() < 500);
}

/// A draw and the layers around it, without blending.
struct Alone {
    layers: Vec<RenderCommand>,
    draw: RenderCommand,
    has_filter: bool,
    has_flood: bool,
}

impl Alone {
    fn of(scene: &Scene, draw: usize) -> Self {
        let mut layers = Vec::new();
        for command in &scene.commands[..draw] {
            match command {
                RenderCommand::PushClipLayer(_) => layers.push(command.clone()),
                RenderCommand::PushLayer(layer) => {
                    let mut layer = layer.clone();
                    (layer.blend, layer.alpha) = (BlendMode::default(), 1.0);
                    layer.backdrop_filter = None;
                    layers.push(RenderCommand::PushLayer(layer));
                }
                RenderCommand::PopLayer => _ = layers.pop(),
                _ => {}
            }
        }
        let effects = || {
            let filters = layers.iter().filter_map(|layer| match layer {
                RenderCommand::PushLayer(layer) => layer.filter.as_deref(),
                _ => None,
            });
            filters.flat_map(|filter| filter.nodes()).map(|node| &node.effect)
        };
        let has_filter = effects().next().is_some();
        let has_flood = effects().any(|effect| matches!(effect, FilterEffect::Flood(_)));
        Self { draw: scene.commands[draw].clone(), has_filter, has_flood, layers }
    }

    /// Returns a list, with the draw optionally clipped to these pixels.
    fn scene(&self, cut: Option<Rect>) -> Scene {
        let mut scene = Scene::new();
        scene.commands.extend(self.layers.iter().cloned());
        if let Some(rect) = cut {
            let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
            let rect = kurbo::Rect::new(x0, y0, x1.max(x0), y1.max(y0));
            scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &rect);
        }
        scene.commands.push(self.draw.clone());
        let open = self.layers.len() + usize::from(cut.is_some());
        scene.commands.extend(std::iter::repeat_n(RenderCommand::PopLayer, open));
        scene
    }
}
