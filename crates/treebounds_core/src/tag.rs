//! Tags: the role and kind of an element in one packed word.
//!
//! ```text
//! bit  31 .... 7   6      5       4          3      2     1 0
//!      zero        FILLS  SPREAD  NON_LOCAL  BLEND  CLIP  role
//!                                                         0 draw, 1 begin, 2 end
//! ```
//!
//! Only the role determines the shape of the tree: a begin opens a node, an end closes the nearest open node. The node's flags are
//! read from its begin. An end repeats the flags for readable dumps; no algorithm reads them.

use bytemuck::{Pod, Zeroable};

/// The role of an element in the tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Role {
    /// A leaf that paints.
    Draw,
    /// Begins a node.
    Begin,
    /// Closes the nearest open node.
    End,
}

/// The kind of a node.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NodeKind {
    /// Clips its contents to a shape.
    Clip,
    /// Composites its contents as a group.
    Blend,
    /// Clips and blends, like a Vello layer.
    ClipBlend,
    /// Filters its contents, which moves and spreads pixels. The rect of its Begin is the filter's
    /// [`Footprint`](crate::Footprint), not a box.
    Spread,
}

/// An element's packed tag word. The [module](self) documentation shows the bit layout.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Pod, Zeroable)]
pub struct Tag(u32);

impl Tag {
    /// The bits of the role.
    pub const ROLE_MASK: u32 = 0b11;
    /// Role: a leaf.
    pub const ROLE_DRAW: u32 = 0;
    /// Role: opens a node.
    pub const ROLE_BEGIN: u32 = 1;
    /// Role: closes a node.
    pub const ROLE_END: u32 = 2;
    /// Flag: the node clips.
    pub const CLIP: u32 = 1 << 2;
    /// Flag: the node blends.
    pub const BLEND: u32 = 1 << 3;
    /// Flag: the blend changes pixels outside its source.
    pub const NON_LOCAL: u32 = 1 << 4;
    /// Flag: the node spreads pixels, and its rect is a filter's footprint.
    pub const SPREAD: u32 = 1 << 5;
    /// Flag: the node paints its whole clip, regardless of its contents.
    pub const FILLS: u32 = 1 << 6;

    /// A draw.
    pub const DRAW: Self = Self(Self::ROLE_DRAW);

    /// The begin of a node.
    pub const fn begin(kind: NodeKind) -> Self {
        Self(Self::ROLE_BEGIN | kind.flags())
    }

    /// The end of a node.
    pub const fn end(kind: NodeKind) -> Self {
        Self(Self::ROLE_END | kind.flags())
    }

    /// Adds [`Tag::NON_LOCAL`], for compositing operators that change pixels outside their source: Porter-Duff `Clear`, `Copy`,
    /// `SrcIn`, `DestIn`, `SrcOut` and `DestAtop`, and luminance masks.
    #[must_use]
    pub const fn non_local(self) -> Self {
        Self(self.0 | Self::NON_LOCAL)
    }

    /// Adds [`Tag::FILLS`], for nodes that paint their whole clip regardless of their contents: a filter that floods its region, or
    /// a layer with a backdrop filter.
    #[must_use]
    pub const fn fills(self) -> Self {
        Self(self.0 | Self::FILLS)
    }

    /// Converts bits to a tag. Returns `None` for invalid bits: an unknown role, an unknown flag, a draw with flags, a node without
    /// a kind, a non-local node that does not blend, or a spread node with any other flag.
    pub const fn from_bits(bits: u32) -> Option<Self> {
        let known = Self::CLIP | Self::BLEND | Self::NON_LOCAL | Self::FILLS;
        let flags = bits & !Self::ROLE_MASK;
        let legal = match bits & Self::ROLE_MASK {
            Self::ROLE_DRAW => flags == 0,
            Self::ROLE_BEGIN | Self::ROLE_END => {
                flags == Self::SPREAD
                    || (flags & !known == 0
                        && flags & (Self::CLIP | Self::BLEND) != 0
                        && (flags & Self::NON_LOCAL == 0 || flags & Self::BLEND != 0))
            }
            _ => false,
        };
        if legal { Some(Self(bits)) } else { None }
    }

    /// The packed word.
    #[inline]
    pub const fn bits(self) -> u32 {
        self.0
    }

    /// The role of the element in the tree.
    #[inline]
    pub const fn role(self) -> Role {
        match self.0 & Self::ROLE_MASK {
            Self::ROLE_BEGIN => Role::Begin,
            Self::ROLE_END => Role::End,
            _ => Role::Draw,
        }
    }

