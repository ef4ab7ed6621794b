//! One stream in, its bounds out: upload, run, read back.

use crate::buffers::{bytes, create};
use crate::read::read;
use crate::ready::scoped;
use crate::{Capacity, Error, Inputs, Options, Outputs, Stage};
use treebounds_core::{Bounds, Stream};
use treebounds_shaders::{Counts, RectFormat};
use wgpu::BufferUsages;

/// The bounds of every element of a stream, on a GPU: the convenient way, for
/// tools and tests. Compiles the kernels that as many elements take, and those for few nodes where
/// there are few of many; allocates, submits and waits. In a
/// browser, where nothing waits, it is an error.
///
/// ```no_run
/// use treebounds::core::{Rect, StreamBuilder};
/// # async fn example() -> Result<(), Box<dyn std::error::Error>> {
/// let gpu = treebounds::Gpu::request().await?;
/// let mut scene = StreamBuilder::new(Rect::new(0.0, 0.0, 640.0, 480.0));
/// scene.draw(Rect::new(10.0, 10.0, 20.0, 20.0))?;
/// let bounds = treebounds::compute(&gpu.device, &gpu.queue, &scene.finish()?)?;
/// assert_eq!(bounds.bounds[0], Rect::new(10.0, 10.0, 20.0, 20.0));
/// # Ok(())
/// # }
/// ```
///
/// # Errors
/// As [`Stage::new`] and [`Stage::bind`]; [`Error::Device`] where the device
/// fails or is lost on the way.
pub fn compute(
    device: &wgpu::Device,
    queue: &wgpu::Queue,
    stream: &Stream,
) -> Result<Bounds, Error> {
    let elements = Capacity::of(stream).elements;
    Stage::only_for(elements, device, &Options::default())?.compute(queue, stream)
}

impl Stage {
    /// The bounds of every element of a stream; [`compute`] with a stage that is
    /// already built.
    ///
    /// # Errors
    /// As [`compute`].
    pub fn compute(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<Bounds, Error> {
        let (device, variant) = (self.device(), self.variant(0));
        if [variant.rects(), variant.boxes()] != [RectFormat::F32; 2] {
            return Err(Error::Format);
        }
        let capacity = Capacity::of(stream);
        let inputs = Inputs::new(device, capacity)?;
        let outputs = Outputs::new(device, capacity)?;
        let scratch = self.scratch(capacity)?;
        let job = self.bind(&inputs, &outputs, &scratch)?;
        let download = Download::new(device, &outputs, capacity)?;
        scoped(device, || {
            inputs.write(queue, stream)?;
            let mut encoder = device.create_command_encoder(&Default::default());
            job.record(&mut encoder);
            download.record(&mut encoder);
            queue.submit([encoder.finish()]);
            Ok::<(), Error>(())
        })
        .map_err(Error::Device)??;
        download.read(device, capacity)
    }
}

/// A mappable copy of each output that is read back.
struct Download<'a> {
    parts: Vec<(&'a wgpu::Buffer, wgpu::Buffer, u64)>,
}

impl<'a> Download<'a> {
    fn new(device: &wgpu::Device, outputs: &'a Outputs, capacity: Capacity) -> Result<Self, Error> {
        let Capacity { elements: n, nodes: m } = capacity;
        let wanted = [
            (&outputs.counts, size_of::<Counts>() as u64),
            (&outputs.node_elements, bytes(4, m)),
            (&outputs.links, bytes(4, m)),
            (&outputs.clips, bytes(16, m)),
            (&outputs.contents, bytes(16, m)),
            (&outputs.bounds, bytes(16, n)),
        ];
        let usage = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        let mut parts = Vec::with_capacity(wanted.len());
        for (source, size) in wanted {
            parts.push((source, create(device, "treebounds download", size, usage)?, size));
        }
        Ok(Self { parts })
    }

    fn record(&self, encoder: &mut wgpu::CommandEncoder) {
        for (source, target, size) in &self.parts {
            encoder.copy_buffer_to_buffer(source, 0, target, 0, *size);
        }
    }

    /// Waits for the device and reads everything.
    fn read(&self, device: &wgpu::Device, capacity: Capacity) -> Result<Bounds, Error> {
        let failed = |message: String| Error::Device(message);
        let [counts, node_elements, links, clips, contents, bounds] = &self.parts[..] else {
            return Err(failed("an output is missing".to_owned()));
        };
        let counts: Vec<Counts> = read(device, &counts.1)?;
        let expected = (capacity.elements, capacity.nodes, 0);
        let found = counts.first().map(|c| (c.elements, c.nodes, c.status));
        if found != Some(expected) {
            return Err(failed(format!(
                "it counted {found:?} elements and nodes (and a status) instead of {expected:?}"
            )));
        }
        let (n, m) = (capacity.elements as usize, capacity.nodes as usize);
        Ok(Bounds {
            node_elements: first(m, read(device, &node_elements.1)?),
            links: first(m, read(device, &links.1)?),
            clips: first(m, read(device, &clips.1)?),
            contents: first(m, read(device, &contents.1)?),
            bounds: first(n, read(device, &bounds.1)?),
        })
    }
}

/// Buffers have room for one even where there is none.
fn first<T>(len: usize, mut values: Vec<T>) -> Vec<T> {
    values.truncate(len);
    values
}
