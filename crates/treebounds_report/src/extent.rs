//! A rect as reports write it.

use serde::{Serialize, Serializer};
use treebounds_core::Rect;

/// Writes a rect: `null` where empty, `"everything"` for the whole plane, else
/// `[x0, y0, x1, y1]`.
///
/// Its numbers are the shortest that read back to the same `f32`.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Extent(pub(crate) Rect);

impl Serialize for Extent {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if self.0.is_empty() {
            serializer.serialize_none()
        } else if self.0 == Rect::EVERYTHING {
            serializer.serialize_str("everything")
        } else {
            self.0.to_array().serialize(serializer)
        }
    }
}

/// For `#[serde(serialize_with)]`.
pub(crate) fn serialize<S: Serializer>(rect: &Rect, serializer: S) -> Result<S::Ok, S::Error> {
    Extent(*rect).serialize(serializer)
}
