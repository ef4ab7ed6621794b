//! The caller's buffers: what goes in, what comes out, and that they fit.

use crate::ready::scoped;
use crate::{Capacity, Error};
use treebounds_core::Stream;
use treebounds_shaders::{Binding, Counts, Params};
use wgpu::BufferUsages;

/// A buffer, and how many bytes of it are bound.
pub(crate) type Bound<'a> = (&'a wgpu::Buffer, u64);

/// What the stage reads. Buffers are bound whole, from their first byte on, here and everywhere else.
///
/// | buffer | holds | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`] | 32 | `UNIFORM` |
/// | `tags` | a [`Tag`](treebounds_core::Tag) an element | 4 n, up to a multiple of 16 | `STORAGE` |
/// | `rects` | a canonical [`Rect`](treebounds_core::Rect) an element | 16 n | `STORAGE` |
///
/// The stage never trusts them: whatever they hold, it ends and stays inside its
/// buffers. A NaN spoils the boxes of its element, of what is inside it and the
/// contents around it, no more.
#[derive(Clone, Debug)]
pub struct Inputs {
    /// How many elements there are, and the viewport.
    pub params: wgpu::Buffer,
    /// What each element is.
    pub tags: wgpu::Buffer,
    /// Where each element is.
    pub rects: wgpu::Buffer,
}

/// What the stage writes, for n elements and m nodes.
///
/// | buffer | holds | bytes | usage |
/// |---|---|---|---|
/// | `counts` | [`Counts`] | 16 | `STORAGE`, `UNIFORM` |
/// | `markers_before` | element: how many nodes precede it | 4 n | `STORAGE` |
/// | `marker_elements` | node: its element | 4 m | `STORAGE` |
/// | `links` | node: element index of its begin, or of the begin around it | 4 m | `STORAGE` |
/// | `clips` | node: its clip | 16 m | `STORAGE` |
/// | `contents` | node: its content | 16 m | `STORAGE` |
/// | `boxes` | element: its bounds | 16 n | `STORAGE` |
///
/// [`Bounds`](treebounds_core::Bounds) says what they mean. Past the counts of a
/// frame the buffers keep what they had.
#[derive(Clone, Debug)]
pub struct Outputs {
    /// How many there are of each, and the status.
    pub counts: wgpu::Buffer,
    /// For each element, how many nodes precede it.
    pub markers_before: wgpu::Buffer,
    /// For each node, its element.
    pub marker_elements: wgpu::Buffer,
    /// For each node, its link.
    pub links: wgpu::Buffer,
    /// For each node, its clip. Unused, and so any buffer, with [`Passes::BlendsOnly`](crate::Passes).
    pub clips: wgpu::Buffer,
    /// For each node, its content. Unused, and so any buffer, with [`Passes::ClipsOnly`](crate::Passes).
    pub contents: wgpu::Buffer,
    /// For each element, its bounds.
    pub boxes: wgpu::Buffer,
}

/// What a buffer must be: its name, the buffer, bytes and usages.
pub(crate) type Need<'a> = (&'static str, &'a wgpu::Buffer, u64, BufferUsages);

/// WebGPU binds no empty buffer: a buffer holds one element at least.
pub(crate) fn bytes(each: u64, count: u32) -> u64 {
    each * u64::from(count.max(1))
}

impl Inputs {
    /// New buffers for this capacity, that can also be copied to.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_DST;
        let uniform = BufferUsages::UNIFORM | BufferUsages::COPY_DST;
        let n = capacity.elements;
        Ok(Self {
            params: create(device, "treebounds params", size_of::<Params>() as u64, uniform)?,
            tags: create(device, "treebounds tags", bytes(4, n).next_multiple_of(16), storage)?,
            rects: create(device, "treebounds rects", bytes(16, n), storage)?,
        })
    }

    /// Schedules the upload of a stream. The upload takes effect before whatever is submitted next. The buffers need the
    /// usage `COPY_DST`.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::BufferUsage`]; nothing is written then. What else the device says, of a buffer
    /// that was destroyed for example, reaches its own handler, as for [`wgpu::Queue::write_buffer`].
    pub fn write(&self, queue: &wgpu::Queue, stream: &Stream) -> Result<(), Error> {
        for (buffer, target, needed, _) in self.needs(Capacity::of(stream)) {
            if target.size() < needed {
                return Err(Error::BufferTooSmall { buffer, needed, size: target.size() });
            }
            if !target.usage().contains(BufferUsages::COPY_DST) {
                return Err(Error::BufferUsage { buffer, needed: BufferUsages::COPY_DST });
            }
        }
        let params = Params {
            viewport: stream.viewport().to_array(),
            // A stream's length fits: `Stream::MAX_LEN`.
            elements: stream.len() as u32,
            ..Params::default()
        };
        queue.write_buffer(&self.params, 0, bytemuck::bytes_of(&params));
        queue.write_buffer(&self.tags, 0, bytemuck::cast_slice(stream.tags()));
        queue.write_buffer(&self.rects, 0, bytemuck::cast_slice(stream.rects()));
        Ok(())
    }

    pub(crate) fn needs(&self, capacity: Capacity) -> [Need<'_>; 3] {
        let n = capacity.elements;
        [
            ("params", &self.params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
            ("tags", &self.tags, bytes(4, n).next_multiple_of(16), BufferUsages::STORAGE),
            ("rects", &self.rects, bytes(16, n), BufferUsages::STORAGE),
        ]
    }
}

