// The streams of the filter levels. The *level* of an element is the number of filters around it; a spread node has an
// outer and an inner level. Each level has its own stream, whose elements are *entries*:
//
//     scene      draw  ( clip  ( spread   draw   ) spread   draw  )
//     level 0    draw  ( clip    stand-in          stand-in draw  )
//     level 1                  ( inner    draw   ) inner
//
// An *inner marker* is a marker of a spread node at the inner level. It clips to its rect, the reverse bounds of the
// filter. A *stand-in* is a marker of a spread node at the outer level, where it is a draw. On the way down, its rect is
// EVERYTHING, so its visible box is the clip around the filter. On the way up, its rect is the forward bounds of the
// filter's content. The Begin of a node that fills its clip is followed by a *fill*: a draw of EVERYTHING.
//
// Each level has space for filters.entry_capacity entries, in three arrays: tags, origins and rects. The origin of a
// stand-in is the place of its inner marker at the next level; any other origin is an element of the scene.

import package::kernel::{filters, filter_level_words};
import package::constants::{ROLE_BEGIN, ROLE_END, ROLE_MASK, TAG_FILLS, TAG_SPREAD};

// The tags of entries that do not occur in the scene. All have the role of a draw; the stage reads only the role and
// NON_LOCAL. An inner marker keeps the bit TAG_SPREAD. A stand-in whose clip is far (lib/spread.wgsl) has a separate tag.
const STAND_IN = TAG_SPREAD;
const FAR_STAND_IN = TAG_SPREAD | TAG_FILLS;
const FILL = TAG_FILLS;

fn is_stand_in(tag: u32) -> bool {
    return tag == STAND_IN || tag == FAR_STAND_IN;
}

// A flag in the count of a tile's markers: an element has too many filters around it. Counts are less than this.
const HAS_TOO_DEEP = 0x80000000u;

// Returns the number of filters around an element (for a spread node, one more), given its word (lib/filter_levels.wgsl).
fn level_of(word: u32) -> u32 {
    return word >> 2u;
}

fn is_begin(tag: u32) -> bool {
    return (tag & ROLE_MASK) == ROLE_BEGIN;
}

fn is_end(tag: u32) -> bool {
    return (tag & ROLE_MASK) == ROLE_END;
}

fn is_of_spread(tag: u32, word: u32) -> bool {
    return (is_begin(tag) || is_end(tag)) && (word & 2u) != 0u;
}

// Returns the number of entries of an element at a level.
fn entries_in(tag: u32, word: u32, level: u32) -> u32 {
    let own = level_of(word);
    let is_spread = is_of_spread(tag, word);
    if own == level {
        return select(1u, 2u, is_begin(tag) && !is_spread && (tag & TAG_FILLS) != 0u);
    }
    return select(0u, 1u, is_spread && own == level + 1u);
}

// Returns the index of an entry's tag. `place` is below the capacity of a level, and `level` is at most the depth.
fn tag_at(level: u32, place: u32) -> u32 {
    return 2u * level * filters.entry_capacity + place;
}

fn origin_at(level: u32, place: u32) -> u32 {
    return tag_at(level, place) + filters.entry_capacity;
}

fn tag_of(level: u32, place: u32) -> u32 {
    return filter_level_words[tag_at(level, place)];
}

fn origin_of(level: u32, place: u32) -> u32 {
    return filter_level_words[origin_at(level, place)];
}

// Returns the next inner level, clamped to the depth. The places of entries are results of lane operations (filter_scatter.wgsl), so the contents of an
// entry may be arbitrary. This function and the next one bound the values that become indices.
fn level_inside(level: u32) -> u32 {
    return min(level + 1u, filters.depth);
}

// Returns the element of an entry. The entry must not be a stand-in.
fn element_of(level: u32, place: u32) -> u32 {
    return min(origin_of(level, place), max(filters.element_capacity, 1u) - 1u);
}
