// Links are the only output: an item is its own name.

const EMIT_AROUND = false;

fn emit_open(item: u32, link: u32, flow: Flow) {
    links[item] = link;
}

fn emit_close(item: u32, link: u32, around: u32, flow: Flow) {
    links[item] = link;
}

fn emit_neither(item: u32) {
    links[item] = NONE;
}
