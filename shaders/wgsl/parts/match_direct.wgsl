// Each thread loads its own elements, vector by vector.

fn direct_items(tile: u32, thread: u32) -> Items {
    let first = tile * TILE + thread * PER_THREAD;
    var roles = vec2<u32>(0u);
    for (var i = 0u; i < PER_THREAD / 4u; i++) {
        let four = load_roles(first / 4u + i) << (8u * (i % 4u));
        if i < 4u {
            roles.x |= four;
        } else {
            roles.y |= four;
        }
    }
    return within_count(items_of_roles(roles.x, roles.y), first);
}
