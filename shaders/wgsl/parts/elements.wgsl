// The element stream, of which `element_count` says how long it is.

fn tiles_around(elements: u32) -> u32 {
    return (elements + TILE - 1u) / TILE;
}

fn tiles_filled() -> u32 {
    return tiles_around(element_count());
}

fn opens(tag: u32) -> bool {
    return (tag & ROLE_MASK) == ROLE_BEGIN;
}

fn closes(tag: u32) -> bool {
    return (tag & ROLE_MASK) == ROLE_END;
}
