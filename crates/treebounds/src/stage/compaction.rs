//! Stream compaction of the markers.

use crate::gpu::buffers::{Need, bytes, check, scratch_methods, vector_bytes};
use crate::gpu::pipelines::{Build, descriptor};
use crate::stage::layout::TreeLayout;
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::Kernels;
use crate::{Capacity, Error, Job, Scratch};
use treebounds_shaders::Counts;
use wgpu::BufferBinding;

/// Stream compaction of the markers, for hosts that need marker indices but no boxes.
/// [`Stage`](crate::Stage) writes the same indices.
///
/// Cost: 3 dispatches. Memory traffic per element: 4 bytes for its tag, half a byte for its role
/// (written and read once), and 4 bytes written; per marker, 4 bytes written.
///
/// ```
/// use treebounds::{Capacity, CompactBindings, Compactor, CompactorDescriptor, Job, Scratch, wgpu};
///
/// fn markers(
///     device: &wgpu::Device,
///     buffers: &CompactBindings<'_>,
///     capacity: Capacity,
/// ) -> Result<(Job, Scratch<Compactor>), treebounds::Error> {
///     let compactor = Compactor::new(device, &CompactorDescriptor::default())?;
///     let scratch = compactor.scratch(capacity)?;
///     let job = compactor.bind(buffers, &scratch)?;
///     Ok((job, scratch))
/// }
/// ```
#[derive(Clone, Debug)]
pub struct Compactor {
    build: Build,
    kernels: Kernels,
}

descriptor! {
    /// How to build a [`Compactor`].
    CompactorDescriptor: "treebounds compactor"
}

/// The ranges that a [`Compactor`] reads and writes, for n elements and m markers.
/// [`InputBindings`](crate::InputBindings) explains how ranges may share buffers.
///
/// | range | contents | bytes | usage |
/// |---|---|---|---|
/// | `params` | [`Params`](crate::Params); the viewport is not read | 32 | `UNIFORM` |
/// | `tags` | one [`Tag`](treebounds_core::Tag) per element | 4 n, rounded up to a multiple of 16 | `STORAGE` |
/// | `markers_before` | per element, the number of markers before it | 4 n | `STORAGE` |
/// | `marker_elements` | per marker, its element | 4 m | `STORAGE` |
/// | `counts` | [`Counts`], with a flag if the markers exceed the capacity | 16 | `STORAGE` |
#[derive(Clone, Debug)]
pub struct CompactBindings<'a> {
    /// The number of elements.
    pub params: BufferBinding<'a>,
    /// The tag of each element.
    pub tags: BufferBinding<'a>,
    /// For each element, the number of markers before it.
    pub markers_before: BufferBinding<'a>,
    /// For each marker, its element.
    pub marker_elements: BufferBinding<'a>,
    /// The number of elements and markers, and the status.
    pub counts: BufferBinding<'a>,
}

impl Compactor {
    /// Compiles the kernels for a device.
    ///
    /// # Errors
    /// Same as [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, descriptor: &CompactorDescriptor<'_>) -> Result<Self, Error> {
        let build = descriptor.build(device);
        Ok(Self { kernels: Kernels::compaction(&build)?, build })
    }

    fn layout(&self, capacity: Capacity) -> Result<TreeLayout, Error> {
        TreeLayout::of_compaction(capacity, self.kernels.variant)
    }

    /// The size in bytes of a scratch: four words per 32 elements, and one word per tile.
    ///
    /// # Errors
    /// [`Error::TooMany`] if the capacity exceeds 32-bit indices.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        Ok(self.layout(capacity)?.bytes(&self.build))
    }

    fn place_scratch(
        &self,
        capacity: Capacity,
        memory: Option<BufferBinding<'_>>,
    ) -> Result<Scratch<Self>, Error> {
        TreeScratch::new(&self.build, self.layout(capacity)?, memory).map(Scratch::new)
    }

    /// Binds ranges that are large enough for the scratch.
    ///
    /// # Errors
    /// Same as [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        buffers: &CompactBindings<'_>,
        scratch: &Scratch<Self>,
    ) -> Result<Job, Error> {
        let scratch = &scratch.tree;
        let layout = &scratch.layout;
        if *layout != self.layout(layout.capacity)? {
            return Err(Error::ForeignScratch);
        }
        let Capacity { elements: n, markers: m, .. } = layout.capacity;
        let needs = [
            Need::params(&buffers.params),
            Need::storage("tags", &buffers.tags, vector_bytes(n)),
            Need::storage("markers_before", &buffers.markers_before, bytes(4, n)),
            Need::storage("marker_elements", &buffers.marker_elements, bytes(4, m)),
            Need::storage("counts", &buffers.counts, size_of::<Counts>() as u64),
        ];
        let ranges = check(&self.build.device, needs, &scratch.parts)?;
        self.kernels.job(&self.build, scratch, (layout, &scratch.plan), &ranges, None)
    }
}

scratch_methods!(Compactor -> Scratch<Self>, capacity: Capacity);
