//! Devices, buffers, pipelines and jobs: errors of a device as results, readbacks, work spread over
//! threads; and a device for tools and tests. Renderers bring theirs.
//!
//! On native platforms the futures of error scopes are ready at once.

pub(crate) mod buffers;
pub(crate) mod capabilities;
pub(crate) mod error;
pub(crate) mod job;
pub(crate) mod pipelines;
#[cfg(test)]
pub(crate) mod probe;

use crate::Error;
use capabilities::{optional_features, required_features};
use futures_channel::oneshot;
use std::pin::pin;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::task::{Context, Poll, Waker};
use std::time::Duration;
use wgpu::{WasmNotSend, WasmNotSync};

/// A device with everything that the stage can use.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The adapter it was opened on.
    pub adapter: wgpu::AdapterInfo,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
}

impl Gpu {
    /// Opens the best adapter, software ones included, with the adapter's limits and with the features
    /// that make the kernels faster or measurable.
    ///
    /// wgpu's environment variables select backends and adapters.
    ///
    /// # Errors
    /// [`Error::NoGpu`], with the reason.
    pub async fn request() -> Result<Self, Error> {
        Self::open(&Self::best_adapter().await?).await
    }

    /// The adapter that [`Gpu::request`] opens. The [`wgpu::AdapterInfo::device_type`] of a software
    /// adapter is [`wgpu::DeviceType::Cpu`]; the CPU backend is faster then.
    ///
    /// # Errors
    /// [`Error::NoGpu`], with the reason.
    pub async fn best_adapter() -> Result<wgpu::Adapter, Error> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // Without OpenGL: it has too few storage buffers, and looking for it makes some systems print
        // warnings about displays.
        descriptor.backends = wgpu::Backends::PRIMARY;
        let instance = wgpu::Instance::new(descriptor.with_env());
        instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            })
            .await
            .map_err(|error| Error::NoGpu(first_clause(&error.to_string())))
    }

    /// Opens this adapter with its limits and with the features of [`Gpu::request`].
    ///
    /// # Errors
    /// [`Error::NoGpu`] where the driver refuses.
    pub async fn open(adapter: &wgpu::Adapter) -> Result<Self, Error> {
        let measurable =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
        let wanted = optional_features() | measurable;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("treebounds"),
                required_features: required_features() | (adapter.features() & wanted),
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await
            .map_err(|error| Error::NoGpu(one_line(&error.to_string())))?;
        Ok(Self { adapter: adapter.get_info(), device, queue })
    }
}

/// A message without its details, which start at the first colon, semicolon or bracket that has more
/// than one word before it.
fn first_clause(text: &str) -> String {
    let text = one_line(text);
    text.match_indices([':', ';', '('])
        .map(|(at, _)| text[..at].trim_end())
        .find(|clause| clause.contains(' '))
        .unwrap_or(&text)
        .to_owned()
}

/// The value of a future that is ready at once.
pub(crate) fn ready<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Uses a device and returns the errors that this causes, which otherwise reach the device's
/// handler. In a browser they are found later and do reach the handler.
///
/// # Errors
/// The device's validation, out-of-memory and internal errors, in one line.
pub fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> Result<T, String> {
    if is_browser(device) {
        return Ok(work());
    }
    // Outside of browsers no scope is ever pending.
    ready(scoped_async(device, work)).unwrap_or_else(|| Err("its errors are not known yet".into()))
}

/// [`scoped`], and in a browser it waits for the errors.
pub(crate) async fn scoped_async<T>(
    device: &wgpu::Device,
    work: impl FnOnce() -> T,
) -> Result<T, String> {
    let filters = [
        wgpu::ErrorFilter::Validation,
        wgpu::ErrorFilter::OutOfMemory,
        wgpu::ErrorFilter::Internal,
    ];
    let scopes = filters.map(|filter| device.push_error_scope(filter));
    let result = work();
    let found = scopes.into_iter().rev().map(|scope| scope.pop()).collect::<Vec<_>>();
    let mut error = None;
    for scope in found {
        error = scope.await.or(error);
    }
    match error {
        Some(error) => Err(one_line(&error.to_string())),
        None => Ok(result),
    }
}

