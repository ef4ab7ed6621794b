//! What it takes to lay out a text.
//!
//! usvg lays out a chunk at a time: what follows an absolute position, up to the
//! next. For every letter of a chunk it counts the letters before, and for every
//! span of it (a stretch of text between two tags) it shapes the whole chunk anew.

use super::links::attribute;
use crate::read::NAMESPACE;
use usvg::roxmltree::{Document, Node};

/// How many steps it takes to find and load the font of a span.
const SPAN: u64 = 75_000;

/// How many steps it takes to read one vertex of a path that text is set on.
const VERTEX: u64 = 500;

/// How many steps it takes to shape one letter once more.
const SHAPE: u64 = 500;

/// How much there is in a document.
#[derive(Clone, Copy)]
pub(super) struct All {
    /// Bytes of text.
    letters: u64,
    /// Nodes.
    nodes: u64,
}

/// The steps for one text. What is shown by reference is as long as `all` text, and
/// `vertices` tells how many a path has that text is set on.
pub(super) fn steps<'a, 'i>(
    text: Node<'a, 'i>,
    all: &impl Fn() -> All,
    vertices: &impl Fn(Node<'a, 'i>) -> u64,
) -> u64 {
    let mut layout = Layout::default();
    // Each with how many letters of all, from the first, have a position in it.
    let mut open = vec![(text, 0)];
    while let Some((node, positioned)) = open.pop() {
        if node.is_text() {
            layout.span(node.text().unwrap_or_default(), positioned);
            continue;
        }
        let name = node.tag_name().name();
        if !matches!(node.tag_name().namespace(), None | Some(NAMESPACE)) {
            continue;
        }
        match name {
            "text" | "tspan" | "a" => {}
            "textPath" if node.parent() == Some(text) => layout.set_on(vertices(node)),
            "tref" => {
                layout.add(all().letters, all().letters);
                layout.steps = layout.steps.saturating_add(all().nodes);
                continue;
            }
            _ => continue,
        }
        layout.stretched |= attribute(node, "textLength").is_some();
        let own = if name == "textPath" { 0 } else { positions(node) };
        let positioned = positioned.max(layout.letters.saturating_add(own));
        open.extend(node.children().rev().map(|child| (child, positioned)));
    }
    layout.finish()
}

/// How much there is in a document.
pub(super) fn all(document: &Document) -> All {
    let mut all = All { letters: 0, nodes: 0 };
    for node in document.descendants() {
        all.nodes += 1;
        if node.is_text() {
            all.letters += node.text().map_or(0, str::len) as u64;
        }
    }
    all
}

/// How many stretches of text usvg makes of the children of an element in a text.
pub(super) fn stretches(node: Node) -> u64 {
    if node.tag_name().name() == "tref" {
        return 1;
    }
    node.children().filter(Node::is_text).count() as u64
}

/// How many letters there are directly inside of an element, or more.
pub(super) fn letters(node: Node) -> u64 {
    if node.tag_name().name() == "tref" {
        return u64::MAX;
    }
    let texts = node.children().filter(Node::is_text);
    texts.map(|text| text.text().map_or(0, str::len) as u64).sum()
}

/// A text, as far as it was read.
#[derive(Default)]
struct Layout {
    letters: u64,
    chunk: Chunk,
    /// Whether a length is given anywhere, for which the letters are looked up.
    stretched: bool,
    /// How many vertices the paths have that the text is set on.
    vertices: u64,
    steps: u64,
}

#[derive(Default)]
struct Chunk {
    letters: u64,
    bytes: u64,
    spans: u64,
}

impl Layout {
    /// Sets text on a path of so many vertices, which is read anew for it.
    fn set_on(&mut self, vertices: u64) {
        self.vertices = self.vertices.saturating_add(vertices);
        self.steps = self.steps.saturating_add(vertices.saturating_mul(VERTEX));
    }

    /// Reads a stretch of text, of which the letters before `positioned`, counted
    /// from the beginning of all, have a position each.
    fn span(&mut self, text: &str, positioned: u64) {
        if text.is_empty() {
            return;
        }
        let (letters, bytes) = (text.chars().count() as u64, text.len() as u64);
        let alone = positioned.saturating_sub(self.letters).min(letters);
        if alone > 0 && !text.trim().is_empty() {
            self.close();
            // All but the last of them are chunks of one letter.
            self.letters += alone - 1;
            self.steps = self.steps.saturating_add((alone - 1).saturating_mul(SPAN));
            self.add(letters - (alone - 1), bytes - (alone - 1));
        } else {
            self.add(letters, bytes);
        }
    }

