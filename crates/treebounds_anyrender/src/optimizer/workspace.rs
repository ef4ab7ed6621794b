//! The optimizer's public functions.

use crate::bounds::measure::Measure;
use crate::bounds::pixels::Pixels;
use crate::optimizer::plan::{Content, Plan};
use crate::optimizer::rules::cull;
use crate::optimizer::rules::occlusion::{self, Occluders};
use crate::optimizer::unwrap;
use crate::{Error, Options, Report};
use anyrender::recording::{RenderCommand, Scene};
use kurbo::Rect;

/// Optimizes a list. The result paints the same picture inside the viewport with fewer and smaller commands.
///
/// The picture is bit-for-bit equal ([`Options::EXACT`]). Clones the list, unlike [`Workspace::optimize`], which also
/// reuses memory.
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
/// [`Error`]: unbalanced layers, or non-finite numbers.
pub fn optimize(scene: &Scene, viewport: Rect) -> Result<(Scene, Report), Error> {
    let mut optimized = scene.clone();
    let report = Workspace::new().optimize(&mut optimized, viewport, &Options::default())?;
    Ok((optimized, report))
}

/// Optimizes any number of lists. Reuses memory, and caches the boxes of glyphs and the opacity of images.
///
/// Memory is bounded: the boxes of 64 font faces (16 bytes per glyph, at most 65,536 glyphs), the opacity of 4,096
/// images, and the memory of the longest list.
#[derive(Debug, Default)]
pub struct Workspace {
    pub(crate) measure: Measure,
    occluders: Occluders,
    /// The remaining content of the open layers.
    open: Vec<Content>,
    /// The memory of the last recording.
    recording: Vec<RenderCommand>,
}

impl Workspace {
    /// Creates an empty workspace.
    pub fn new() -> Self {
        Self::default()
    }

    /// Returns an empty recording that reuses the memory of the last one.
    pub(crate) fn take_recording(&mut self, viewport: Rect, options: &Options) -> Scene {
        self.start(viewport, options);
        let commands = std::mem::take(&mut self.recording);
        Scene { commands, ..Scene::new() }
    }

    fn start(&mut self, viewport: Rect, options: &Options) {
        self.measure.vertical_hinting = options.vertical_hinting;
        self.measure.bits = !options.rounds();
        self.measure.start(Pixels::around(viewport.abs()), options.cull);
    }

    pub(crate) fn give_recording(&mut self, mut scene: Scene) {
        scene.commands.clear();
        self.recording = scene.commands;
    }

    /// Optimizes a list in place.
    ///
    /// The cost is linear in the number of commands, path points and glyphs. The call stack does not grow with the
    /// depth. The font of a glyph run is read once per glyph, and each image is scanned once for transparency.
    ///
    /// # Errors
    /// [`Error`]; the list is then unchanged.
    pub fn optimize(
        &mut self,
        scene: &mut Scene,
        viewport: Rect,
        options: &Options,
    ) -> Result<Report, Error> {
        self.start(viewport, options);
        self.measure.catch_up(&scene.commands);
        let report = self.plan(&mut scene.commands, viewport, options)?;
        if report.after.commands < report.before.commands {
            let mut kept = self.kept();
            scene.commands.retain(|_| kept.next().unwrap_or(true));
        }
        Ok(report)
    }

    /// Optimizes a list measured for this viewport, and marks the removed commands.
    ///
    /// # Errors
    /// [`Error`]; the commands are then unchanged.
    pub(crate) fn plan(
        &mut self,
        commands: &mut [RenderCommand],
        viewport: Rect,
        options: &Options,
    ) -> Result<Report, Error> {
        if !viewport.is_finite() {
            return Err(Error::Viewport);
        }
        if self.measure.check().is_err() {
            // All commands are measured again, to locate the error.
            self.measure.start(Pixels::around(viewport.abs()), false);
            self.measure.catch_up(commands);
            self.measure.check()?;
        }
        let before = self.measure.size();
        let mut plan = Plan {
            commands,
            items: &mut self.measure.items,
            layers: &mut self.measure.layers,
            viewport: Pixels::around(viewport.abs()),
            options: *options,
            report: Report { before, ..Report::default() },
        };
        if self.measure.has_backdrop {
            plan.open_windows();
        }
        if options.cull {
            cull::run(&mut plan);
        }
        if options.occlusion && self.measure.has_opaque {
            occlusion::run(&mut plan, &mut self.occluders);
        }
        if !plan.layers.is_empty() {
            unwrap::run(&mut plan, &mut self.open);
        }
        let after = plan.size();
        Ok(Report { after, ..plan.report })
    }

    /// Whether each command remains, after [`Self::plan`].
    pub(crate) fn kept(&self) -> impl Iterator<Item = bool> {
        self.measure.items.iter().map(|item| item.kept)
    }
}
