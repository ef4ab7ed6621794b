//! Repainting only what changed: the damage between two display lists.

mod kept;
mod look;

use crate::measure::Measure;
use crate::optimizer::replay_kept;
use crate::pixels::Pixels;
use crate::stream::rect_of;
use crate::{Error, Options};
use anyrender::PaintScene;
use anyrender::recording::Scene;
use kept::{Kept, Shift, moved};
use kurbo::{Affine, BezPath, Rect, Shape};
use look::Looks;
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use treebounds_core::damage::{self, Ident, Pairing, Region};

/// Finds which pixels of a target differ from the last frame.
///
/// Outside the damage, both frames have equal pixels, bit for bit. A renderer that keeps its last picture repaints the damage alone:
/// [`Damage::repaint`] clips a list to it.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// use treebounds_anyrender::{Damage, Options};
/// let window = Rect::new(0.0, 0.0, 640.0, 480.0);
/// let frame = |caret: f64| {
///     let mut scene = Scene::new();
///     scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &window);
///     let caret = Rect::new(caret, 20.0, caret + 1.5, 40.0);
///     scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &caret);
///     scene
/// };
/// let mut damage = Damage::new(8, &Options::EXACT);
/// assert_eq!(damage.update(&frame(10.0), window)?, [window]); // the first frame
/// assert_eq!(damage.update(&frame(10.0), window)?, []);
/// let caret = [Rect::new(30.0, 20.0, 32.0, 40.0), Rect::new(10.0, 20.0, 12.0, 40.0)];
/// assert_eq!(damage.update(&frame(30.0), window)?, caret);
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # What counts as changed
///
/// Commands are compared by a hash of 64 bits of everything that they paint with. Fonts and images are equal if their `Blob`s have the
/// same id; their bytes are not read. Commands are paired in the longest order that both lists share, so a card that is inserted
/// damages what it moves, and not what stays. A layer that changed is damaged with all its contents.
///
/// Paints that the renderer holds (`Paint::Resource`, `Paint::Custom`) and filters with such images may change without
/// notice: they count as changed in every frame.
///
/// # Cost
///
/// Each command is measured and hashed. The commands between the first and the last that differ are sorted. The list itself is not
/// kept.
#[derive(Debug)]
pub struct Damage {
    measure: Measure,
    looks: Looks,
    old: Kept,
    new: Kept,
    old_idents: Vec<Ident>,
    new_idents: Vec<Ident>,
    pairing: Pairing,
    walk: damage::Damage,
    region: Region,
    rects: Vec<Rect>,
}

/// Content that moved as a whole, because it was scrolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scroll {
    /// The area whose content moves, in pixels of the target: a pane, or the whole target.
    pub area: Rect,
    /// How far it moves to the right and down, in pixels. `[0, -40]` if the page was scrolled down by 40.
    pub by: [i32; 2],
}

/// What makes the new picture from the last one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repaint<'a> {
    /// First, copy the pixels of this area to where they move. The area and its destination both lie in the picture, and may overlap.
    pub copy: Option<Scroll>,
    /// Then paint the new list inside these rects. They are disjoint, have whole edges, and lie in the picture.
    pub rects: &'a [Rect],
}

impl Damage {
    /// Without a last list: the first frame is damaged as a whole.
    ///
    /// `most` is the number of rects that a frame's damage has at most, at least one; 4 to 16 are good choices. Only the exactness
    /// and `vertical_hinting` of the options matter.
    pub fn new(most: usize, options: &Options) -> Self {
        let mut measure = Measure::default();
        (measure.bits, measure.vertical_hinting) = (!options.rounds(), options.vertical_hinting);
        Self {
            measure,
            looks: Looks::default(),
            old: Kept::default(),
            new: Kept::default(),
            old_idents: Vec::new(),
            new_idents: Vec::new(),
            pairing: Pairing::default(),
            walk: damage::Damage::default(),
            region: Region::new(treebounds_core::Rect::NOTHING, most),
            rects: Vec::new(),
        }
    }

    /// The damage between the last list and this one, which becomes the last list. `viewport` is the target, in pixels.
    ///
    /// The rects are disjoint, have whole edges, and lie in the viewport. If they touch a layer with a backdrop filter, they hold all that the
    /// filter reads.
    ///
    /// # Errors
    /// [`Error`], as for [`stream`](fn@crate::stream). Everything has to be painted then, in this frame and in the next.
    pub fn update(&mut self, scene: &Scene, viewport: Rect) -> Result<&[Rect], Error> {
        self.read(scene, viewport)?;
        self.compare();
        Ok(self.finish())
    }

