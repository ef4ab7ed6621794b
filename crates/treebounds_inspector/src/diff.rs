//! The differences between two reports.

use crate::looks::{Look, looks};
use serde::Serialize;
use std::{
    cmp::Ordering,
    collections::{BTreeMap, HashMap, HashSet, VecDeque},
    fmt,
};
use treebounds_core::{Rect, Role};
use treebounds_report::{Element, ReadReport};

/// A non-empty box: left, top, right, bottom.
pub type Edges = [f32; 4];

/// How an element changed.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Change {
    /// It moved and kept its size.
    Moved,
    /// It covers more pixels.
    Grown,
    /// It covers fewer pixels.
    Shrunk,
    /// It covers as many pixels in a different shape.
    Reshaped,
    /// It is no longer visible.
    Culled,
    /// It has become visible.
    Shown,
    /// It is only in the new report.
    Appeared,
    /// It is only in the old report.
    Gone,
    /// It has different paint, or the same box with a different look.
    Repainted,
    /// It has a different id and the same box.
    Renamed,
    /// Its place in the paint order has changed.
    Reordered,
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
            Self::Repainted => "repainted",
            Self::Renamed => "renamed",
            Self::Reordered => "reordered",
        })
    }
}

/// A changed element, named by the `ix` of its draw or begin.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Difference {
    /// How it changed.
    pub change: Change,
    /// Its `ix` in the old report; `None` if it appeared.
    pub old: Option<u32>,
    /// Its `ix` in the new report; `None` if it is gone.
    pub new: Option<u32>,
    /// `draw`, `clip`, `blend` or `clip_blend`.
    pub kind: String,
    /// Its id.
    pub id: Option<String>,
    /// Its old id, if it was renamed and had one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub old_id: Option<String>,
    /// Its path, if the report has paths.
    pub path: Option<String>,
    /// Its bounds in the old report; `None` if they were empty.
    pub from: Option<Edges>,
    /// Its bounds in the new report; `None` if they are empty.
    pub to: Option<Edges>,
}

/// The differences between an old report and a new one: first the new report's elements in paint order, then the elements
/// that are gone.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct Diff {
    schema: &'static str,
    /// The old drawing's name.
    pub old: String,
    /// The new drawing's name.
    pub new: String,
    /// The changed elements.
    pub changes: Vec<Difference>,
    /// The number of repainted elements; `None` if paint could not be compared.
    pub repainted: Option<usize>,
}

impl Diff {
    /// The name and version of the JSON format.
    pub const SCHEMA: &'static str = "treebounds.diff/1";

    /// Compares two reports: boxes, ids and paint order.
    ///
    /// Elements with the same kind and id match; elements that share an id match in order. Then the children of matched
    /// nodes match by source and rect, and the remaining ones by source, again in order.
    pub fn new(old: &ReadReport, new: &ReadReport) -> Self {
        Self::of(old, new, None)
    }

    /// Compares paint too. `drawings` are the old and the new drawing as written by `treebounds_report::standalone`.
    pub fn with_paint(old: &ReadReport, new: &ReadReport, drawings: [&str; 2]) -> Self {
        Self::of(old, new, Some(drawings))
    }

