//! The scene that pieces make.

use super::super::depth::{Depth, Shared};
use super::super::extent::Extent;
use super::super::objects::Objects;
use super::super::parse::Parsed;
use super::super::sink::Recorder;
use super::super::walk::walk_from;
use super::super::{SvgError, ignored};
use kurbo::Affine;
use std::borrow::Cow;
use std::collections::{HashMap, HashSet};
use treebounds_core::NONE;
use treebounds_report::{Document, Ignored, Object, Scene};
use usvg::{Node, Size, Tree};
use usvg_guard::{DeepTree, PiecePart};

/// What was read so far.
pub(super) struct Whole {
    size: Size,
    /// Whether usvg puts a group around all, for the root's transform.
    has_root_group: bool,
    recorder: Recorder,
    /// The index of the next node of usvg's.
    index: u32,
    objects: Vec<Object>,
    /// The groups that were opened, by number.
    opened: HashMap<u32, u32>,
    /// The root and these groups.
    cut: HashSet<u32>,
    /// How many children of a name the root and opened groups have so far.
    counts: HashMap<(u32, Cow<'static, str>), u32>,
    /// The first object of each target, by number.
    targets: HashMap<u32, u32>,
    /// The boxes of what is inside targets, which may be read later: the target, and which object of it.
    repeated: HashMap<(u32, u32), Extent>,
    /// The boxes of other objects inside clip paths and masks.
    used: HashMap<u32, Extent>,
    ignored: Vec<Ignored>,
    /// What is ignored of the root and of opened groups, of which every piece tells.
    told: HashSet<Ignored>,
    notes: Vec<String>,
    noted: HashSet<String>,
}

/// Which object of the whole an object of a piece is.
#[derive(Clone, Copy)]
enum Place {
    /// The object with this index.
    Own(u32),
    /// An object of a target that another piece has for its own: the target, and which of its objects.
    Repeated(u32, u32),
    /// The object with this index: a group that was opened, around what is repeated.
    Around(u32),
    /// No object of the whole.
    Aside,
}

impl Place {
    fn own(self) -> Option<u32> {
        if let Self::Own(object) | Self::Around(object) = self { Some(object) } else { None }
    }
}

impl Whole {
    /// Nothing yet, inside this frame: the drawing without its elements.
    pub(super) fn new(frame: &Tree) -> Self {
        let size = frame.size();
        Self {
            size,
            has_root_group: frame.root().has_children(),
            recorder: Recorder::new(size.width(), size.height()),
            index: 0,
            objects: Vec::new(),
            opened: HashMap::new(),
            cut: HashSet::from([0]),
            counts: HashMap::new(),
            targets: HashMap::new(),
            repeated: HashMap::new(),
            used: HashMap::new(),
            ignored: Vec::new(),
            told: HashSet::new(),
            notes: Vec::new(),
            noted: HashSet::new(),
        }
    }

    /// Adds a piece.
    pub(super) fn add(&mut self, piece: Parsed) -> Result<(), SvgError> {
        let Parsed { tree, depth, notes, objects, ignored, parts, .. } = piece;
        let tree = DeepTree::new(tree, depth);
        let known = self.objects.len() as u32;
        let places = self.places(&objects, &parts.into_iter().collect());
        let is_known = |object: Option<u32>| {
            let place = object.and_then(|object| places.get(object as usize));
            place.is_some_and(|place| place.own().is_some_and(|object| object < known))
        };
        let again = match known {
            0 => 0,
            _ => self.repeated_nodes(&tree, |id| is_known(objects.find(id))),
        };
        let shared = Shared::new(&objects);
        let (index, first) = (self.index.saturating_sub(again), self.recorder.sources.len());
        let depth = Depth::top(&shared);
        let recorder = &mut self.recorder;
        self.index = walk_from(index, tree.root(), Affine::IDENTITY, depth, recorder)?;
        for source in self.recorder.sources.iter_mut().skip(first) {
            *source = places.get(*source as usize).and_then(|place| place.own()).unwrap_or(NONE);
        }
        self.add_used(shared.used.into_inner(), &places);
        for one in ignored {
            let place = places.get(one.object as usize).and_then(|place| place.own());
            let Some(one) = place.map(|object| Ignored { object, ..one }) else { continue };
            if !self.cut.contains(&one.object) || self.told.insert(one.clone()) {
                self.ignored.push(one);
            }
        }
        self.notes.extend(notes.into_iter().filter(|note| self.noted.insert(note.clone())));
        Ok(())
    }

