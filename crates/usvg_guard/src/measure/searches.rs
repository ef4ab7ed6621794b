//! How long usvg looks for circles of definitions itself.
//!
//! For each definition usvg looks at every element inside, and at every element inside of what those refer to. Where one
//! refers to the definition, usvg takes that reference out, and begins anew with the first definition.

use super::outline::{Index, Outline};
use super::sort::Sort;
use super::targets::{CONTEXT, Links};

/// How many steps a look at an element takes.
const LOOK: u64 = 8;

/// How often usvg looks at every element: for fills, strokes, clip paths, masks and filters.
const PROPERTIES: u64 = 5;

/// The steps; no more than that many, where they are more than `max` without beginning anew.
///
/// `sizes` tells how many elements each element becomes, uses followed.
pub(super) fn steps(outline: &Outline, sizes: &[u64], max: u64) -> u64 {
    use Sort::{ClipPath, Filter, Mask, Pattern};
    let is_searched = |at: &Index| {
        sizes[*at as usize] > 0
            && matches!(outline.element(*at).sort, ClipPath | Mask | Pattern | Filter)
    };
    let definitions: Vec<Index> = (0..outline.len()).filter(is_searched).collect();
    let mut search = Search { outline, sizes, linked: vec![None; sizes.len()] };
    let looks = definitions.iter().fold(0, |sum: u64, at| {
        let inside = sizes[*at as usize].saturating_mul(PROPERTIES);
        sum.saturating_add(inside).saturating_add(search.linked(*at))
    });
    let once = looks.saturating_mul(LOOK);
    if once > max {
        return once;
    }
    let mut walk = Walk { outline, seen: vec![0; sizes.len()], walks: 0 };
    let found = definitions.iter().map(|at| found(&mut walk, sizes, *at)).sum::<u64>();
    once.saturating_mul(1 + found)
}

/// What an element refers to and is searched for.
fn targets(links: &Links) -> impl Iterator<Item = Index> {
    let paints = links.handed_down[..2].iter().flatten().flatten();
    let effects = links.clip.iter().chain(&links.mask).chain(&links.filters);
    paints.chain(effects).copied().filter(|target| *target != CONTEXT)
}

struct Search<'a> {
    outline: &'a Outline<'a>,
    sizes: &'a [u64],
    linked: Vec<Option<u64>>,
}

impl Search<'_> {
    /// The sizes of all that is referred to from inside of an element.
    fn linked(&mut self, at: Index) -> u64 {
        if let Some(known) = self.linked[at as usize] {
            return known;
        }
        let outline = self.outline;
        let own = outline.links(at).into_iter().flat_map(targets);
        let sizes = own.map(|target| self.sizes[target as usize]);
        let mut sum = sizes.fold(0, u64::saturating_add);
        for inside in outline.inside(at) {
            sum = sum.saturating_add(self.linked(inside));
        }
        self.linked[at as usize] = Some(sum);
        sum
    }
}

/// How many references to a definition usvg takes out: those inside of the definition, and inside of what that refers
/// to. What refers to an id given twice is found in either element.
fn found(walk: &mut Walk, sizes: &[u64], definition: Index) -> u64 {
    let target = walk.outline.element(definition).namesake.unwrap_or(definition);
    let (mut count, mut linked) = walk.references(definition, target, sizes);
    linked.sort_unstable();
    linked.dedup();
    for other in linked.into_iter().filter(|other| *other != definition) {
        count = count.saturating_add(walk.references(other, target, sizes).0);
    }
    count
}

/// Goes through all that is inside of elements.
struct Walk<'a> {
    outline: &'a Outline<'a>,
    /// In which walk each element was last met.
    seen: Vec<u32>,
    walks: u32,
}

impl Walk<'_> {
    /// How many elements inside refer to the target, and what all of them refer to. Where uses repeat some, all are
    /// counted.
    fn references(&mut self, at: Index, target: Index, sizes: &[u64]) -> (u64, Vec<Index>) {
        self.walks += 1;
        let (mut count, mut repeats, mut linked) = (0, false, vec![]);
        let mut open = vec![at];
        while let Some(at) = open.pop() {
            if std::mem::replace(&mut self.seen[at as usize], self.walks) == self.walks {
                continue;
            }
            repeats |= self.outline.element(at).sort == Sort::Use;
            for to in self.outline.links(at).into_iter().flat_map(targets) {
                count += u64::from(to == target);
                linked.push(to);
            }
            open.extend(self.outline.inside(at));
        }
        (if repeats && count > 0 { sizes[at as usize] } else { count }, linked)
    }
}
