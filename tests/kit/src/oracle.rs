//! An oracle that follows the contract literally, shared by the tests of the core and the fuzz targets. It has neither a
//! stack nor state: every answer is found by searching the whole stream, in quadratic time.

use treebounds_core::{Bounds, Footprint, NONE, Rect, Role, Stream};

/// The bounds of every element of a stream.
pub struct Oracle<'a> {
    stream: &'a Stream,
    parents: Vec<Option<usize>>,
}

impl<'a> Oracle<'a> {
    /// Creates the oracle. Finds the node around each element.
    pub fn new(stream: &'a Stream) -> Self {
        let all = 0..stream.len();
        let ends: Vec<_> = all.clone().map(|ix| end_of(stream, ix)).collect();
        let parents = all.map(|ix| nearest_open(stream, &ends, ix)).collect();
        Self { stream, parents }
    }

    /// Returns the bounds of all elements.
    pub fn all(&self) -> Bounds {
        let all = 0..self.stream.len();
        let markers: Vec<_> =
            all.clone().filter(|ix| self.stream.tags()[*ix].is_marker()).collect();
        Bounds {
            marker_elements: markers.iter().map(|ix| *ix as u32).collect(),
            links: markers.iter().map(|ix| self.link(*ix)).collect(),
            clips: markers.iter().map(|ix| self.clip(*ix)).collect(),
            contents: markers.iter().map(|ix| self.content(*ix)).collect(),
            boxes: all.map(|ix| self.bounds(ix)).collect(),
        }
    }

    /// Returns the nodes around an element, innermost first. For an end, the first is the node that it closes.
    pub fn around(&self, ix: usize) -> impl Iterator<Item = usize> {
        core::iter::successors(self.parents[ix], |around| self.parents[*around])
    }

    fn is_begin(&self, ix: usize) -> bool {
        self.stream.tags()[ix].role() == Role::Begin
    }

    /// Returns the begin of the node that the element opens or closes.
    fn begin(&self, ix: usize) -> Option<usize> {
        if self.is_begin(ix) { Some(ix) } else { self.parents[ix] }
    }

    fn link(&self, ix: usize) -> u32 {
        self.around(ix).next().map_or(NONE, |parent| parent as u32)
    }

    /// Returns the area that can affect pixels at an element, given its ancestors.
    fn clip_around(&self, ix: usize) -> Rect {
        self.parents[ix].map_or(self.stream.viewport(), |parent| self.inside(parent))
    }

    /// Returns the area that can affect pixels inside a node.
    fn inside(&self, begin: usize) -> Rect {
        let around = self.clip_around(begin);
        match self.footprint(begin) {
            Some(footprint) => footprint.reverse_bounds(around),
            None => self.stream.rects()[begin].intersect(around),
        }
    }

    fn footprint(&self, begin: usize) -> Option<Footprint> {
        let is_spread = self.stream.tags()[begin].is_spread();
        is_spread
            .then(|| Footprint::from_rect(self.stream.rects()[begin]).expect("a good footprint"))
    }

    fn clip(&self, ix: usize) -> Rect {
        self.begin(ix).map_or(Rect::NOTHING, |begin| self.inside(begin))
    }

    fn content(&self, ix: usize) -> Rect {
        let Some(begin) = self.begin(ix) else { return Rect::NOTHING };
        if self.stream.tags()[begin].is_filling() {
            return self.inside(begin);
        }
        let children = (begin + 1..self.stream.len()).filter(|ix| self.parents[*ix] == Some(begin));
        let union = children.fold(Rect::NOTHING, |union, ix| union.union(self.paints(ix)));
        self.footprint(begin)
            .map_or(union, |footprint| footprint.forward_bounds(union, self.clip_around(begin)))
    }

    /// Returns the box that the element may change.
    fn paints(&self, ix: usize) -> Rect {
        let tag = self.stream.tags()[ix];
        match tag.role() {
            Role::Draw => self.stream.rects()[ix].intersect(self.clip_around(ix)),
            Role::Begin if tag.is_non_local() => self.clip_around(ix),
            Role::Begin => self.content(ix),
            Role::End => Rect::NOTHING,
        }
    }

    fn bounds(&self, ix: usize) -> Rect {
        match self.begin(ix) {
            _ if self.stream.tags()[ix].role() == Role::Draw => self.paints(ix),
            begin => begin.map_or(Rect::NOTHING, |begin| self.paints(begin)),
        }
    }
}

/// Returns the nearest begin before `ix` that is not closed before `ix`.
fn nearest_open(stream: &Stream, ends: &[Option<usize>], ix: usize) -> Option<usize> {
    (0..ix).rev().find(|begin| {
        stream.tags()[*begin].role() == Role::Begin && ends[*begin].is_none_or(|end| end >= ix)
    })
}

/// Returns the first end after a begin with as many begins as ends between them.
fn end_of(stream: &Stream, begin: usize) -> Option<usize> {
    if stream.tags()[begin].role() != Role::Begin {
        return None;
    }
    let count = |end: usize, role| {
        stream.tags()[begin..=end].iter().filter(|tag| tag.role() == role).count()
    };
    (begin..stream.len()).find(|end| count(*end, Role::Begin) == count(*end, Role::End))
}
