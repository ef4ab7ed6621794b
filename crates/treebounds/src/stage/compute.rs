//! Computes the bounds of a stream in one call: upload, run, read back.

use crate::gpu::buffers::{bytes, create};
use crate::gpu::{NO_WAIT, is_browser, lost, read_async, ready, scoped_async};
use crate::{Capacity, Error, Inputs, Outputs, Stage};
use std::time::Duration;
use treebounds_core::{Bounds, Stream};
use treebounds_shaders::Counts;
use wgpu::BufferUsages;

/// Computes the bounds of every element of a stream on a GPU. This is a convenience function for tools,
/// tests and web pages.
///
/// It compiles only the kernels for the stream's size, allocates, submits, and waits. In a browser, it
/// does not block the thread; elsewhere, the future is ready on its first poll.
///
/// ```no_run
/// use treebounds::treebounds_core::{Rect, StreamBuilder};
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let gpu = treebounds::Gpu::request().await?;
/// let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 640.0, 480.0));
/// scene.draw(Rect::new(10.0, 10.0, 20.0, 20.0))?;
/// let bounds = treebounds::compute_async(&gpu.device, &gpu.queue, &scene.finish()?).await?;
/// assert_eq!(bounds.boxes[0], Rect::new(10.0, 10.0, 20.0, 20.0));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// The errors of [`Stage::new`] and [`Stage::bind`]; [`Error::FilterDepth`] for a stream with more than 16
/// filters around an element; [`Error::Device`] if the device fails or is lost, or if the queue belongs to
/// another device. The error handler of that device is also called.
pub async fn compute_async(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    stream: &Stream,
) -> Result<Bounds, Error> {
    Stage::only_for(stream, device)?.compute_async(queue, stream).await
}

/// Like [`compute_async`], but blocks the thread. In a browser, where threads must not block, it fails.
///
/// # Errors
/// The errors of [`compute_async`]; [`Error::Device`] in a browser.
pub fn compute(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    stream: &Stream,
) -> Result<Bounds, Error> {
    compute_timed(device, queue, stream).map(|(bounds, _)| bounds)
}

/// The durations of the phases of [`compute`].
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Times {
    /// The time to compile the kernels.
    pub kernels: Duration,
    /// The time from the upload until the device was done.
    pub computing: Duration,
    /// The time to copy the results to the CPU.
    pub readback: Duration,
}

/// Like [`compute`], but also returns the durations of the phases.
///
/// # Errors
/// Same as [`compute`].
pub fn compute_timed(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    stream: &Stream,
) -> Result<(Bounds, Times), Error> {
    let start = Clock::start();
    let stage = Stage::only_for(stream, device)?;
    let (bounds, times) = stage.compute_timed(queue, stream)?;
    let kernels = start.elapsed().saturating_sub(times.computing + times.readback);
    Ok((bounds, Times { kernels, ..times }))
}

impl Stage {
    /// Like [`compute_async`], but uses an existing stage.
    ///
    /// # Errors
    /// Same as [`compute_async`].
    pub async fn compute_async(
        &self,
        queue: &wgpu::Queue,
        stream: &Stream,
    ) -> Result<Bounds, Error> {
        self.run(queue, stream).await.map(|(bounds, _)| bounds)
    }

