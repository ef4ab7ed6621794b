// The element stream, as the host gave it. Its count may come from another
// kernel, so it is never trusted beyond what the buffers hold.

fn element_count() -> u32 {
    return min(params.elements, plan.element_capacity);
}

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
