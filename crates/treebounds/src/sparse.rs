//! Scenes of many elements, few of which are nodes: the nodes are compacted first, and what takes long is
//! done for them alone.

use crate::buffers::Bound;
use crate::compiler::Compiler;
use crate::kernels::{Kernels, Recipe};
use crate::scratch::{CountedScratch, uniform};
use crate::tree::Tree;
use crate::tree_layout::TreeLayout;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Size, Step, Stream, Task};

/// Counts of tiles that a thread sums by itself, before another dispatch does it for all.
const SUMMED_COUNTS: u32 = 16;

/// The kernels of such a scene.
#[derive(Debug)]
pub(crate) struct Sparse {
    device: wgpu::Device,
    /// Compaction where each workgroup sums the counts of all earlier tiles of elements, and where a dispatch scans them.
    compact: [Kernels; 2],
    /// What is done for the entries.
    tree: Tree,
}

impl Sparse {
    pub(crate) fn new(device: &wgpu::Device, task: Task, options: &Options) -> Result<Self, Error> {
        let task = Task { stream: Stream::FewMarkers, ..task };
        let compiler = Compiler::new(device, options.checked);
        let tree = Tree::new(&compiler, task, 16, options)?;
        let variant = options.tree_variant(device, task, 16)?;
        let summed = [Step::CountMarkers, Step::CompactMarkers];
        let scanned = [Step::CountMarkers, Step::ScanCounts, Step::CompactMarkers];
        let recipes = [
            Recipe::of_compaction(&summed, Size::Bundles, variant),
            Recipe::of_compaction(&scanned, Size::Groups, variant),
        ];
        let compiled = Recipe::compile_all(&recipes, &compiler);
        let [few, many] = &recipes;
        let compact = [few.kernels(&compiled)?, many.kernels(&compiled)?];
        Ok(Self { device: device.clone(), compact, tree })
    }

    /// What compacts so many elements.
    fn compact(&self, elements: u32) -> &Kernels {
        let [few, many] = &self.compact;
        let tiles = elements.div_ceil(few.variant.count_tile());
        if tiles <= SUMMED_COUNTS * few.variant.workgroup_size() { few } else { many }
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let [entries, _] = self.tree.entry_layouts(capacity)?;
        Ok(entries.word_bytes + entries.value_buffer_bytes)
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let [entries, layout] = self.tree.entry_layouts(capacity)?;
        let plan = bytemuck::bytes_of(&layout.plan);
        let plan = uniform(&self.device, "treebounds element plan", plan)?;
        let counted = Some(CountedScratch { layout, plan });
        Ok(Scratch { counted, ..Scratch::new(&self.device, entries)? })
    }

    /// A job on the caller's buffers.
    pub(crate) fn bind<'a>(
        &self,
        scratch: &'a Scratch,
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
    ) -> Result<Job, Error> {
        let Some(counted) = &scratch.counted else { return Err(Error::ForeignScratch) };
        let (layout, plan): (&TreeLayout, _) = (&counted.layout, &counted.plan);
        let tree = self.tree.bind(scratch, callers, None)?;
        let compact = self.compact(layout.capacity.elements);
        let compact = compact.job(&self.device, scratch, (layout, plan), callers, None)?;
        Ok(compact.then(tree))
    }
}
