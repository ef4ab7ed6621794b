// The role of a tag: 1 opens, 2 closes, anything else does neither. A caller may give a module of its own for this.

import package::constants::ROLE_MASK;

fn role(tag: u32) -> u32 {
    return tag & ROLE_MASK;
}
