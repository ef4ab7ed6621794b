//! Stream compaction: the begins and ends among all elements.

use crate::buffers::{Need, bytes, check};
use crate::compiler::Compiler;
use crate::kernels::{Kernels, Recipe};
use crate::tree_layout::TreeLayout;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Counts, Params, Size, Step, Stream, Task};
use wgpu::BufferUsages;

/// Stream compaction of the nodes (begins and ends) out of all elements, for hosts that
/// want node indices and no boxes; [`Stage`](crate::Stage) writes the same.
///
/// Cost: 3 dispatches. Memory traffic of 4 bytes an element for its tag and half of one
/// for its role, written once and read once; 4 written an element and 4 a
/// node. Tags are read once.
///
/// ```
/// use treebounds::{Capacity, Compactor, Scratch, Job, Options};
///
/// fn nodes(
///     device: &wgpu::Device,
///     [params, tags, markers_before, marker_elements, counts]: [&wgpu::Buffer; 5],
///     capacity: Capacity,
/// ) -> Result<(Job, Scratch), treebounds::Error> {
///     let compact = Compactor::new(device, &Options::default())?;
///     let scratch = compact.scratch(capacity)?;
///     let job = compact.bind(params, tags, markers_before, marker_elements, counts, &scratch)?;
///     Ok((job, scratch))
/// }
/// # use treebounds::wgpu;
/// ```
#[derive(Clone, Debug)]
pub struct Compactor {
    device: wgpu::Device,
    kernels: Kernels,
}

impl Compactor {
    /// Builds compaction for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variant = options.tree_variant(device, Task::both(Stream::Scene), 16)?;
        let steps = [Step::CountMarkers, Step::ScanCounts, Step::Compact];
        let recipe = Recipe::of_compaction(&steps, Size::Groups, variant);
        let compiled = Recipe::compile_all([&recipe], &Compiler::new(device, options.checked));
        Ok(Self { device: device.clone(), kernels: recipe.kernels(&compiled)? })
    }

    /// How many bytes of GPU memory a scratch of this capacity will hold: four
    /// words for each 32 elements and one for each tile.
    ///
    /// # Errors
    /// [`Error::TooMany`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        Ok(TreeLayout::of_compaction(capacity, self.kernels.variant)?.word_bytes)
    }

    /// Working memory for this capacity.
    ///
    /// # Errors
    /// [`Error::TooLarge`], [`Error::TooMany`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let layout = TreeLayout::of_compaction(capacity, self.kernels.variant)?;
        Scratch::new(&self.device, layout)
    }

    /// Binds buffers: `params` ([`Params`], of which the viewport is not read) and `tags`, a word an
    /// element up to a multiple of 16 bytes;
    /// `markers_before`, for each element how many nodes precede it, and `marker_elements`, for
    /// each node its element, 4 bytes each; and `counts` ([`Counts`]), which says where
    /// there are more nodes than the capacity.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        params: &wgpu::Buffer,
        tags: &wgpu::Buffer,
        markers_before: &wgpu::Buffer,
        marker_elements: &wgpu::Buffer,
        counts: &wgpu::Buffer,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        if *layout != TreeLayout::of_compaction(layout.capacity, self.kernels.variant)? {
            return Err(Error::ForeignScratch);
        }
        let Capacity { elements: n, markers: m } = layout.capacity;
        let storage = BufferUsages::STORAGE;
        let needs: [Need<'_>; 5] = [
            ("params", params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
            ("tags", tags, bytes(4, n).next_multiple_of(16), storage),
            ("markers_before", markers_before, bytes(4, n), storage),
            ("marker_elements", marker_elements, bytes(4, m), storage),
            ("counts", counts, size_of::<Counts>() as u64, storage),
        ];
        check(&self.device, &needs)?;
        let buffers = |binding| {
            let at = match binding {
                Binding::Params => 0,
                Binding::Tags4 => 1,
                Binding::MarkersBefore => 2,
                Binding::MarkerElements => 3,
                Binding::Counts => 4,
                _ => return None,
            };
            Some((needs[at].1, needs[at].2))
        };
        self.kernels.job(&self.device, scratch, (layout, &scratch.plan), &buffers, None)
    }
}
