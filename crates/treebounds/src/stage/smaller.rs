//! Jobs for fewer elements than the capacity of a scratch, for [`Job::up_to`].
//!
//! There is one job for each power of two below the capacity, starting at one tile. Each job has its own
//! plan, and runs the strategy for its number of elements in the memory of the scratch. Strategies for
//! fewer elements need less memory, with one exception: the scratch of a scene with few markers may be too
//! small for kernels without compaction. Jobs whose kernels do not fit then also compact the markers.

use crate::gpu::buffers::{Levels, Range};
use crate::stage::layout::TreeLayout;
use crate::stage::scene::FewMarkers;
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::Tree;
use crate::{Capacity, Error, Job};

/// Jobs in ascending order of their number of elements.
pub(crate) type Smaller = Vec<(u32, Job)>;

/// The capacities of the smaller jobs.
fn counts(first: u32, capacity: Capacity) -> impl Iterator<Item = Capacity> {
    let counts = std::iter::successors(Some(first), |count| count.checked_mul(2));
    let counts = counts.take_while(move |count| *count < capacity.elements);
    counts.map(move |elements| Capacity { elements, ..capacity })
}

impl Tree {
    /// Binds the jobs whose layouts fit the scratch.
    pub(crate) fn smaller(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
    ) -> Result<Smaller, Error> {
        let mut layouts = Vec::new();
        for capacity in counts(self.strategies.tile(), scratch.capacity()) {
            let layout = self.strategies.layout(capacity)?;
            if has_room(scratch, &layout) {
                layouts.push(layout);
            }
        }
        let plans: Vec<_> = layouts.iter().map(|layout| layout.plan).collect();
        let plans = Levels::of(&self.build.device, &self.build.label, &plans)?;
        let mut jobs = Vec::new();
        for (layout, plan) in layouts.iter().zip(plans.ranges("plan")) {
            let elements = layout.capacity.elements;
            let kernels = self.kernels(elements)?;
            let job = kernels.job(&self.build, scratch, (layout, &plan), callers, None)?;
            jobs.push((elements, job));
        }
        Ok(jobs)
    }
}

impl FewMarkers {
    /// Binds the jobs for more than `most` elements, in a scratch for few markers.
    pub(crate) fn smaller(
        &self,
        scratch: &TreeScratch,
        callers: &[Range],
        most: u32,
    ) -> Result<Smaller, Error> {
        let mut layouts = Vec::new();
        for capacity in counts(self.tree.strategies.tile(), scratch.capacity()) {
            let pair = self.tree.strategies.post_layouts(capacity)?;
            if capacity.elements > most && has_room(scratch, &pair[0]) {
                layouts.extend(pair);
            }
        }
        let plans: Vec<_> = layouts.iter().map(|layout| layout.plan).collect();
        let plans = Levels::of(&self.tree.build.device, &self.tree.build.label, &plans)?;
        let plans: Vec<_> = plans.ranges("plan").collect();
        let mut jobs = Vec::new();
        for pair in layouts.iter().zip(&plans).collect::<Vec<_>>().chunks_exact(2) {
            if let [tree, counted] = pair {
                let elements = counted.0.capacity.elements;
                jobs.push((elements, self.job(scratch, *tree, *counted, callers)?));
            }
        }
        Ok(jobs)
    }
}

pub(crate) fn has_room(scratch: &TreeScratch, layout: &TreeLayout) -> bool {
    let parts = layout.parts();
    scratch.parts.iter().zip(parts).all(|(range, (_, bytes))| bytes <= range.bytes())
}
