//! The last list and the change to the next one. Only differing commands are measured.
//!
//! ```text
//! old   a b [ c d ] e f g       both lists share a start and an end, command by command
//! new   a b [ x ] e f g         between them is the change, widened until all layers in it begin and end in it
//! ```

use super::appearance::{Appearance, Appearances};
use super::command::{MeasuredCommand, Meter};
use super::elements::{Elements, Places, number};
use anyrender::recording::RenderCommand;
use std::ops::Range;
use treebounds_core::Rect;

/// The appearance and the measurements of each command of a list.
#[derive(Debug, Default)]
pub(super) struct History {
    /// The target; `None` if there is no list.
    pub(super) viewport: Option<Rect>,
    looks: Vec<Appearance>,
    entries: Vec<MeasuredCommand>,
    counts: Counts,
}

/// The number of layers that read more than their content at the same position.
#[derive(Clone, Copy, Debug, Default)]
struct Counts {
    backdrops: usize,
    rigid: usize,
}

impl Counts {
    fn of(entries: &[MeasuredCommand]) -> Self {
        let count =
            |is: fn(&MeasuredCommand) -> bool| entries.iter().filter(|entry| is(entry)).count();
        Self {
            backdrops: count(|entry| entry.backdrop.is_some()),
            rigid: count(MeasuredCommand::is_rigid),
        }
    }
}

/// Commands of a new list that replace commands of the old one. All layers in a change are balanced.
#[derive(Debug, Default)]
pub(super) struct Change {
    /// The replaced commands of the old list.
    old: Range<usize>,
    looks: Vec<Appearance>,
    entries: Vec<MeasuredCommand>,
    counts: Counts,
}

impl Change {
    pub(super) fn is_empty(&self) -> bool {
        self.old.is_empty() && self.looks.is_empty()
    }

    /// The whole new list.
    fn all(&self) -> List<'_> {
        List { looks: &self.looks, entries: &self.entries }
    }
}

/// A list or a part of one.
#[derive(Clone, Copy)]
struct List<'a> {
    looks: &'a [Appearance],
    entries: &'a [MeasuredCommand],
}

impl<'a> List<'a> {
    fn part(self, range: Range<usize>) -> Self {
        Self { looks: &self.looks[range.clone()], entries: &self.entries[range] }
    }

    fn iter(
        self,
    ) -> impl DoubleEndedIterator<Item = (&'a Appearance, &'a MeasuredCommand)> + ExactSizeIterator
    {
        self.looks.iter().zip(self.entries)
    }

    fn add_to(self, excerpt: &mut Elements, places: &Places) {
        self.iter().for_each(|(look, entry)| excerpt.add(*look, entry, places));
    }
}

/// The list is unbalanced, or has a non-finite number.
pub(super) struct Faulty;

/// The search distance for a matching command from the last match.
const NEAR: usize = 48;

impl History {
    pub(super) fn forget(&mut self) {
        self.viewport = None;
        self.looks.clear();
        self.entries.clear();
        self.counts = Counts::default();
    }

    /// Computes the change to a new list.
    pub(super) fn read(
        &self,
        commands: &[RenderCommand],
        looks: &mut Appearances,
        meter: &mut Meter,
        change: &mut Change,
    ) -> Result<(), Faulty> {
        self.find_change(commands, looks, change);
        self.widen_to_layers(change).ok_or(Faulty)?;
        let new = change.old.start..change.old.start + change.looks.len();
        self.measure(&commands[new], meter, change)?;
        change.counts = Counts::of(&change.entries);
        Ok(())
    }

    /// Computes the appearances between the common start and the common end of both lists.
    fn find_change(
        &self,
        commands: &[RenderCommand],
        looks: &mut Appearances,
        change: &mut Change,
    ) {
        let fresh = &mut change.looks;
        fresh.clear();
        let mut start = 0;
        for (command, old) in commands.iter().zip(&self.looks) {
            let look = looks.of(command);
            if look != *old {
                fresh.push(look);
                break;
            }
            start += 1;
        }
        let read = start + fresh.len();
        let (mut end, mut old_end) = (commands.len(), self.looks.len());
        let mut last = None;
        while end > read && old_end > start {
            let look = looks.of(&commands[end - 1]);
            if look != self.looks[old_end - 1] {
                last = Some(look);
                break;
            }
            (end, old_end) = (end - 1, old_end - 1);
        }
        let between = end - usize::from(last.is_some());
        fresh.extend(commands[read..between].iter().map(|command| looks.of(command)));
        fresh.extend(last);
        // The first differing appearance may also belong to the common end.
        while old_end > start && fresh.last().is_some_and(|look| *look == self.looks[old_end - 1]) {
            fresh.pop();
            old_end -= 1;
        }
        change.old = start..old_end;
    }

