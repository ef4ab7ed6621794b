// Entries: the stream of a scene of which few elements are nodes. The stream holds the nodes; before those of each 32
// elements it holds a *mark*, and one more mark at its end.
//
//     elements   d ( d d ... | d d d ... | ) d d         in blocks of 32
//     entries  m   (         m           m )     m
//     gaps     0   1         2           3 4     5
//
// A mark is no node. The *gap* of an entry is the draws between the entry before it and itself. Marks keep a gap inside
// one block of 32 elements, so that a tile of entries has no more than 32 draws for each entry.
//
// An entry is a word: an element, 30 bits, and what the entry is, 2 bits. The element of a mark is the first of its
// block.

import package::kernel::{plan, words};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};

// What an entry is: a role, but that 3 stands for a non-local open. A mark is 0.
const NON_LOCAL_OPEN = 3u;

fn pack(element: u32, role: u32) -> u32 {
    let kind = select(role & (OPENS | CLOSES), NON_LOCAL_OPEN, (role & NON_LOCAL) != 0u);
    return (element << 2u) | kind;
}

fn element(post: u32) -> u32 {
    return post >> 2u;
}

fn role(post: u32) -> u32 {
    let kind = post & 3u;
    return select(kind, OPENS | NON_LOCAL, kind == NON_LOCAL_OPEN);
}

fn is_separator(post: u32) -> bool {
    return (post & 3u) == 0u;
}

// Entries of a scene of so many elements and nodes.
fn count(elements: u32, markers: u32) -> u32 {
    return markers + (elements + 31u) / 32u + 1u;
}

// The number of a node among the nodes: the entries before it, less a mark for its block and for each block before.
fn marker(at: u32, post: u32) -> u32 {
    return at - element(post) / 32u - 1u;
}

// An entry by its place: below the count.
fn load(at: u32) -> u32 {
    return words[plan.posts + at];
}
