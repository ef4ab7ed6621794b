// Nothing flows down: leaves of what grows up are all there is to do.
fn down(thread: u32, mine: ptr<function, Mine>) {
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        if at < (*mine).held {
            let node = (*mine).nodes + rank_of(at);
            emit_down((*mine).first + at, node, (*mine).role[j], (*mine).top[j]);
            up_leaf(at, (*mine).first + at, (*mine).role[j], flow_root(), flow_root());
        } else {
            up_past(at);
        }
    }
}
