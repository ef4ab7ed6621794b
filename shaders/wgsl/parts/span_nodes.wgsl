// What few nodes want of those that end in another tile: contents, and bounds, each at its element's place.

// Of a begin, its content so far.
fn begin_part(survivor: Survivor) -> Grow {
    return unpacked(contents[survivor.begin_node]);
}

// The same of its end.
fn end_part(survivor: Survivor) -> Grow {
    return unpacked(contents[survivor.end_node]);
}

// The bounds of a non-local one are those of what is around it, which are written.
fn emit_open(survivor: Survivor, content: Grow) {
    contents[survivor.begin_node] = packed(content);
    if survivor.is_local {
        bounds[survivor.begin_element] = packed(content);
    }
}

// The same at its end.
fn emit_end(survivor: Survivor, content: Grow) {
    contents[survivor.end_node] = packed(content);
    if survivor.is_local {
        bounds[survivor.end_element] = packed(content);
    } else {
        bounds[survivor.end_element] = bounds[survivor.begin_element];
    }
}
