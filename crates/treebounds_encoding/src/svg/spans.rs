//! Finds the source element of each part of a text.

use crate::geometry::Extent;
use usvg::layout::{PositionedGlyph, Span};
use usvg::{Path, Text, WritingMode};
use usvg_css::Letters;

/// Returns the object of each child of the flattened text; `None` if that cannot be determined.
///
/// usvg lays out a text as spans in order, at least one per run of letters in the document. It paints each span as a
/// line above it, a line under it, its outlines, and a line through it, without naming the source element. But it drops
/// no letter, so the letters of the spans are the input letters.
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

/// Returns the lines over and under the letters of a text, with their boxes in browsers, in the coordinates of the
/// text.
///
/// usvg reads the position and thickness of a line from the font. Chromium draws a line with a tenth of the font size
/// as its thickness: on top of the ascent, or half its thickness below the baseline. Lines of rotated letters are not
/// listed.
pub(super) fn lines(text: &Text) -> Vec<(&Path, Extent)> {
    let mut out = Vec::new();
    if text.writing_mode() != WritingMode::LeftToRight {
        return out;
    }
    for span in text.layouted() {
        let is_turned = |glyph: &PositionedGlyph| {
            let turned = glyph.transform();
            turned.kx != 0.0 || turned.ky != 0.0
        };
        let [first, ..] = &*span.positioned_glyphs else { continue };
        if span.positioned_glyphs.iter().any(is_turned) {
            continue;
        }
        let thickness = f64::from(span.font_size.get() / 10.0).max(1.0);
        for (line, is_over) in [(&span.overline, true), (&span.underline, false)] {
            let Some(path) = line else { continue };
            let ([start, .., end, _] | [start, .., end]) = path.data().points() else { continue };
            let (top, bottom) = (f64::from(start.y), f64::from(end.y));
            // The middle of the first line, relative to its baseline.
            let middle = (top + bottom) / 2.0 - f64::from(first.transform().ty);
            let place = if is_over { middle - thickness } else { (thickness / 2.0).ceil() };
            let old = middle - (bottom - top) / 2.0;
            let mut area = Extent::from(path.data().bounds());
            area.y0 += place - old;
            area.y1 += place + thickness - (old + bottom - top);
            let pen = path.stroke().map_or(0.0, |stroke| f64::from(stroke.width().get()) / 2.0);
            out.push((path, area.inflate(pen, pen)));
        }
    }
    out
}

/// Whether the paths share their data. Lines are painted as they were laid out.
pub(super) fn is_same(a: &Path, b: &Path) -> bool {
    std::ptr::eq(a.data(), b.data())
}

fn has_ink(span: &Span) -> bool {
    let is_blank = |text: &str| text.chars().all(char::is_whitespace);
    !span.positioned_glyphs.iter().all(|glyph| is_blank(&glyph.text))
}

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
