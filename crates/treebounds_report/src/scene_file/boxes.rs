//! Optional boxes in scene files. An empty box is `null`, and a missing field is `None`.

use crate::report::boxes;
use serde::{Deserialize, Deserializer, Serialize};
use treebounds_core::Rect;

#[derive(Serialize, Deserialize)]
#[serde(transparent)]
struct Written(#[serde(with = "boxes")] Rect);

/// Reads a field that is present, even if it is `null`.
pub(super) fn stated<'de, D: Deserializer<'de>, T: Deserialize<'de>>(
    reader: D,
) -> Result<Option<T>, D::Error> {
    T::deserialize(reader).map(Some)
}

pub(super) mod optional {
    use super::{Deserialize, Deserializer, Rect, Serialize, Written};
    use serde::Serializer;

    pub(in super::super) fn serialize<S: Serializer>(
        rect: &Option<Rect>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        rect.map(Written).serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<Option<Rect>, D::Error> {
        Written::deserialize(reader).map(|Written(rect)| Some(rect))
    }
}

pub(super) mod list {
    use super::{Deserialize, Deserializer, Rect, Serialize, Written};
    use serde::Serializer;

    pub(in super::super) fn serialize<S: Serializer>(
        rects: &Option<Vec<Rect>>,
        serializer: S,
    ) -> Result<S::Ok, S::Error> {
        let written = rects.iter().flatten().map(|rect| Written(*rect));
        written.collect::<Vec<_>>().serialize(serializer)
    }

    pub(in super::super) fn deserialize<'de, D: Deserializer<'de>>(
        reader: D,
    ) -> Result<Option<Vec<Rect>>, D::Error> {
        let written = Vec::<Written>::deserialize(reader)?;
        Ok(Some(written.into_iter().map(|Written(rect)| rect).collect()))
    }
}
