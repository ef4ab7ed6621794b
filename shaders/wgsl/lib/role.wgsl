// The role of a tag. Only its two lowest bits count: 1 opens, 2 closes, 0 and 3 do neither. A caller of Matcher may
// pass a module with its own `role`, which replaces this file when kernels are linked.

import package::constants::ROLE_MASK;

fn role(tag: u32) -> u32 {
    return tag & ROLE_MASK;
}
