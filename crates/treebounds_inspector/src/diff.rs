//! What differs between two reports.

use serde::Serialize;
use std::{collections::HashMap, fmt};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, ReadReport};

/// A box that is not empty: left, top, right, bottom.
pub type Edges = [f32; 4];

/// What became of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// As large as before, at another place.
    Moved,
    /// More pixels than before.
    Grown,
    /// Fewer pixels than before.
    Shrunk,
    /// As many pixels as before, in another shape.
    Reshaped,
    /// It could be seen, and cannot any more.
    Culled,
    /// It could not be seen, and can now.
    Shown,
    /// It is in the new report alone.
    Appeared,
    /// It is in the old report alone.
    Gone,
}

impl fmt::Display for Change {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.pad(match self {
            Self::Moved => "moved",
            Self::Grown => "grown",
            Self::Shrunk => "shrunk",
            Self::Reshaped => "reshaped",
            Self::Culled => "culled",
            Self::Shown => "shown",
            Self::Appeared => "appeared",
            Self::Gone => "gone",
        })
    }
}

/// One element that differs. Elements are named by `ix`, of a node by that of its begin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// What became of it.
    pub change: Change,
    /// Which element it was; `None` where it is new.
    pub old: Option<u32>,
    /// Which element it is; `None` where it is gone.
    pub new: Option<u32>,
    /// `draw`, `clip`, `blend` or `clip_blend`.
    pub kind: String,
    /// Its id.
    pub id: Option<String>,
    /// Its path, where the report has paths.
    pub path: Option<String>,
    /// Its bounds before.
    pub from: Option<Edges>,
    /// Its bounds now.
    pub to: Option<Edges>,
}

/// What differs between an old report and a new one: the new report's elements in paint order, then what is gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    /// The form of this, [`Diff::SCHEMA`].
    schema: &'static str,
    /// The old drawing's name.
    pub old: String,
    /// The new drawing's name.
    pub new: String,
    /// What differs.
    pub changes: Vec<Difference>,
}

impl Diff {
    /// The name and version of the JSON form.
    pub const SCHEMA: &'static str = "treebounds.diff/1";

    /// Compares two reports.
    ///
    /// Elements of one kind and one id are the same element; where several have an id, in their order. Of the others, below
    /// nodes that are the same, those are that have the same source and rect, and then those that have the same source, in
    /// their order.
    pub fn new(old: &ReadReport, new: &ReadReport) -> Self {
        let (olds, news) = (Items::of(old), Items::of(new));
        let matched = Match::new(&olds, &news).matched;
        let mut is_matched = vec![false; olds.items.len()];
        let mut changes = Vec::new();
        for (item, was) in news.items.iter().zip(&matched) {
            is_matched.iter_mut().skip(was.unwrap_or(usize::MAX)).take(1).for_each(|is| *is = true);
            let before = was.and_then(|was| olds.items.get(was)).map(|was| was.element);
            changes.extend(difference(before, Some(item.element)));
        }
        let gone = olds.items.iter().zip(&is_matched).filter(|(_, is_matched)| !**is_matched);
        changes.extend(gone.filter_map(|(was, _)| difference(Some(was.element), None)));
        Self {
            schema: Self::SCHEMA,
            old: old.source.to_string(),
            new: new.source.to_string(),
            changes,
        }
    }

    /// Whether nothing differs.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// How many elements became what, in the order of [`Change`].
    pub fn counts(&self) -> Vec<(Change, usize)> {
        let mut counts = std::collections::BTreeMap::new();
        for difference in &self.changes {
            *counts.entry(difference.change).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// The JSON form.
    pub fn to_json(&self) -> String {
        // Nothing in it can fail to be written: texts, numbers that are finite, lists.
        serde_json::to_string(self).unwrap_or_default()
    }
}

/// What differs between an element and what it was, if anything does.
fn difference(
    old: Option<&Element<'static>>,
    new: Option<&Element<'static>>,
) -> Option<Difference> {
    let edges = |rect: Rect| (!rect.is_empty()).then(|| rect.to_array());
    let bounds = |element: Option<&Element<'_>>| element.and_then(|element| edges(element.bounds));
    let (from, to) = (bounds(old), bounds(new));
    let change = match (old, new) {
        (None, None) => return None,
        (None, Some(_)) => Change::Appeared,
        (Some(_), None) => Change::Gone,
        (Some(_), Some(_)) => change(from, to)?,
    };
    let element = new.or(old)?;
    Some(Difference {
        change,
        old: old.map(|old| old.ix),
        new: new.map(|new| new.ix),
        kind: element.tag.name().trim_start_matches("begin_").to_owned(),
        id: element.id.as_deref().map(str::to_owned),
        path: element.path.as_ref().map(ToString::to_string),
        from,
        to,
    })
}

fn change(from: Option<Edges>, to: Option<Edges>) -> Option<Change> {
    let (from, to) = match (from, to) {
        (None, None) => return None,
        (Some(_), None) => return Some(Change::Culled),
        (None, Some(_)) => return Some(Change::Shown),
        (Some(from), Some(to)) if from == to => return None,
        (Some(from), Some(to)) => (from, to),
    };
    let is_as_long = |low: usize| {
        let length = |edges: Edges| f64::from(edges[low + 2]) - f64::from(edges[low]);
        (length(from) - length(to)).abs() <= rounding(from, to)
    };
    if is_as_long(0) && is_as_long(1) {
        return Some(Change::Moved);
    }
    Some(match area(to).total_cmp(&area(from)) {
        std::cmp::Ordering::Greater => Change::Grown,
        std::cmp::Ordering::Less => Change::Shrunk,
        std::cmp::Ordering::Equal => Change::Reshaped,
    })
}

fn area([x0, y0, x1, y1]: Edges) -> f64 {
    (f64::from(x1) - f64::from(x0)) * (f64::from(y1) - f64::from(y0))
}

/// How much a length may differ because its two ends were rounded at another place.
fn rounding(from: Edges, to: Edges) -> f64 {
    let most = from.iter().chain(&to).fold(0.0_f32, |most, edge| most.max(edge.abs()));
    4.0 * f64::from(most) * f64::from(f32::EPSILON)
}

/// A draw or a node.
struct Item<'a> {
    element: &'a Element<'static>,
    children: Vec<usize>,
}

/// The items of a report, as a tree.
struct Items<'a> {
    items: Vec<Item<'a>>,
    roots: Vec<usize>,
}

