//! A list, or a part of it, as elements that can be compared.

use super::entry::{Entry, moved};
use super::look::Look;
use super::mix::Mixer;
use crate::pixels::Pixels;
use treebounds_core::damage::{Backdrop, Frame, Ident};
use treebounds_core::{Bounds, NodeKind, Rect, Role, Stream, Tag, reference};

/// Content that moves inside an area.
#[derive(Clone, Copy, Debug)]
pub(super) struct Shift {
    pub(super) area: Pixels,
    pub(super) by: [i32; 2],
}

/// How elements are identified.
#[derive(Clone, Copy, Debug)]
pub(super) struct Places {
    /// Elements that change all pixels of this area alike have no place.
    pub(super) area: Pixels,
    /// How far the list moves; without it, equal places are equal bit for bit.
    pub(super) by: Option<[i32; 2]>,
}

impl Places {
    /// Everything has its place.
    pub(super) const HERE: Self = Self { area: Pixels::EVERYTHING, by: None };
}

/// A list as elements. Holds memory that is reused.
#[derive(Debug, Default)]
pub(super) struct Excerpt {
    stream: Option<Stream>,
    pub(super) bounds: Bounds,
    backdrops: Vec<Backdrop>,
    pub(super) idents: Vec<Ident>,
    /// Per command: its element.
    pub(super) elements: Vec<u32>,
    tags: Vec<Tag>,
    rects: Vec<Rect>,
    /// The open layers whose contents count as a part of their look: element, look, hash of the contents.
    rigid: Vec<(usize, Look, Mixer)>,
}

impl Excerpt {
    /// Removes everything, and makes room for this number of commands.
    pub(super) fn start(&mut self, commands: usize) {
        self.stream = None;
        self.backdrops.clear();
        self.idents.clear();
        self.elements.clear();
        (self.tags, self.rects) = (Vec::with_capacity(commands), Vec::with_capacity(commands));
        self.rigid.clear();
    }

    /// Adds the next command.
    pub(super) fn add(&mut self, look: Look, entry: &Entry, places: &Places) {
        let by = places.by.unwrap_or_default();
        let spread = entry.spreads() && entry.tag.is_marker();
        if spread && entry.tag.role() == Role::End {
            self.push(Tag::end(NodeKind::Spread), Rect::NOTHING, 0);
        }
        let element = self.tags.len() as u32;
        self.elements.push(element);
        for (_, _, contents) in &mut self.rigid {
            contents.put(0, look.here(), 0);
        }
        self.push(entry.tag, moved(entry.rect, by), number(look, entry, places));
        if let Some(kernel) = entry.backdrop {
            self.backdrops.push(Backdrop { node: element, kernel });
        }
        if spread && entry.tag.role() == Role::Begin {
            let part = number(look.part(), entry, places);
            self.push(Tag::begin(NodeKind::Spread), entry.kernel.to_rect(), part);
            if entry.is_rigid() {
                self.rigid.push((element as usize, look, Mixer::new()));
            }
        } else if spread && entry.is_rigid() {
            self.close_rigid(places);
        }
    }

    fn close_rigid(&mut self, places: &Places) {
        if let Some((element, look, contents)) = self.rigid.pop() {
            let key = place(look.with(contents.number()), places);
            self.idents[element] = Ident { key, hash: key };
        }
    }

    fn push(&mut self, tag: Tag, rect: Rect, number: u64) {
        self.tags.push(tag);
        self.rects.push(rect);
        self.idents.push(Ident { key: number, hash: number });
    }

    /// Computes the bounds of what was added.
    pub(super) fn finish(&mut self, viewport: Rect) {
        let (tags, rects) = (std::mem::take(&mut self.tags), std::mem::take(&mut self.rects));
        self.stream = Stream::new(tags, rects, viewport).ok();
        if let Some(stream) = &self.stream {
            reference::bounds_into(stream, &mut self.bounds);
        }
    }

    /// The added commands as a frame; `None` if nothing is finished.
    pub(super) fn frame(&self) -> Option<Frame<'_>> {
        Frame::new(self.stream.as_ref()?, &self.bounds, &self.backdrops).ok()
    }
}

/// The identity of a command: its look and its place, where the place counts.
pub(super) fn number(look: Look, entry: &Entry, places: &Places) -> u64 {
    // A layer may be rounded in another way at its edges.
    let is_exact = places.by.is_some() || entry.tag.role() == Role::Draw;
    if is_exact && entry.plain.pixels.contains(places.area) {
        return entry.plain.number;
    }
    place(look, places)
}

fn place(look: Look, places: &Places) -> u64 {
    match places.by {
        None => look.here(),
        Some(by) => look.moved(by.map(f64::from)),
    }
}
