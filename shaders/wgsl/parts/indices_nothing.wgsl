// Node indices are stored elsewhere, or nobody wants them.
fn indices_store(workgroup: u32, thread: u32) -> bool {
    return false;
}