    fn add(&mut self, letters: u64, bytes: u64) {
        self.letters = self.letters.saturating_add(letters);
        self.chunk.letters = self.chunk.letters.saturating_add(letters);
        self.chunk.bytes = self.chunk.bytes.saturating_add(bytes);
        self.chunk.spans += 1;
    }

    /// Pays for a chunk, but for what every letter costs once.
    fn close(&mut self) {
        let chunk = std::mem::take(&mut self.chunk);
        let looks = 1 + u64::from(self.stretched) + u64::from(chunk.spans > 1);
        let look = chunk.bytes.saturating_mul(looks);
        let shape = chunk.spans.saturating_sub(1).saturating_mul(SHAPE);
        let steps = chunk.letters.saturating_mul(look.saturating_add(shape));
        let steps = steps.saturating_add(chunk.spans.saturating_mul(SPAN));
        self.steps = self.steps.saturating_add(steps);
    }

    fn finish(mut self) -> u64 {
        self.close();
        self.steps.saturating_add(self.letters.saturating_mul(self.vertices))
    }
}

/// How many letters of an element have a position, by the numbers that there are
/// before the first that is none.
pub(super) fn positions(node: Node) -> u64 {
    let count = |name| attribute(node, name).map_or(0, numbers);
    count("x").max(count("y"))
}

fn numbers(list: &str) -> u64 {
    let words = list.split([' ', '\t', '\n', '\r', ',']).filter(|word| !word.is_empty());
    words.take_while(|word| is_length(word)).count() as u64
}

fn is_length(word: &str) -> bool {
    let number = word.trim_end_matches(|letter: char| letter.is_ascii_lowercase() || letter == '%');
    let digits = number.bytes().all(|byte| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.'));
    digits && number.parse().is_ok_and(f64::is_finite)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn of(text: &str) -> u64 {
        let document = Document::parse(text).unwrap();
        let steps = steps(document.root_element(), &|| all(&document), &|_| 7);
        steps % SPAN
    }

    #[test]
    fn a_chunk_is_paid_for_by_the_square() {
        assert_eq!(of("<text>abcd</text>"), 16);
        assert_eq!(of("<text>\u{e9}\u{e9}</text>"), 8);
        assert_eq!(of("<text textLength='9'>abcd</text>"), 32);
        assert_eq!(of("<text>ab<title>other</title></text>"), 4);
        assert_eq!(of("<text>ab<tspan>cd</tspan></text>"), 4 * (2 * 4 + SHAPE));
        assert_eq!(of("<text>ab<tref href='#a'/></text>"), 4 + 4 * (2 * 4 + SHAPE));
        assert_eq!(of("<text><textPath href='#p'>ab</textPath></text>"), 4 + 2 * 7 + 7 * VERTEX);
        assert_eq!(of("<text><textPath href='#p'/></text>"), 7 * VERTEX, "read though empty");
        let foreign = "<text xmlns:f='urn:f'>ab<f:tspan x='1'>cd</f:tspan></text>";
        assert_eq!(of(foreign), 4);
    }

    #[test]
    fn positions_begin_chunks() {
        assert_eq!(of("<text>ab<tspan x='1'>cd</tspan></text>"), 8);
        assert_eq!(of("<text x='1 2px 3'>abcd</text>"), 4);
        assert_eq!(of("<text x='1 2 3'>abcd<tspan>e</tspan></text>"), 3 * (2 * 3 + SHAPE));
        let inner = "<text>ab<tspan x='1 2 3 4 5'>c</tspan>de</text>";
        assert_eq!(of(inner), 4 + 3 * (2 * 3 + SHAPE), "no further than the element");
        assert_eq!(of("<text x='a 2 3'>abcd</text>"), 16);
        assert_eq!(of("<text>ab<tspan x='3'> </tspan>c</text>"), 4 * (2 * 4 + 2 * SHAPE));
    }
}
