// What a thread's elements are: a word, 8 bits each for those that open, those that
// close, and those that open a non-local node.

fn role_opens(roles: u32) -> u32 {
    return roles & 0xffu;
}

fn role_closes(roles: u32) -> u32 {
    return (roles >> 8u) & 0xffu;
}

fn role_non_local(roles: u32) -> u32 {
    return (roles >> 16u) & 0xffu;
}

fn role_nodes(roles: u32) -> u32 {
    return role_opens(roles) | role_closes(roles);
}
