// The compacted stream of a scene with few markers. It consists of *posts*: the markers; a *separator* before each
// *block* of 32 elements; and one more separator at the end.
//
//     elements   d ( d d ... | d d d ... | ) d d         in blocks of 32
//     posts    s   (         s           s )     s
//     gaps     0   1         2           3 4     5
//
// A separator is a leaf without a value. The *gap* of a post consists of the draws between the previous post and this one.
// Separators confine a gap to one block, so a tile of posts has at most 32 draws per post.
//
// A post is one word: 30 bits for the element, 2 bits for the role. The element of a separator is the first of its block.

import package::kernel::{frame_counts, plan, words};
import package::lib::roles::{CLOSES, NON_LOCAL, OPENS};

// The 2 bits are the role, with 3 for a non-local open and 0 for a separator.
const NON_LOCAL_OPEN = 3u;

fn pack(element: u32, role: u32) -> u32 {
    let kind = select(role & (OPENS | CLOSES), NON_LOCAL_OPEN, (role & NON_LOCAL) != 0u);
    return (element << 2u) | kind;
}

fn element(post: u32) -> u32 {
    return post >> 2u;
}

// Returns the element of a post as an index. Posts are results of lane operations (count_markers.wgsl), so the element is
// bounded. The element of the last separator is past the last element, and is never loaded.
fn scene_element(post: u32) -> u32 {
    return min(element(post), max(frame_counts.elements, 1u) - 1u);
}

fn role(post: u32) -> u32 {
    let kind = post & 3u;
    return select(kind, OPENS | NON_LOCAL, kind == NON_LOCAL_OPEN);
}

fn is_separator(post: u32) -> bool {
    return (post & 3u) == 0u;
}

fn count(elements: u32, markers: u32) -> u32 {
    return markers + (elements + 31u) / 32u + 1u;
}

// Returns a marker's index among the markers: its index among the posts, minus the separators up to its block.
fn marker(at: u32, post: u32) -> u32 {
    return at - element(post) / 32u - 1u;
}

// Loads a post; `at` is less than the count.
fn load(at: u32) -> u32 {
    return words[plan.posts + at];
}
