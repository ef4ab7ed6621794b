// With few elements a thread nothing is kept between the two passes: the second
// reads the input again.

fn keep_items(tile: u32, thread: u32, items: Items, left_open: vec2<u32>) {}

fn kept_items(tile: u32, thread: u32, lanes: u32) -> Items {
    return input_items(tile, thread, lanes);
}

fn kept_unmatched(tile: u32, thread: u32, items: Items) -> vec2<u32> {
    return unmatched_opens(items);
}
