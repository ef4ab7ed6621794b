//! What is computed over a tree, and the fragments and buffers that this takes.

use crate::binding::{Access, Binding};
use crate::fragment::{self as part, Fragment};

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
}

impl Task {
    /// Every task.
    pub const ALL: [Self; 6] =
        [Self::Scene, Self::Clips, Self::Blends, Self::RootFix, Self::LeafFix, Self::Host];

    /// Whether values flow down.
    pub const fn flows(self) -> bool {
        !matches!(self, Self::Blends | Self::LeafFix)
    }

    /// Whether values grow up.
    pub const fn grows(self) -> bool {
        !matches!(self, Self::Clips | Self::RootFix | Self::Host)
    }

    /// What each element adds.
    pub(crate) fn own(self) -> Option<(Binding, Access)> {
        if self == Self::Host {
            return None;
        }
        let buffer = if self.is_generic() { Binding::Inputs } else { Binding::Rects };
        Some((buffer, Access::Read))
    }

    /// What it writes: of these buffers, or of the caller's.
    pub(crate) fn outputs(self, scene: &[Binding]) -> Vec<(Binding, Access)> {
        let wants = |buffer: &Binding| match buffer {
            Binding::Clips => self.flows(),
            Binding::Contents => self.grows(),
            _ => true,
        };
        let written: &[Binding] = match self {
            Self::Host => &[],
            _ if self.is_generic() => &[Binding::Outputs],
            _ => scene,
        };
        written.iter().filter(|buffer| wants(buffer)).map(|b| (*b, Access::ReadWrite)).collect()
    }

    /// Where it works.
    pub(crate) fn scratch(self, products: bool) -> Vec<(Binding, Access)> {
        let mut all = vec![(Binding::Words, Access::ReadWrite)];
        if products {
            all.push((Binding::Products, Access::ReadWrite));
        }
        all
    }

    /// What its values are.
    pub(crate) const fn values(self) -> Fragment {
        if self.is_generic() { part::MONOID } else { part::RECT }
    }

    /// What flows down.
    pub(crate) const fn flow(self) -> &'static [Fragment] {
        match self {
            Self::Scene | Self::Clips => &[part::FLOW_CLIP, part::ROOT_VIEWPORT],
            Self::Host => &[part::FLOW_CLIP, part::ROOT_HOST],
            Self::RootFix => &[part::FLOW_MONOID],
            Self::Blends | Self::LeafFix => &[part::FLOW_NOTHING],
        }
    }

    /// What flows down, where it is kept.
    pub(crate) const fn flow_stored(self) -> &'static [Fragment] {
        if self.flows() { &[part::FLOW_STORED] } else { &[] }
    }

    /// What each element adds to what flows down.
    pub(crate) const fn flow_own(self) -> &'static [Fragment] {
        match self {
            Self::Scene | Self::Clips => &[part::FLOW_OWN],
            Self::Host => &[part::FLOW_OWN_HOST],
            Self::RootFix => &[part::FLOW_OWN_MONOID],
            Self::Blends | Self::LeafFix => &[],
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
            Self::Scene => &[part::EMIT_SCENE, part::CLIP_OF, part::EMIT_CONTENTS],
            Self::Clips => &[part::EMIT_CLIPS, part::CLIP_OF],
            Self::Blends => &[part::EMIT_BLENDS, part::EMIT_CONTENTS],
            Self::RootFix => &[part::EMIT_ROOT],
            Self::Host => &[part::EMIT_HOST],
            Self::LeafFix => &[part::EMIT_SUBTREE],
        }
    }

    /// How values flow down and grow up through a tile, of few chunks or of many.
    pub(crate) const fn through(self, few: bool) -> &'static [Fragment] {
        match (self, few) {
            (Self::Scene, true) => &[part::DOWN, part::UP, part::CHUNKS_LOOP, part::CELLS_GROW],
            (Self::Scene, false) => {
                &[part::DOWN, part::UP, part::CHUNKS_TREE, part::FOLD, part::FOLD_GROW]
            }
            (Self::Clips | Self::RootFix | Self::Host, _) => {
                &[part::DOWN, part::UP_NOTHING, part::CELLS]
            }
            (Self::Blends | Self::LeafFix, true) => {
                &[part::DOWN_NOTHING, part::UP, part::CHUNKS_LOOP, part::CELLS_GROW]
            }
            (Self::Blends | Self::LeafFix, false) => {
                &[part::DOWN_NOTHING, part::UP, part::CHUNKS_TREE, part::FOLD, part::FOLD_GROW]
            }
        }
    }

    /// Where it learns how many elements there are.
    pub(crate) const fn stream(self) -> &'static [Fragment] {
        match self {
            Self::Host => &[part::ELEMENTS, part::ELEMENT_COUNT_HOST, part::HOST],
            _ => &[part::ELEMENTS, part::ELEMENT_COUNT],
        }
    }

    /// The uniforms that say so, and where things lie.
    pub(crate) fn uniforms(self) -> Vec<(Binding, Access)> {
        let params = (self != Self::Host).then_some((Binding::Params, Access::Uniform));
        params.into_iter().chain([(Binding::Plan, Access::Uniform)]).collect()
    }

    /// Whether it is a scene in buffers of ours.
    pub(crate) const fn is_scene(self) -> bool {
        matches!(self, Self::Scene | Self::Clips | Self::Blends)
    }

    /// Whether its values are of the caller's monoid.
    pub const fn is_generic(self) -> bool {
        matches!(self, Self::RootFix | Self::LeafFix)
    }
}
