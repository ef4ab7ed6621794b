//! The job of a scratch for fewer elements than its capacity: what [`Job::up_to`] chooses from.
//!
//! There is one for each power of two below the capacity, from one tile on. It runs the strategy that a
//! scratch of that capacity would, in the same memory, with a plan of its own. A strategy for fewer
//! elements needs less memory, except that a scene of few markers may have too little for the kernels
//! that do not compact: the kernels that do are then used for fewer elements, too.

use crate::gpu::buffers::{Levels, Range};
use crate::stage::layout::TreeLayout;
use crate::stage::scene::FewMarkers;
use crate::stage::scratch::TreeScratch;
use crate::stage::tree::Tree;
use crate::{Capacity, Error, Job};

/// Jobs by their number of elements, ascending.
pub(crate) type Smaller = Vec<(u32, Job)>;

/// The numbers of elements for which there is a job.
fn counts(first: u32, capacity: Capacity) -> impl Iterator<Item = Capacity> {
    let counts = std::iter::successors(Some(first), |count| count.checked_mul(2));
    let counts = counts.take_while(move |count| *count < capacity.elements);
    counts.map(move |elements| Capacity { elements, ..capacity })
}

impl Tree {
    /// The jobs of this task whose layouts have room in the scratch.
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
    /// The jobs for more elements than `most`, in a scratch for few markers.
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

/// Whether a layout fits the memory of a scratch.
pub(crate) fn has_room(scratch: &TreeScratch, layout: &TreeLayout) -> bool {
    let parts = layout.parts();
    scratch.parts.iter().zip(parts).all(|(range, (_, bytes))| bytes <= range.bytes())
}
