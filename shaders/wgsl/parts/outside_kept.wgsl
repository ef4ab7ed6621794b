// What flows from an element of another tile, once more: it was kept.
fn outside_again(tile: u32, beyond: Beyond) -> Flow {
    return beyond.flow;
}
