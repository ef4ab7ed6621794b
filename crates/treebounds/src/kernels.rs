//! Kernels of one variant that run one after the other.

use crate::job::{Bound, JobBuilder};
use crate::pipelines::Pipeline;
use crate::plan::{Between, Layout, build_levels, ceil_div, pyramid_levels};
use crate::{Capacity, Error, Job, Scratch};
use treebounds_shaders::{Binding, Kernel, Variant};

/// How many tiles kernels can work on together.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Tiles {
    One,
    /// Those of [`Variant::nearest`].
    Nearest,
    /// As many as a workgroup has threads.
    Near,
    /// As many bundles of them, of [`Variant::bundle_tiles`].
    Bundles,
    Any,
}

/// Kernels of one variant, compiled, in their order.
#[derive(Clone, Debug)]
pub(crate) struct Kernels {
    pub(crate) variant: Variant,
    pub(crate) most: Tiles,
    pub(crate) pipelines: Vec<Pipeline>,
}

/// The same before they are compiled.
#[derive(Clone, Debug)]
pub(crate) struct Recipe {
    pub(crate) variant: Variant,
    pub(crate) most: Tiles,
    /// Each may be of a variant of its own with the same tiles.
    pub(crate) kernels: Vec<(Kernel, Variant)>,
}

impl Recipe {
    pub(crate) fn new(variant: Variant, kernels: impl IntoIterator<Item = Kernel>) -> Self {
        let kernels = kernels.into_iter().map(|kernel| (kernel, variant)).collect();
        Self { variant, most: Tiles::Any, kernels }
    }

    /// For no more tiles than these.
    pub(crate) fn up_to(self, most: Tiles) -> Self {
        Self { most, ..self }
    }

    /// Whether so many elements are as many tiles at most.
    pub(crate) fn holds(&self, elements: u32) -> bool {
        holds(self.most, &self.variant, elements)
    }

    /// One before the others.
    pub(crate) fn after(mut self, kernel: Kernel, variant: Variant) -> Self {
        self.kernels.insert(0, (kernel, variant));
        self
    }

    /// These, then others of a variant with as many threads.
    pub(crate) fn then(mut self, others: Self) -> Self {
        self.kernels.extend(others.kernels);
        self
    }
}

/// Whether so many elements are no more tiles than these.
fn holds(most: Tiles, variant: &Variant, elements: u32) -> bool {
    let tiles = elements.div_ceil(variant.tile());
    match most {
        Tiles::One => tiles <= 1,
        Tiles::Nearest => elements <= variant.nearest(),
        Tiles::Near => tiles <= variant.workgroup_size(),
        Tiles::Bundles => tiles.div_ceil(variant.bundle_tiles()) <= variant.workgroup_size(),
        Tiles::Any => true,
    }
}

impl Kernels {
    /// What they keep of many tiles.
    pub(crate) fn between(&self) -> Between {
        if self.most == Tiles::Bundles { Between::Bundles } else { Between::Pyramid }
    }

    /// Whether so many elements are as many tiles at most as it is for.
    pub(crate) fn holds(&self, elements: u32) -> bool {
        holds(self.most, &self.variant, elements)
    }

    /// A job of these in a scratch, as it is laid out for them, on the caller's buffers.
    pub(crate) fn job<'a>(
        &self,
        device: &wgpu::Device,
        scratch: &'a Scratch,
        (layout, plan): (&Layout, &'a wgpu::Buffer),
        callers: &'a dyn Fn(Binding) -> Option<Bound<'a>>,
        host: Option<&'a wgpu::BindGroup>,
    ) -> Result<Job, Error> {
        let buffers = |binding| {
            Some(match binding {
                Binding::Plan => (plan, plan.size()),
                Binding::Words => (&scratch.words, scratch.words.size()),
                Binding::Products => (&scratch.products, scratch.products.size()),
                other => return callers(other),
            })
        };
        let mut job = JobBuilder::new(device, &buffers, &scratch.levels).with_host(host);
        self.add(&mut job, layout)?;
        Ok(job.finish("treebounds"))
    }

