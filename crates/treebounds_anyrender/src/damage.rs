//! Computes the damage between two display lists, to repaint only what changed.

mod appearance;
mod command;
mod elements;
mod hash;
mod history;

use crate::bounds::pixels::Pixels;
use crate::bounds::stream::rect_of;
use crate::optimizer::painter::replay_kept;
use crate::{Error, Options, stream};
use anyrender::PaintScene;
use anyrender::recording::Scene;
use appearance::Appearances;
use command::{Meter, moved};
use elements::{Elements, Places, Shift};
use history::{Change, Faulty, History};
use kurbo::{Affine, BezPath, Rect, Shape};
use peniko::{BlendMode, Color, Compose, Fill, Mix};
use treebounds_core::damage::{DamageFinder, Pairing, Region};

/// Finds the pixels of a target that differ from the last frame.
///
/// Outside the damage, both frames are bit-for-bit equal. A renderer that keeps its last picture repaints only the
/// damage: [`ListDamage::repaint`] clips a list to it.
///
/// ```
/// use anyrender::{PaintScene, Scene};
/// use kurbo::{Affine, Rect};
/// use peniko::{Color, Fill};
/// use treebounds_anyrender::{ListDamage, Options};
/// let window = Rect::new(0.0, 0.0, 640.0, 480.0);
/// let frame = |caret: f64| {
///     let mut scene = Scene::new();
///     scene.fill(Fill::NonZero, Affine::IDENTITY, Color::WHITE, None, &window);
///     let caret = Rect::new(caret, 20.0, caret + 1.5, 40.0);
///     scene.fill(Fill::NonZero, Affine::IDENTITY, Color::BLACK, None, &caret);
///     scene
/// };
/// let mut damage = ListDamage::new(8, &Options::EXACT);
/// assert_eq!(damage.update(&frame(10.0), window)?, [window]); // the first frame
/// assert_eq!(damage.update(&frame(10.0), window)?, []);
/// let caret = [Rect::new(30.0, 20.0, 32.0, 40.0), Rect::new(10.0, 20.0, 12.0, 40.0)];
/// assert_eq!(damage.update(&frame(30.0), window)?, caret);
/// # Ok::<(), treebounds_anyrender::Error>(())
/// ```
///
/// # What counts as changed
///
/// Commands are compared by a 64-bit hash of everything that affects their pixels. Fonts and images are equal if their
/// `Blob`s have the same id; their bytes are not read. Commands are paired along the longest common subsequence of both
/// lists. An inserted card thus damages only itself and the content that it moves. A changed layer is damaged with all
/// its content.
///
/// A backdrop filter is damaged where it reads damage. With [`Options::EXACT`], a blur reads as much as the pyramid of
/// the Vello family: `vello_cpu` halves the picture until a small blur is enough, which reads 33 pixels at a deviation
/// of 8.3, and 45 at 8.5. With [`Options::ROUNDING`], the blur reads its kernel, three deviations: 25 and 26 pixels.
///
/// Paints owned by the renderer (`Paint::Resource`, `Paint::Custom`) and filters with such images may change without
/// notice, and count as changed in every frame.
///
/// # Cost
///
/// Each command is hashed. Between the first and the last difference, new commands are measured, and all commands are
/// paired by their hashes. If there are backdrop filters, or filters that depend on the box of their content, the lists
/// are compared as a whole. The list itself is not stored.
#[derive(Debug)]
pub struct ListDamage {
    meter: Meter,
    looks: Appearances,
    /// The last list; during a comparison, the list before it.
    last: History,
    change: Change,
    viewport: treebounds_core::Rect,
    old: Elements,
    new: Elements,
    pairing: Pairing,
    finder: DamageFinder,
    region: Region,
    rects: Vec<Rect>,
}

/// Content that moved as a whole because it was scrolled.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Scroll {
    /// The area whose content moves, in pixels of the target: a pane, or the whole target.
    pub area: Rect,
    /// The offset to the right and down, in pixels: `[0, -40]` if the page was scrolled down by 40.
    pub by: [i32; 2],
}