    /// Adds the objects of a piece that are not known yet, and says where each of its objects is.
    fn places(&mut self, objects: &Objects, parts: &HashMap<u32, PiecePart>) -> Vec<Place> {
        let mut places: Vec<Place> = Vec::with_capacity(objects.all.len());
        for (at, object) in (0..).zip(&objects.all) {
            let part = parts.get(&at).copied();
            let place = match places.get(object.parent as usize).copied() {
                None if !self.objects.is_empty() => Place::Own(0),
                Some(Place::Aside | Place::Around(_)) => self.place_aside(part),
                // The objects of a target follow one another.
                Some(Place::Repeated(..)) => match places.last().copied() {
                    Some(Place::Repeated(target, last)) => Place::Repeated(target, last + 1),
                    _ => Place::Aside,
                },
                around => self.place(object, around, part),
            };
            places.push(place);
        }
        places
    }

    /// Where an object is that paints nothing in this piece.
    fn place_aside(&self, part: Option<PiecePart>) -> Place {
        match part {
            Some(PiecePart::Target(target)) => Place::Repeated(target, 0),
            Some(PiecePart::Opened(number)) => {
                self.opened.get(&number).map_or(Place::Aside, |known| Place::Around(*known))
            }
            _ => Place::Aside,
        }
    }

    /// Where an object is that is not repeated.
    fn place(&mut self, object: &Object, around: Option<Place>, part: Option<PiecePart>) -> Place {
        match part {
            Some(PiecePart::Aside) => Place::Aside,
            Some(PiecePart::Opened(number)) => {
                let known = self.opened.get(&number).copied();
                let own = known.unwrap_or_else(|| self.add_object(object, around));
                self.opened.insert(number, own);
                self.cut.insert(own);
                Place::Own(own)
            }
            Some(PiecePart::Target(target)) => {
                let own = self.add_object(object, around);
                self.targets.insert(target, own);
                Place::Own(own)
            }
            None => Place::Own(self.add_object(object, around)),
        }
    }

    fn add_object(&mut self, object: &Object, around: Option<Place>) -> u32 {
        let parent = around.and_then(Place::own).unwrap_or(NONE);
        let mut object = Object { parent, ..object.clone() };
        // In a piece, others are missing before it.
        if self.cut.contains(&parent) {
            let count = self.counts.entry((parent, object.tag.clone())).or_default();
            *count += 1;
            object.ordinal = *count;
        }
        self.objects.push(object);
        self.objects.len() as u32 - 1
    }

    /// How many of the first nodes of a tree were there in a piece before: the groups that are opened again.
    fn repeated_nodes(&self, tree: &Tree, is_known: impl Fn(&str) -> bool) -> u32 {
        let mut count = 0;
        let mut group = tree.root();
        while let Some(Node::Group(inner)) = group.children().first() {
            let is_root_group = self.has_root_group && count == 0;
            if !is_root_group && !is_known(inner.id()) {
                break;
            }
            count += 1;
            group = inner;
        }
        count
    }

    /// Adds the boxes of what is inside clip paths and masks of a piece.
    fn add_used(&mut self, used: HashMap<u32, Extent>, places: &[Place]) {
        for (object, extent) in used {
            let known = match places.get(object as usize) {
                Some(Place::Own(own)) => self.used.entry(*own).or_insert(Extent::NOTHING),
                Some(Place::Repeated(target, at)) => {
                    self.repeated.entry((*target, *at)).or_insert(Extent::NOTHING)
                }
                _ => continue,
            };
            *known = known.union(extent);
        }
    }

    /// The scene and its document.
    pub(super) fn finish(mut self, fonts: Vec<String>) -> Result<(Scene, Document), SvgError> {
        for ((target, at), extent) in self.repeated {
            let Some(first) = self.targets.get(&target) else { continue };
            let known = self.used.entry(first + at).or_insert(Extent::NOTHING);
            *known = known.union(extent);
        }
        for (object, extent) in self.used {
            if let Some(object) = self.objects.get_mut(object as usize) {
                object.used = extent.to_rect();
            }
        }
        self.ignored.sort_by_key(|one| one.object);
        let Recorder { stream, origins, sources, cuts, .. } = self.recorder;
        let (objects, ignored) = (self.objects, self.ignored);
        let document = Document { objects, sources, cuts, ignored };
        let mut notes = ignored::notes(&document.ignored, &document);
        notes.extend(fonts);
        notes.extend(self.notes);
        let (width, height) = (self.size.width(), self.size.height());
        let scene = Scene { stream: stream.finish()?, origins, notes, width, height };
        Ok((scene, document))
    }
}
