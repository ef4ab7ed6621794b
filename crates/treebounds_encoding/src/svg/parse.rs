//! From text to a parsed drawing.

use super::fonts::Fonts;
use super::images::Linked;
use super::objects::Objects;
use super::rewrite::{Source, rewrite};
use super::{Options, SvgError, values};
use kurbo::Rect;
use std::collections::HashMap;
use treebounds_report::Ignored;
use usvg::{Node, Tree};
use usvg_guard::{LeftOut, Limits, document};

/// A parsed drawing, and the parts of it that were left out.
pub(super) struct Parsed {
    pub(super) tree: Tree,
    pub(super) notes: Vec<String>,
    pub(super) objects: Objects,
    pub(super) ignored: Vec<Ignored>,
}

/// Parses a text that the guard accepts. Must run on a large stack.
pub(super) fn parse(text: &str, options: &Options, fonts: &Fonts) -> Result<Parsed, SvgError> {
    let limits = Limits::default();
    let images = Linked::new(options.files(), options.media, fonts);
    let original = document(text, &limits)?;
    let read = |texts: &HashMap<u32, Rect>| {
        let source = Source { media: options.media, fonts, images: &images, texts };
        let rewritten = rewrite(&original, &limits, &source, false)?;
        let (wants_texts, text) = (rewritten.wants_texts, rewritten.text);
        let (objects, mut ignored) = (rewritten.objects, rewritten.ignored);
        let read = usvg_guard::read(&text, &limits, usvg_options(fonts), &images)?;
        ignored.extend(read.left_out.into_iter().map(|one| {
            let object = one.element.strip_prefix('#').and_then(|id| objects.find(id));
            let object = object.unwrap_or_default();
            Ignored { object, what: one.what.into(), effect: LeftOut::WHY.into() }
        }));
        ignored.sort_by_key(|one| one.object);
        let parsed = Parsed { tree: read.tree, notes: read.notes, objects, ignored };
        Ok::<_, SvgError>((parsed, wants_texts))
    };
    let (parsed, wants_texts) = read(&HashMap::new())?;
    let texts = if wants_texts { texts(&parsed) } else { HashMap::new() };
    if texts.is_empty() { Ok(parsed) } else { Ok(read(&texts)?.0) }
}

/// The boxes of texts, in their own coordinates: only usvg can measure them.
fn texts(parsed: &Parsed) -> HashMap<u32, Rect> {
    let mut found = HashMap::new();
    let mut open = vec![parsed.tree.root()];
    while let Some(group) = open.pop() {
        for node in group.children() {
            match node {
                Node::Group(group) => open.push(group),
                Node::Text(text) => {
                    let area = text.bounding_box();
                    let edges = [area.left(), area.top(), area.right(), area.bottom()];
                    let [x0, y0, x1, y1] = edges.map(f64::from);
                    let object = parsed.objects.find(text.id());
                    found.extend(object.map(|object| (object, Rect::new(x0, y0, x1, y1))));
                }
                _ => {}
            }
        }
    }
    found
}

/// Options for usvg, with these fonts.
fn usvg_options(fonts: &Fonts) -> usvg::Options<'_> {
    usvg::Options {
        font_size: values::FONT_SIZE as f32,
        font_family: fonts.default_family(),
        fontdb: fonts.database(),
        font_resolver: fonts.resolver(),
        ..usvg::Options::default()
    }
}
