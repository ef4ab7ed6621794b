// The roles of PER_THREAD elements, at most 8, from their tags.
fn roles_of(first: u32) -> u32 {
    var roles = 0u;
    for (var place = 0u; place < PER_THREAD; place++) {
        if first + place < element_count() {
            let tag = tags[first + place];
            let open = select(0u, 1u, opens(tag));
            let close = select(0u, 0x100u, closes(tag));
            let non_local = select(0u, 0x10000u, opens(tag) && (tag & NON_LOCAL) != 0u);
            roles |= (open | close | non_local) << place;
        }
    }
    return roles;
}
