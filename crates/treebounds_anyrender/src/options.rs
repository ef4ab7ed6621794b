//! What the optimizer may do.

/// How exactly the optimized list must paint what the list painted.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
pub enum Exactness {
    /// Equal bit for bit, painted by a renderer of 8 bits a channel that starts with a transparent picture, such as
    /// `vello_cpu` with its default settings.
    ///
    /// Such a renderer rounds each time that it composites. A layer that changes nothing else still rounds once more, and
    /// so stays, unless it provably rounds nothing: see [the rules](crate::rules).
    #[default]
    Bits,
    /// Equal in exact arithmetic. Painted with 8 bits a channel, a pixel may differ by a rounding for each layer that is
    /// gone above it.
    ///
    /// What one wants for renderers that composite in floating point, such as Vello, or where one in 255 does not matter.
    Rounding,
}

/// What [`optimize`](fn@crate::optimize) may do: how exactly, and which rules are on.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Options {
    /// How exactly the picture must stay the same.
    pub exactness: Exactness,
    /// [Culling](crate::rules::cull): what cannot be seen goes.
    pub cull: bool,
    /// [Layers](crate::rules::layers) that are empty or change nothing go.
    pub layers: bool,
    /// [Clips](crate::rules::clips) that cut nothing, or a single draw alone, go.
    pub clips: bool,
    /// [Nested clips](crate::rules::nested): what a clip around already cuts needs no clip; layers shrink to what is in them.
    pub nested: bool,
    /// [Opacity](crate::rules::opacity) of a group becomes that of its draws. Only with [`Exactness::Rounding`]. Off by default:
    /// with 8 bits a channel, it may differ by two in 255.
    pub opacity: bool,
    /// [Occlusion](crate::rules::occlusion): what lies behind an opaque rectangle goes.
    pub occlusion: bool,
    /// The renderer's hinting moves the outlines of glyphs up and down only, so that the box of a line of text starts where its
    /// first letter does, and clips that fit the line go. So hint Vello, `vello_cpu` and `vello_gpu`, by TrueType instructions
    /// that may not move points sideways. Off by default: another renderer may hint sideways.
    pub vertical_hinting: bool,
}

impl Options {
    /// The same picture bit for bit, all rules that can keep it.
    pub const EXACT: Self = Self {
        exactness: Exactness::Bits,
        cull: true,
        layers: true,
        clips: true,
        nested: true,
        opacity: false,
        occlusion: true,
        vertical_hinting: false,
    };

    /// The same picture but for rounding, all rules but [`Options::opacity`].
    pub const ROUNDING: Self = Self { exactness: Exactness::Rounding, ..Self::EXACT };

    /// No rule at all: each is then switched on by name.
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

    pub(crate) fn rounds(&self) -> bool {
        self.exactness == Exactness::Rounding
    }
}

impl Default for Options {
    fn default() -> Self {
        Self::EXACT
    }
}
