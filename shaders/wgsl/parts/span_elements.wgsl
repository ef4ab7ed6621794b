// What a stream of nodes alone wants of those that end in another tile: contents, each at its own place.

// Of a begin, its content so far.
fn begin_part(survivor: Survivor) -> Grow {
    return unpacked(contents[survivor.begin]);
}

// The same of its end.
fn end_part(survivor: Survivor) -> Grow {
    return unpacked(contents[survivor.end]);
}

fn emit_open(survivor: Survivor, content: Grow) {
    contents[survivor.begin] = packed(content);
}

fn emit_end(survivor: Survivor, content: Grow) {
    contents[survivor.end] = packed(content);
}
