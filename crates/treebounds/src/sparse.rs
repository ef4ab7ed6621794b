//! Scenes of many elements, few of which are nodes: the nodes are compacted first, and what takes long is
//! done for them alone.

use crate::compiler::{Compiler, unless_refused};
use crate::job::Bound;
use crate::kernels::{Kernels, Recipe};
use crate::plan::Layout;
use crate::scratch::{SparseScratch, uniform};
use crate::tree;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Kernel, Reach, RectFormat, Task};

/// Counts of tiles that a thread sums by itself, before another dispatch does it for all.
const NEAR_COUNTS: u32 = 16;

/// The kernels of such a scene.
#[derive(Debug)]
pub(crate) struct Sparse {
    device: wgpu::Device,
    /// What is wanted: [`Task::Nodes`], `NodeClips` or `NodeBlends`.
    task: Task,
    /// Where each workgroup looks at the counts of all earlier tiles of elements, and where not.
    compact: [Kernels; 2],
    /// Where a workgroup has a thread for each tile of entries, or for each bundle of them, and where not.
    near: Vec<Kernels>,
    far: Kernels,
}

impl Sparse {
    pub(crate) fn new(
        device: &wgpu::Device,
        task: Task,
        [rects, boxes]: [RectFormat; 2],
        options: &Options,
    ) -> Result<Self, Error> {
        let middle = options.variant(device, task, 16)?.with_formats(rects, boxes)?;
        let [near, _] = options.near_variants(device, task, 16, &middle)?;
        let near = near.into_iter().map(|variant| tree::near(task, variant, true));
        let near: Vec<_> = near.chain(tree::bundles(device, task, middle, 16)).collect();
        let far = tree::far(task, middle);
        let rows = middle.in_rows();
        let compact = |reach, scan: Option<Kernel>| {
            let last = Recipe::new(middle, [Kernel::CompactNodes(reach)]);
            Recipe::new(rows, scan).after(Kernel::Count, rows).then(last)
        };
        let compact = [compact(Reach::Near, None), compact(Reach::Far, Some(Kernel::Scan))];
        let compiler = Compiler::new(device, options.checked);
        let compiled = compiler.compile_all(near.iter().chain([&far]).chain(&compact));
        let near = near.iter().filter_map(|recipe| {
            unless_refused(compiled.kernels(recipe), recipe.variant == middle)
        });
        let [few, many] = compact.map(|recipe| compiled.kernels(&recipe));
        Ok(Self {
            device: device.clone(),
            task,
            compact: [few?, many?],
            near: near.collect::<Result<_, _>>()?,
            far: compiled.kernels(&far)?,
        })
    }

    /// The kernels for so many entries.
    fn tree(&self, entries: u32) -> &Kernels {
        self.near.iter().find(|kernels| kernels.holds(entries)).unwrap_or(&self.far)
    }

    /// What compacts so many elements.
    fn compact(&self, elements: u32) -> &Kernels {
        let [near, far] = &self.compact;
        let tiles = elements.div_ceil(near.variant.tile());
        if tiles <= NEAR_COUNTS * near.variant.workgroup_size() { near } else { far }
    }

    /// How the entries are laid out, and all elements.
    fn layouts(&self, capacity: Capacity) -> Result<[Layout; 2], Error> {
        let tree = self.tree(Layout::entries(capacity));
        let counted = self.compact(capacity.elements).variant;
        Layout::of_entries(self.task, capacity, tree.variant, counted, tree.between())
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let [entries, _] = self.layouts(capacity)?;
        Ok(entries.word_bytes + entries.product_bytes)
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let [entries, layout] = self.layouts(capacity)?;
        let plan = bytemuck::bytes_of(&layout.plan);
        let plan = uniform(&self.device, "treebounds element plan", plan)?;
        let sparse = Some(SparseScratch { layout, plan });
        Ok(Scratch { sparse, ..Scratch::new(&self.device, entries)? })
    }

    /// A job on the caller's buffers.
    pub(crate) fn bind<'a>(
        &self,
        scratch: &'a Scratch,
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
    ) -> Result<Job, Error> {
        let Some(sparse) = &scratch.sparse else { return Err(Error::ForeignScratch) };
        let capacity = sparse.layout.capacity;
        if self.layouts(capacity)? != [scratch.layout.clone(), sparse.layout.clone()] {
            return Err(Error::ForeignScratch);
        }
        let compact = self.compact(capacity.elements);
        let tree = self.tree(scratch.layout.capacity.elements);
        let job = |kernels: &Kernels, laid_out| {
            kernels.job(&self.device, scratch, laid_out, callers, None)
        };
        let compact = job(compact, (&sparse.layout, &sparse.plan))?;
        Ok(compact.then(job(tree, (&scratch.layout, &scratch.plan))?))
    }
}