    /// Adds each as often, and with as many workgroups, as it takes.
    pub(crate) fn add(&self, job: &mut JobBuilder<'_>, layout: &Layout) -> Result<(), Error> {
        self.pipelines.iter().try_for_each(|pipeline| self.add_one(job, pipeline, layout))
    }

    fn add_one(
        &self,
        job: &mut JobBuilder<'_>,
        pipeline: &Pipeline,
        layout: &Layout,
    ) -> Result<(), Error> {
        let threads = self.variant.workgroup_size();
        let elements = layout.capacity.elements;
        let own = layout.tiles.div_ceil(pipeline.variant.tiles());
        let groups = groups(layout);
        match pipeline.kernel {
            Kernel::Gather(_) => {
                let mut levels = groups.iter().enumerate();
                levels.try_for_each(|(level, groups)| job.add(pipeline, *groups, level))
            }
            Kernel::Spine(_) => {
                let mut levels = groups.iter().enumerate().skip(1).rev();
                levels.try_for_each(|(level, groups)| job.add(pipeline, *groups, level))
            }
            Kernel::Bases(_) => job.add(pipeline, groups.first().copied().unwrap_or(1), 0),
            Kernel::BuildUnions(_) => {
                let mut levels = unions(layout).into_iter().zip(groups.len()..);
                levels.try_for_each(|(nodes, level)| {
                    job.add(pipeline, nodes.div_ceil(threads), level)
                })
            }
            // A workgroup has a tile for every 32 threads.
            Kernel::Outside(_) => {
                job.add(pipeline, layout.tiles.div_ceil((threads / 32).max(1)), 0)
            }
            Kernel::Span(..) | Kernel::SpanBundles(_) => {
                let each = pipeline.kernel.span_tiles(&pipeline.variant);
                job.add(pipeline, layout.tiles.div_ceil(each), 0)
            }
            Kernel::OutsideBundles(_) => {
                job.add(pipeline, layout.tiles.div_ceil(self.variant.bundle_tiles()), 0)
            }
            Kernel::Scan => job.add(pipeline, 1, 0),
            // A thread has a group of 32 elements.
            Kernel::CompactNodes(_) => job.add(pipeline, ceil_div(elements, 32 * threads), 0),
            // Others store node indices (indices.wgsl), of 32 elements for each mark; after the last is none.
            Kernel::Survive(task) | Kernel::SurviveBundles(task) if task.is_nodes() => {
                let Capacity { elements, nodes } = layout.capacity;
                let groups = elements.saturating_sub(nodes).saturating_sub(1);
                let each = pipeline.variant.workgroup_size() * Variant::INDEX_ROWS / 32;
                job.add(pipeline, own + groups.div_ceil(each), 0)
            }
            _ => job.add(pipeline, own, 0),
        }
    }
}

/// The uniforms of the dispatches that want one: the pyramid's kernels want the number of a level; the
/// union tree's, its nodes.
pub(crate) fn levels(layout: &Layout) -> Vec<u32> {
    let mut levels: Vec<u32> = (0..groups(layout).len() as u32).collect();
    levels.extend(unions(layout));
    levels
}

/// How many groups each level of the pyramid over the tiles has: nodes of the next.
fn groups(layout: &Layout) -> Vec<u32> {
    pyramid_levels(layout.tiles, layout.variant.workgroup_size()).split_off(1)
}

/// The levels of the dispatches that build the tree of what grows: none where one workgroup
/// has a thread for each tile, which is where the kernels are near, and none of bundles, which have no tree.
fn unions(layout: &Layout) -> Vec<u32> {
    let threads = layout.variant.workgroup_size();
    let leaves = layout.plan.union_tree_leaves;
    if leaves <= threads { Vec::new() } else { build_levels(leaves, threads) }
}
