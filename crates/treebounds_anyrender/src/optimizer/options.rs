//! What goes into the optimizer and what comes out beside the list: options and a report.

use crate::bounds::commands::Size;

/// How exactly the optimized list must reproduce the picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// Equal bit for bit, if a renderer with 8 bits per channel paints onto a transparent picture, as
    /// `vello_cpu` does by default.
    ///
    /// Such a renderer rounds whenever it composites. Even a layer without any other effect rounds once more, and
    /// therefore stays unless it provably rounds nothing: see [the rules](crate::rules).
    #[default]
    Bits,
    /// Equal in exact arithmetic. With 8 bits per channel, a pixel may differ by one rounding for each layer that was
    /// removed above it.
    ///
    /// Use it for renderers that composite in floating point, such as Vello, or if one step in 255 does not matter.
    Rounding,
}

/// Options of [`optimize`](fn@crate::optimize): the exactness, and which rules are enabled.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How exactly the picture must stay the same.
    pub exactness: Exactness,
    /// [Culling](crate::rules::cull): removes what is invisible.
    pub cull: bool,
    /// [Layers](crate::rules::layers): removes layers that are empty or have no effect.
    pub layers: bool,
    /// [Clips](crate::rules::clips): removes clips that cut nothing, or only a single draw.
    pub clips: bool,
    /// [Nested clips](crate::rules::nested): removes clips that an outer clip makes redundant, and shrinks layers to their content.
    pub nested: bool,
    /// [Opacity](crate::rules::opacity): moves the opacity of a group to its draws. Requires [`Exactness::Rounding`]. Off by default:
    /// with 8 bits per channel, a pixel may differ by two steps in 255.
    pub opacity: bool,
    /// [Occlusion](crate::rules::occlusion): removes what lies behind an opaque rectangle.
    pub occlusion: bool,
    /// Whether the renderer's hinting moves glyph outlines only vertically. Then the box of a line of text starts where its
    /// first letter does, and clips that fit the line can be removed. Vello, `vello_cpu` and `vello_gpu` hint this way, with TrueType instructions
    /// that may not move points sideways. Off by default, because another renderer may hint horizontally.
    pub vertical_hinting: bool,
}

impl Options {
    /// No rule. Enable the ones you want by name.
    pub const NONE: Self = Self {
        exactness: Exactness::Bits,
        cull: false,
        layers: false,
        clips: false,
        nested: false,
        opacity: false,
        occlusion: false,
        vertical_hinting: false,
    };

    /// All rules that can keep the picture equal bit for bit.
    pub const EXACT: Self =
        Self { cull: true, layers: true, clips: true, nested: true, occlusion: true, ..Self::NONE };

    /// All rules except [`Options::opacity`], with a picture that is equal up to rounding.
    pub const ROUNDING: Self = Self { exactness: Exactness::Rounding, ..Self::EXACT };

    pub(crate) fn rounds(&self) -> bool {
        self.exactness == Exactness::Rounding
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::EXACT
    }
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
    /// What each rule did, by name.
    pub fn counts(&self) -> [(&'static str, usize); 12] {
        [
            ("culled layers", self.culled_layers),
            ("empty layers", self.empty_layers),
            ("idle layers", self.idle_layers),
            ("idle clips", self.idle_clips),
            ("shaped draws", self.shaped_draws),
            ("nested clips", self.nested_clips),
            ("folded groups", self.folded_groups),
            ("simpler clips", self.simpler_clips),
            ("shrunk layers", self.shrunk_layers),
            ("culled draws", self.culled_draws),
            ("hidden draws", self.hidden_draws),
            ("kept for rounding", self.kept_for_rounding),
        ]
    }
}
