//! What is asked of a device, and how its errors come back.

use crate::Error;
use std::pin::pin;
use std::task::{Context, Poll, Waker};
use treebounds::wgpu;
use wgpu::BufferUsages;

/// The limits that a device must have: WebGPU's defaults are enough. Large targets and
/// scenes want larger buffers: raise `max_buffer_size` and
/// `max_storage_buffer_binding_size` to what the adapter offers.
pub fn required_limits() -> wgpu::Limits {
    treebounds::required_limits()
}

/// That a device has what Vello's stages need.
pub(crate) fn check_device(device: &wgpu::Device) -> Result<(), Error> {
    let (needs, has) = (required_limits(), device.limits());
    let rows = [
        (
            "max_storage_buffers_per_shader_stage",
            needs.max_storage_buffers_per_shader_stage,
            has.max_storage_buffers_per_shader_stage,
        ),
        (
            "max_compute_invocations_per_workgroup",
            needs.max_compute_invocations_per_workgroup,
            has.max_compute_invocations_per_workgroup,
        ),
        (
            "max_compute_workgroup_size_x",
            needs.max_compute_workgroup_size_x,
            has.max_compute_workgroup_size_x,
        ),
        (
            "max_compute_workgroup_storage_size",
            needs.max_compute_workgroup_storage_size,
            has.max_compute_workgroup_storage_size,
        ),
        ("max_storage_textures_per_shader_stage", 1, has.max_storage_textures_per_shader_stage),
    ];
    match rows.into_iter().find(|(_, needed, has)| needed > has) {
        Some((what, needed, has)) => {
            Err(Error::DeviceLacks { what, needed: needed.into(), has: has.into() })
        }
        None => Ok(()),
    }
}

/// That a buffer of this size can be created and bound.
pub(crate) fn check_size(
    device: &wgpu::Device,
    what: &'static str,
    needed: u64,
) -> Result<(), Error> {
    let limits = device.limits();
    let rows = [
        ("max_buffer_size", limits.max_buffer_size),
        ("max_storage_buffer_binding_size", limits.max_storage_buffer_binding_size),
    ];
    match rows.into_iter().find(|(_, limit)| needed > *limit) {
        Some((limit_name, limit)) => Err(Error::TooLarge { what, needed, limit_name, limit }),
        None => Ok(()),
    }
}

/// A new buffer, if the device can have it.
pub(crate) fn create(
    device: &wgpu::Device,
    label: &'static str,
    size: u64,
    usage: BufferUsages,
) -> Result<wgpu::Buffer, Error> {
    check_size(device, label, size)?;
    let descriptor =
        wgpu::BufferDescriptor { label: Some(label), size, usage, mapped_at_creation: false };
    scoped(device, || device.create_buffer(&descriptor)).map_err(Error::Device)
}

/// Does something on a device; its errors come back instead of reaching the
/// device's handler.
pub(crate) fn scoped<T>(device: &wgpu::Device, work: impl FnOnce() -> T) -> Result<T, String> {
    let filters = [
        wgpu::ErrorFilter::Validation,
        wgpu::ErrorFilter::OutOfMemory,
        wgpu::ErrorFilter::Internal,
    ];
    let scopes = filters.map(|filter| device.push_error_scope(filter));
    let result = work();
    let mut error = None;
    for scope in scopes.into_iter().rev() {
        error = ready(scope.pop()).flatten().or(error);
    }
    match error {
        Some(error) => Err(error.to_string().split_whitespace().collect::<Vec<_>>().join(" ")),
        None => Ok(result),
    }
}

/// What the future gives at once, as error scopes on native platforms do.
fn ready<F: Future>(future: F) -> Option<F::Output> {
    match pin!(future).poll(&mut Context::from_waker(Waker::noop())) {
        Poll::Ready(value) => Some(value),
        Poll::Pending => None,
    }
}
