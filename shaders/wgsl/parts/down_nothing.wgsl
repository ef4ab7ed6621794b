// Nothing flows down: leaves of what grows up are all there is to do.
fn down(thread: u32, mine: ptr<function, Mine>) {
    for (var j = 0u; j < PER_THREAD; j++) {
        let at = thread + j * WORKGROUP_SIZE;
        up_clear(at);
        if at < (*mine).held {
            let item = (*mine).first + at;
            emit_down(item, (*mine).node[j], (*mine).role[j], (*mine).top[j], flow_root());
            up_leaf(j, item, (*mine).role[j], flow_root(), flow_root());
        }
    }
    workgroupBarrier();
    up_ends(thread, mine);
}