    /// The kind of the node; `None` for a draw.
    pub const fn node_kind(self) -> Option<NodeKind> {
        if self.is_spread() {
            return Some(NodeKind::Spread);
        }
        match (self.0 & Self::CLIP != 0, self.0 & Self::BLEND != 0) {
            (true, true) => Some(NodeKind::ClipBlend),
            (true, false) => Some(NodeKind::Clip),
            (false, true) => Some(NodeKind::Blend),
            (false, false) => None,
        }
    }

    /// Whether this is a begin or an end.
    #[inline]
    pub const fn is_marker(self) -> bool {
        !matches!(self.role(), Role::Draw)
    }

    /// Whether the node changes pixels outside its source.
    #[inline]
    pub const fn is_non_local(self) -> bool {
        self.0 & Self::NON_LOCAL != 0
    }

    /// Whether the node is a filter, and its rect the filter's footprint.
    #[inline]
    pub const fn is_spread(self) -> bool {
        self.0 & Self::SPREAD != 0
    }

    /// Whether the node paints its whole clip.
    #[inline]
    pub const fn is_filling(self) -> bool {
        self.0 & Self::FILLS != 0
    }

    /// The tag of the end that matches this begin.
    #[must_use]
    pub const fn closing(self) -> Self {
        Self(self.0 & !Self::ROLE_MASK | Self::ROLE_END)
    }

    /// The name in reports: `draw`, `begin_clip`, `end_clip`, `begin_blend`, `end_blend`, `begin_clip_blend`, `end_clip_blend`,
    /// `begin_spread` or `end_spread`.
    pub const fn name(self) -> &'static str {
        match (self.role(), self.node_kind()) {
            (Role::Begin, Some(NodeKind::Clip)) => "begin_clip",
            (Role::Begin, Some(NodeKind::Blend)) => "begin_blend",
            (Role::Begin, Some(NodeKind::ClipBlend)) => "begin_clip_blend",
            (Role::End, Some(NodeKind::Clip)) => "end_clip",
            (Role::End, Some(NodeKind::Blend)) => "end_blend",
            (Role::End, Some(NodeKind::ClipBlend)) => "end_clip_blend",
            (Role::Begin, Some(NodeKind::Spread)) => "begin_spread",
            (Role::End, Some(NodeKind::Spread)) => "end_spread",
            _ => "draw",
        }
    }
}

impl NodeKind {
    const fn flags(self) -> u32 {
        match self {
            Self::Clip => Tag::CLIP,
            Self::Blend => Tag::BLEND,
            Self::ClipBlend => Tag::CLIP | Tag::BLEND,
            Self::Spread => Tag::SPREAD,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_valid_words_become_tags() {
        let kinds = [NodeKind::Clip, NodeKind::Blend, NodeKind::ClipBlend, NodeKind::Spread];
        let mut legal = 1;
        assert_eq!(Tag::from_bits(Tag::DRAW.bits()), Some(Tag::DRAW));
        for kind in kinds {
            for tag in [Tag::begin(kind), Tag::end(kind)] {
                assert_eq!(Tag::from_bits(tag.bits()), Some(tag));
                assert_eq!(tag.node_kind(), Some(kind));
                assert!(tag.is_marker() && !tag.is_non_local());
                legal += 1;
                for flagged in [tag.non_local(), tag.fills(), tag.non_local().fills()] {
                    let blends = !matches!(kind, NodeKind::Clip | NodeKind::Spread);
                    let is_legal = kind != NodeKind::Spread && (blends || !flagged.is_non_local());
                    assert_eq!(Tag::from_bits(flagged.bits()), is_legal.then_some(flagged));
                    legal += usize::from(is_legal);
                }
            }
        }
        assert_eq!((0..1024).filter(|bits| Tag::from_bits(*bits).is_some()).count(), legal);
    }

    /// Only a cast can create such a word. The tree treats it as a leaf.
    #[test]
    fn unknown_roles_are_leaves() {
        let word: Tag = bytemuck::cast(3_u32);
        assert!(word.role() == Role::Draw && !word.is_marker());
    }

    #[test]
    fn closing_keeps_the_flags() {
        let begin = Tag::begin(NodeKind::ClipBlend).non_local();
        assert_eq!(begin.closing(), Tag::end(NodeKind::ClipBlend).non_local());
        assert_eq!(begin.closing().name(), "end_clip_blend");
    }
}
