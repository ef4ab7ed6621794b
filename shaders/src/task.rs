//! What is computed over a tree, and the fragments and buffers that this takes.

use crate::binding::{Access, Binding};
use crate::fragment::{self as part, Fragment};
use crate::kernel::Reach;

/// What kernels compute over a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Task {
    /// Clips and contents of a scene.
    Scene,
    /// Clips of a scene alone.
    Clips,
    /// Contents of a scene alone; nothing clips.
    Blends,
    /// Products along the paths from the root, of the caller's monoid.
    RootFix,
    /// Products over the subtrees, of the caller's monoid.
    LeafFix,
    /// Clips of a scene that the caller's WGSL reads and writes.
    Host,
    /// Clips and contents of a scene whose nodes have been compacted.
    Nodes,
    /// Clips of the same alone.
    NodeClips,
    /// Contents of the same alone; nothing clips.
    NodeBlends,
    /// Clips and contents of a stream of nodes alone, each at the place of its element.
    Bounds,
    /// Clips of the same alone.
    BoundsClips,
    /// Contents of the same alone; nothing clips.
    BoundsBlends,
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 12] = [
        Self::Scene,
        Self::Clips,
        Self::Blends,
        Self::RootFix,
        Self::LeafFix,
        Self::Host,
        Self::Nodes,
        Self::NodeClips,
        Self::NodeBlends,
        Self::Bounds,
        Self::BoundsClips,
        Self::BoundsBlends,
    ];

    /// Whether values flow down.
    pub const fn flows(self) -> bool {
        !matches!(self, Self::Blends | Self::LeafFix | Self::NodeBlends | Self::BoundsBlends)
    }

    /// Whether values grow up.
    pub const fn grows(self) -> bool {
        !matches!(
            self,
            Self::Clips | Self::RootFix | Self::Host | Self::NodeClips | Self::BoundsClips
        )
    }

    /// What each element adds, and where. Of few nodes nobody writes there either, but a driver that does not know so
    /// leaves loads where they stand, a row of draws before they are used, and does not wait for each in turn.
    pub(crate) fn own(self) -> Vec<(Binding, Access)> {
        match self {
            Self::Host => vec![],
            _ if self.is_generic() => vec![(Binding::Inputs, Access::Read)],
            _ if self.is_nodes() => vec![(Binding::Rects, Access::ReadWrite)],
            _ => vec![(Binding::Rects, Access::Read)],
        }
    }

    /// What it writes: of these buffers, or of the caller's.
    pub(crate) fn outputs(self, scene: &[Binding]) -> Vec<(Binding, Access)> {
        let wants = |buffer: &Binding| match buffer {
            Binding::Clips => self.flows(),
            Binding::Contents => self.grows(),
            Binding::Bounds => !self.is_bounds(),
            _ => true,
        };
        let written: &[Binding] = match self {
            Self::Host => &[],
            _ if self.is_generic() => &[Binding::Outputs],
            _ => scene,
        };
        written.iter().filter(|buffer| wants(buffer)).map(|b| (*b, Access::ReadWrite)).collect()
    }

    /// What its values are.
    pub(crate) const fn values(self) -> Fragment {
        if self.is_generic() { part::MONOID } else { part::RECT }
    }

    /// What flows down.
    pub(crate) const fn flow(self) -> &'static [Fragment] {
        match self {
            _ if !self.flows() => &[part::FLOW_NOTHING],
            Self::RootFix => &[part::FLOW_MONOID],
            Self::Host => &[part::FLOW_CLIP, part::ROOT_HOST],
            _ => &[part::FLOW_CLIP, part::ROOT_VIEWPORT],
        }
    }

    /// What flows down, where it is kept.
    pub(crate) const fn flow_stored(self) -> &'static [Fragment] {
        if self.flows() { &[part::FLOW_STORED] } else { &[] }
    }

    /// What each element adds to what flows down.
    pub(crate) const fn flow_own(self) -> &'static [Fragment] {
        match self {
            _ if !self.flows() => &[],
            _ if self.is_nodes() => &[part::FLOW_OWN_ENTRIES],
            Self::Host => &[part::FLOW_OWN_HOST],
            Self::RootFix => &[part::FLOW_OWN_MONOID],
            _ => &[part::FLOW_OWN],
        }
    }

    /// What flows under siblings of the pyramid.
    pub(crate) const fn siblings(self) -> &'static [Fragment] {
        if self.flows() { &[part::SIBLINGS_FLOW] } else { &[part::SIBLINGS_NOTHING] }
    }

    /// What grows up.
    pub(crate) const fn grow(self) -> Fragment {
        if self.is_generic() { part::GROW_MONOID } else { part::GROW_UNION }
    }

    /// What is written.
    pub(crate) const fn emit(self) -> &'static [Fragment] {
        match self {
            Self::Scene => &[
                part::EMIT_SCENE,
                part::CLIP_OF,
                part::GROW_OWN_VISIBLE,
                part::EMIT_CONTENTS,
                part::NON_LOCAL_OWN,
                part::EMIT_BOUNDS,
            ],
            Self::Clips => &[part::EMIT_CLIPS, part::CLIP_OF],
            Self::Blends => &[
                part::EMIT_BLENDS,
                part::GROW_OWN_WHOLE,
                part::EMIT_CONTENTS,
                part::NON_LOCAL_OWN,
                part::EMIT_BOUNDS,
            ],
            Self::Bounds => &[
                part::EMIT_ELEMENTS,
                part::CLIP_OF,
                part::GROW_OWN_VISIBLE,
                part::EMIT_EARLY_NOTHING,
                part::EMIT_ELEMENT_CONTENTS,
            ],
            Self::BoundsClips => &[part::EMIT_ELEMENT_CLIPS, part::CLIP_OF],
            Self::BoundsBlends => &[
                part::EMIT_ELEMENT_BLENDS,
                part::GROW_OWN_WHOLE,
                part::EMIT_EARLY_NOTHING,
                part::EMIT_ELEMENT_CONTENTS,
            ],
            Self::RootFix => &[part::EMIT_ROOT],
            Self::Host => &[part::EMIT_HOST],
            Self::LeafFix => &[part::EMIT_SUBTREE, part::EMIT_EARLY_NOTHING],
            Self::Nodes => &[
                part::EMIT_NODES,
                part::EMIT_ASK_ENTRIES,
                part::CLIP_OF,
                part::GROW_OWN_GAP,
                part::EMIT_CONTENTS,
                part::NON_LOCAL_OWN,
                part::EMIT_NODE_BOUNDS,
            ],
            Self::NodeClips => {
                &[part::EMIT_NODES, part::EMIT_ASK_ENTRIES, part::CLIP_OF, part::EMIT_NODE_BOUNDS]
            }
            Self::NodeBlends => &[
                part::EMIT_NODE_LINKS,
                part::EMIT_ASK_ENTRIES,
                part::GROW_OWN_GAP,
                part::EMIT_CONTENTS,
                part::NON_LOCAL_VIEWPORT,
                part::EMIT_NODE_BOUNDS,
            ],
        }
    }

    /// What becomes of draws that are no elements of its stream.
    pub(crate) fn draws(self, reach: Reach) -> Vec<Fragment> {
        if !self.is_nodes() {
            return vec![part::DRAWS_NOTHING];
        }
        let flow = if self.flows() { part::DRAWS_FLOW } else { part::DRAWS_WHOLE };
        let rows: &[Fragment] = match (self.grows(), reach) {
            (true, Reach::Far) => &[part::DRAWS_PAINT, part::DRAWS_ROWS_FAR],
            (true, _) => &[part::DRAWS_PAINT, part::DRAWS_ROWS_NEAR],
            (false, _) => &[part::DRAWS_PAINT_NOTHING, part::DRAWS_ROWS_FOUR],
        };
        [&[part::DRAWS, flow], rows].concat()
    }

    /// Which element of the scene an element of the stream is.
    pub(crate) const fn element_of(self) -> &'static [Fragment] {
        match self {
            _ if self.is_scene() => &[part::ELEMENT_OF],
            _ if self.is_nodes() => &[part::ELEMENT_OF_ENTRIES, part::ENTRIES, part::ENTRY_LOAD],
            _ => &[],
        }
    }

    /// Where the roles of elements come from.
    pub(crate) const fn role(self) -> &'static [Fragment] {
        match self {
            Self::Host => &[part::ROLE_HOST],
            _ if self.is_nodes() => &[part::ROLE_ENTRIES],
            _ => &[part::ROLE_TAGS, part::TAG_ROLE],
        }
    }

    /// How values flow down and grow up through a tile, of few chunks or of many.
    pub(crate) fn through(self, few: bool) -> Vec<Fragment> {
        let down = if self.flows() { part::DOWN } else { part::DOWN_NOTHING };
        let up: &[Fragment] = match (self.grows(), few) {
            (false, _) if self.is_nodes() => &[part::UP_CLIPS, part::CELLS],
            (false, _) => &[part::UP_NOTHING, part::CELLS],
            (true, true) => &[part::UP, part::CHUNKS_LOOP, part::CELLS_GROW],
            (true, false) => &[part::UP, part::CHUNKS_TREE, part::FOLD, part::FOLD_GROW],
        };
        [&[down], up].concat()
    }

    /// Where it learns how many elements there are.
    pub(crate) const fn stream(self) -> &'static [Fragment] {
        match self {
            Self::Host => &[part::ELEMENTS, part::ELEMENT_COUNT_HOST, part::HOST],
            _ if self.is_nodes() => &[part::ELEMENTS, part::ELEMENT_COUNT_ENTRIES],
            _ => &[part::ELEMENTS, part::ELEMENT_COUNT],
        }
    }

    /// The uniforms that say so, and where things lie.
    pub(crate) fn uniforms(self) -> Vec<(Binding, Access)> {
        let params = (self != Self::Host).then_some((Binding::Params, Access::Uniform));
        let counts = self.is_nodes().then_some((Binding::Counts, Access::Uniform));
        params.into_iter().chain([(Binding::Plan, Access::Uniform)]).chain(counts).collect()
    }

    /// Whether it is a scene in buffers of ours.
    pub const fn is_scene(self) -> bool {
        matches!(self, Self::Scene | Self::Clips | Self::Blends)
    }

    /// Whether it writes what it finds of a stream of nodes alone, each at the place of its element.
    pub const fn is_bounds(self) -> bool {
        matches!(self, Self::Bounds | Self::BoundsClips | Self::BoundsBlends)
    }

    /// Whether it is a scene whose nodes have been compacted.
    pub const fn is_nodes(self) -> bool {
        matches!(self, Self::Nodes | Self::NodeClips | Self::NodeBlends)
    }

    /// Whether its values are of the caller's monoid.
    pub const fn is_generic(self) -> bool {
        matches!(self, Self::RootFix | Self::LeafFix)
    }
}
