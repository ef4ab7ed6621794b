// The status of binning, which the CPU reads.

import package::kernel::{bin, bin_status, params};
import package::lib::bin_grid::element_count;
import package::constants::{ENTRIES_TOO_FEW, STATUS_ELEMENTS_CLAMPED};

// `needed` is the number of entries of all lists. Called by one thread of a dispatch.
fn write_status(needed: u32) {
    let fits = needed <= bin.entry_capacity;
    bin_status.needed = needed;
    bin_status.written = select(0u, needed, fits);
    bin_status.elements = element_count();
    bin_status.flags = select(ENTRIES_TOO_FEW, 0u, fits)
        | select(0u, STATUS_ELEMENTS_CLAMPED, params.elements > bin.element_capacity);
}
