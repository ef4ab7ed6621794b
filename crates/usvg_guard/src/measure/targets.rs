//! Which elements an element refers to, and by which properties.

use super::links::{self, Property};
use super::outline::Index;
use super::sort::Sort;
use std::collections::HashMap;

/// The properties that are handed down to what is inside.
pub(super) const HANDED_DOWN: [&str; 5] =
    ["fill", "stroke", "marker-start", "marker-mid", "marker-end"];

/// The properties that may be taken from the element around, by the word `inherit`, and no others.
pub(super) const EFFECTS: [&str; 3] = ["clip-path", "mask", "filter"];

/// What stands for the fill or the stroke of the use, or of the shape with the marker, that an element is shown by.
pub(super) const CONTEXT: Index = Index::MAX;

/// What an element refers to.
#[derive(Debug, Default)]
pub(super) struct Links {
    pub(super) href: Option<Index>,
    pub(super) clip: Option<Index>,
    pub(super) mask: Option<Index>,
    pub(super) filters: Vec<Index>,
    /// Which of [`EFFECTS`] are declared, and which of those as `inherit`.
    pub(super) declared: [bool; 3],
    pub(super) inherits: [bool; 3],
    /// `Some(None)`: set, and to no element.
    pub(super) handed_down: [Option<Option<Index>>; 5],
    /// Which properties are important, so that no `style` attribute can undo them.
    pub(super) important: Vec<&'static str>,
}

/// Where ids lead. usvg looks the targets of uses up among the first elements of each id in the whole document, and
/// all others among the last of those that it reads.
#[derive(Default)]
pub(super) struct Ids<'a>(HashMap<&'a str, Named>);

/// The first and the last element of an id.
#[derive(Default)]
struct Named {
    first: Option<Index>,
    last: Option<Index>,
}

impl<'a> Ids<'a> {
    /// Adds an element after those before it, with the id by which it may be the first, and that by which it may be the
    /// last.
    pub(super) fn add(&mut self, at: Index, first: Option<&'a str>, last: Option<&'a str>) {
        if let Some(id) = first {
            let named = self.0.entry(id).or_default();
            named.first.get_or_insert(at);
            if first == last {
                named.last = Some(at);
                return;
            }
        }
        if let Some(id) = last {
            self.0.entry(id).or_default().last = Some(at);
        }
    }

    /// The first element of the document with this id.
    pub(super) fn first(&self, id: &str) -> Option<Index> {
        self.0.get(id)?.first
    }

    /// The last element with this id of those that are read.
    pub(super) fn last(&self, id: &str) -> Option<Index> {
        self.0.get(id)?.last
    }
}

/// What an element of this sort refers to by its properties; `None` where it has none.
pub(super) fn links(sort: Sort, all: &[Property], ids: &Ids) -> Option<Box<Links>> {
    let mut links = Links::default();
    let mut some = false;
    let last = |id: Option<&str>| id.and_then(|id| ids.last(id));
    for one in all {
        let value = one.value;
        let is_inherited = value == "inherit";
        if let Some(at) = EFFECTS.iter().position(|name| *name == one.name) {
            links.declared[at] = true;
            links.inherits[at] = is_inherited;
        }
        match one.name {
            "href" => {
                let id = links::iri(value);
                links.href = match sort {
                    Sort::Use => id.and_then(|id| ids.first(id)),
                    _ => last(id),
                };
            }
            "clip-path" => links.clip = last(links::function(value)),
            "mask" => links.mask = last(links::function(value)),
            "filter" => {
                links.filters = links::filters(value).filter_map(|id| last(Some(id))).collect()
            }
            name => {
                let Some(at) = HANDED_DOWN.iter().position(|one| *one == name) else { continue };
                let id = if at < 2 { links::paint(value) } else { links::function(value) };
                let is_context = at < 2 && value.starts_with("context-");
                links.handed_down[at] = match (is_inherited, is_context) {
                    (true, _) => None,
                    (_, true) => Some(Some(CONTEXT)),
                    _ => Some(last(id)),
                };
            }
        }
        if one.important {
            let known = HANDED_DOWN.iter().chain(&EFFECTS);
            links.important.extend(known.filter(|name| **name == one.name));
        }
        some = true;
    }
    some.then(|| Box::new(links))
}
