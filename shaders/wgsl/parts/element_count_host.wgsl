// The count is the host's; it is never trusted beyond what the buffers hold.
fn element_count() -> u32 {
    return min(host_count(), plan.element_capacity);
}