/// Whether the device is a browser's.
pub(crate) fn is_browser(device: &wgpu::Device) -> bool {
    device.adapter_info().backend == wgpu::Backend::BrowserWebGpu
}

/// Why memory of a device cannot be read.
pub(crate) fn lost(error: &dyn std::error::Error) -> Error {
    Error::Device(format!("{}: was the device lost?", one_line(&error.to_string())))
}

/// The device's messages have several lines, errors here have one.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// How long the map callback may take after the device has become idle: another thread that polls
/// the device may be the one that calls it.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maps a buffer, waits for the device, and returns the buffer's content.
///
/// # Errors
/// As [`read_with`].
pub fn read<T: bytemuck::Pod>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
) -> Result<Vec<T>, Error> {
    read_with(device, buffer, bytemuck::pod_collect_to_vec)
}

/// Maps a buffer, waits for the device, and shows the buffer's bytes, which are not copied.
///
/// # Errors
/// [`Error::Device`] where the buffer was created without `MAP_READ` or is mapped already, where the
/// device fails or is lost, and in a browser, where no thread may block. After five seconds also
/// where the buffer belongs to another device.
pub fn read_with<R>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    view: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
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
    mapped(buffer, view)
}

/// [`read`] on every target: in a browser it is pending until the device is done, elsewhere it
/// blocks.
///
/// # Errors
/// [`Error::Device`] where the buffer was created without `MAP_READ`, and where the device fails or
/// is lost.
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
    mapped(buffer, bytemuck::pod_collect_to_vec)
}

/// Shows the content of a mapped buffer, which is then unmapped.
fn mapped<R>(buffer: &wgpu::Buffer, view: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
    let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let result = view(&bytes);
    drop(bytes);
    buffer.unmap();
    Ok(result)
}

/// Why a buffer is not mapped although the device is idle.
const OTHER_DEVICE: &str =
    "the device is idle, and the buffer is still not mapped: does it belong to another device?";

/// Why nothing blocks in a browser, and what to do.
pub(crate) const NO_WAIT: &str = "a browser does not block until its GPU is done: use \
                                  compute_async, or record a job and map its outputs with a \
                                  callback";

/// Maps `work` over a list, in order, on as many threads as there are processors.
///
/// It uses one thread in a browser, which has no others, and for OpenGL, whose context belongs to one
/// thread at a time. Error scopes belong to a thread too, so `work` may use [`scoped`].
pub fn in_parallel<T: WasmNotSync, R: WasmNotSend>(
    device: &wgpu::Device,
    each: &[T],
    work: impl Fn(&T) -> R + WasmNotSync,
) -> Vec<R> {
    #[cfg(not(target_family = "wasm"))]
    if device.adapter_info().backend != wgpu::Backend::Gl {
        return in_threads(each, &work);
    }
    // Unused in a browser.
    let _ = device;
    each.iter().map(work).collect()
}

/// The calling thread works too: where no other can be started, it does everything.
#[cfg(not(target_family = "wasm"))]
fn in_threads<T: Sync, R: Send>(each: &[T], work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = each.get(at) else { return made };
            made.push((at, work(one)));
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut all = thread::scope(|scope| {
        let others = 1..processors.min(each.len());
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = others.filter_map(start).collect();
        let mut all = worker();
        for other in others {
            // The caller would have met the same panic.
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_left_out() {
        let cases = [
            ("No adapter found; noop not enabled,\nvulkan: none", "No adapter found"),
            ("Vulkan: out of memory (device)", "Vulkan: out of memory"),
            ("WGPU_ADAPTER_NAME not set", "WGPU_ADAPTER_NAME not set"),
            ("lost:", "lost:"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(first_clause(text), expected);
        }
    }

    #[test]
    fn each_is_done_once_and_stays_in_its_place() {
        for n in [0, 1, 2, 100] {
            let each: Vec<usize> = (0..n).collect();
            let squares: Vec<usize> = each.iter().map(|one| one * one).collect();
            assert_eq!(in_threads(&each, &|one| one * one), squares);
        }
    }
}
