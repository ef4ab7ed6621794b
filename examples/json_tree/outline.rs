//! Computes totals for every array and object, with products along paths and over subtrees.

use crate::structure::{Document, Problem, token_len};
use bytemuck::{Pod, Zeroable};
use comfy_table::{Cell, CellAlignment, Table, presets};
use std::cmp::Reverse;
use treebounds_core::{Monoid, NONE, NodeKind, Role, Tag};
use treebounds_examples::{Backend, WgslMonoid};

/// Numbers under addition, whose sum along a path is the depth.
#[repr(transparent)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Depth(u32);

impl Monoid for Depth {
    const IDENTITY: Self = Self(0);

    fn combine(&self, later: &Self) -> Self {
        Self(self.0.wrapping_add(later.0))
    }
}

impl WgslMonoid for Depth {
    const WGSL: &str = "
alias Input = u32;
alias Product = u32;
alias Output = u32;

fn product_identity() -> Product { return 0u; }
fn product_load(input: Input) -> Product { return input; }
fn product_combine(first: Product, second: Product) -> Product { return first + second; }
fn product_store(product: Product) -> Output { return product; }
";
}

/// Totals over some values: their number, their maximum depth, and their bytes of text.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Size {
    values: u32,
    deepest: u32,
    text: u32,
}

impl Monoid for Size {
    const IDENTITY: Self = Self { values: 0, deepest: 0, text: 0 };

    /// No sum exceeds the number of bytes in the file, which fits 32 bits.
    fn combine(&self, later: &Self) -> Self {
        Self {
            values: self.values.wrapping_add(later.values),
            deepest: self.deepest.max(later.deepest),
            text: self.text.wrapping_add(later.text),
        }
    }
}

/// The WGSL implementation. The struct has 12 bytes, also in arrays.
impl WgslMonoid for Size {
    const WGSL: &str = "
struct Size { values: u32, deepest: u32, text: u32 }
alias Input = Size;
alias Product = Size;
alias Output = Size;

fn product_identity() -> Product { return Size(0u, 0u, 0u); }
fn product_load(input: Input) -> Product { return input; }
fn product_store(product: Product) -> Output { return product; }

fn product_combine(first: Product, second: Product) -> Product {
    return Size(
        first.values + second.values,
        max(first.deepest, second.deepest),
        first.text + second.text,
    );
}
";
}

/// The totals of a value and everything inside it.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Subtree {
    /// The number of values, including itself.
    values: u32,
    /// The number of nested arrays and objects, including itself.
    depth: u32,
    /// The bytes of all its strings in UTF-8, without escapes. Keys do not count.
    text: u32,
}

/// Documents as a stream of elements: brackets and the values between them.
#[derive(Default)]
pub(crate) struct Outline<'a> {
    tags: Vec<Tag>,
    /// The amount of text in each element, excluding its children.
    text: Vec<u32>,
    places: Vec<Place<'a>>,
}

struct Place<'a> {
    /// The enclosing array or object, or [`NONE`].
    parent: u32,
    name: Name<'a>,
}

#[derive(Clone, Copy)]
enum Name<'a> {
    /// A single document.
    Root,
    /// The document on a line, counted from 1.
    Line(usize),
    Index(u32),
    /// A key as written, without its quotes.
    Key(&'a str),
}

struct Open<'a> {
    element: u32,
    is_object: bool,
    values: u32,
    key: Option<&'a str>,
}

impl<'a> Outline<'a> {
    /// Adds a JSON document: its brackets outside strings, and the values between them. Adds
    /// nothing if a string cannot be decoded.
    pub(crate) fn add(&mut self, document: &Document<'_>, json: &'a str) -> Result<(), Problem> {
        let elements = self.tags.len();
        let added = self.add_tokens(document, json);
        if added.is_err() {
            self.tags.truncate(elements);
            self.text.truncate(elements);
            self.places.truncate(elements);
        }
        added
    }

