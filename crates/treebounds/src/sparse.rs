//! Scenes of many elements, few of which are nodes: the nodes are compacted first, and what takes long is
//! done for them alone.

use crate::buffers::create;
use crate::compiler::{Compiled, Compiler, unless_refused};
use crate::job::{Bound, JobBuilder};
use crate::kernels::{Kernels, Recipe};
use crate::plan::Layout;
use crate::scratch::{Levels, SparseScratch, uniform};
use crate::tree;
use crate::{Capacity, Error, Job, Options, Scratch};
use treebounds_shaders::{Binding, Kernel, Reach, RectFormat, Task, Variant};
use wgpu::BufferUsages;

/// Counts of tiles that a thread sums by itself, before another dispatch does it for all.
const NEAR_COUNTS: u32 = 16;

/// The kernels of such a scene.
#[derive(Debug)]
pub(crate) struct Sparse {
    device: wgpu::Device,
    /// What is wanted: `NodeClips`, `NodeBlends`, or `NodeContents` for both.
    task: Task,
    /// Where each workgroup looks at the counts of all earlier tiles of elements, and where not.
    compact: [Kernels; 2],
    draws: Kernels,
    /// Where a workgroup has a thread for each tile of nodes, and where not.
    near: Vec<NodePasses>,
    far: NodePasses,
}

/// Over the nodes: what comes before the draws, and after.
#[derive(Debug)]
struct NodePasses {
    down: Kernels,
    up: Kernels,
}

/// The same before they are compiled.
struct NodeRecipes {
    down: Recipe,
    up: Recipe,
}

impl NodeRecipes {
    fn new(task: Task, reach: Reach, variant: Variant) -> Self {
        let all = |task| match reach {
            Reach::Near => tree::near(task, variant, true),
            Reach::Far => tree::far(task, variant),
        };
        let none = || Recipe::new(variant, []);
        let (down, up) = match task {
            Task::NodeContents => {
                let up = [
                    Some(Kernel::Resolve(task, reach)),
                    (reach == Reach::Far).then_some(Kernel::BuildUnions(task)),
                    Some(Kernel::Span(task, reach)),
                ];
                (all(Task::NodeClips), Recipe::new(variant, up.into_iter().flatten()))
            }
            task if task.flows() => (all(task), none()),
            task => (none(), all(task)),
        };
        Self { down, up }
    }

