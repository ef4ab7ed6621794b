//! Parentheses matching alone, for parsers and tree code as much as for scenes.

use crate::buffers::{bytes, check, create};
use crate::job::JobBuilder;
use crate::pipelines::Pipeline;
use crate::plan::{Layout, build_levels};
use crate::scratch::{Levels, uniform};
use crate::{Error, Job, Options};
use treebounds_shaders::{Binding, Kernel, Params, Variant};
use wgpu::BufferUsages;

/// Parentheses matching of a stream of [tags](treebounds_core::Tag), of which
/// only the role is read: 1 opens, 2 closes, anything else does neither.
///
/// For a close, the link is the index of its open; for an open, that of the
/// nearest open around it; `NONE` where there is none, and for what does neither.
/// Any length, any depth, balanced or not: the same as
/// [`reference::links`](treebounds_core::reference::links).
///
/// Cost: 3 dispatches, and one more for every factor of the workgroup size in the
/// number of tiles; with 32 elements a thread 9 bytes of memory traffic an
/// element, balanced or not, deep or flat.
#[derive(Clone, Debug)]
pub struct Match {
    device: wgpu::Device,
    variant: Variant,
    /// The tree is built by larger workgroups, in fewer dispatches.
    spine: Variant,
    reduce: Pipeline,
    build: Pipeline,
    parents: Pipeline,
    resolve: Pipeline,
}

/// Working memory of [`Match`] for a number of elements.
#[derive(Clone, Debug)]
pub struct MatchScratch {
    layout: Layout,
    spine: Variant,
    words: wgpu::Buffer,
    plan: wgpu::Buffer,
    levels: Levels,
}

impl Match {
    /// Builds matching for a device.
    ///
    /// # Errors
    /// As [`Stage::new`](crate::Stage::new).
    pub fn new(device: &wgpu::Device, options: &Options) -> Result<Self, Error> {
        let variant = options.match_variant(device)?;
        let spine = options.spine_variant(device, variant)?;
        Ok(Self {
            reduce: Pipeline::new(device, Kernel::MatchReduce, &variant, options.checked)?,
            build: Pipeline::new(device, Kernel::MatchBuild, &spine, options.checked)?,
            parents: Pipeline::new(device, Kernel::MatchParents, &variant, options.checked)?,
            resolve: Pipeline::new(device, Kernel::MatchResolve, &variant, options.checked)?,
            device: device.clone(),
            variant,
            spine,
        })
    }

    /// The variant that was chosen.
    pub fn variant(&self) -> Variant {
        self.variant
    }

    /// How many bytes of GPU memory a scratch for this many elements will hold:
    /// at 32 elements a thread 0.75 an element.
    ///
    /// # Errors
    /// [`Error::TooLarge`] where 32-bit indices do not reach.
    pub fn scratch_bytes(&self, elements: u32) -> Result<u64, Error> {
        Ok(Layout::of_match(elements, self.variant)?.word_bytes)
    }

    /// Working memory for this many elements.
    ///
    /// # Errors
    /// [`Error::TooLarge`], or [`Error::Device`] where memory runs out.
    pub fn scratch(&self, elements: u32) -> Result<MatchScratch, Error> {
        let layout = Layout::of_match(elements, self.variant)?;
        let device = &self.device;
        let levels = build_levels(layout.plan.tiles_tree_leaves, self.spine.workgroup_size());
        Ok(MatchScratch {
            words: create(device, "match words", layout.word_bytes, BufferUsages::STORAGE)?,
            plan: uniform(device, "match plan", bytemuck::bytes_of(&layout.plan))?,
            levels: Levels::new(device, &levels)?,
            spine: self.spine,
            layout,
        })
    }

    /// Binds buffers: `params` ([`Params`], of which the viewport is not read),
    /// `tags` and `links`, 4 bytes an element of the scratch's capacity, rounded
    /// up to whole vectors of 16 bytes. What is beyond the count in the last
    /// vector of `links` is overwritten.
    ///
    /// # Errors
    /// As [`Stage::bind`](crate::Stage::bind).
    pub fn bind(
        &self,
        params: &wgpu::Buffer,
        tags: &wgpu::Buffer,
        links: &wgpu::Buffer,
        scratch: &MatchScratch,
    ) -> Result<Job, Error> {
        let layout = &scratch.layout;
        if (layout.variant, scratch.spine) != (self.variant, self.spine) {
            return Err(Error::ForeignScratch);
        }
        let vectors = bytes(4, layout.capacity.elements).next_multiple_of(16);
        let needs = [
            ("params", params, size_of::<Params>() as u64, BufferUsages::UNIFORM),
            ("tags", tags, vectors, BufferUsages::STORAGE),
            ("links", links, vectors, BufferUsages::STORAGE),
        ];
        check(&self.device, &needs)?;

        let buffers = |binding| match binding {
            Binding::Params => Some((params, size_of::<Params>() as u64)),
            Binding::Tags4 => Some((tags, vectors)),
            Binding::Links4 => Some((links, vectors)),
            Binding::Plan => Some((&scratch.plan, scratch.plan.size())),
            Binding::Words => Some((&scratch.words, scratch.words.size())),
            _ => None,
        };
        let mut job = JobBuilder {
            device: &self.device,
            buffers: &buffers,
            levels: &scratch.levels,
            dispatches: Vec::new(),
        };
        let threads = self.variant.workgroup_size();
        let spine = self.spine.workgroup_size();
        let levels = build_levels(layout.plan.tiles_tree_leaves, spine);
        job.add(&self.reduce, layout.element_tiles, 0)?;
        for (level, nodes) in levels.iter().enumerate() {
            job.add(&self.build, nodes.div_ceil(spine), level)?;
        }
        job.add(&self.parents, layout.element_tiles.div_ceil(threads), 0)?;
        job.add(&self.resolve, layout.element_tiles, 0)?;
        Ok(job.finish("treebounds match"))
    }
}
