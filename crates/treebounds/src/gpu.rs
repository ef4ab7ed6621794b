//! Devices, buffers, pipelines and jobs: device errors as results, readbacks, multithreaded
//! compilation, and [`Gpu`] for tools and tests without their own device.
//!
//! On native platforms, futures of error scopes are ready immediately.

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

/// A device with all features and limits that the stage can use.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The device's adapter.
    pub adapter: wgpu::AdapterInfo,
    /// The device.
    pub device: wgpu::Device,
    /// The device's queue.
    pub queue: wgpu::Queue,
}

impl Gpu {
    /// Opens the best adapter, which may be a software adapter, with the adapter's limits, optional
    /// performance features and timestamps.
    ///
    /// wgpu's environment variables select backends and adapters.
    ///
    /// # Errors
    /// [`Error::NoGpu`] with the reason.
    pub async fn request() -> Result<Self, Error> {
        Self::open(&Self::best_adapter().await?).await
    }

    /// Returns the adapter that [`Gpu::request`] opens. For a software adapter, with
    /// [`wgpu::DeviceType::Cpu`], the sequential reference is faster.
    ///
    /// # Errors
    /// [`Error::NoGpu`] with the reason.
    pub async fn best_adapter() -> Result<wgpu::Adapter, Error> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // OpenGL has too few storage buffers, and probing it prints warnings about displays on some
        // systems.
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

    /// Opens an adapter with its limits and the features of [`Gpu::request`].
    ///
    /// # Errors
    /// [`Error::NoGpu`] if the driver fails.
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

/// Removes the details of a message: everything from the first colon, semicolon or parenthesis after
/// at least two words.
fn first_clause(text: &str) -> String {
    let text = one_line(text);
    text.match_indices([':', ';', '('])
        .map(|(at, _)| text[..at].trim_end())
        .find(|clause| clause.contains(' '))
        .unwrap_or(&text)
        .to_owned()
}

/// Returns the value of a future that is already ready.
pub(crate) fn ready<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Runs `work` and returns its device errors, which otherwise reach the device's error handler. In a
/// browser, errors are detected later and still reach the handler.
///
/// # Errors
/// Validation, out-of-memory and internal errors of the device, on one line.
pub fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> Result<T, String> {
    if is_browser(device) {
        return Ok(work());
    }
    // Outside browsers, no scope is ever pending.
    ready(scoped_async(device, work)).unwrap_or_else(|| Err("its errors are not known yet".into()))
}

/// Like [`scoped`], but also waits for errors in a browser.
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

pub(crate) fn is_browser(device: &wgpu::Device) -> bool {
    device.adapter_info().backend == wgpu::Backend::BrowserWebGpu
}

/// The error for failed readbacks.
pub(crate) fn lost(error: &dyn std::error::Error) -> Error {
    Error::Device(format!("{}: was the device lost?", one_line(&error.to_string())))
}

/// Joins the lines of a message.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The timeout for a map callback on an idle device. Another thread that polls the device may be running
/// the callback.
const PATIENCE: Duration = Duration::from_secs(5);

/// Maps a buffer, waits for the device, and returns the buffer's contents.
///
/// # Errors
/// Same as [`read_with`].
pub fn read<T: bytemuck::Pod>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
) -> Result<Vec<T>, Error> {
    read_with(device, buffer, bytemuck::pod_collect_to_vec)
}

/// Maps a buffer, waits for the device, and passes the buffer's bytes to `view` without copying them.
///
/// # Errors
/// [`Error::Device`] if the buffer was created without `MAP_READ` or is already mapped, if the device
/// fails or is lost, in a browser, where threads must not block, and after five seconds if the buffer
/// belongs to another device.
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
        // Fails only if the receiver has stopped waiting.
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

/// Like [`read`], but for all targets: waits asynchronously in a browser, and blocks elsewhere.
///
/// # Errors
/// [`Error::Device`] if the buffer was created without `MAP_READ`, or if the device fails or is lost.
pub async fn read_async<T: bytemuck::Pod>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
) -> Result<Vec<T>, Error> {
    if !is_browser(device) {
        return read(device, buffer);
    }
    let (sender, receiver) = oneshot::channel();
    buffer.map_async(wgpu::MapMode::Read, .., |result| {
        // Fails only if the receiver has stopped waiting.
        let _ = sender.send(result);
    });
    receiver.await.map_err(|error| lost(&error))?.map_err(|error| lost(&error))?;
    mapped(buffer, bytemuck::pod_collect_to_vec)
}

/// Passes the contents of a mapped buffer to `view`, then unmaps the buffer.
fn mapped<R>(buffer: &wgpu::Buffer, view: impl FnOnce(&[u8]) -> R) -> Result<R, Error> {
    let bytes = buffer.get_mapped_range(..).map_err(|error| lost(&error))?;
    let result = view(&bytes);
    drop(bytes);
    buffer.unmap();
    Ok(result)
}

const OTHER_DEVICE: &str =
    "the device is idle, and the buffer is still not mapped: does it belong to another device?";

pub(crate) const NO_WAIT: &str = "a browser does not block until its GPU is done: use \
                                  compute_async, or record a job and map its outputs with a \
                                  callback";

/// Maps `work` over a list on one thread per processor, and returns the results in order.
///
/// Browsers have only one thread, and an OpenGL context belongs to one thread at a time, so both use the
/// calling thread only. Error scopes are per thread, so `work` may use [`scoped`].
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

/// Uses the calling thread too, so it works even if no other thread can be started.
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
            // Propagates the panic as if the calling thread had run `work`.
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
    fn first_clause_cuts_details_from_messages() {
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
    fn parallel_map_keeps_the_order() {
        for n in [0, 1, 2, 100] {
            let each: Vec<usize> = (0..n).collect();
            let squares: Vec<usize> = each.iter().map(|one| one * one).collect();
            assert_eq!(in_threads(&each, &|one| one * one), squares);
        }
    }
}
