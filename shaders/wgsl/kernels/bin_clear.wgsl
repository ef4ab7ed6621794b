// bin_clear: nothing has been found yet.
//
// One workgroup. Writes the status, 16 bytes.

fn kernel(group: u32, thread: u32, lanes: u32) {
    if group == 0u && thread == 0u {
        write_status(0u, true);
    }
}
