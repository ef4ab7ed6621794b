//! The whole stage: from an element stream to a box for every element.

use crate::buffers::check;
use crate::job::{Bound, JobBuilder};
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels, jump_rounds};
use crate::{Bin, BinScratch, Bins, Capacity, Error, Inputs, Job, Options, Outputs, Scratch};
use treebounds_shaders::{Binding, Kernel, Variant};

/// The stage, built for a device. Building compiles the kernels; everything else
/// is cheap.
///
/// Cost of a job for n elements and m nodes: 8 dispatches, one more for every
/// factor of the workgroup size in the three trees, and `log2` of the number of
/// tiles of nodes; about 70 bytes of memory traffic an element and 130 a node.
#[derive(Clone, Debug)]
pub struct Stage {
    device: wgpu::Device,
    variant: Variant,
    pipelines: Pipelines,
}

#[derive(Clone, Debug)]
struct Pipelines {
    count: Pipeline,
    build_counts: Pipeline,
    compact: Pipeline,
    reduce: Pipeline,
    build_tiles: Pipeline,
    parents: Pipeline,
    jump: Pipeline,
    resolve: Pipeline,
    draws: Pipeline,
    build_unions: Pipeline,
    contents: Pipeline,
    scatter: Pipeline,
}

impl Stage {
    /// Builds the stage for a device.
    ///
    /// # Errors
    /// [`Error::DeviceLacks`] and [`Error::NoSubgroups`] where the device was
    /// created with too little, [`Error::Variant`] where the options make no
    /// variant, [`Error::Kernel`] where the device refuses a kernel.
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variant = options.variant(device)?;
        let pipeline = |kernel| Pipeline::new(device, kernel, &variant, options.checked);
        let pipelines = Pipelines {
            count: pipeline(Kernel::Count)?,
            build_counts: pipeline(Kernel::BuildCounts)?,
            compact: pipeline(Kernel::Compact)?,
            reduce: pipeline(Kernel::Reduce)?,
            build_tiles: pipeline(Kernel::BuildTiles)?,
            parents: pipeline(Kernel::Parents)?,
            jump: pipeline(Kernel::Jump)?,
            resolve: pipeline(Kernel::Resolve)?,
            draws: pipeline(Kernel::Draws)?,
            build_unions: pipeline(Kernel::BuildUnions)?,
            contents: pipeline(Kernel::Contents)?,
            scatter: pipeline(Kernel::Scatter)?,
        };
        Ok(Self { device: device.clone(), variant, pipelines })
    }

    /// The variant that was chosen.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// The device it was built for.
    pub fn device(&self) -> &wgpu::Device {
        &self.device
    }

    /// How many bytes of GPU memory a scratch of this capacity will hold: about
    /// 32 a node and 4 to 8 an element, at 8 elements a thread. A few hundred bytes
    /// of uniforms a dispatch come on top.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, capacity: Capacity) -> Result<u64, Error> {
        let layout = Layout::of_stage(capacity, self.variant)?;
        Ok(layout.word_bytes + layout.box_bytes)
    }

    /// Working memory for this capacity.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let layout = Layout::of_stage(capacity, self.variant)?;
        let levels = levels(&layout).concat();
        Scratch::new(&self.device, layout, &levels)
    }

    /// Binds buffers that are large enough for the scratch's capacity. The job
    /// can be recorded for any number of frames; the counts in `params` may
    /// change from frame to frame.
    ///
    /// # Errors
    /// [`Error::BufferTooSmall`], [`Error::BufferUsage`], [`Error::BoundTwice`],
    /// [`Error::TooLarge`], [`Error::ForeignScratch`].
    pub fn bind(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        scratch: &Scratch,
    ) -> Result<Job, Error> {
        self.check(scratch)?;
        let capacity = scratch.capacity();
        let needs = inputs.needs(capacity).into_iter().chain(outputs.needs(capacity));
        check(&self.device, &needs.collect::<Vec<_>>())?;
        let buffers = buffers(inputs, outputs, scratch);
        let mut job = self.job(&buffers, scratch)?;
        let groups = capacity.nodes.div_ceil(self.variant.workgroup_size());
        job.add(&self.pipelines.scatter, groups, 0)?;
        Ok(job.finish("treebounds"))
    }

    /// [`bind`](Stage::bind) and [`Bin::bind`] as one job: the last dispatch of the
    /// stage and the first of binning are the same, so that no box is read again that
    /// was just written. Both scratches are for the same number of elements.
    ///
    /// # Errors
    /// As both; [`Error::CapacitiesDiffer`].
    pub fn bind_bins(
        &self,
        inputs: &Inputs,
        outputs: &Outputs,
        scratch: &Scratch,
        bin: &Bin,
        bins: &Bins,
        bin_scratch: &BinScratch,
    ) -> Result<Job, Error> {
        self.check(scratch)?;
        let (capacity, own) = (scratch.capacity(), bin_scratch.capacity());
        if capacity.elements != own.elements {
            let (stage, bins) = (capacity.elements, own.elements);
            return Err(Error::CapacitiesDiffer { stage, bins });
        }
        let needs = inputs.needs(capacity).into_iter().chain(outputs.needs(capacity));
        let needs = needs.chain(bins.needs(&bin_scratch.grid(), own.entries));
        check(&self.device, &needs.collect::<Vec<_>>())?;
        let buffers = buffers(inputs, outputs, scratch);
        let stage = self.job(&buffers, scratch)?.dispatches;
        bin.after_stage(stage, &buffers, bins, bin_scratch)
    }

    /// That the scratch is one of this variant.
    fn check(&self, scratch: &Scratch) -> Result<(), Error> {
        let layout = &scratch.layout;
        if (layout.variant.workgroup_size(), layout.variant.per_thread())
            != (self.variant.workgroup_size(), self.variant.per_thread())
        {
            return Err(Error::ForeignScratch);
        }
        Ok(())
    }

    /// All dispatches but for the last.
    fn job<'a>(
        &'a self,
        buffers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        scratch: &'a Scratch,
    ) -> Result<JobBuilder<'a>, Error> {
        let (device, levels) = (&self.device, &scratch.levels);
        let mut job = JobBuilder { device, buffers, levels, dispatches: Vec::new() };
        self.add_dispatches(&mut job, &scratch.layout)?;
        Ok(job)
    }

    fn add_dispatches(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        let p = &self.pipelines;
        let threads = self.variant.workgroup_size();
        let [counts, tiles, unions, jumps] = levels(layout);
        let mut level = 0..;
        let mut build = |job: &mut JobBuilder<'_>, pipeline, sizes: &[u32]| {
            sizes
                .iter()
                .zip(&mut level)
                .try_for_each(|(nodes, level)| job.add(pipeline, nodes.div_ceil(threads), level))
        };

        job.add(&p.count, layout.element_tiles, 0)?;
        build(job, &p.build_counts, &counts)?;
        job.add(&p.compact, layout.element_tiles, 0)?;
        job.add(&p.reduce, layout.node_tiles, 0)?;
        build(job, &p.build_tiles, &tiles)?;
        job.add(&p.parents, layout.node_tiles.div_ceil(threads), 0)?;
        let jump_groups = layout.node_tiles.div_ceil(threads);
        for round in 0..jumps.len() {
            job.add(&p.jump, jump_groups, counts.len() + tiles.len() + unions.len() + round)?;
        }
        job.add(&p.resolve, layout.node_tiles, 0)?;
        job.add(&p.draws, layout.chunks.div_ceil(threads), 0)?;
        build(job, &p.build_unions, &unions)?;
        let node_groups = layout.capacity.nodes.div_ceil(threads);
        job.add(&p.contents, node_groups, 0)
    }
}

