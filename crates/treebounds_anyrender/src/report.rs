//! What the optimizer did.

/// How many commands, layers and pixels of layers a display list has.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Size {
    /// Commands of all kinds, pops included.
    pub commands: usize,
    /// Layers and clips: each is a push and a pop.
    pub layers: usize,
    /// How many layers are open at most.
    pub depth: usize,
    /// Pixels of the viewport inside the clips of layers, each layer by itself; none inside a layer that cannot be seen.
    pub layer_pixels: u64,
}

/// What [`optimize`](fn@crate::optimize) found and did, rule by rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The list as it was.
    pub before: Size,
    /// The list as it is.
    pub after: Size,
    /// [Culling](crate::rules::cull): draws that cannot be seen.
    pub culled_draws: usize,
    /// [Culling](crate::rules::cull): layers that cannot be seen, with all in them.
    pub culled_layers: usize,
    /// [Layers](crate::rules::layers) that were empty.
    pub empty_layers: usize,
    /// [Layers](crate::rules::layers) that changed nothing and cut nothing.
    pub idle_layers: usize,
    /// [Clips](crate::rules::clips) that cut nothing.
    pub idle_clips: usize,
    /// [Clips](crate::rules::clips) that became the shape of the draw in them.
    pub shaped_draws: usize,
    /// [Clips](crate::rules::clips) of layers that became rectangles, because they cut nothing.
    pub simpler_clips: usize,
    /// [Nested clips](crate::rules::nested) that a clip around already did.
    pub nested_clips: usize,
    /// [Nested clips](crate::rules::nested): layers whose clip shrank to what is in them.
    pub shrunk_layers: usize,
    /// [Opacity](crate::rules::opacity): groups whose opacity became their draws'.
    pub folded_groups: usize,
    /// [Occlusion](crate::rules::occlusion): draws behind an opaque rectangle.
    pub hidden_draws: usize,
    /// Layers that were left because undoing them would round differently ([`Exactness::Bits`](crate::Exactness::Bits)).
    pub kept_for_rounding: usize,
}

impl Report {
    /// The layers that went, by whichever rule.
    pub fn layers_gone(&self) -> usize {
        self.before.layers - self.after.layers
    }
}
