// Scenes have node indices.
fn mine_compact(mine: Mine) {
    compact_element(mine.item, mine.node, mine.role != 0u);
}
