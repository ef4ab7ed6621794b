//! Capacities, and the buffers that the stage reads and writes.

use crate::gpu::buffers::{Need, bytes, create, vector_bytes};
use crate::{Error, Passes};
use treebounds_core::Stream;
use treebounds_shaders::{Counts, Params};
use wgpu::{BufferBinding, BufferUsages};

/// The maximum scene size of a scratch and its buffers.
///
/// A marker is a Begin or an End, so [`Capacity::all_markers`] is sufficient for any stream without
/// filters. Fewer markers save memory, and in large scenes also time: see [`Stage`](crate::Stage).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub struct Capacity {
    /// The maximum number of elements.
    pub elements: u32,
    /// The maximum number of markers among the elements.
    pub markers: u32,
    /// The maximum number of filters around an element, up to [`StageDescriptor::filter_depth`], and at
    /// least 1 if a node fills its clip. 0 is for scenes without filters. Larger depths also support
    /// scenes with fewer filters, but are slower.
    ///
    /// [`StageDescriptor::filter_depth`]: crate::StageDescriptor::filter_depth
    pub filter_depth: u32,
}

impl Capacity {
    /// The smallest capacity for a stream.
    pub fn of(stream: &Stream) -> Self {
        let filter_depth = if stream.has_filters() { stream.filter_depth().max(1) } else { 0 };
        // `Stream::MAX_LEN` fits `u32`.
        Self { elements: stream.len() as u32, markers: stream.marker_count() as u32, filter_depth }
    }

    /// A capacity without filters in which every element may be a marker.
    pub const fn all_markers(elements: u32) -> Self {
        Self { elements, markers: elements, filter_depth: 0 }
    }
}

/// The ranges that the stage reads, for n elements. They may be separate buffers or parts of larger
/// ones.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`] | 32 | `UNIFORM` |
/// | `tags` | one [`Tag`](treebounds_core::Tag) per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `rects` | one canonical [`Rect`](treebounds_core::Rect) per element | 16 n | `STORAGE` |
///
/// The stage terminates and stays inside its buffers for any contents. A NaN affects only the boxes of its
/// element and of the element's descendants, and the contents of the element's ancestors.
///
/// Ranges must be aligned to the device's `min_storage_buffer_offset_alignment`
/// (`min_uniform_buffer_offset_alignment` for uniforms), and must not overlap. WebGPU tracks whole
/// buffers, so a dispatch must not write one range of a buffer and only read another. Use four buffers:
/// for the ranges that the stage reads, for those that it writes (including scratch), for uniforms, and
/// for [`OutputBindings::counts`]. [`Stage::bind_bins`](crate::Stage::bind_bins) and nested filters read
/// the output of earlier kernels and need more buffers; [`Error::MixedAccess`] names two ranges that
/// must not share a buffer.
#[derive(Clone, Debug)]
pub struct InputBindings<'a> {
    /// The number of elements, and the viewport.
    pub params: BufferBinding<'a>,
    /// The tag of each element.
    pub tags: BufferBinding<'a>,
    /// The rect of each element.
    pub rects: BufferBinding<'a>,
    /// The maximum number of filters around an element of the stream. 0 guarantees that there are none.
    pub filter_depth: u32,
}

/// One buffer for each range of [`InputBindings`], for callers without an arena.
/// Bind them with `stage.bind(&inputs, ...)`.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// The number of elements, and the viewport.
    pub params: wgpu::Buffer,
    /// The tag of each element.
    pub tags: wgpu::Buffer,
    /// The rect of each element.
    pub rects: wgpu::Buffer,
    /// The maximum number of filters around an element of the stream.
    pub filter_depth: u32,
}

impl<'a> From<&'a Inputs> for InputBindings<'a> {
    fn from(inputs: &'a Inputs) -> Self {
        Self {
            params: inputs.params.as_entire_buffer_binding(),
            tags: inputs.tags.as_entire_buffer_binding(),
            rects: inputs.rects.as_entire_buffer_binding(),
            filter_depth: inputs.filter_depth,
        }
    }
}

