//! A list, or part of it, as comparable elements.

use super::appearance::Appearance;
use super::command::{MeasuredCommand, moved};
use super::hash::Hash64;
use crate::bounds::pixels::Pixels;
use treebounds_core::damage::{Backdrop, DamageFrame, Ident};
use treebounds_core::{NodeKind, Rect, Role, Stream, Tag, reference};

/// Content that moves inside an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    pub(super) area: Pixels,
    pub(super) by: [i32; 2],
}

/// The rules for identifying elements.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Elements that change all pixels of this area uniformly have no position.
    pub(super) area: Pixels,
    /// The offset of the list. Without an offset, equal positions are bit-for-bit equal.
    pub(super) by: Option<[i32; 2]>,
}

impl Places {
    /// Every element is identified by its position.
    pub(super) const HERE: Self = Self { area: Pixels::EVERYTHING, by: None };
}

/// A list as elements, in reusable memory.
#[derive(Debug, Default)]
pub(super) struct Elements {
    viewport: Option<Rect>,
    backdrops: Vec<Backdrop>,
    pub(super) idents: Vec<Ident>,
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    /// The open layers whose content counts as part of their appearance: element, appearance, and hash of
    /// the content.
    rigid: Vec<(usize, Appearance, Hash64)>,
}

impl Elements {
    pub(super) fn start(&mut self, viewport: Rect) {
        self.viewport = Some(viewport);
        self.backdrops.clear();
        self.idents.clear();
        self.tags.clear();
        self.rects.clear();
        self.rigid.clear();
    }

    #[inline]
    pub(super) fn add(&mut self, look: Appearance, entry: &MeasuredCommand, places: &Places) {
        for (_, _, contents) in &mut self.rigid {
            contents.put(0, look.here(), 0);
        }
        let rect = places.by.map_or(entry.rect, |by| moved(entry.rect, by));
        let number = number(look, entry, places);
        match entry.tag.role() {
            Role::Begin => self.open(look, entry, places, rect, number),
            Role::End if entry.spreads() => {
                self.push(Tag::end(NodeKind::Spread), Rect::NOTHING, 0);
                self.push(entry.tag, rect, number);
                if entry.is_rigid() {
                    self.close_rigid(places);
                }
            }
            Role::Draw | Role::End => self.push(entry.tag, rect, number),
        }
    }

    fn open(
        &mut self,
        look: Appearance,
        entry: &MeasuredCommand,
        places: &Places,
        rect: Rect,
        number: u64,
    ) {
        let node = self.tags.len() as u32;
        self.push(entry.tag, rect, number);
        if let Some(footprint) = entry.backdrop {
            self.backdrops.push(Backdrop { node, footprint });
        }
        if entry.spreads() {
            let part = self::number(look.part(), entry, places);
            self.push(Tag::begin(NodeKind::Spread), entry.footprint.to_rect(), part);
            if entry.is_rigid() {
                self.rigid.push((node as usize, look, Hash64::new(0)));
            }
        }
    }

    fn close_rigid(&mut self, places: &Places) {
        if let Some((element, look, contents)) = self.rigid.pop() {
            let key = place(look.combined_with(contents.number()), places);
            self.idents[element] = Ident { key, hash: key };
        }
    }

    fn push(&mut self, tag: Tag, rect: Rect, number: u64) {
        self.tags.push(tag);
        self.rects.push(rect);
        self.idents.push(Ident { key: number, hash: number });
    }

    /// Returns the added commands as a frame.
    pub(super) fn frame(&self) -> Option<DamageFrame<'_>> {
        DamageFrame::of(&self.tags, &self.rects, self.viewport?, &self.backdrops).ok()
    }

    pub(super) fn boxes(self) -> Option<Vec<Rect>> {
        let stream = Stream::new(self.tags, self.rects, self.viewport?).ok()?;
        Some(reference::bounds(&stream).boxes)
    }
}

/// Returns the identity of a command: its appearance, and its position where that matters.
#[inline]
pub(super) fn number(look: Appearance, entry: &MeasuredCommand, places: &Places) -> u64 {
    // Without an offset, a layer is always identified by its position, because its edges may be rounded
    // differently elsewhere.
    let is_exact = places.by.is_some() || entry.tag.role() == Role::Draw;
    if is_exact && entry.plain.pixels.contains(places.area) {
        return entry.plain.number;
    }
    place(look, places)
}

fn place(look: Appearance, places: &Places) -> u64 {
    match places.by {
        None => look.here(),
        Some(by) => look.moved(by.map(f64::from)),
    }
}
