fn input_items(tile: u32, thread: u32, lanes: u32) -> Items {
    return direct_items(tile, thread);
}