/// The steps from the last picture to the new one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Repaint<'a> {
    /// First, copy the pixels of this area by its offset. The area and its destination are inside the picture and may
    /// overlap.
    pub copy: Option<Scroll>,
    /// Then paint the new list inside these rects. They are disjoint, aligned to whole pixels, and inside the picture.
    pub rects: &'a [Rect],
}

impl ListDamage {
    /// Creates a comparison without a last list, so the first frame is damaged as a whole.
    ///
    /// `most` is the maximum number of rects per frame, at least one; 4 to 16 are good choices. Of `options`, only the
    /// exactness and `vertical_hinting` matter.
    pub fn new(most: usize, options: &Options) -> Self {
        let mut meter = Meter::default();
        (meter.bits, meter.vertical_hinting) = (!options.rounds(), options.vertical_hinting);
        Self {
            meter,
            looks: Appearances::default(),
            last: History::default(),
            change: Change::default(),
            viewport: treebounds_core::Rect::NOTHING,
            old: Elements::default(),
            new: Elements::default(),
            pairing: Pairing::default(),
            finder: DamageFinder::default(),
            region: Region::new(treebounds_core::Rect::NOTHING, most),
            rects: Vec::new(),
        }
    }

    /// Returns the damage between the last list and this one, which becomes the last list. `viewport` is the target, in
    /// pixels.
    ///
    /// The rects are disjoint, aligned to whole pixels, and inside the viewport. If they touch a layer with a backdrop
    /// filter, they contain everything that the filter reads.
    ///
    /// # Errors
    /// [`Error`], as for [`stream`](fn@crate::stream). After an error, paint everything in this frame and in the next.
    pub fn update(&mut self, scene: &Scene, viewport: Rect) -> Result<&[Rect], Error> {
        self.read(scene, viewport)?;
        self.compare();
        Ok(self.finish())
    }

    /// Returns the damage if content was scrolled: content that only moved is copied instead of painted.
    ///
    /// The result is correct for any hint; a wrong hint only increases the damage. Nothing is copied if there is no
    /// last list with the same viewport, or if a backdrop filter could read across the edge of the area. Positions are
    /// compared with a precision of 1/65,536 of a pixel: after a move, a renderer may round a shape at a fractional
    /// position differently.
    ///
    /// # Errors
    /// [`Error`], as for [`ListDamage::update`].
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

    /// Forgets the last list, which damages the next frame as a whole. Call this if the last picture is lost.
    pub fn forget(&mut self) {
        self.last.forget();
    }

    /// Returns the damage of the last frame.
    pub fn rects(&self) -> &[Rect] {
        &self.rects
    }

    /// Returns the damage of the last frame as a clip path.
    pub fn path(&self) -> BezPath {
        self.rects.iter().flat_map(|rect| rect.path_elements(0.1)).collect()
    }

    /// Paints the last list inside the damage, which is cleared first. `painter` must paint over the last picture.
    ///
    /// `scene` must be the list of the last call of [`ListDamage::update`].
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

    /// Paints the commands of the last list that touch the damage, without clipping them to it. Use this with an empty
    /// target, and copy the damage from there.
    ///
    /// `scene` must be the list of the last call of [`ListDamage::update`]. Inside filters, all commands are kept.
    pub fn replay(&self, scene: &Scene, painter: &mut impl PaintScene) {
        let touching = self.last.touching(&scene.commands, self.region.rects());
        replay_kept(scene, touching.into_iter(), painter);
    }

