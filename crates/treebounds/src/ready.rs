//! Errors of a device as results. On native platforms error scopes are futures that are ready at once.

use crate::Error;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// What the future gives at once, if it does.
pub(crate) fn ready<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}

/// Does something on a device; its errors come back instead of reaching the
/// device's handler. In a browser, which finds them later, they do reach it.
///
/// # Errors
/// What the device says, in one line: of validation, memory, or its own.
pub fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> Result<T, String> {
    if is_browser(device) {
        return Ok(work());
    }
    // Outside of browsers nothing in it is pending; scopes that were would hold no error yet.
    ready(scoped_async(device, work)).unwrap_or_else(|| Err("its errors are not known yet".into()))
}

/// Does something on a device; its errors come back instead of reaching the device's handler, on every target.
///
/// # Errors
/// As [`scoped`].
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

/// Whether a browser is in between.
pub(crate) fn is_browser(device: &wgpu::Device) -> bool {
    device.adapter_info().backend == wgpu::Backend::BrowserWebGpu
}

/// Why memory of a device cannot be seen.
pub(crate) fn lost(error: &dyn std::error::Error) -> Error {
    Error::Device(format!("{}: was the device lost?", one_line(&error.to_string())))
}

/// Messages of the device come with line breaks; errors here are one line.
pub(crate) fn one_line(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
