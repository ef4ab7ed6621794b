// What an entry adds to what grows: what is painted in the gap before it, which is inside an end, and before a begin;
// a non-local begin all that is around it too.
fn grow_own(mine: Mine, flows: Flows) -> Grow {
    if (mine.role & ROLE_NON_LOCAL) != 0u {
        return gap_around(mine, flows);
    }
    return cells[mine.at];
}