    /// Reads a list. After an error, there is no last list.
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
        self.viewport = rect_of(Pixels::around(viewport.abs()));
        self.region.restart(self.viewport);
        self.old.start(self.viewport);
        self.new.start(self.viewport);
        let commands = &scene.commands;
        let most = treebounds_core::Stream::MAX_LEN;
        if commands.len() > most {
            return Err(Error::TooMany { commands: commands.len(), most });
        }
        let read = self.last.read(commands, &mut self.looks, &mut self.meter, &mut self.change);
        read.map_err(|Faulty| {
            // Reading the list again locates the error.
            let error = stream(scene, viewport).err();
            error.unwrap_or(Error::NothingOpen { command: 0 })
        })
    }

    /// Adds the differences between the lists to the region.
    fn compare(&mut self) {
        let Some(before) = self.last.viewport else {
            return self.region.add(treebounds_core::Rect::EVERYTHING);
        };
        if self.change.is_empty() && before == self.viewport {
            return;
        }
        let all = Pixels::around(self.viewport.into());
        let places = Places { area: all, by: None };
        if !self.last.is_local(&self.change) {
            self.last.widen_to_all(&mut self.change);
        }
        self.walk([&places; 2], [before, self.viewport]);
    }

    fn walk(&mut self, places: [&Places; 2], viewports: [treebounds_core::Rect; 2]) {
        let excerpts = [&mut self.old, &mut self.new];
        self.last.excerpts(&self.change, places, viewports, excerpts);
        if let (Some(old), Some(new)) = (self.old.frame(), self.new.frame()) {
            let partners = self.pairing.find(&self.old.idents, &self.new.idents);
            self.finder.find(&old, &new, partners, &mut self.region);
        } else {
            self.region.add(treebounds_core::Rect::EVERYTHING);
        }
    }

    /// Compares the lists after moving the old one inside the area. Returns the copied area; `None` if nothing is
    /// copied.
    fn compare_moved(&mut self, shift: Shift) -> Option<Scroll> {
        let Shift { area, by } = shift;
        let inside = rect_of(area);
        let copied = inside.intersect(moved(inside, by.map(|by| -by)));
        // Content around the area does not move.
        if inside != self.viewport {
            self.compare();
        }
        let around = self.region.rects().to_vec();
        self.region.restart(inside);
        self.region.add_outside(inside, moved(inside, by));
        let [old, new] = [by, [0, 0]].map(|by| Places { area, by: Some(by) });
        self.last.widen_to_all(&mut self.change);
        self.walk([&old, &new], [moved(self.viewport, by), self.viewport]);
        let within = self.region.rects().to_vec();
        self.region.restart(self.viewport);
        within.into_iter().for_each(|rect| self.region.add(rect));
        around.into_iter().for_each(|rect| self.region.add_outside(rect, inside));
        Some(Scroll { area: copied.into(), by })
    }

    /// Returns the offset of the old picture, if it is valid.
    fn shift(&self, scroll: Scroll) -> Option<Shift> {
        if self.last.viewport != Some(self.viewport) || !scroll.area.is_finite() {
            return None;
        }
        let whole = Pixels::around(self.viewport.into());
        let area = Pixels::inside(scroll.area.abs()).intersect(whole);
        // Whole numbers of this size are exact in f32.
        let is_near = scroll.by.iter().all(|by| by.unsigned_abs() < 1 << 20);
        let inside = rect_of(area);
        let stays = is_near && !inside.intersect(moved(inside, scroll.by)).is_empty();
        let is_read = self.last.has_backdrops(&self.change);
        let can = stays && scroll.by != [0, 0] && (area == whole || !is_read);
        can.then_some(Shift { area, by: scroll.by })
    }

    fn finish(&mut self) -> &[Rect] {
        if let Some(frame) = self.new.frame() {
            // The whole region is presented, so the whole region must be correct.
            let mut area = f64::NAN;
            while area != self.region.area() {
                area = self.region.area();
                DamageFinder::widen(&frame, &mut self.region);
            }
        }
        self.last.accept(&mut self.change, self.viewport);
        self.rects.clear();
        self.rects.extend(self.region.rects().iter().map(|rect| Rect::from(*rect)));
        &self.rects
    }
}
