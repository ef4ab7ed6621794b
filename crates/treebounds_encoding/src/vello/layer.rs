//! What a layer of Vello is, by its two words of draw data.

use treebounds_core::{BuildError, NodeKind, Rect, StreamBuilder};
use vello_encoding::DrawBeginClip;

/// A layer of Vello.
///
/// ```text
/// word 0   bit 16           luminance mask
///          bits 8 to 15     mix: 128 together with compose 3 is a pure clip
///          bits 0 to 7      compose: the Porter-Duff operator
/// word 1                    alpha, the bits of an f32
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Layer {
    /// It only clips.
    Clip,
    /// It clips and blends.
    Blend {
        /// Whether it changes pixels outside its source.
        non_local: bool,
    },
    /// It masks by luminance what is behind.
    Mask,
}

impl Layer {
    /// The layer that these words describe.
    pub(super) fn from_words(blend: u32, alpha: u32) -> Self {
        if blend == DrawBeginClip::CLIP_BLEND_MODE && f32::from_bits(alpha) == 1.0 {
            Self::Clip
        } else if blend & DrawBeginClip::LUMINANCE_MASK_BLEND_MODE != 0 {
            Self::Mask
        } else {
            Self::Blend { non_local: !is_local(blend & 0xff) }
        }
    }

    /// What reports call it.
    pub(super) fn source(self) -> &'static str {
        match self {
            Self::Clip => "clip",
            Self::Blend { .. } => "layer",
            Self::Mask => "mask",
        }
    }

    pub(super) fn begin(self, builder: &mut StreamBuilder, rect: Rect) -> Result<u32, BuildError> {
        match self {
            Self::Clip => builder.begin(NodeKind::Clip, rect),
            Self::Blend { non_local: false } => builder.begin(NodeKind::ClipBlend, rect),
            Self::Blend { non_local: true } | Self::Mask => builder.begin_non_local(Some(rect)),
        }
    }
}

/// Whether this operator leaves alone what is outside its source.
fn is_local(compose: u32) -> bool {
    use peniko::Compose;
    const LOCAL: [Compose; 8] = [
        Compose::Dest,
        Compose::SrcOver,
        Compose::DestOver,
        Compose::DestOut,
        Compose::SrcAtop,
        Compose::Xor,
        Compose::Plus,
        Compose::PlusLighter,
    ];
    LOCAL.iter().any(|local| *local as u32 == compose)
}
