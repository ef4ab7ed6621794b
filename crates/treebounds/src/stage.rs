//! The whole stage: from an element stream to a box for every element.

use crate::buffers::check;
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels};
use crate::{Capacity, Error, Inputs, Job, Match, Options, Outputs, Scratch};
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
    matching: Match,
    pipelines: Pipelines,
}

#[derive(Clone, Debug)]
struct Pipelines {
    survive: Pipeline,
    spine: Pipeline,
    bases: Pipeline,
    resolve: Pipeline,
    build_unions: Pipeline,
    span: Pipeline,
    compact: Pipeline,
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
            survive: pipeline(Kernel::Survive)?,
            spine: pipeline(Kernel::Spine)?,
            bases: pipeline(Kernel::Bases)?,
            resolve: pipeline(Kernel::Resolve)?,
            build_unions: pipeline(Kernel::BuildUnions)?,
            span: pipeline(Kernel::Span)?,
            compact: pipeline(Kernel::Compact)?,
        };
        let matching = Match::tops(device, options)?;
        Ok(Self { device: device.clone(), variant, matching, pipelines })
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
        let matching = self.matching.scratch_bytes(capacity.elements)?;
        Ok(layout.word_bytes + layout.box_bytes + layout.top_bytes + matching)
    }

    /// Working memory for this capacity.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, capacity: Capacity) -> Result<Scratch, Error> {
        let layout = Layout::of_stage(capacity, self.variant)?;
        let levels = levels(&layout);
        let matching = self.matching.scratch(capacity.elements)?;
        Scratch::new(&self.device, layout, &levels, matching)
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
        let layout = &scratch.layout;
        if (layout.variant.workgroup_size(), layout.variant.per_thread())
            != (self.variant.workgroup_size(), self.variant.per_thread())
        {
            return Err(Error::ForeignScratch);
        }
        let capacity = layout.capacity;
        let needs: Vec<_> =
            inputs.needs(capacity).into_iter().chain(outputs.needs(capacity)).collect();
        check(&self.device, &needs)?;

        let matching =
            self.matching.bind(&inputs.params, &inputs.tags, &scratch.tops, &scratch.matching)?;
        let size = |name| needs.iter().find(|need| need.0 == name).map_or(0, |need| need.2);
        let buffers = |binding| {
            Some(match binding {
                Binding::Params => (&inputs.params, size("params")),
                Binding::Tags => (&inputs.tags, size("tags")),
                Binding::Rects => (&inputs.rects, size("rects")),
                Binding::Counts => (&outputs.counts, size("counts")),
                Binding::NodesBefore => (&outputs.nodes_before, size("nodes_before")),
                Binding::NodeElements => (&outputs.node_elements, size("node_elements")),
                Binding::Links => (&outputs.links, size("links")),
                Binding::Clips => (&outputs.clips, size("clips")),
                Binding::Contents => (&outputs.contents, size("contents")),
                Binding::Bounds => (&outputs.bounds, size("bounds")),
                Binding::Plan => (&scratch.plan, scratch.plan.size()),
                Binding::Tops => (&scratch.tops, scratch.tops.size()),
                Binding::Words => (&scratch.words, scratch.words.size()),
                Binding::Boxes => (&scratch.boxes, scratch.boxes.size()),
                Binding::Level | Binding::Tags4 | Binding::BitsIn | Binding::Links4 => return None,
            })
        };
        let mut job = JobBuilder {
            device: &self.device,
            buffers: &buffers,
            levels: &scratch.levels,
            dispatches: matching.dispatches().to_vec(),
        };
        self.add_dispatches(&mut job, layout)?;
        Ok(job.finish("treebounds"))
    }

    fn add_dispatches(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        let p = &self.pipelines;
        let threads = self.variant.workgroup_size();
        let groups = layout.tiles.div_ceil(self.variant.workgroup_size());
        job.add(&p.survive, layout.tiles, 0)?;
        job.add(&p.spine, groups, 0)?;
        if groups > 1 {
            job.add(&p.bases, groups, 0)?;
        }
        job.add(&p.resolve, layout.tiles, 0)?;
        for (level, nodes) in levels(layout).iter().enumerate() {
            job.add(&p.build_unions, nodes.div_ceil(threads), level)?;
        }
        job.add(&p.span, layout.tiles, 0)?;
        job.add(&p.compact, layout.tiles, 0)
    }
}

/// The levels of the dispatches that build the tree of unions.
fn levels(layout: &Layout) -> Vec<u32> {
    build_levels(layout.plan.union_tree_leaves, layout.variant.workgroup_size())
}
