// The bounds of a non-local begin, which also adds what is painted before it.
fn non_local_bounds(own: Grow) -> Grow {
    return params.viewport;
}
