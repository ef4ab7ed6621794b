use peniko::{Blob, FontData};
use std::sync::OnceLock;

/// Returns the font DejaVu Sans.
pub fn font() -> &'static FontData {
    static FONT: OnceLock<FontData> = OnceLock::new();
    FONT.get_or_init(|| FontData::new(Blob::from(dejavu::sans::regular().to_vec()), 0))
}
