//! Captured frames: the stream that is in the buffers of the GPU.

use crate::gpu::buffers::{Need, check, create};
use crate::gpu::{NO_WAIT, is_browser, read_async, ready, scoped};
use crate::{Error, InputBindings};
use treebounds_core::{Rect, Stream, Tag};
use treebounds_shaders::Params;
use wgpu::{BufferBinding, BufferUsages};

/// Reads the stream of a frame back from the GPU, for a scene file or a test. It does not matter who wrote the stream.
///
/// `treebounds_report::SceneFile::capture(&stream, names)` makes a file of it. The ranges are those that the stage reads, and their
/// buffers need the usage `COPY_SRC` too; [`Inputs`](crate::Inputs) have it. Elements past the end of a range are left out, as the stage
/// leaves out those past its capacity.
///
/// Call it after the submission that writes the stream. It submits three times, and waits.
///
/// # Errors
/// [`Error::BufferUsage`], [`Error::BufferTooSmall`] and the like for a range that cannot be read. [`Error::Stream`] if the ranges
/// contain no stream, with the element. [`Error::Device`] where the device fails or is lost, and in a browser.
pub fn capture<'a>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    inputs: impl Into<InputBindings<'a>>,
) -> Result<Stream, Error> {
    let no_wait = || Error::Device(NO_WAIT.to_owned());
    if is_browser(device) {
        return Err(no_wait());
    }
    // Outside of browsers it is never pending.
    ready(capture_async(device, queue, inputs)).unwrap_or_else(|| Err(no_wait()))
}

/// [`capture`] that does not block in a browser. Elsewhere the future is ready when it is first polled.
///
/// # Errors
/// As [`capture`].
pub async fn capture_async<'a>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    inputs: impl Into<InputBindings<'a>>,
) -> Result<Stream, Error> {
    let InputBindings { params, tags, rects, .. } = inputs.into();
    let read = read_range::<Params>(device, queue, ("params", &params), 1).await?;
    let Some(Params { viewport: [x0, y0, x1, y1], elements, .. }) = read.first().copied() else {
        return Err(Error::Device("the readback of params is empty".to_owned()));
    };
    let room = |range: &BufferBinding<'_>, each| {
        let rest = range.buffer.size().saturating_sub(range.offset);
        range.size.map_or(rest, |size| size.get().min(rest)) / each
    };
    let elements = u64::from(elements).min(room(&tags, 4)).min(room(&rects, 16));
    let tags = read_range::<Tag>(device, queue, ("tags", &tags), elements).await?;
    let rects = read_range::<Rect>(device, queue, ("rects", &rects), elements).await?;
    Ok(Stream::new(tags, rects, Rect::new(x0, y0, x1, y1))?)
}

/// The first values of a range.
async fn read_range<T: bytemuck::Pod>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    (name, range): (&'static str, &BufferBinding<'_>),
    count: u64,
) -> Result<Vec<T>, Error> {
    let bytes = count * size_of::<T>() as u64;
    if bytes == 0 {
        return Ok(Vec::new());
    }
    check(device, [Need::new(name, range, bytes, BufferUsages::COPY_SRC)], &[])?;
    let usage = BufferUsages::COPY_DST | BufferUsages::MAP_READ;
    let copy = create(device, "treebounds capture", name, bytes, usage)?;
    let submit = || {
        let mut encoder = device.create_command_encoder(&Default::default());
        encoder.copy_buffer_to_buffer(range.buffer, range.offset, &copy, 0, bytes);
        queue.submit([encoder.finish()]);
    };
    scoped(device, submit).map_err(Error::Device)?;
    read_async(device, &copy).await
}
