//! Frame capture: reads the stream in GPU buffers.

use crate::gpu::buffers::{Need, check, create};
use crate::gpu::{NO_WAIT, is_browser, read_async, ready, scoped};
use crate::{Error, InputBindings};
use treebounds_core::{Rect, Stream, Tag};
use treebounds_shaders::Params;
use wgpu::{BufferBinding, BufferUsages};

/// Reads the stream of a frame back from the GPU, for a scene file or a test. The stream may have been written by the CPU or the GPU.
///
/// `treebounds_report::SceneFile::capture(&stream, names)` turns it into a scene file. `inputs` are the ranges that the stage reads;
/// their buffers also need the usage `COPY_SRC`, which [`Inputs`](crate::Inputs) have. Elements past the end of a range are ignored, as
/// the stage ignores elements beyond its capacity.
///
/// Call it after the submission that writes the stream. It submits three times and blocks.
///
/// # Errors
/// [`Error::BufferUsage`], [`Error::BufferTooSmall`] and similar errors for an unreadable range. [`Error::Stream`] with the element if
/// the ranges contain no valid stream. [`Error::Device`] if the device fails or is lost, and in a browser.
pub fn capture<'a>(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    inputs: impl Into<InputBindings<'a>>,
) -> Result<Stream, Error> {
    let no_wait = || Error::Device(NO_WAIT.to_owned());
    if is_browser(device) {
        return Err(no_wait());
    }
    // Outside browsers, the future is never pending.
    ready(capture_async(device, queue, inputs)).unwrap_or_else(|| Err(no_wait()))
}

/// Like [`capture`], but waits asynchronously in a browser. Elsewhere, the future is ready on its first poll.
///
/// # Errors
/// Same as [`capture`].
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

/// Reads the first `count` values of a range.
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
