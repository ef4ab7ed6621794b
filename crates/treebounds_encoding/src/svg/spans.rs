//! Which element each part of a text came from.

use usvg::layout::Span;
use usvg::{Path, Text};
use usvg_css::Letters;

/// The object of each child of the flattened text; `None` if that cannot be decided.
///
/// usvg lays a text out as spans, at least one for each run of letters of the document, in order. It paints each span as a
/// line above it, a line under it, its outlines, and a line through it, and does not say which element the letters were in.
/// But it drops no letter, so the letters of the spans are those that it was given.
pub(crate) fn text_objects(text: &Text, letters: &[Letters]) -> Option<Vec<u32>> {
    let spans = span_objects(text, letters)?;
    let layout = text.layouted();
    if layout.len() != spans.len() {
        return None;
    }
    let mut children = text.flattened().children().iter().peekable();
    let mut out = Vec::new();
    for (span, object) in layout.iter().zip(spans) {
        let mut take = |is_wanted: bool, is_it: &dyn Fn(&Path) -> bool| {
            if is_wanted
                && children
                    .next_if(|node| matches!(node, usvg::Node::Path(path) if is_it(path)))
                    .is_some()
            {
                out.push(object);
            }
        };
        let lines = [&span.overline, &span.underline];
        for line in lines.into_iter().flatten() {
            take(true, &|path| is_same(path, line));
        }
        let is_line = |path: &Path| span.line_through.iter().any(|line| is_same(path, line));
        take(has_ink(span), &|path| !is_line(path));
        if let Some(line) = &span.line_through {
            take(true, &|path| is_same(path, line));
        }
    }
    children.next().is_none().then_some(out)
}

/// Whether both share their data: lines are painted as they were laid out.
fn is_same(a: &Path, b: &Path) -> bool {
    std::ptr::eq(a.data(), b.data())
}

/// Whether the span has visible letters.
fn has_ink(span: &Span) -> bool {
    let is_blank = |text: &str| text.chars().all(char::is_whitespace);
    !span.positioned_glyphs.iter().all(|glyph| is_blank(&glyph.text))
}

/// The object of each span.
fn span_objects(text: &Text, letters: &[Letters]) -> Option<Vec<u32>> {
    let mut left = letters.iter().copied();
    let mut now = Letters { element: letters.first()?.element, count: 0 };
    let mut out = Vec::new();
    for chunk in text.chunks() {
        for span in chunk.spans() {
            let count = chunk.text().get(span.start()..span.end())?.chars().count();
            while count > 0 && now.count == 0 {
                now = left.next()?;
            }
            out.push(now.element);
            // A span never covers two runs of letters.
            now.count = now.count.checked_sub(count)?;
        }
    }
    (now.count == 0 && left.all(|rest| rest.count == 0)).then_some(out)
}
