//! Options and report of the optimizer.

use crate::bounds::commands::Size;

/// The required exactness of the optimized picture.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// Bit-for-bit equal on a renderer with 8 bits per channel that paints onto a transparent picture, as `vello_cpu`
    /// does by default.
    ///
    /// Such a renderer rounds whenever it composites. Even a layer without any other effect adds one rounding. Such a
    /// layer is kept unless it provably rounds nothing: see [the rules](crate::rules).
    #[default]
    Bits,
    /// Equal in exact arithmetic. With 8 bits per channel, a pixel may differ by one rounding per removed layer above
    /// it.
    ///
    /// Use this for renderers that composite in floating point, such as Vello, or if one step in 255 does not matter.
    Rounding,
}

/// Options of [`optimize`](fn@crate::optimize): the exactness and the enabled rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// The required exactness of the picture.
    pub exactness: Exactness,
    /// [Culling](crate::rules::cull): removes invisible commands.
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
    /// [Occlusion](crate::rules::occlusion): removes draws behind an opaque rectangle.
    pub occlusion: bool,
    /// Whether the renderer's hinting moves glyph outlines only vertically. If so, the box of a line of text starts
    /// exactly at its first letter, and clips that fit the line can be removed. Vello, `vello_cpu` and `vello_gpu` hint
    /// this way, with TrueType instructions that cannot move points sideways. Off by default, because another renderer
    /// may hint horizontally.
    pub vertical_hinting: bool,
}

impl Options {
    /// No rules. Enable individual ones by name.
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

    /// All rules that can keep the picture bit-for-bit equal.
    pub const EXACT: Self =
        Self { cull: true, layers: true, clips: true, nested: true, occlusion: true, ..Self::NONE };

    /// All rules except [`Options::opacity`]. The picture is equal up to rounding.
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

/// The counts of [`optimize`](fn@crate::optimize), by rule.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Report {
    /// The size of the original list.
    pub before: Size,
    /// The size of the optimized list.
    pub after: Size,
    /// [Culling](crate::rules::cull): invisible draws.
    pub culled_draws: usize,
    /// [Culling](crate::rules::cull): invisible layers, removed with their content.
    pub culled_layers: usize,
    /// [Layers](crate::rules::layers): empty layers.
    pub empty_layers: usize,
    /// [Layers](crate::rules::layers): layers without an effect.
    pub idle_layers: usize,
    /// [Clips](crate::rules::clips): clips that cut nothing.
    pub idle_clips: usize,
    /// [Clips](crate::rules::clips): clips that became the shape of their only draw.
    pub shaped_draws: usize,
    /// [Clips](crate::rules::clips): clips of layers that became rectangles, because they cut nothing.
    pub simpler_clips: usize,
    /// [Nested clips](crate::rules::nested): clips made redundant by an outer clip.
    pub nested_clips: usize,
    /// [Nested clips](crate::rules::nested): layers whose clip was shrunk to their content.
    pub shrunk_layers: usize,
    /// [Opacity](crate::rules::opacity): groups whose opacity was moved to their draws.
    pub folded_groups: usize,
    /// [Occlusion](crate::rules::occlusion): draws behind an opaque rectangle.
    pub hidden_draws: usize,
    /// Layers that were kept because their removal would change rounding ([`Exactness::Bits`](crate::Exactness::Bits)).
    pub kept_for_rounding: usize,
}

impl Report {
    /// Returns the count of each rule, by name.
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
