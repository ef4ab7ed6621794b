// What a stream of nodes alone wants of what grows: contents, each at its own place.

// Of a node, or as much of it as is in the tile; of an end without a begin, nothing.
fn emit_up(mine: Mine, other: u32, content: Grow, is_whole: bool) {
    contents[mine.item] = packed(content);
}
