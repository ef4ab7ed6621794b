//! The box of every path of an encoding, those of glyph runs among them.

use super::VelloError;
use super::glyphs::Runs;
use super::segments::{Position, Segments, Streams};
use treebounds_core::Rect;
use vello_encoding::{Encoding, Patch, StreamOffsets};

/// The box of a path.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct PathBox {
    pub(super) rect: Rect,
    /// Whether the path is that of a glyph run.
    pub(super) is_run: bool,
}

/// The box of every path, in the order of the draw objects.
pub(super) fn boxes(
    encoding: &Encoding,
    notes: &mut Vec<String>,
) -> Result<Vec<PathBox>, VelloError> {
    let mut segments = Segments::new(Streams {
        tags: &encoding.path_tags,
        data: &encoding.path_data,
        transforms: &encoding.transforms,
        styles: &encoding.styles,
    });
    let mut runs = Runs::new(&encoding.resources);
    for patch in &encoding.resources.patches {
        if let Patch::GlyphRun { index } = *patch {
            read_to_run(&mut segments, index, &runs.get(index)?.stream_offsets)?;
            match runs.read(index, segments.boxes.len())? {
                Some((rect, pen)) => {
                    segments.boxes.push(PathBox { rect, is_run: true });
                    segments.pen = pen;
                }
                None => {
                    segments.boxes.push(PathBox { rect: Rect::NOTHING, is_run: true });
                    notes.push(format!(
                        "glyph run {index} was left out: its font cannot be read, or its stroke \
                         has no width"
                    ));
                }
            }
        }
    }
    segments.read_all()?;
    Ok(segments.boxes)
}

/// Reads the paths before a glyph run. A run says how far each stream was when
/// it was encoded.
fn read_to_run(
    segments: &mut Segments<'_>,
    run: usize,
    offsets: &StreamOffsets,
) -> Result<(), VelloError> {
    segments.read_to(offsets.path_tags)?;
    let place = Position {
        tags: offsets.path_tags,
        data: offsets.path_data,
        transforms: offsets.transforms,
        styles: offsets.styles,
    };
    if segments.at != place || segments.is_inside_path() {
        let problem = "the streams are not where it says they are";
        return Err(VelloError::BadGlyphRun { run, problem });
    }
    Ok(())
}
