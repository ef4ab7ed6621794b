//! From a buffer to memory, for whoever may wait.

use crate::Error;
use crate::ready::{is_browser, lost, scoped};
use std::sync::mpsc;

/// Maps a buffer, waits for the device, and gives what the buffer holds.
///
/// # Errors
/// [`Error::Device`] where the buffer was created without `MAP_READ`, where the device fails or is lost, and in a
/// browser, where nothing waits.
pub fn read<T: bytemuck::Pod>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
) -> Result<Vec<T>, Error> {
    if is_browser(device) {
        return Err(Error::Device(NO_WAIT.to_owned()));
    }
    let (sender, receiver) = mpsc::channel();
    let done = move |result| {
        // The receiver waits for it.
        let _ = sender.send(result);
    };
    scoped(device, || buffer.map_async(wgpu::MapMode::Read, .., done)).map_err(Error::Device)?;
    device.poll(wgpu::PollType::wait_indefinitely()).map_err(|error| lost(&error))?;
    // Another thread that polls may have the callback still to call.
    receiver.recv().map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
    let view = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let values = bytemuck::pod_collect_to_vec(&view);
    drop(view);
    buffer.unmap();
    Ok(values)
}

const NO_WAIT: &str = "a browser does not wait for its GPU: record a job, and map its outputs \
                       with a callback";
