//! The reasons why an element cannot be seen.

use crate::{Part, SourceDocument};
use serde::{Deserialize, Serialize};
use std::{borrow::Cow, fmt};
use treebounds_core::NodeKind;

/// What hides something.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Cutter {
    /// Outside the canvas.
    Canvas,
    /// Outside a clip.
    Clip,
    /// Outside a mask.
    Mask,
    /// In a layer with an opacity of 0.
    Opacity,
    /// Outside a filter's region or a layer's extent.
    Region,
    /// Without visible content.
    Empty,
    /// A definition that is never used.
    Definition,
    /// A definition that is painted only where it is referenced.
    Reference,
    /// Hidden by `display: none` or `visibility: hidden`.
    Hidden,
}

impl Cutter {
    /// Returns how the node that begins at this element hides its content.
    pub(crate) fn of_node(
        document: Option<&SourceDocument>,
        ix: u32,
        kind: Option<NodeKind>,
    ) -> Self {
        match document.and_then(|document| document.cut(ix)) {
            Some(cut) if cut.transparent => Self::Opacity,
            Some(cut) if cut.clip.is_some() => Self::Clip,
            Some(cut) if cut.mask.is_some() => Self::Mask,
            _ if matches!(kind, Some(NodeKind::Clip | NodeKind::ClipBlend)) => Self::Clip,
            _ => Self::Region,
        }
    }

    /// Returns why an object has no elements.
    pub(crate) fn of_part(part: Part) -> Self {
        match part {
            Part::Painted => Self::Empty,
            Part::Definition => Self::Definition,
            Part::Hidden => Self::Hidden,
        }
    }
}

/// The reason why an element or an object has no bounds.
#[derive(Clone, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub struct Reason<'a> {
    /// What hides it.
    pub by: Cutter,
    /// The index of the outermost node in which nothing of it remains visible, if there is one.
    #[serde(default)]
    pub ix: Option<u32>,
    /// The id of that node.
    #[serde(default)]
    pub node: Option<Cow<'a, str>>,
    /// The id of its clip path or mask.
    #[serde(default)]
    pub path: Option<Cow<'a, str>>,
}

impl Reason<'_> {
    pub(crate) fn only(by: Cutter) -> Self {
        Self { by, ix: None, node: None, path: None }
    }
}

/// Formats the reason for a table: `outside the clip #hole of #card`, `opacity 0 of #glass`,
/// `outside the canvas`.
impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.by {
            Cutter::Canvas => "outside the canvas",
            Cutter::Clip => "outside the clip",
            Cutter::Mask => "outside the mask",
            Cutter::Opacity => "opacity 0",
            Cutter::Region => "outside the filter region or layer",
            Cutter::Empty => "nothing in it is visible",
            Cutter::Definition => "a definition that nothing uses",
            Cutter::Reference => "a definition; only what refers to it is painted",
            Cutter::Hidden => "display: none or visibility: hidden",
        })?;
        if let Some(path) = &self.path {
            write!(f, " #{path}")?;
        }
        match &self.node {
            Some(node) => write!(f, " of #{node}"),
            None => Ok(()),
        }
    }
}
