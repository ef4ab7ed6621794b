//! What the stage reads and writes, and for how many elements.

use crate::gpu::buffers::{Need, bytes, ranges, vector_bytes};
use crate::{Error, Scratch};
use treebounds_core::Stream;
use treebounds_shaders::{Counts, Params};
use wgpu::{BufferBinding, BufferUsages};

/// How many elements and markers a scratch and its buffers are made for.
///
/// A marker is a Begin or an End, so `markers: elements` is enough for any stream. Fewer markers
/// save memory, and in a large scene also time: see [`Stage`](crate::Stage).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The most elements.
    pub elements: u32,
    /// The most markers among them.
    pub markers: u32,
}

impl Capacity {
    /// Just enough for this stream.
    pub fn of(stream: &Stream) -> Self {
        // A stream's length fits: `Stream::MAX_LEN`.
        Self { elements: stream.len() as u32, markers: stream.marker_count() as u32 }
    }
}

ranges! {
    /// The ranges that the stage reads, for n elements. They may lie in one buffer each or, with other
    /// things, in a few large ones.
    ///
    /// | range | content | bytes | usage |
    /// |---|---|---|---|
    /// | `params` | [`Params`] | 32 | `UNIFORM` |
    /// | `tags` | one [`Tag`](treebounds_core::Tag) per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
    /// | `rects` | one canonical [`Rect`](treebounds_core::Rect) per element | 16 n | `STORAGE` |
    ///
    /// The stage does not trust them: whatever they hold, it ends and stays inside its buffers. A NaN
    /// spoils the boxes of its element, of everything inside it, and the contents around it, and nothing
    /// else.
    ///
    /// A range starts at a multiple of the device's `min_storage_buffer_offset_alignment` (for a uniform
    /// `min_uniform_buffer_offset_alignment`), and must not overlap another that is bound with it. No
    /// dispatch may write one range of a buffer and only read another, because WebGPU tracks whole
    /// buffers: keep what the stage reads, what it writes (scratch included) and uniforms in three
    /// buffers, and [`OutputBindings::counts`] in a fourth.
    InputBindings;

    /// One buffer for each of [`InputBindings`], for callers without an arena. `stage.bind(&inputs, ...)`
    /// takes them as they are.
    Inputs;

    /// How many elements there are, and the viewport.
    params,
    /// The tag of each element.
    tags,
    /// The rect of each element.
    rects,
}

ranges! {
    /// The ranges that the stage writes, for n elements and m markers.
    ///
    /// | range | content | bytes | usage |
    /// |---|---|---|---|
    /// | `counts` | [`Counts`] | 16 | `STORAGE`, `UNIFORM` |
    /// | `markers_before` | per element, the number of markers before it | 4 n | `STORAGE` |
    /// | `marker_elements` | per marker, its element | 4 m | `STORAGE` |
    /// | `links` | per marker, the element index of its begin (for an End) or of its parent | 4 m | `STORAGE` |
    /// | `clips` | per marker, its clip box | 16 m | `STORAGE` |
    /// | `contents` | per marker, its content box | 16 m | `STORAGE` |
    /// | `boxes` | per element, its bounds | 16 n | `STORAGE` |
    ///
    /// [`Bounds`](treebounds_core::Bounds) defines them. Beyond the counts of a frame the ranges keep
    /// what they held. [`InputBindings`] says how ranges may share buffers.
    OutputBindings;

    /// One buffer for each of [`OutputBindings`], for callers without an arena.
    Outputs;

    /// How many elements and markers there are, and the status. Where markers are few, later kernels
    /// read it as a uniform while they write the other ranges: give it a buffer of its own.
    counts,
    /// For each element, the number of markers before it.
    markers_before,
    /// For each marker, its element.
    marker_elements,
    /// For each marker, its link.
    links,
    /// For each marker, its clip box. Not used with [`Passes::BlendsOnly`](crate::Passes): any range
    /// will do.
    clips,
    /// For each marker, its content box. Not used with [`Passes::ClipsOnly`](crate::Passes): any
    /// range will do.
    contents,
    /// For each element, its bounds.
    boxes,
}

/// Whether a scratch of this depth takes the stream; `None` is a scratch for scenes without filters.
///
/// # Errors
/// [`Error::Filters`], [`Error::FilterDepth`].
fn check_filters(stream: &Stream, limit: Option<u32>) -> Result<(), Error> {
    if !stream.has_filters() {
        return Ok(());
    }
    let limit = limit.ok_or(Error::Filters)?;
    let needed = stream.filter_depth();
    if needed > limit { Err(Error::FilterDepth { needed, limit }) } else { Ok(()) }
}