    /// The same where content was scrolled: what only moved is copied instead of painted.
    ///
    /// The result is right whatever the hint says; a wrong hint costs more damage. Nothing is copied without a last list of the same
    /// viewport, or if a backdrop filter could read across the edge of the area. Places are compared to
    /// 1/65,536 of a pixel: a renderer may paint a shape at a fraction of a pixel with a rounding of difference after a move.
    ///
    /// # Errors
    /// [`Error`], as for [`Damage::update`].
    pub fn update_scrolled(
        &mut self,
        scene: &Scene,
        viewport: Rect,
        scroll: Scroll,
    ) -> Result<Repaint<'_>, Error> {
        self.read(scene, viewport)?;
        let copy = self.shift(scroll).and_then(|shift| self.compare_moved(shift));
        if copy.is_none() {
            self.compare();
        }
        Ok(Repaint { copy, rects: self.finish() })
    }

    /// Forgets the last list, for when the last picture is lost: the next frame is damaged as a whole.
    pub fn forget(&mut self) {
        self.old.stream = None;
    }

    /// The damage of the last frame.
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// The damage of the last frame as a path, for a clip.
    pub fn path(&self) -> BezPath {
        self.rects.iter().flat_map(|rect| rect.path_elements(0.1)).collect()
    }

    /// Paints the last list inside the damage, which is cleared first. `painter` paints over the last picture.
    ///
    /// `scene` is the list of the last call of [`Damage::update`].
    pub fn repaint(&self, scene: &Scene, painter: &mut impl PaintScene) {
        if self.rects.is_empty() {
            return;
        }
        let (damage, all) = (self.path(), Affine::IDENTITY);
        // This operator clears the pixels below an opaque source.
        let clear = BlendMode::new(Mix::Normal, Compose::DestOut);
        painter.push_layer(Fill::NonZero, clear, 1.0, all, &damage, None, None);
        painter.fill(Fill::NonZero, all, Color::BLACK, None, &damage);
        painter.pop_layer();
        painter.push_clip_layer(Fill::NonZero, all, &damage);
        self.replay(scene, painter);
        painter.pop_layer();
    }

    /// Paints the commands of the last list that touch the damage, also outside of it: for an empty target, of which the caller
    /// copies the damage.
    ///
    /// `scene` is the list of the last call of [`Damage::update`]. Inside filters, all commands stay.
    pub fn replay(&self, scene: &Scene, painter: &mut impl PaintScene) {
        let touching = self.old.touching(&scene.commands, self.region.rects());
        replay_kept(scene, touching.into_iter(), painter);
    }

    /// Reads a list. After an error, there is no last one.
    fn read(&mut self, scene: &Scene, viewport: Rect) -> Result<(), Error> {
        let read = self.try_read(scene, viewport);
        if read.is_err() {
            self.forget();
            self.rects.clear();
        }
        read
    }

    fn try_read(&mut self, scene: &Scene, viewport: Rect) -> Result<(), Error> {
        if !viewport.is_finite() {
            return Err(Error::Viewport);
        }
        let viewport = Pixels::around(viewport.abs());
        self.measure.start(viewport, false);
        self.measure.catch_up(&scene.commands);
        self.measure.check()?;
        self.new.read(&scene.commands, &self.measure, &mut self.looks, viewport)?;
        self.region.restart(rect_of(viewport));
        Ok(())
    }

    /// Adds to the region what differs between the lists.
    fn compare(&mut self) {
        let (Some(old), Some(new)) = (self.old.frame(), self.new.frame()) else {
            return self.region.add(treebounds_core::Rect::EVERYTHING);
        };
        let all = Pixels::around(rect_from(new.viewport()));
        self.old.idents(all, None, &mut self.old_idents);
        self.new.idents(all, None, &mut self.new_idents);
        let partners = self.pairing.find(&self.old_idents, &self.new_idents);
        self.walk.find(&old, &new, partners, &mut self.region);
    }

    /// The same if the old list moves inside the area, and what is copied. `None` if nothing is.
    fn compare_moved(&mut self, shift: Shift) -> Option<Scroll> {
        let Shift { area, by } = shift;
        let (inside, viewport) = (rect_of(area), self.new.viewport()?);
        let copied = inside.intersect(moved(inside, by.map(|by| -by)));
        let moved_list = self.old.moved(by)?;
        // Around the area, nothing moves.
        if inside != viewport {
            self.compare();
        }
        let around = self.region.rects().to_vec();
        self.region.restart(inside);
        self.region.add_outside(inside, moved(inside, by));
        self.old.idents(area, Some(by), &mut self.old_idents);
        self.new.idents(area, Some([0, 0]), &mut self.new_idents);
        let partners = self.pairing.find(&self.old_idents, &self.new_idents);
        self.walk.find(&moved_list.frame()?, &self.new.frame()?, partners, &mut self.region);
        let within = self.region.rects().to_vec();
        self.region.restart(viewport);
        within.into_iter().for_each(|rect| self.region.add(rect));
        around.into_iter().for_each(|rect| self.region.add_outside(rect, inside));
        Some(Scroll { area: rect_from(copied), by })
    }

    /// Whether the old picture can be moved, and where.
    fn shift(&self, scroll: Scroll) -> Option<Shift> {
        let viewport = self.new.viewport()?;
        if self.old.viewport() != Some(viewport) || !scroll.area.is_finite() {
            return None;
        }
        let whole = Pixels::around(rect_from(viewport));
        let area = Pixels::inside(scroll.area.abs()).intersect(whole);
        // Whole numbers of this size are exact in f32.
        let is_near = scroll.by.iter().all(|by| by.unsigned_abs() < 1 << 20);
        let inside = rect_of(area);
        let stays = is_near && !inside.intersect(moved(inside, scroll.by)).is_empty();
        let is_read = [&self.old, &self.new].iter().any(|list| !list.backdrops.is_empty());
        let can = stays && scroll.by != [0, 0] && (area == whole || !is_read);
        can.then_some(Shift { area, by: scroll.by })
    }

    fn finish(&mut self) -> &[Rect] {
        if let Some(frame) = self.new.frame() {
            damage::Damage::widen(&frame, &mut self.region);
        }
        std::mem::swap(&mut self.old, &mut self.new);
        self.rects.clear();
        self.rects.extend(self.region.rects().iter().map(|rect| rect_from(*rect)));
        &self.rects
    }
}

fn rect_from(rect: treebounds_core::Rect) -> Rect {
    let [x0, y0, x1, y1] = rect.to_array().map(f64::from);
    Rect::new(x0, y0, x1, y1)
}