    /// Like [`compute`], but uses an existing stage.
    ///
    /// # Errors
    /// Same as [`compute`].
    pub fn compute(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<Bounds, Error> {
        self.compute_timed(queue, stream).map(|(bounds, _)| bounds)
    }

    fn compute_timed(
        &self,
        queue: &wgpu::Queue,
        stream: &Stream,
    ) -> Result<(Bounds, Times), Error> {
        let no_wait = || Error::Device(NO_WAIT.to_owned());
        if is_browser(self.device()) {
            return Err(no_wait());
        }
        // Outside browsers, the future is never pending.
        ready(self.run(queue, stream)).unwrap_or_else(|| Err(no_wait()))
    }

    async fn run(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(Bounds, Times), Error> {
        let device = self.device();
        let capacity = Capacity::of(stream);
        let inputs = Inputs::new(device, capacity)?;
        let outputs = Outputs::new(device, capacity)?;
        let scratch = self.scratch(capacity)?;
        let job = self.bind(&inputs, &outputs, &scratch)?;
        let download = Download::new(device, &outputs, capacity)?;
        let start = Clock::start();
        scoped_async(device, || {
            inputs.write(queue, stream)?;
            let mut encoder = device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            download.record(&mut encoder);
            queue.submit([encoder.finish()]);
            Ok::<(), Error>(())
        })
        .await
        .map_err(Error::Device)??;
        // In a browser the readback waits.
        if !is_browser(device) {
            let waited = device.poll(wgpu::PollType::wait_indefinitely());
            waited.map_err(|error| lost(&error))?;
        }
        let computing = start.elapsed();
        let bounds = download.read(device, capacity).await?;
        let readback = start.elapsed().saturating_sub(computing);
        Ok((bounds, Times { computing, readback, ..Times::default() }))
    }
}

/// Mappable copies of the outputs.
struct Download<'a> {
    parts: Vec<(&'a wgpu::Buffer, wgpu::Buffer, u64)>,
}

impl<'a> Download<'a> {
    fn new(device: &wgpu::Device, outputs: &'a Outputs, capacity: Capacity) -> Result<Self, Error> {
        let Capacity { elements: n, markers: m, .. } = capacity;
        let wanted = [
            (&outputs.counts, size_of::<Counts>() as u64),
            (&outputs.marker_elements, bytes(4, m)),
            (&outputs.links, bytes(4, m)),
            (&outputs.clips, bytes(16, m)),
            (&outputs.contents, bytes(16, m)),
            (&outputs.boxes, bytes(16, n)),
        ];
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let mut parts = Vec::with_capacity(wanted.len());
        for (source, size) in wanted {
            parts.push((source, create(device, "treebounds", "download", size, usage)?, size));
        }
        Ok(Self { parts })
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        for (source, target, size) in &self.parts {
            encoder.copy_buffer_to_buffer(source, 0, target, 0, *size);
        }
    }

    /// Reads the outputs when the device is done.
    async fn read(&self, device: &wgpu::Device, capacity: Capacity) -> Result<Bounds, Error> {
        let failed = |message: String| Error::Device(message);
        let [counts, marker_elements, links, clips, contents, bounds] = &self.parts[..] else {
            return Err(failed("an output is missing".to_owned()));
        };
        let counts: Vec<Counts> = read_async(device, &counts.1).await?;
        let expected = (capacity.elements, capacity.markers, 0);
        let found = counts.first().map(|c| (c.elements, c.markers, c.status));
        if found != Some(expected) {
            return Err(failed(format!(
                "it counted {found:?} elements and markers (and a status) instead of {expected:?}: does \
                 the queue belong to another device?"
            )));
        }
        let (n, m) = (capacity.elements as usize, capacity.markers as usize);
        Ok(Bounds {
            marker_elements: first(m, read_async(device, &marker_elements.1).await?),
            links: first(m, read_async(device, &links.1).await?),
            clips: first(m, read_async(device, &clips.1).await?),
            contents: first(m, read_async(device, &contents.1).await?),
            boxes: first(n, read_async(device, &bounds.1).await?),
        })
    }
}

/// Truncates `values` to `len`. Empty buffers still have room for one value.
fn first<T>(len: usize, mut values: Vec<T>) -> Vec<T> {
    values.truncate(len);
    values
}

/// A clock that stands still in a browser, where `std::time::Instant` is not available.
#[derive(Clone, Copy)]
struct Clock {
    #[cfg(not(target_family = "wasm"))]
    start: std::time::Instant,
}

impl Clock {
    fn start() -> Self {
        Self {
            #[cfg(not(target_family = "wasm"))]
            start: std::time::Instant::now(),
        }
    }

    #[cfg(not(target_family = "wasm"))]
    fn elapsed(&self) -> Duration {
        self.start.elapsed()
    }

    #[cfg(target_family = "wasm")]
    fn elapsed(&self) -> Duration {
        Duration::ZERO
    }
}
