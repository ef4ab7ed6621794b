//! Writes the stream of a failing test as a scene file, for `svg_clips`, other renderers and `SceneFile`.

use std::fmt::Write;
use std::hash::{DefaultHasher, Hash, Hasher};
use treebounds_core::{Rect, Role, Stream};

/// The maximum number of elements to print. Longer streams are written to a file.
const PRINTED: usize = 40;

/// Returns the text that a failing test prints about its stream: a scene file or, for a long stream, the path of one in the
/// temporary folder.
pub fn failing(stream: &Stream) -> String {
    let text = scene_text(stream);
    if stream.len() > PRINTED {
        let mut hasher = DefaultHasher::new();
        text.hash(&mut hasher);
        let name = format!("treebounds-{:016x}.scene.json", hasher.finish());
        let path = std::env::temp_dir().join(name);
        if std::fs::write(&path, &text).is_ok() {
            return format!("the scene is in {}", path.display());
        }
    }
    format!("the scene is\n{text}")
}

/// Returns a scene file with this stream. `SceneFile::capture` of `treebounds_report` writes the same scene. This function
/// depends only on the core, so that the core's own tests can use it.
pub fn scene_text(stream: &Stream) -> String {
    let mut elements = Vec::new();
    for (tag, rect) in stream.tags().iter().zip(stream.rects()) {
        let mut element = format!("{{\"kind\": \"{}\"", tag.name());
        if tag.role() != Role::End {
            let (field, sides) = match tag.is_spread() {
                true => ("footprint", sides(*rect)),
                false => ("rect", written(*rect)),
            };
            // Writing to a string cannot fail.
            _ = write!(element, ", \"{field}\": {sides}");
        }
        for (field, is_on) in [("non_local", tag.is_non_local()), ("fills", tag.is_filling())] {
            if is_on {
                _ = write!(element, ", \"{field}\": true");
            }
        }
        elements.push(format!("\n  {element}}}"));
    }
    let (viewport, elements) = (written(stream.viewport()), elements.join(","));
    format!(
        "{{\n \"schema\": \"treebounds.scene/1\",\n \"viewport\": {viewport},\n \"elements\": [{elements}\n ]\n}}\n"
    )
}

fn written(rect: Rect) -> String {
    match rect {
        Rect::NOTHING => "null".into(),
        Rect::EVERYTHING => "\"everything\"".into(),
        rect => sides(rect),
    }
}

fn sides(rect: Rect) -> String {
    format!("{:?}", rect.to_array())
}
