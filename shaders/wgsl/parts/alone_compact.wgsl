// Scenes have node indices.
fn alone_compact(mine: Mine) {
    compact_element(mine.item, mine.node, mine.role != 0u);
}