    fn find(&self, compiled: &Compiled) -> Result<NodePasses, Error> {
        Ok(NodePasses { down: compiled.kernels(&self.down)?, up: compiled.kernels(&self.up)? })
    }
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
        // The smaller are for latency, which is elsewhere in so large a scene.
        let near = near.into_iter().filter(|variant| variant.tile() >= middle.tile());
        let near: Vec<_> =
            near.map(|variant| NodeRecipes::new(task, Reach::Near, variant)).collect();
        let far = NodeRecipes::new(task, Reach::Far, middle);
        let rows = middle.in_rows();
        let compact = |reach, scan: Option<Kernel>| {
            let last = Recipe::new(middle, [Kernel::CompactNodes(task, reach)]);
            Recipe::new(rows, scan).after(Kernel::Count, rows).then(last)
        };
        let compact = [compact(Reach::Near, None), compact(Reach::Far, Some(Kernel::Scan))];
        let draws = Recipe::new(middle, [Kernel::Draws(task)]);
        let of_nodes = near.iter().chain([&far]).flat_map(|passes| [&passes.down, &passes.up]);
        let compiler = Compiler::new(device, options.checked);
        let compiled = compiler.compile_all(of_nodes.chain(&compact).chain([&draws]));
        let near = near.iter().filter_map(|passes| {
            unless_refused(passes.find(&compiled), passes.down.variant == middle)
        });
        let [few, many] = compact.map(|recipe| compiled.kernels(&recipe));
        Ok(Self {
            device: device.clone(),
            task,
            compact: [few?, many?],
            draws: compiled.kernels(&draws)?,
            near: near.collect::<Result<_, _>>()?,
            far: far.find(&compiled)?,
        })
    }

    /// The passes for so many nodes, and the element after them.
    fn passes(&self, nodes: u32) -> &NodePasses {
        let elements = nodes.saturating_add(1);
        self.near.iter().find(|passes| passes.down.is_near(elements)).unwrap_or(&self.far)
    }

    /// What compacts so many elements.
    fn compact(&self, elements: u32) -> &Kernels {
        let [near, far] = &self.compact;
        let tiles = elements.div_ceil(near.variant.tile());
        if tiles <= NEAR_COUNTS * near.variant.workgroup_size() { near } else { far }
    }

    /// How the nodes are laid out, and all elements.
    fn layouts(&self, capacity: Capacity) -> Result<[Layout; 2], Error> {
        let variant = self.passes(capacity.nodes).down.variant;
        let nodes = Layout::of_nodes(self.task, capacity.nodes, variant)?;
        let counted = self.compact(capacity.elements).variant;
        let mut elements = Layout::of_compact(capacity, counted)?;
        elements.plan.counted = counted.tile();
        elements.plan.afters = nodes.plan.afters;
        elements.plan.values = nodes.plan.values;
        Ok([nodes, elements])
    }

    /// Bytes of what is painted between nodes, and before and after all.
    fn gap_bytes(&self, capacity: Capacity) -> u64 {
        if self.task.grows() { 16 * (u64::from(capacity.nodes) + 1) } else { 0 }
    }

    pub(crate) fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let [nodes, elements] = self.layouts(capacity)?;
        let both = nodes.word_bytes + nodes.product_bytes + elements.word_bytes;
        Ok(both + self.gap_bytes(capacity))
    }

    pub(crate) fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let (device, storage) = (&self.device, BufferUsages::STORAGE);
        let [nodes, elements] = self.layouts(capacity)?;
        let gaps = || create(device, "treebounds gaps", self.gap_bytes(capacity), storage);
        let sparse = SparseScratch {
            words: create(device, "treebounds element words", elements.word_bytes, storage)?,
            plan: uniform(device, "treebounds element plan", bytemuck::bytes_of(&elements.plan))?,
            gaps: self.task.grows().then(gaps).transpose()?,
            layout: elements,
        };
        Ok(Scratch { sparse: Some(sparse), ..Scratch::new(device, nodes)? })
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
        let whole = |buffer: &'a wgpu::Buffer| Some((buffer, buffer.size()));
        let both = |binding| match binding {
            Binding::Products => whole(&scratch.products),
            Binding::Gaps | Binding::Gaps4 => sparse.gaps.as_ref().and_then(whole),
            other => callers(other),
        };
        let of_nodes = |binding| match binding {
            Binding::Plan => whole(&scratch.plan),
            Binding::Words => whole(&scratch.words),
            other => both(other),
        };
        let of_elements = |binding| match binding {
            Binding::Plan => whole(&sparse.plan),
            Binding::Words | Binding::Words4 => whole(&sparse.words),
            other => both(other),
        };
        let passes = self.passes(capacity.nodes);
        let levels = &scratch.levels;
        let compact =
            self.job(levels, self.compact(capacity.elements), &sparse.layout, &of_elements)?;
        let down = self.job(levels, &passes.down, &scratch.layout, &of_nodes)?;
        let draws = self.job(levels, &self.draws, &sparse.layout, &of_elements)?;
        let up = self.job(levels, &passes.up, &scratch.layout, &of_nodes)?;
        Ok(compact.then(down).then(draws).then(up))
    }

    fn job<'a>(
        &'a self,
        levels: &'a Levels,
        kernels: &Kernels,
        layout: &Layout,
        buffers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
    ) -> Result<Job, Error> {
        let device = &self.device;
        let mut job = JobBuilder { device, buffers, levels, host: None, dispatches: Vec::new() };
        kernels.add(&mut job, layout)?;
        Ok(job.finish("treebounds"))
    }
}
