// The roles of PER_THREAD elements, at most 8, from their tags.
fn roles_of(first: u32) -> u32 {
    var roles = 0u;
    for (var place = 0u; place < PER_THREAD; place++) {
        if first + place < element_count() {
            let tag = tags[first + place];
            let open = select(0u, 1u, opens(tag));
            let close = select(0u, 0x100u, closes(tag));
            roles |= (open | close | ((open * (tag & NON_LOCAL)) / NON_LOCAL << 16u)) << place;
        }
    }
    return roles;
}
