//! The contract, sentence by sentence. There is no stack and no state: every answer is found by looking at the whole stream,
//! in quadratic time. The fuzz targets use it too.

use treebounds_core::{NONE, Rect, Role, Stream};

pub(crate) struct Oracle<'a> {
    stream: &'a Stream,
    parents: Vec<Option<usize>>,
    ends: Vec<Option<usize>>,
}

impl<'a> Oracle<'a> {
    pub(crate) fn new(stream: &'a Stream) -> Self {
        let all = 0..stream.len();
        let ends: Vec<_> = all.clone().map(|ix| end_of(stream, ix)).collect();
        let parents = all.map(|ix| nearest_open(stream, &ends, ix)).collect();
        Self { stream, parents, ends }
    }

    /// The nodes around an element, innermost first. For an end, the first is the node that it ends.
    pub(crate) fn around(&self, ix: usize) -> impl Iterator<Item = usize> {
        core::iter::successors(self.parents[ix], |around| self.parents[*around])
    }

    fn is_begin(&self, ix: usize) -> bool {
        self.stream.tags()[ix].role() == Role::Begin
    }

    /// The begin of the node that the element begins or ends.
    fn begin(&self, ix: usize) -> Option<usize> {
        if self.is_begin(ix) { Some(ix) } else { self.parents[ix] }
    }

    pub(crate) fn link(&self, ix: usize) -> u32 {
        self.parents[ix].map_or(NONE, |parent| parent as u32)
    }

    /// The intersection of the viewport and all nodes around an element.
    fn clip_around(&self, ix: usize) -> Rect {
        let rects = self.stream.rects();
        self.around(ix).fold(self.stream.viewport(), |clip, node| clip.intersect(rects[node]))
    }

    pub(crate) fn clip(&self, ix: usize) -> Rect {
        let cut = |begin: usize| self.stream.rects()[begin].intersect(self.clip_around(begin));
        self.begin(ix).map_or(Rect::NOTHING, cut)
    }

    pub(crate) fn content(&self, ix: usize) -> Rect {
        let Some(begin) = self.begin(ix) else { return Rect::NOTHING };
        let inside = begin + 1..self.ends[begin].unwrap_or(self.stream.len());
        inside.fold(Rect::NOTHING, |content, ix| content.union(self.paints(ix)))
    }

    /// The box that the element itself may change, without its contents.
    fn paints(&self, ix: usize) -> Rect {
        let tag = self.stream.tags()[ix];
        match tag.role() {
            Role::Draw => self.stream.rects()[ix].intersect(self.clip_around(ix)),
            Role::Begin if tag.is_non_local() => self.clip_around(ix),
            _ => Rect::NOTHING,
        }
    }

    pub(crate) fn bounds(&self, ix: usize) -> Rect {
        match self.begin(ix) {
            _ if self.stream.tags()[ix].role() == Role::Draw => self.paints(ix),
            Some(begin) if self.stream.tags()[begin].is_non_local() => self.paints(begin),
            _ => self.content(ix),
        }
    }
}

/// The nearest begin before `ix` that nothing between them ends.
fn nearest_open(stream: &Stream, ends: &[Option<usize>], ix: usize) -> Option<usize> {
    (0..ix).rev().find(|begin| {
        stream.tags()[*begin].role() == Role::Begin && ends[*begin].is_none_or(|end| end >= ix)
    })
}

/// The first end after a begin with as many begins as ends before it.
fn end_of(stream: &Stream, begin: usize) -> Option<usize> {
    if stream.tags()[begin].role() != Role::Begin {
        return None;
    }
    let count = |end: usize, role| {
        stream.tags()[begin..=end].iter().filter(|tag| tag.role() == role).count()
    };
    (begin..stream.len()).find(|end| count(*end, Role::Begin) == count(*end, Role::End))
}
