// What the host reads: one thread writes it, and knows whether all entries fit.
fn write_status(needed: u32, fits: bool) {
    bin_status.needed = needed;
    bin_status.written = select(0u, needed, fits);
    bin_status.elements = element_count();
    bin_status.flags = select(ENTRIES_TOO_FEW, 0u, fits)
        | select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > bin.element_capacity);
}
