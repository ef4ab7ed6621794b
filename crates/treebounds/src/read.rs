//! From a buffer to memory.

use crate::Error;
use crate::ready::{is_browser, lost, scoped};
use futures_channel::oneshot;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::time::Duration;

/// How long the callback may take once the device has nothing left to do: another thread that polls may have it still to
/// call.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maps a buffer, waits for the device, and gives what the buffer holds.
///
/// # Errors
/// [`Error::Device`] where the buffer was created without `MAP_READ` or is mapped already, where the device fails or is
/// lost, and in a browser, where nothing waits; after five seconds also where the buffer is another device's, which has not
/// mapped it by then.
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
    let mapped_now = receiver.recv_timeout(PATIENCE).map_err(|error| match error {
        RecvTimeoutError::Timeout => Error::Device(OTHER_DEVICE.to_owned()),
        RecvTimeoutError::Disconnected => lost(&error),
    });
    mapped_now?.map_err(|error| lost(&error))?;
    mapped(buffer)
}

/// The same on every target: in a browser it is pending until the device is done, elsewhere it waits for the device.
///
/// # Errors
/// [`Error::Device`] where the buffer was created without `MAP_READ`, and where the device fails or is lost.
pub async fn read_async<T: bytemuck::Pod>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
) -> Result<Vec<T>, Error> {
    if !is_browser(device) {
        return read(device, buffer);
    }
    let (sender, receiver) = oneshot::channel();
    buffer.map_async(wgpu::MapMode::Read, .., |result| {
        // The receiver waits for it.
        let _ = sender.send(result);
    });
    receiver.await.map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
    mapped(buffer)
}

/// What a mapped buffer holds; it is mapped no more.
fn mapped<T: bytemuck::Pod>(buffer: &wgpu::Buffer) -> Result<Vec<T>, Error> {
    let view = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let values = bytemuck::pod_collect_to_vec(&view);
    drop(view);
    buffer.unmap();
    Ok(values)
}

/// Why a buffer is not mapped though the device has nothing left to do.
const OTHER_DEVICE: &str =
    "the device is idle, and the buffer is still not mapped: is it another device's?";

/// Why nothing is waited for in a browser, and what to do.
pub(crate) const NO_WAIT: &str = "a browser does not wait for its GPU: use compute_async, or record a job and \
                                  map its outputs with a callback";