/// The buffers of a job, and how many bytes of each are bound. `Copy`, since what has
/// no destructor may be borrowed for as long as what it holds.
fn buffers<'a>(
    inputs: &'a Inputs,
    outputs: &'a Outputs,
    scratch: &'a Scratch,
) -> impl Fn(Binding) -> Option<Bound<'a>> + Copy {
    let capacity = scratch.capacity();
    let [params, tags, rects] = inputs.needs(capacity).map(|(_, buffer, size, _)| (buffer, size));
    let [counts, nodes_before, node_elements, links, clips, contents, bounds] =
        outputs.needs(capacity).map(|(_, buffer, size, _)| (buffer, size));
    move |binding| {
        Some(match binding {
            Binding::Params => params,
            Binding::Tags => tags,
            Binding::Rects => rects,
            Binding::Counts => counts,
            Binding::NodesBefore => nodes_before,
            Binding::NodeElements => node_elements,
            Binding::Links => links,
            Binding::Clips => clips,
            Binding::Contents => contents,
            Binding::Bounds => bounds,
            Binding::Plan => (&scratch.plan, scratch.plan.size()),
            Binding::Words => (&scratch.words, scratch.words.size()),
            Binding::Boxes => (&scratch.boxes, scratch.boxes.size()),
            _ => return None,
        })
    }
}

/// The levels of all dispatches that want one: of the three trees, in the order
/// in which they are built, and the rounds of pointer jumping.
fn levels(layout: &Layout) -> [Vec<u32>; 4] {
    let threads = layout.variant.workgroup_size();
    [
        build_levels(layout.plan.counts_tree_leaves, threads),
        build_levels(layout.plan.tiles_tree_leaves, threads),
        build_levels(layout.plan.union_tree_leaves, threads),
        (0..jump_rounds(layout.node_tiles)).collect(),
    ]
}
