//! The optimizer, from the outside.

use crate::balance::{self, Span};
use crate::glyphs::GlyphBoxes;
use crate::opaque::OpaqueImages;
use crate::pixels::Pixels;
use crate::plan::{Item, Layer, Plan, measure};
use crate::rules::{cull, occlusion};
use crate::{Error, Options, Report, Size, settle};
use anyrender::recording::{RenderCommand, Scene};
use kurbo::Rect;

/// A list that paints the same picture inside the viewport with fewer and smaller commands, and what was done to it.
///
/// The picture is the same bit for bit ([`Options::EXACT`]). Clones the list; [`Workspace::optimize`] does not, and keeps
/// its memory from list to list.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// let (page, card) = (Rect::new(0.0, 0.0, 640.0, 480.0), Rect::new(20.0, 20.0, 300.0, 120.0));
/// let mut scene = Scene::new();
/// scene.push_clip_layer(Fill::NonZero, Affine::IDENTITY, &page);
/// scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &card);
/// scene.pop_layer();
/// let (optimized, report) = treebounds_anyrender::optimize(&scene, page)?;
/// assert_eq!((optimized.commands.len(), report.idle_clips), (1, 1));
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # Errors
/// [`Error`]: layers that do not balance, numbers that are not finite.
pub fn optimize(scene: &Scene, viewport: Rect) -> Result<(Scene, Report), Error> {
    let mut optimized = scene.clone();
    let report = Workspace::new().optimize(&mut optimized, viewport, &Options::default())?;
    Ok((optimized, report))
}

/// Optimizes one list after the other, and keeps its memory, the boxes of glyphs and which images are opaque.
#[derive(Debug, Default)]
pub struct Workspace {
    spans: Vec<Span>,
    open: Vec<u32>,
    items: Vec<Item>,
    layers: Vec<Layer>,
    glyphs: GlyphBoxes,
    images: OpaqueImages,
    /// The memory of the last recording.
    recording: Vec<RenderCommand>,
}

impl Workspace {
    /// A workspace without memory.
    pub fn new() -> Self {
        Self::default()
    }

    /// An empty recording, with the memory of the last.
    pub(crate) fn take_recording(&mut self) -> Scene {
        let commands = std::mem::take(&mut self.recording);
        Scene { commands, ..Scene::new() }
    }

    pub(crate) fn give_recording(&mut self, mut scene: Scene) {
        scene.commands.clear();
        self.recording = scene.commands;
    }

    /// Optimizes the list where it is.
    ///
    /// The cost is linear in the commands, the points of paths and the glyphs, and no call stack grows with
    /// depth. The font of a glyph run is read once a glyph, an image is looked through once for transparency.
    ///
    /// # Errors
    /// [`Error`]; the list is then as it was.
    pub fn optimize(
        &mut self,
        scene: &mut Scene,
        viewport: Rect,
        options: &Options,
    ) -> Result<Report, Error> {
        if !viewport.is_finite() {
            return Err(Error::Viewport);
        }
        let viewport = Pixels::around(viewport.abs());
        let depth = balance::balance(scene, &mut self.spans, &mut self.open)?;
        let known = (&mut self.glyphs, &mut self.images);
        let size = measure(scene, &self.spans, viewport, known, &mut self.items, &mut self.layers)?;
        let mut plan = Plan {
            commands: &mut scene.commands,
            items: &mut self.items,
            layers: &mut self.layers,
            viewport,
            options: *options,
            report: Report { before: Size { depth, ..size }, ..Report::default() },
        };
        if options.cull {
            cull::run(&mut plan);
        }
        if options.occlusion {
            occlusion::run(&mut plan);
        }
        settle::run(&mut plan);
        let after = size_after(&plan);
        let report = Report { after, ..plan.report };
        let mut kept = self.items.iter().map(|item| item.kept);
        scene.commands.retain(|_| kept.next().unwrap_or(true));
        Ok(report)
    }
}

fn size_after(plan: &Plan<'_>) -> Size {
    let mut size = Size::default();
    let mut depth = 0;
    for index in (0..plan.items.len()).filter(|index| plan.items[*index].kept) {
        size.commands += 1;
        if let Some(layer) = plan.pushed(index) {
            depth += 1;
            size.layers += 1;
            size.depth = size.depth.max(depth);
            size.layer_pixels += plan.layers[layer].clip.area();
        } else if matches!(plan.commands[index], RenderCommand::PopLayer) {
            depth -= 1;
        }
    }
    size
}