    fn add_tokens(&mut self, document: &Document<'_>, json: &'a str) -> Result<(), Problem> {
        let root = document.line().map_or(Name::Root, Name::Line);
        let mut open: Vec<Open<'_>> = Vec::new();
        let mut at = 0;
        while let Some(byte) = json.as_bytes().get(at).copied() {
            let end = at + token_len(&json.as_bytes()[at..]);
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => {}
                b'[' | b'{' => {
                    self.push(Tag::begin(NodeKind::Clip), 0, open.last_mut(), root);
                    let element = self.tags.len() as u32 - 1;
                    open.push(Open { element, is_object: byte == b'{', values: 0, key: None });
                }
                b']' | b'}' => {
                    open.pop();
                    self.push(Tag::end(NodeKind::Clip), 0, None, root);
                }
                b'"' => match open.last_mut() {
                    Some(around) if around.is_object && around.key.is_none() => {
                        around.key = Some(&json[at + 1..end - 1]);
                    }
                    around => {
                        let text: String = serde_json::from_str(&json[at..end]).map_err(|_| {
                            document.problem_after(at + 1, "a string with a lone surrogate")
                        })?;
                        self.push(Tag::DRAW, text.len() as u32, around, root);
                    }
                },
                _ => self.push(Tag::DRAW, 0, open.last_mut(), root),
            }
            at = end;
        }
        Ok(())
    }

    fn push(&mut self, tag: Tag, text: u32, around: Option<&mut Open<'a>>, root: Name<'a>) {
        let mut place = Place { parent: NONE, name: root };
        if let Some(around) = around {
            place.parent = around.element;
            place.name = around.key.take().map_or(Name::Index(around.values), Name::Key);
            around.values += 1;
        }
        self.tags.push(tag);
        self.text.push(text);
        self.places.push(place);
    }

    /// Returns the totals of each element.
    pub(crate) fn subtrees(&self, backend: &Backend) -> anyhow::Result<Vec<Subtree>> {
        let is_begin = |tag: &Tag| u32::from(tag.role() == Role::Begin);
        let levels: Vec<Depth> = self.tags.iter().map(|tag| Depth(is_begin(tag))).collect();
        let depths = backend.root_fix(&self.tags, &levels)?;
        let own = |(depth, text): (&Depth, &u32)| Size { values: 1, deepest: depth.0, text: *text };
        let own: Vec<Size> = depths.iter().zip(&self.text).map(own).collect();
        let sizes = backend.leaf_fix(&self.tags, &own)?;
        let subtree = |((tag, depth), size): ((&Tag, &Depth), Size)| Subtree {
            values: size.values,
            // The node itself is already counted on its path.
            depth: (size.deepest + u32::from(tag.is_marker())).wrapping_sub(depth.0),
            text: size.text,
        };
        Ok(self.tags.iter().zip(&depths).zip(sizes).map(subtree).collect())
    }

    /// Returns the elements that are values, in file order.
    fn values(&self) -> impl Iterator<Item = usize> {
        (0..self.tags.len()).filter(|element| self.tags[*element].role() != Role::End)
    }

    /// Returns the table of the arrays and objects with the most values.
    pub(crate) fn table(&self, subtrees: &[Subtree], rows: usize) -> String {
        let is_begin = |element: &usize| self.tags[*element].role() == Role::Begin;
        let mut nodes: Vec<usize> = self.values().filter(is_begin).collect();
        nodes.sort_by_key(|node| Reverse((subtrees[*node].values, subtrees[*node].text)));
        let mut table = Table::new();
        table.load_style(presets::NOTHING).set_header(["values", "depth", "text", "path"]);
        for node in nodes.iter().take(rows) {
            let Subtree { values, depth, text } = subtrees[*node];
            let number = |number: u32| Cell::new(number).set_alignment(CellAlignment::Right);
            table.add_row([number(values), number(depth), number(text), self.path(*node).into()]);
        }
        table.lines().map(|line| format!("{}\n", line.trim_end())).collect()
    }

    /// Returns the path to an element from the root `$`. Long paths are truncated at the start.
    fn path(&self, element: usize) -> String {
        let (mut path, mut element) = (String::new(), element);
        while path.len() < 60 {
            let Some(place) = self.places.get(element) else { break };
            let name = match place.name {
                Name::Root => return format!("${path}"),
                Name::Line(line) => return format!("line {line} ${path}"),
                Name::Index(index) => format!("[{index}]"),
                Name::Key(key) if key.chars().all(|c| c == '_' || c.is_alphanumeric()) => {
                    format!(".{key}")
                }
                Name::Key(key) => format!("[\"{key}\"]"),
            };
            path.insert_str(0, &name);
            element = place.parent as usize;
        }
        format!("...{path}")
    }
}
