//! Device requirements, and device functions with this crate's errors.

use crate::Error;
use treebounds::device::{create_buffer, scoped};
use treebounds::wgpu;
use wgpu::BufferUsages;

/// The required device limits: WebGPU's defaults. Large targets and scenes need larger buffers: increase
/// `max_buffer_size` and `max_storage_buffer_binding_size` to the adapter's limits.
pub fn required_limits() -> wgpu::Limits {
    treebounds::required_limits()
}

/// Checks that a device meets the requirements of Vello's stages.
pub(crate) fn check_device(device: &wgpu::Device) -> Result<(), Error> {
    let (needs, has) = (required_limits(), device.limits());
    macro_rules! rows {
        ($($limit:ident)*) => { [$((stringify!($limit), needs.$limit, has.$limit)),*] };
    }
    let rows = rows! {
        max_storage_buffers_per_shader_stage max_compute_invocations_per_workgroup
        max_compute_workgroup_size_x max_compute_workgroup_storage_size
    };
    let textures = has.max_storage_textures_per_shader_stage;
    let mut rows = rows.into_iter().chain([("max_storage_textures_per_shader_stage", 1, textures)]);
    match rows.find(|(_, needed, has)| needed > has) {
        Some((what, needed, has)) => {
            Err(Error::DeviceLacks { what, needed: needed.into(), has: has.into() })
        }
        None => Ok(()),
    }
}

/// Checks that the queue belongs to the device, by writing through it.
pub(crate) fn check_queue(device: &wgpu::Device, queue: &wgpu::Queue) -> Result<(), Error> {
    const MARK: [u8; 4] = *b"mark";
    let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
    let buffer = create(device, "queue check", MARK.len() as u64, usage)?;
    scoped(device, || {
        queue.write_buffer(&buffer, 0, &MARK);
        queue.submit([]);
    })
    .map_err(Error::Device)?;
    let is_own = read(device, &buffer)? == MARK;
    if is_own { Ok(()) } else { Err(Error::Device("the queue is another device's".to_owned())) }
}

/// Creates a buffer.
pub(crate) fn create(
    device: &wgpu::Device,
    label: &'static str,
    size: u64,
    usage: BufferUsages,
) -> Result<wgpu::Buffer, Error> {
    create_buffer(device, "treebounds_vello", label, size, usage).map_err(convert_error)
}

/// Waits for the device, and returns the contents of a buffer.
pub(crate) fn read(device: &wgpu::Device, buffer: &wgpu::Buffer) -> Result<Vec<u8>, Error> {
    treebounds::device::read(device, buffer).map_err(convert_error)
}

/// Waits for the device, and passes the contents of a buffer to `view`.
pub(crate) fn read_with<R>(
    device: &wgpu::Device,
    buffer: &wgpu::Buffer,
    view: impl FnOnce(&[u8]) -> R,
) -> Result<R, Error> {
    treebounds::device::read_with(device, buffer, view).map_err(convert_error)
}

/// Converts errors to this crate's error type.
fn convert_error(error: treebounds::Error) -> Error {
    match error {
        treebounds::Error::TooLarge { what, needed, limit_name, limit } => {
            Error::TooLarge { what, needed, limit_name, limit }
        }
        treebounds::Error::Device(message) => Error::Device(message),
        other => Error::Stage(other),
    }
}
