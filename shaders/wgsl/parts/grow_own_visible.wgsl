// What an element changes around it: a draw what is visible of it, a non-local blend all
// that is around it.
fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if mine.role == 0u {
        return rect_canonical(flows.own);
    }
    return select(NOTHING, rect_canonical(flows.around), (mine.role & ROLE_NON_LOCAL) != 0u);
}