    fn of(old: &ReadReport, new: &ReadReport, drawings: Option<[&str; 2]>) -> Self {
        let (olds, news) = (Items::of(old), Items::of(new));
        let pairs = Pairs::new(&olds, &news);
        let reordered = pairs.reordered();
        let painted = drawings.map(|[old, new]| [olds.looks(old), news.looks(new)]);
        let Pairs { matched, is_taken, .. } = pairs;
        let mut changes = Vec::new();
        for (at, (item, old)) in news.items.iter().zip(matched).enumerate() {
            let Some((old_at, old)) = old.and_then(|at| Some((at, olds.items.get(at)?.element)))
            else {
                changes.push(Difference::of(Change::Appeared, None, Some(item.element)));
                continue;
            };
            let moved = change(old.bounds, item.element.bounds);
            let is_repainted = match &painted {
                Some([Some(olds), Some(news)]) => differ(olds.get(&old_at), news.get(&at), moved),
                _ => false,
            };
            let found = [
                moved,
                is_repainted.then_some(Change::Repainted),
                (moved.is_none() && old.id != item.element.id).then_some(Change::Renamed),
                reordered.contains(&at).then_some(Change::Reordered),
            ];
            let found = found.into_iter().flatten();
            changes.extend(found.map(|one| Difference::of(one, Some(old), Some(item.element))));
        }
        let gone = olds.items.iter().zip(is_taken).filter(|(_, is_taken)| !is_taken);
        changes.extend(gone.map(|(old, _)| Difference::of(Change::Gone, Some(old.element), None)));
        let count = || changes.iter().filter(|one| one.change == Change::Repainted).count();
        let repainted = match (painted, drawings) {
            (Some([Some(_), Some(_)]), _) => Some(count()),
            (_, Some([old, new])) if old == new => Some(0),
            _ => None,
        };
        let (old, new) = (old.source.to_string(), new.source.to_string());
        Self { schema: Self::SCHEMA, old, new, changes, repainted }
    }

    /// Whether no difference was found.
    pub fn is_empty(&self) -> bool {
        self.changes.is_empty()
    }

    /// Whether a box differs.
    pub fn has_boxes(&self) -> bool {
        use Change::{Renamed, Reordered, Repainted};
        self.changes.iter().any(|one| !matches!(one.change, Repainted | Renamed | Reordered))
    }

    /// The number of elements per change, in the order of [`Change`].
    pub fn counts(&self) -> Vec<(Change, usize)> {
        let mut counts = BTreeMap::new();
        for difference in &self.changes {
            *counts.entry(difference.change).or_default() += 1;
        }
        counts.into_iter().collect()
    }

    /// Returns the differences as JSON.
    pub fn to_json(&self) -> String {
        // Strings, finite numbers and lists cannot fail.
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl Difference {
    fn of(change: Change, old: Option<&Element<'_>>, new: Option<&Element<'_>>) -> Self {
        let edges = |element: Option<&Element<'_>>| {
            element.filter(|element| !element.is_culled()).map(|element| element.bounds.to_array())
        };
        let element = new.or(old);
        let id = |element: Option<&Element<'_>>| element?.id.as_deref().map(str::to_owned);
        let path = element.and_then(|element| element.path.as_ref());
        let kind = element.map_or("", |element| element.tag.name().trim_start_matches("begin_"));
        Self {
            change,
            old: old.map(|old| old.ix),
            new: new.map(|new| new.ix),
            kind: kind.to_owned(),
            id: id(element),
            old_id: id(old.filter(|_| change == Change::Renamed)),
            path: path.map(ToString::to_string),
            from: edges(old),
            to: edges(new),
        }
    }
}

/// Whether a draw looks different. If its box changed, only its paint is compared.
fn differ(old: Option<&Look>, new: Option<&Look>, moved: Option<Change>) -> bool {
    let (Some(old), Some(new)) = (old, new) else { return false };
    if moved.is_some() { old.paint != new.paint } else { old.whole != new.whole }
}

fn change(from: Rect, to: Rect) -> Option<Change> {
    match (from.is_empty(), to.is_empty()) {
        (true, true) => return None,
        (false, true) => return Some(Change::Culled),
        (true, false) => return Some(Change::Shown),
        (false, false) if from == to => return None,
        (false, false) => {}
    }
    // If both edges move, rounding may change their distance.
    let edges = from.to_array().into_iter().chain(to.to_array());
    let most = edges.fold(0.0_f32, |most, edge| most.max(edge.abs()));
    let rounding = 4.0 * f64::from(most) * f64::from(f32::EPSILON);
    let is_same = |from: f64, to: f64| (from - to).abs() <= rounding;
    if is_same(from.width(), to.width()) && is_same(from.height(), to.height()) {
        return Some(Change::Moved);
    }
    Some(match to.area().total_cmp(&from.area()) {
        Ordering::Greater => Change::Grown,
        Ordering::Less => Change::Shrunk,
        Ordering::Equal => Change::Reshaped,
    })
}

struct Item<'a> {
    element: &'a Element<'static>,
    children: Vec<usize>,
}