impl Outputs {
    /// New buffers for this capacity, that can also be copied from.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn new(device: &wgpu::Device, capacity: Capacity) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let Capacity { elements: n, markers: m } = capacity;
        let counts = size_of::<Counts>() as u64;
        Ok(Self {
            counts: create(device, "treebounds counts", counts, storage | BufferUsages::UNIFORM)?,
            markers_before: create(device, "treebounds markers_before", bytes(4, n), storage)?,
            marker_elements: create(device, "treebounds marker_elements", bytes(4, m), storage)?,
            links: create(device, "treebounds links", bytes(4, m), storage)?,
            clips: create(device, "treebounds clips", bytes(16, m), storage)?,
            contents: create(device, "treebounds contents", bytes(16, m), storage)?,
            boxes: create(device, "treebounds boxes", bytes(16, n), storage)?,
        })
    }

    pub(crate) fn needs(&self, capacity: Capacity) -> [Need<'_>; 7] {
        let Capacity { elements: n, markers: m } = capacity;
        let storage = BufferUsages::STORAGE;
        let counts = size_of::<Counts>() as u64;
        [
            ("counts", &self.counts, counts, storage | BufferUsages::UNIFORM),
            ("markers_before", &self.markers_before, bytes(4, n), storage),
            ("marker_elements", &self.marker_elements, bytes(4, m), storage),
            ("links", &self.links, bytes(4, m), storage),
            ("clips", &self.clips, bytes(16, m), storage),
            ("contents", &self.contents, bytes(16, m), storage),
            ("boxes", &self.boxes, bytes(16, n), storage),
        ]
    }
}

/// What a kernel binds of them.
pub(crate) fn bound<'a>(needs: &[Need<'a>], binding: Binding) -> Option<Bound<'a>> {
    let name = match binding {
        Binding::Params => "params",
        Binding::Tags | Binding::Tags4 => "tags",
        Binding::Rects => "rects",
        Binding::Counts => "counts",
        Binding::MarkersBefore => "markers_before",
        Binding::MarkerElements => "marker_elements",
        Binding::Links => "links",
        Binding::Clips => "clips",
        Binding::Contents => "contents",
        Binding::Bounds => "boxes",
        _ => return None,
    };
    needs.iter().find(|need| need.0 == name).map(|need| (need.1, need.2))
}

/// That every buffer is what it must be, and no two are the same: each with its name, and the bytes and usages that it
/// needs.
///
/// # Errors
/// [`Error::BufferTooSmall`], [`Error::BufferUsage`], [`Error::TooLarge`] or [`Error::BoundTwice`] for the first that is
/// not.
pub fn check(device: &wgpu::Device, needs: &[Need<'_>]) -> Result<(), Error> {
    for (i, &(name, buffer, needed, usage)) in needs.iter().enumerate() {
        if buffer.size() < needed {
            return Err(Error::BufferTooSmall { buffer: name, needed, size: buffer.size() });
        }
        if !buffer.usage().contains(usage) {
            return Err(Error::BufferUsage { buffer: name, needed: usage - buffer.usage() });
        }
        check_size(device, name, needed)?;
        if let Some(&(first, ..)) = needs[..i].iter().find(|(_, other, ..)| *other == buffer) {
            return Err(Error::BoundTwice { first, second: name });
        }
    }
    Ok(())
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
    for (limit_name, limit) in rows {
        if needed > limit {
            return Err(Error::TooLarge { what, needed, limit_name, limit });
        }
    }
    Ok(())
}

/// A new buffer, if the device can have it. `label` also says in errors which it is.
///
/// # Errors
/// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
pub fn create(
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