    /// Widens the change on both sides until its layers are balanced. `None` if that is impossible.
    fn widen_to_layers(&self, change: &mut Change) -> Option<()> {
        let old = change.old.clone();
        let wide = to_layers(&self.looks, old.clone(), &change.looks)?;
        change.looks.splice(0..0, self.looks[wide.start..old.start].iter().copied());
        change.looks.extend_from_slice(&self.looks[old.end..wide.end]);
        change.old = wide;
        Some(())
    }

    /// Computes the entries of the change. Commands that also occur in the old list, at any position, are not measured
    /// again.
    fn measure(
        &self,
        commands: &[RenderCommand],
        meter: &mut Meter,
        change: &mut Change,
    ) -> Result<(), Faulty> {
        let old = change.old.clone();
        let entries = &mut change.entries;
        entries.clear();
        entries.reserve(commands.len());
        let (mut next, mut open) = (old.start, Vec::new());
        for (command, look) in commands.iter().zip(&change.looks) {
            if look.nesting < 0 {
                let push: usize = open.pop().ok_or(Faulty)?;
                entries.push(entries[push].closing());
                next += usize::from(next < old.end && self.looks[next].nesting < 0);
                continue;
            }
            if look.nesting > 0 {
                open.push(entries.len());
            }
            let known = self.find(*look, next, &old).and_then(|at| {
                next = at + 1;
                self.entries[at].moved(look.moved_from(self.looks[at])?)
            });
            entries.push(match known {
                Some(entry) => entry,
                None => meter.measure(command).map_err(|_| Faulty)?,
            });
        }
        Ok(())
    }

    /// Returns the index of a command with this appearance, near the expected index. Any match is correct, because
    /// equal appearances have equal boxes.
    fn find(&self, look: Appearance, expected: usize, within: &Range<usize>) -> Option<usize> {
        let is = |old: &Appearance| old.hash == look.hash;
        let (from, to) = (expected.saturating_sub(NEAR), expected + NEAR);
        let behind = &self.looks[from.max(within.start)..expected];
        let ahead = &self.looks[expected..to.min(within.end)];
        let found = ahead.iter().position(is).map(|at| expected + at);
        found.or_else(|| behind.iter().rposition(is).map(|at| expected - behind.len() + at))
    }

    /// Stores the new list as the last one.
    pub(super) fn accept(&mut self, change: &mut Change, viewport: Rect) {
        let (old, counts) = (change.old.clone(), Counts::of(&self.entries[change.old.clone()]));
        self.counts.backdrops = self.counts.backdrops + change.counts.backdrops - counts.backdrops;
        self.counts.rigid = self.counts.rigid + change.counts.rigid - counts.rigid;
        self.looks.splice(old.clone(), change.looks.drain(..));
        self.entries.splice(old, change.entries.drain(..));
        self.viewport = Some(viewport);
    }

    pub(super) fn has_backdrops(&self, change: &Change) -> bool {
        self.counts.backdrops + change.counts.backdrops > 0
    }

    /// Whether damage depends only on the change and the layers around it.
    pub(super) fn is_local(&self, change: &Change) -> bool {
        !self.has_backdrops(change) && self.counts.rigid + change.counts.rigid == 0
    }