/// The draws and nodes of a report as a tree.
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

    /// Returns the looks of the draws; `None` if the drawing has a different number of draws.
    fn looks(&self, drawing: &str) -> Option<HashMap<usize, Look>> {
        let draws = self.items.iter().enumerate();
        let draws = draws.filter(|(_, item)| item.element.tag.role() == Role::Draw);
        let draws: Vec<_> = draws.map(|(at, _)| at).collect();
        let looks = looks(drawing);
        (draws.len() == looks.len()).then(|| draws.into_iter().zip(looks).collect())
    }

    fn children(&self, of: Option<usize>) -> &[usize] {
        match of {
            None => &self.roots,
            Some(of) => self.items.get(of).map_or(&[], |item| &item.children),
        }
    }
}

struct Pairs<'a, 'b> {
    olds: &'b Items<'a>,
    news: &'b Items<'a>,
    /// For each new item, the matching old item.
    matched: Vec<Option<usize>>,
    /// For each old item, whether it is matched.
    is_taken: Vec<bool>,
}

impl<'a, 'b> Pairs<'a, 'b> {
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

    /// Matches the children of matched nodes, from the roots down.
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

    /// Returns a minimal set of new items that explains the new order.
    fn reordered(&self) -> HashSet<usize> {
        let roots = (self.olds.children(None), self.news.children(None));
        let nodes = self.matched.iter().enumerate().filter_map(|(new, old)| {
            old.map(|old| (self.olds.children(Some(old)), self.news.children(Some(new))))
        });
        nodes.chain([roots]).flat_map(|(olds, news)| self.out_of_order(olds, news)).collect()
    }

    /// Returns the new siblings that changed their order: those outside the longest subsequence that keeps the old
    /// order.
    fn out_of_order(&self, olds: &[usize], news: &[usize]) -> Vec<usize> {
        let old = |new: usize| self.matched.get(new).copied().flatten();
        let pairs = news.iter().filter_map(|&new| Some((new, old(new)?)));
        // Items are numbered in paint order, so `olds` is sorted.
        let pairs: Vec<_> = pairs.filter(|(_, old)| olds.binary_search(old).is_ok()).collect();
        if pairs.is_sorted_by_key(|(_, old)| *old) {
            return Vec::new();
        }
        // Patience sorting: for each length, the smallest last item of a subsequence of that length.
        let mut ends: Vec<usize> = Vec::new();
        let mut before: Vec<Option<usize>> = Vec::new();
        let old_at = |at: usize| pairs.get(at).map(|(_, old)| *old);
        for at in 0..pairs.len() {
            let length = ends.partition_point(|end| old_at(*end) < old_at(at));
            before.push(length.checked_sub(1).and_then(|one| ends.get(one).copied()));
            match ends.get_mut(length) {
                Some(end) => *end = at,
                None => ends.push(at),
            }
        }
        let last = ends.last().copied();
        let kept = std::iter::successors(last, |at| before.get(*at).copied().flatten());
        let kept: HashSet<_> = kept.collect();
        let others = pairs.iter().enumerate().filter(|(at, _)| !kept.contains(at));
        others.map(|(_, (new, _))| *new).collect()
    }

    /// Matches unmatched items with the same key, in order.
    fn pair<K: std::hash::Hash + Eq>(
        &mut self,
        olds: &[usize],
        news: &[usize],
        key: impl Fn(&'a Element<'static>) -> Option<K>,
    ) {
        let mut waiting: HashMap<K, VecDeque<usize>> = HashMap::new();
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