/// The ranges that the stage writes, for n elements and m markers.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `counts` | [`Counts`] | 16 | `STORAGE` |
/// | `markers_before` | per element, the number of markers before it | 4 n | `STORAGE` |
/// | `marker_elements` | per marker, its element | 4 m | `STORAGE` |
/// | `links` | per marker, the element index of its begin (for an End) or of its parent | 4 m | `STORAGE` |
/// | `clips` | per marker, its clip box | 16 m | `STORAGE` |
/// | `contents` | per marker, its content box | 16 m | `STORAGE` |
/// | `boxes` | per element, its bounds | 16 n | `STORAGE` |
/// | `landings` | per element, the part of the canvas that it can change | 16 n | `STORAGE` |
///
/// [`Bounds`](treebounds_core::Bounds) defines their contents. Values beyond the counts of a frame are not
/// overwritten. [`InputBindings`] explains how ranges may share buffers.
#[derive(Clone, Debug)]
pub struct OutputBindings<'a> {
    /// The number of elements and markers, and the status.
    pub counts: BufferBinding<'a>,
    /// For each element, the number of markers before it.
    pub markers_before: BufferBinding<'a>,
    /// For each marker, its element.
    pub marker_elements: BufferBinding<'a>,
    /// For each marker, its link.
    pub links: BufferBinding<'a>,
    /// For each marker, its clip box. Not used by [`Passes::BlendsOnly`].
    pub clips: Option<BufferBinding<'a>>,
    /// For each marker, its content box. Not used by [`Passes::ClipsOnly`].
    pub contents: Option<BufferBinding<'a>>,
    /// For each element, its bounds. Inside a filter, bounds are positions in the filter's input.
    pub boxes: BufferBinding<'a>,
    /// For each element, the part of the canvas that it can change, as defined by
    /// [`landings`](treebounds_core::reference::landings). Only written with
    /// [`StageDescriptor::landings`](crate::StageDescriptor::landings) and a capacity with filters;
    /// without filters, landings equal the boxes.
    pub landings: Option<BufferBinding<'a>>,
}

/// One buffer for each range of [`OutputBindings`], for callers without an arena.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// The number of elements and markers, and the status.
    pub counts: wgpu::Buffer,
    /// For each element, the number of markers before it.
    pub markers_before: wgpu::Buffer,
    /// For each marker, its element.
    pub marker_elements: wgpu::Buffer,
    /// For each marker, its link.
    pub links: wgpu::Buffer,
    /// For each marker, its clip box.
    pub clips: wgpu::Buffer,
    /// For each marker, its content box.
    pub contents: wgpu::Buffer,
    /// For each element, its bounds.
    pub boxes: wgpu::Buffer,
    /// For each element, the part of the canvas that it can change, if the capacity has filters.
    pub landings: Option<wgpu::Buffer>,
}

impl<'a> From<&'a Outputs> for OutputBindings<'a> {
    fn from(outputs: &'a Outputs) -> Self {
        Self {
            counts: outputs.counts.as_entire_buffer_binding(),
            markers_before: outputs.markers_before.as_entire_buffer_binding(),
            marker_elements: outputs.marker_elements.as_entire_buffer_binding(),
            links: outputs.links.as_entire_buffer_binding(),
            clips: Some(outputs.clips.as_entire_buffer_binding()),
            contents: Some(outputs.contents.as_entire_buffer_binding()),
            boxes: outputs.boxes.as_entire_buffer_binding(),
            landings: outputs.landings.as_ref().map(wgpu::Buffer::as_entire_buffer_binding),
        }
    }
}