    fn all(&self) -> List<'_> {
        List { looks: &self.looks, entries: &self.entries }
    }

    /// Widens the change to the whole new list, to compare both lists as a whole.
    pub(super) fn widen_to_all(&self, change: &mut Change) {
        let Range { start, end } = change.old;
        change.looks.splice(0..0, self.looks[..start].iter().copied());
        change.looks.extend_from_slice(&self.looks[end..]);
        change.entries.splice(0..0, self.entries[..start].iter().copied());
        change.entries.extend_from_slice(&self.entries[end..]);
        change.counts = Counts::of(&change.entries);
        change.old = 0..self.looks.len();
    }

    /// Returns the replaced and the replacing commands as elements, each with the layers around them.
    pub(super) fn excerpts(
        &self,
        change: &Change,
        places: [&Places; 2],
        viewports: [Rect; 2],
        excerpts: [&mut Elements; 2],
    ) {
        let mut old = change.old.clone();
        let mut new = 0..change.looks.len();
        let is_moved = places[0].by.is_some() && self.is_local(change);
        if is_moved && let Some(both) = differing([self.all(), change.all()], places) {
            [old, new] = both;
        }
        let open = self.open_at(old.start);
        // Both lists share their start. If one list is moved, the positions differ.
        let starts = [self.all(), if is_moved { change.all() } else { self.all() }];
        let lists = starts.into_iter().zip([self.all().part(old), change.all().part(new)]);
        for (((excerpt, (start, list)), places), viewport) in
            excerpts.into_iter().zip(lists).zip(places).zip(viewports)
        {
            excerpt.start(viewport);
            for layer in &open {
                excerpt.add(start.looks[*layer], &start.entries[*layer], places);
            }
            list.add_to(excerpt, places);
            for layer in open.iter().rev() {
                excerpt.add(Appearance::default(), &start.entries[*layer].closing(), places);
            }
        }
    }

    /// Returns the layers that are open before a command, outermost first.
    fn open_at(&self, command: usize) -> Vec<usize> {
        let (mut open, mut depth) = (Vec::new(), 0);
        for (at, look) in self.looks[..command].iter().enumerate().rev() {
            depth -= look.nesting;
            if depth < 0 {
                (depth, _) = (0, open.push(at));
            }
        }
        open.reverse();
        open
    }

    /// Returns for each command whether it must be painted for these rects. `true` for all if `commands` is another
    /// list.
    pub(super) fn touching(&self, commands: &[RenderCommand], rects: &[Rect]) -> Vec<bool> {
        let mut kept = vec![true; commands.len()];
        let Some(viewport) = self.viewport.filter(|_| commands.len() == self.entries.len()) else {
            return kept;
        };
        let mut list = Elements::default();
        list.start(viewport);
        self.all().add_to(&mut list, &Places::HERE);
        let Some(boxes) = list.boxes() else { return kept };
        // The index of the next element. A layer's filter is a separate element.
        let mut next = 0;
        // The number of open layers inside the outermost removed layer, and inside the outermost layer with a filter.
        let (mut out, mut filter) = (0_u32, 0_u32);
        for ((look, entry), kept) in self.all().iter().zip(&mut kept) {
            let bounds = boxes[next];
            next += 1 + usize::from(entry.spreads() && entry.tag.is_marker());
            let touches = rects.iter().any(|rect| !rect.intersect(bounds).is_empty());
            if look.nesting < 0 {
                *kept = out == 0;
                (out, filter) = (out.saturating_sub(1), filter.saturating_sub(1));
            } else if look.nesting > 0 {
                let is_out = out > 0 || (filter == 0 && !touches);
                out += u32::from(is_out);
                filter += u32::from(filter > 0 || entry.spreads());
                *kept = !is_out;
            } else {
                *kept = out == 0 && (filter > 0 || touches);
            }
        }
        kept
    }
}

/// Returns the differing parts of two whole lists under these identification rules.
fn differing([old, new]: [List<'_>; 2], places: [&Places; 2]) -> Option<[Range<usize>; 2]> {
    let is_same =
        |((a, x), (b, y)): &((&Appearance, &MeasuredCommand), (&Appearance, &MeasuredCommand))| {
            number(**a, x, places[0]) == number(**b, y, places[1])
        };
    let start = old.iter().zip(new.iter()).take_while(is_same).count();
    let lengths = [old, new].map(|list| list.looks.len());
    let rest = [old.part(start..lengths[0]), new.part(start..lengths[1])];
    let end = rest[0].iter().rev().zip(rest[1].iter().rev()).take_while(is_same).count();
    let between = &new.looks[start..lengths[1] - end];
    let old = to_layers(old.looks, start..lengths[0] - end, between)?;
    let new = old.start..old.end + lengths[1] - lengths[0];
    Some([old, new])
}

/// Widens a replaced range of a list on both sides until the layers of the range and of its replacement are balanced.
/// `None` if that is impossible. The list must be balanced.
fn to_layers(
    looks: &[Appearance],
    range: Range<usize>,
    new: &[Appearance],
) -> Option<Range<usize>> {
    let (old, new) = (nesting(&looks[range.clone()]), nesting(new));
    if old.opens - old.closes != new.opens - new.closes {
        return None;
    }
    let (mut start, mut end) = (range.start, range.end);
    let (mut closes, mut depth) = (old.closes.max(new.closes), 0);
    while closes > 0 {
        start = start.checked_sub(1)?;
        depth -= looks[start].nesting;
        if depth < 0 {
            (depth, closes) = (0, closes - 1);
        }
    }
    let mut open = nesting(&looks[start..range.start]).then(new).opens;
    while open > 0 {
        open += looks.get(end)?.nesting;
        end += 1;
    }
    Some(start..end)
}

/// The number of enclosing layers that end within a range of commands, and the number of layers that begin in it and
/// are still open.
#[derive(Clone, Copy)]
struct Nesting {
    closes: i64,
    opens: i64,
}

impl Nesting {
    fn then(self, next: Self) -> Self {
        let opens = self.opens - next.closes;
        Self { closes: self.closes + (-opens).max(0), opens: opens.max(0) + next.opens }
    }
}

fn nesting(looks: &[Appearance]) -> Nesting {
    let mut all = Nesting { closes: 0, opens: 0 };
    for look in looks {
        let step = look.nesting;
        all = all.then(Nesting { closes: (-step).max(0), opens: step.max(0) });
    }
    all
}