impl<'a> Items<'a> {
    fn of(report: &'a ReadReport) -> Self {
        let mut this = Self { items: Vec::new(), roots: Vec::new() };
        let mut open: Vec<usize> = Vec::new();
        for element in &report.elements {
            if element.tag.role() == Role::End {
                open.pop();
                continue;
            }
            let at = this.items.len();
            match open.last().and_then(|parent| this.items.get_mut(*parent)) {
                Some(parent) => parent.children.push(at),
                None => this.roots.push(at),
            }
            this.items.push(Item { element, children: Vec::new() });
            if element.tag.role() == Role::Begin {
                open.push(at);
            }
        }
        this
    }

    fn children(&self, of: Option<usize>) -> &[usize] {
        match of {
            None => &self.roots,
            Some(of) => self.items.get(of).map_or(&[], |item| &item.children),
        }
    }
}

/// Which new item is which old one.
struct Match<'a, 'b> {
    olds: &'b Items<'a>,
    news: &'b Items<'a>,
    /// Of each new item.
    matched: Vec<Option<usize>>,
    is_taken: Vec<bool>,
}

impl<'a, 'b> Match<'a, 'b> {
    fn new(olds: &'b Items<'a>, news: &'b Items<'a>) -> Self {
        let mut this = Self {
            olds,
            news,
            matched: vec![None; news.items.len()],
            is_taken: vec![false; olds.items.len()],
        };
        let (all_old, all_new): (Vec<_>, Vec<_>) =
            ((0..olds.items.len()).collect(), (0..news.items.len()).collect());
        this.pair(&all_old, &all_new, |element| {
            element.id.as_deref().map(|id| (element.tag.name(), id))
        });
        this.by_place();
        this
    }

    /// Below nodes that are the same, top down.
    fn by_place(&mut self) {
        let (olds, news) = (self.olds, self.news);
        let mut pairs = vec![(None, None)];
        while let Some((old, new)) = pairs.pop() {
            let (old_children, new_children) = (olds.children(old), news.children(new));
            self.pair(old_children, new_children, |element| {
                let rect = element.rect.to_array().map(f32::to_bits);
                Some((element.tag.name(), &*element.source, rect))
            });
            self.pair(old_children, new_children, |element| {
                Some((element.tag.name(), &*element.source))
            });
            let matched = |child: &usize| self.matched.get(*child).copied().flatten();
            pairs.extend(
                new_children.iter().filter_map(|child| Some((Some(matched(child)?), Some(*child)))),
            );
        }
    }

    /// Pairs those that are not paired yet and have the same key, in their order.
    fn pair<K: std::hash::Hash + Eq>(
        &mut self,
        olds: &[usize],
        news: &[usize],
        key: impl Fn(&'a Element<'static>) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, std::collections::VecDeque<usize>> = HashMap::new();
        for &old in olds.iter().filter(|old| self.is_taken.get(**old) == Some(&false)) {
            if let Some(key) = self.olds.items.get(old).and_then(|item| key(item.element)) {
                waiting.entry(key).or_default().push_back(old);
            }
        }
        for &new in news {
            let Some(item) = self.news.items.get(new) else { continue };
            let Some(slot @ None) = self.matched.get_mut(new) else { continue };
            let found = key(item.element).and_then(|key| waiting.get_mut(&key)?.pop_front());
            *slot = found;
            if let Some(is_taken) = found.and_then(|old| self.is_taken.get_mut(old)) {
                *is_taken = true;
            }
        }
    }
}
