// The count may come from another kernel, so it is never trusted beyond what the buffers
// hold.
fn element_count() -> u32 {
    return min(params.elements, plan.element_capacity);
}