impl<'a> InputBindings<'a> {
    /// Schedules the upload of a stream before the next submission. The buffers need the usage
    /// `COPY_DST`.
    ///
    /// # Errors
    /// [`Error::FilterDepth`] for a stream with more filters around an element than [`Self::filter_depth`];
    /// the errors of [`Stage::bind`](crate::Stage::bind) for an unsuitable range. On error, nothing is
    /// written. Other device errors reach the device's error handler, as for [`wgpu::Queue::write_buffer`].
    pub fn write(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        let capacity = Capacity::of(stream);
        check_depth(capacity.filter_depth, self.filter_depth)?;
        for Need { name, binding, bytes, .. } in &self.needs(capacity) {
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
            elements: capacity.elements,
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

    pub(crate) fn needs(&self, capacity: Capacity) -> [Need<'a>; 3] {
        let n = capacity.elements;
        [
            Need::params(&self.params),
            Need::storage("tags", &self.tags, vector_bytes(n)),
            Need::storage("rects", &self.rects, bytes(16, n)),
        ]
    }

    /// Checks that these inputs need at most `limit` filters around an element.
    pub(crate) fn check_depth(&self, limit: u32) -> Result<(), Error> {
        check_depth(self.filter_depth, limit)
    }
}

fn check_depth(needed: u32, limit: u32) -> Result<(), Error> {
    if needed > limit { Err(Error::FilterDepth { needed, limit }) } else { Ok(()) }
}

impl<'a> OutputBindings<'a> {
    /// The requirements on the ranges that `passes` write.
    ///
    /// # Errors
    /// [`Error::MissingOutput`].
    pub(crate) fn needs(&self, passes: Passes, capacity: Capacity) -> Result<Vec<Need<'a>>, Error> {
        let Capacity { elements: n, markers: m, .. } = capacity;
        let mut needs = vec![
            Need::storage("counts", &self.counts, size_of::<Counts>() as u64),
            Need::storage("markers_before", &self.markers_before, bytes(4, n)),
            Need::storage("marker_elements", &self.marker_elements, bytes(4, m)),
            Need::storage("links", &self.links, bytes(4, m)),
        ];
        needs.extend(passes.boxes_of_nodes(&self.clips, &self.contents, m)?);
        needs.push(Need::storage("boxes", &self.boxes, bytes(16, n)));
        Ok(needs)
    }

    /// The requirement on the range for landings.
    ///
    /// # Errors
    /// [`Error::MissingOutput`].
    pub(crate) fn landings_need(&self, capacity: Capacity) -> Result<Need<'a>, Error> {
        let buffer = "landings";
        let landings = self.landings.as_ref().ok_or(Error::MissingOutput { buffer })?;
        Ok(Need::storage(buffer, landings, bytes(16, capacity.elements)))
    }
}

impl Inputs {
    /// Creates buffers for a capacity, with the usages `COPY_SRC` and `COPY_DST`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] if memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        let (n, params) = (capacity.elements, size_of::<Params>() as u64);
        let copied = BufferUsages::COPY_SRC | BufferUsages::COPY_DST;
        let new = |name, bytes, usage| create(device, "treebounds", name, bytes, usage | copied);
        Ok(Self {
            params: new("params", params, BufferUsages::UNIFORM)?,
            tags: new("tags", vector_bytes(n), BufferUsages::STORAGE)?,
            rects: new("rects", bytes(16, n), BufferUsages::STORAGE)?,
            filter_depth: capacity.filter_depth,
        })
    }

    /// Schedules the upload of a stream, as [`InputBindings::write`] does.
    ///
    /// # Errors
    /// Same as [`InputBindings::write`].
    pub fn write(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        InputBindings::from(self).write(queue, stream)
    }
}

impl Outputs {
    /// Creates buffers for a capacity, with the usage `COPY_SRC`.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] if memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        let Capacity { elements: n, markers: m, .. } = capacity;
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let new = |name, bytes| create(device, "treebounds", name, bytes, storage);
        let (counts, usage) = (size_of::<Counts>() as u64, storage | BufferUsages::UNIFORM);
        Ok(Self {
            counts: create(device, "treebounds", "counts", counts, usage)?,
            markers_before: new("markers_before", bytes(4, n))?,
            marker_elements: new("marker_elements", bytes(4, m))?,
            links: new("links", bytes(4, m))?,
            clips: new("clips", bytes(16, m))?,
            contents: new("contents", bytes(16, m))?,
            boxes: new("boxes", bytes(16, n))?,
            landings: match capacity.filter_depth {
                0 => None,
                _ => Some(new("landings", bytes(16, n))?),
            },
        })
    }
}
