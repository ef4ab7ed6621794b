//! What it costs to read something.

/// What there is to be visited, each element as often as it is reached, and how deep that goes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Cost {
    /// Visits to elements.
    pub work: u64,
    /// Copies of definitions that cannot be shared, because their units are those of what they are used on.
    pub copies: u64,
    /// Steps to lay out the texts.
    pub text: u64,
    /// Steps to follow the arcs.
    pub arcs: u64,
    /// Numbers in the data of paths.
    pub segments: u64,
    /// Bytes of what is copied for every use.
    pub memory: u64,
    /// Steps to look up and read attributes.
    pub steps: u64,
    /// Levels of nesting, where a reference counts as 16.
    pub depth: u64,
    /// Shapes that take properties from around.
    pub(crate) shapes: u64,
    /// How often something is painted as what it is shown by.
    pub(crate) contexts: u64,
}

impl Cost {
    /// Adds what is visited `times` times, `levels` further down.
    pub(crate) fn add(&mut self, inside: Self, times: u64, levels: u64) {
        let sum = |to: &mut u64, of: u64| *to = to.saturating_add(of.saturating_mul(times));
        sum(&mut self.work, inside.work);
        sum(&mut self.copies, inside.copies);
        sum(&mut self.text, inside.text);
        sum(&mut self.arcs, inside.arcs);
        sum(&mut self.segments, inside.segments);
        sum(&mut self.memory, inside.memory);
        sum(&mut self.steps, inside.steps);
        sum(&mut self.shapes, inside.shapes);
        sum(&mut self.contexts, inside.contexts);
        self.depth = self.depth.max(inside.depth.saturating_add(levels));
    }

    /// What was added since, with this depth.
    pub(crate) fn since(&self, before: &Self, depth: u64) -> Self {
        Self {
            work: self.work - before.work,
            copies: self.copies - before.copies,
            text: self.text - before.text,
            arcs: self.arcs - before.arcs,
            segments: self.segments - before.segments,
            memory: self.memory - before.memory,
            steps: self.steps - before.steps,
            depth,
            shapes: 0,
            contexts: 0,
        }
    }

    /// Adds what each of so many shapes costs.
    pub(super) fn pay(&mut self, shapes: u64, (steps, memory): (u64, u64)) {
        self.steps = self.steps.saturating_add(steps.saturating_mul(shapes));
        self.memory = self.memory.saturating_add(memory.saturating_mul(shapes));
    }
}