impl<'a> InputBindings<'a> {
    /// Schedules the upload of a stream, which takes effect before the next submission. The buffers
    /// need the usage `COPY_DST`.
    ///
    /// # Errors
    /// [`Error::Filters`] for a stream with filters, and as [`Stage::bind`](crate::Stage::bind) for a
    /// range that does not fit; nothing is written then.
    /// Other errors of the device reach its handler, as for [`wgpu::Queue::write_buffer`].
    pub fn write(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        check_filters(stream, None)?;
        self.write_any(queue, stream)
    }

    /// [`InputBindings::write`] of a stream that may have filters, for a job in this scratch.
    ///
    /// # Errors
    /// As [`InputBindings::write`]; [`Error::FilterDepth`] if the stream has more filters around an
    /// element than the scratch was made for.
    pub fn write_for(
        &self,
        scratch: &Scratch,
        queue: &wgpu::Queue,
        stream: &Stream,
    ) -> Result<(), Error> {
        check_filters(stream, scratch.filter_depth())?;
        self.write_any(queue, stream)
    }

    fn write_any(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        let needs = self.needs(Capacity::of(stream));
        for Need { name, binding, bytes, .. } in &needs {
            let rest = binding.buffer.size().saturating_sub(binding.offset);
            let size = binding.size.map_or(rest, |size| size.get().min(rest));
            if size < *bytes {
                return Err(Error::BufferTooSmall { buffer: name, needed: *bytes, size });
            }
            if !binding.buffer.usage().contains(BufferUsages::COPY_DST) {
                return Err(Error::BufferUsage { buffer: name, needed: BufferUsages::COPY_DST });
            }
        }
        let params = Params {
            viewport: stream.viewport().to_array(),
            // A stream's length fits: `Stream::MAX_LEN`.
            elements: stream.len() as u32,
            ..Params::default()
        };
        let write = |binding: &BufferBinding<'_>, data: &[u8]| {
            queue.write_buffer(binding.buffer, binding.offset, data);
        };
        write(&self.params, bytemuck::bytes_of(&params));
        write(&self.tags, bytemuck::cast_slice(stream.tags()));
        write(&self.rects, bytemuck::cast_slice(stream.rects()));
        Ok(())
    }

    pub(crate) fn needs(&self, capacity: Capacity) -> Vec<Need<'a>> {
        self.sized(Inputs::sizes(capacity))
    }
}

impl<'a> OutputBindings<'a> {
    pub(crate) fn needs(&self, capacity: Capacity) -> Vec<Need<'a>> {
        self.sized(Outputs::sizes(capacity))
    }
}

impl Inputs {
    /// New buffers for this capacity, which can also be copied to.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        Self::create(device, "treebounds", Self::sizes(capacity), BufferUsages::COPY_DST)
    }

    fn sizes(capacity: Capacity) -> [(u64, BufferUsages); 3] {
        let (n, storage) = (capacity.elements, BufferUsages::STORAGE);
        let params = (size_of::<Params>() as u64, BufferUsages::UNIFORM);
        [params, (vector_bytes(n), storage), (bytes(16, n), storage)]
    }

    /// Schedules the upload of a stream: [`InputBindings::write`].
    ///
    /// # Errors
    /// As [`InputBindings::write`].
    pub fn write(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        InputBindings::from(self).write(queue, stream)
    }

    /// The same for a job in this scratch, which may be for filters: [`InputBindings::write_for`].
    ///
    /// # Errors
    /// As [`InputBindings::write_for`].
    pub fn write_for(
        &self,
        scratch: &Scratch,
        queue: &wgpu::Queue,
        stream: &Stream,
    ) -> Result<(), Error> {
        InputBindings::from(self).write_for(scratch, queue, stream)
    }
}

impl Outputs {
    /// New buffers for this capacity, which can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        Self::create(device, "treebounds", Self::sizes(capacity), BufferUsages::COPY_SRC)
    }

    fn sizes(capacity: Capacity) -> [(u64, BufferUsages); 7] {
        let Capacity { elements: n, markers: m } = capacity;
        let storage = BufferUsages::STORAGE;
        [
            (size_of::<Counts>() as u64, storage | BufferUsages::UNIFORM),
            (bytes(4, n), storage),
            (bytes(4, m), storage),
            (bytes(4, m), storage),
            (bytes(16, m), storage),
            (bytes(16, m), storage),
            (bytes(16, n), storage),
        ]
    }
}
