// What an element changes around it: a draw its box, a non-local blend everything.
fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if mine.role == 0u {
        return rect_of(mine.item);
    }
    return select(NOTHING, params.viewport, (mine.role & ROLE_NON_LOCAL) != 0u);
}
