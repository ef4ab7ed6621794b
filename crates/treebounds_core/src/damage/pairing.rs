//! Pairs the elements of two frames.

use crate::NONE;
use alloc::vec::Vec;

/// The identity and appearance of an element.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Ident {
    /// The identity of the element, which is the same in every frame. 0 is for elements without a partner, such as Ends. Elements
    /// with the same key are paired in order.
    pub key: u64,
    /// A hash of the element's appearance without its contents: shape, paint and transform; for a node, clip, blend and filter.
    /// Elements with equal keys and hashes are assumed to look the same, so all 64 bits must be well mixed.
    pub hash: u64,
}

/// Finds partners. It contains only reusable memory.
#[derive(Clone, Debug, Default)]
pub struct Pairing {
    partners: Vec<u32>,
    /// The keys of the old elements, as a hash table with open addressing.
    slots: Vec<Slot>,
    /// For each old element, the next element with the same key.
    nexts: Vec<u32>,
    candidates: Vec<Candidate>,
    /// For each length, the last candidate of a run of this length: of all such runs, the one that ends earliest in the old frame.
    ends: Vec<u32>,
}

/// A key, or 0 in an empty slot, and the first old element with this key that is not a candidate yet.
#[derive(Clone, Copy, Debug)]
struct Slot {
    key: u64,
    first: u32,
}

/// Two elements with the same key, and the previous candidate in the longest run that ends here.
#[derive(Clone, Copy, Debug)]
struct Candidate {
    old: u32,
    new: u32,
    before: u32,
}

impl Pairing {
    /// Returns, for each new element, the old element with the same key and hash, or [`NONE`].
    ///
    /// Elements with equal keys are paired along the longest run that has the same order in both frames. All other elements count as
    /// removed and inserted, because a different order changes which element is on top.
    ///
    /// Cost: linear on average, plus n log n for the elements between the common prefix and suffix.
    ///
    /// ```
    /// use treebounds_core::NONE;
    /// use treebounds_core::damage::{Ident, Pairing};
    /// let ids = |keys: [u64; 4]| keys.map(|key| Ident { key, hash: 7 });
    /// // 9 is new, 2 and 3 keep their order, 1 moves to the end.
    /// let mut pairing = Pairing::default();
    /// assert_eq!(pairing.find(&ids([1, 2, 3, 4]), &ids([9, 2, 3, 1])), [NONE, 1, 2, NONE]);
    /// ```
    pub fn find(&mut self, old: &[Ident], new: &[Ident]) -> &[u32] {
        self.partners.clear();
        self.partners.resize(new.len(), NONE);
        let start = common_prefix(old.iter(), new.iter());
        let (old_rest, new_rest) = (&old[start..], &new[start..]);
        let end = common_prefix(old_rest.iter().rev(), new_rest.iter().rev());
        for index in (0..start).chain(new.len() - end..new.len()) {
            let partner = if index < start { index } else { index + old.len() - new.len() };
            self.partners[index] = partner as u32;
        }
        self.pair_between(
            &old_rest[..old_rest.len() - end],
            &new_rest[..new_rest.len() - end],
            start as u32,
        );
        for (ident, partner) in new.iter().zip(&mut self.partners) {
            let is_same = old.get(*partner as usize).is_some_and(|old| old.hash == ident.hash);
            *partner = if is_same && ident.key != 0 { *partner } else { NONE };
        }
        &self.partners
    }

    fn pair_between(&mut self, old: &[Ident], new: &[Ident], start: u32) {
        if old.is_empty() || new.is_empty() {
            return;
        }
        self.collect(old);
        self.candidates.clear();
        for (index, ident) in (0..).zip(new) {
            let slot = self.slot(ident.key);
            let first = self.slots[slot].first;
            if let Some(next) = self.nexts.get(first as usize) {
                self.slots[slot].first = *next;
                self.candidates.push(Candidate { old: first, new: index, before: NONE });
            }
        }
        let mut at = self.longest_run();
        while let Some(candidate) = self.candidates.get(at as usize) {
            self.partners[(start + candidate.new) as usize] = start + candidate.old;
            at = candidate.before;
        }
    }

    fn collect(&mut self, old: &[Ident]) {
        self.slots.clear();
        self.slots.resize(2 * old.len().next_power_of_two(), Slot { key: 0, first: NONE });
        self.nexts.clear();
        self.nexts.resize(old.len(), NONE);
        for (index, ident) in old.iter().enumerate().rev().filter(|(_, ident)| ident.key != 0) {
            let slot = self.slot(ident.key);
            self.nexts[index] = self.slots[slot].first;
            self.slots[slot] = Slot { key: ident.key, first: index as u32 };
        }
    }

    /// The slot of a key, or the empty slot for it. At least half of the slots are empty.
    fn slot(&self, key: u64) -> usize {
        let last = self.slots.len() - 1;
        let mut slot = (key.wrapping_mul(0x9E37_79B9_7F4A_7C15) >> 32) as usize & last;
        while self.slots[slot].key != key && self.slots[slot].key != 0 {
            slot = (slot + 1) & last;
        }
        slot
    }

    /// The last candidate of the longest run that ascends in both frames. Candidates are linked backward.
    fn longest_run(&mut self) -> u32 {
        self.ends.clear();
        for index in 0..self.candidates.len() {
            let old = self.candidates[index].old;
            let shorter = self.ends.partition_point(|end| self.candidates[*end as usize].old < old);
            if let Some(before) = shorter.checked_sub(1) {
                self.candidates[index].before = self.ends[before];
            }
            match self.ends.get_mut(shorter) {
                Some(end) => *end = index as u32,
                None => self.ends.push(index as u32),
            }
        }
        self.ends.last().copied().unwrap_or(NONE)
    }
}

/// The length of the common prefix of keys.
fn common_prefix<'a>(
    old: impl Iterator<Item = &'a Ident>,
    new: impl Iterator<Item = &'a Ident>,
) -> usize {
    old.zip(new).take_while(|(old, new)| old.key == new.key).count()
}
