//! Why something cannot be seen.

use crate::scene::{Document, Part};
use serde::Serialize;
use std::fmt;
use treebounds_core::NodeKind;

/// What cuts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Cutter {
    /// It is outside of the canvas.
    Canvas,
    /// A clip.
    Clip,
    /// A mask.
    Mask,
    /// A layer with an opacity of 0.
    Opacity,
    /// The region of a filter, or the extent of a layer.
    Region,
    /// Nothing in it is visible.
    Empty,
    /// It is a definition that nothing uses.
    Definition,
    /// `display: none` or `visibility: hidden`.
    Hidden,
}

impl Cutter {
    /// What cuts at the node that begins at this element.
    pub(crate) fn of_node(document: Option<&Document>, ix: u32, kind: Option<NodeKind>) -> Self {
        match document.and_then(|document| document.cut(ix)) {
            Some(cut) if cut.transparent => Self::Opacity,
            Some(cut) if cut.clip.is_some() => Self::Clip,
            Some(cut) if cut.mask.is_some() => Self::Mask,
            _ if matches!(kind, Some(NodeKind::Clip | NodeKind::ClipBlend)) => Self::Clip,
            _ => Self::Region,
        }
    }

    /// Why an object without elements has none.
    pub(crate) fn of_part(part: Part) -> Self {
        match part {
            Part::Painted => Self::Empty,
            Part::Definition => Self::Definition,
            Part::Hidden => Self::Hidden,
        }
    }

    /// The word of reports.
    pub fn name(self) -> &'static str {
        match self {
            Self::Canvas => "canvas",
            Self::Clip => "clip",
            Self::Mask => "mask",
            Self::Opacity => "opacity",
            Self::Region => "region",
            Self::Empty => "empty",
            Self::Definition => "definition",
            Self::Hidden => "hidden",
        }
    }
}

/// Why an element or an object has no bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct Reason<'a> {
    /// What cuts it.
    pub by: Cutter,
    /// The element that begins the node which cuts it, where a node does.
    pub ix: Option<u32>,
    /// The id of that node.
    pub node: Option<&'a str>,
    /// The id of its clip path or mask.
    pub path: Option<&'a str>,
}

impl Reason<'_> {
    /// This alone.
    pub(crate) fn only(by: Cutter) -> Self {
        Self { by, ix: None, node: None, path: None }
    }
}

/// For a table: `clip #card`, `opacity 0 of #glass`, `outside the canvas`.
impl fmt::Display for Reason<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self.by {
            Cutter::Canvas => "outside the canvas",
            Cutter::Clip => "outside the clip",
            Cutter::Mask => "outside the mask",
            Cutter::Opacity => "opacity 0",
            Cutter::Region => "outside the region of a filter or layer",
            Cutter::Empty => "nothing in it is visible",
            Cutter::Definition => "a definition that nothing uses",
            Cutter::Hidden => "display: none or visibility: hidden",
        })?;
        if let Some(path) = self.path {
            write!(f, " #{path}")?;
        }
        match self.node {
            Some(node) => write!(f, " of #{node}"),
            None => Ok(()),
        }
    }
}
