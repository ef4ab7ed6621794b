//! The structure of a JSON file from its brackets: how many values there are in
//! every array and object, how deep they nest and how much text they hold.
//!
//! ```text
//! cargo run --release --example json_tree -- file.json
//! ```
//!
//! A bracket opens or closes a node, a value between brackets is a leaf. Two
//! products make the answer:
//!
//! ```text
//!           [   1   [   "ab"   ]   ]
//! down      1   1   2   2      2   1     how many arrays are around a value
//! up        4   1   2   1      2   4     how many values are in each subtree,
//!           2   1   2   2      2   2     the greatest number from above in it,
//!           2   0   2   2      2   2     and the bytes of its text
//! ```
//!
//! How deep a subtree is, is then the difference of two numbers.

use anyhow::Context;
use bytemuck::{Pod, Zeroable};
use clap::Parser;
use comfy_table::{Cell, CellAlignment, Table, presets};
use serde::de::IgnoredAny;
use std::{cmp::Reverse, io::Write, ops::Range, path::PathBuf, process::ExitCode};
use treebounds_cli::options::{Quiet, Where};
use treebounds_cli::{Failure, Input, Progress};
use treebounds_core::{Monoid, NONE, NodeKind, Role, Tag};
use treebounds_examples::{Backend, WgslMonoid};

/// Counts the values, the levels and the text of every array and object of a
/// JSON file, and lists the largest.
#[derive(Debug, Parser)]
#[command(name = "json_tree", version, max_term_width = 100)]
struct Args {
    /// The file; - reads standard input
    #[arg(value_name = "FILE.json|-")]
    file: PathBuf,

    /// How many arrays and objects are listed
    #[arg(long, value_name = "N", default_value_t = 10)]
    rows: usize,

    #[command(flatten)]
    place: Where,

    #[command(flatten)]
    quiet: Quiet,
}

fn main() -> ExitCode {
    match run(&Args::parse()) {
        Ok(report) => {
            // A closed pipe is the reader's choice.
            let _ = std::io::stdout().write_all(report.as_bytes());
            ExitCode::SUCCESS
        }
        Err(failure) => failure.tell("json_tree"),
    }
}

fn run(args: &Args) -> Result<String, Failure> {
    let progress = Progress::new(args.quiet.quiet);
    progress.step("reading");
    let input = Input::named(&args.file);
    let bytes = input.read()?;
    let backend =
        Backend::open(args.place.backend).map_err(|failure| failure.about(&input.name))?;
    progress.step("counting");
    let report = report(&bytes, args, &backend).map_err(|error| input.bad(format!("{error:#}")))?;
    progress.finish();
    Ok(if args.quiet.quiet { String::new() } else { report })
}

fn report(bytes: &[u8], args: &Args, backend: &Backend) -> anyhow::Result<String> {
    // Reads all of it, however deep it nests, and keeps nothing.
    serde_json::from_slice::<IgnoredAny>(bytes).context("not JSON")?;
    let outline = Outline::of(std::str::from_utf8(bytes).context("not JSON")?)?;
    let subtrees = outline.subtrees(backend)?;
    Ok(outline.table(&subtrees, args.rows) + &format!("\nbackend  {backend}\n"))
}

/// Numbers under addition: along a path, how deep it leads.
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

/// Totals over some values: their number, the depth of the deepest, and their bytes of
/// text. Sums and a maximum.
#[repr(C)]
#[derive(Clone, Copy, Debug, PartialEq, Pod, Zeroable)]
struct Size {
    values: u32,
    deepest: u32,
    text: u32,
}

impl Monoid for Size {
    const IDENTITY: Self = Self { values: 0, deepest: 0, text: 0 };

    /// None of the sums is more than the bytes of the file, which fit 32 bits.
    fn combine(&self, later: &Self) -> Self {
        Self {
            values: self.values.wrapping_add(later.values),
            deepest: self.deepest.max(later.deepest),
            text: self.text.wrapping_add(later.text),
        }
    }
}

/// The same for the GPU. Three `u32` are 12 bytes, also in an array.
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
struct Subtree {
    /// How many values, itself included.
    values: u32,
    /// How many arrays and objects are in each other, itself included.
    depth: u32,
    /// Bytes of all its strings in UTF-8, without escapes. Keys do not count.
    text: u32,
}

/// The file as a stream of elements: brackets and the values between them.
struct Outline<'a> {
    json: &'a str,
    tags: Vec<Tag>,
    /// How much text an element has itself.
    text: Vec<u32>,
    places: Vec<Place>,
}

/// The place of a value.
struct Place {
    /// The element of the array or object around it, or [`NONE`].
    parent: u32,
    name: Name,
}

/// The name of a value in its parent.
enum Name {
    None,
    Index(u32),
    /// A key as written, without its quotes.
    Key(Range<usize>),
}

/// An array or object that is not yet closed.
struct Open {
    element: u32,
    is_object: bool,
    values: u32,
    /// The key of the next value.
    key: Option<Range<usize>>,
}

impl<'a> Outline<'a> {
    /// Finds the brackets outside of strings, and the values between them, in a text that is JSON.
    fn of(json: &'a str) -> anyhow::Result<Self> {
        let mut outline = Self { json, tags: Vec::new(), text: Vec::new(), places: Vec::new() };
        let mut open: Vec<Open> = Vec::new();
        let mut at = 0;
        while let Some(byte) = json.as_bytes().get(at).copied() {
            let end = at + token_len(&json.as_bytes()[at..]);
            match byte {
                b' ' | b'\t' | b'\n' | b'\r' | b',' | b':' => {}
                b'[' | b'{' => {
                    outline.push(Tag::begin(NodeKind::Clip), 0, open.last_mut());
                    let element = outline.tags.len() as u32 - 1;
                    open.push(Open { element, is_object: byte == b'{', values: 0, key: None });
                }
                b']' | b'}' => {
                    open.pop();
                    outline.push(Tag::end(NodeKind::Clip), 0, None);
                }
                b'"' => match open.last_mut() {
                    Some(around) if around.is_object && around.key.is_none() => {
                        around.key = Some(at + 1..end - 1);
                    }
                    around => {
                        let text: String = serde_json::from_str(&json[at..end])
                            .with_context(|| format!("not JSON: the string at byte {at}"))?;
                        outline.push(Tag::DRAW, text.len() as u32, around);
                    }
                },
                _ => outline.push(Tag::DRAW, 0, open.last_mut()),
            }
            at = end;
        }
        Ok(outline)
    }

    fn push(&mut self, tag: Tag, text: u32, around: Option<&mut Open>) {
        let mut place = Place { parent: NONE, name: Name::None };
        if let Some(around) = around {
            let index = Name::Index(around.values);
            place.parent = around.element;
            place.name = around.key.take().map_or(index, Name::Key);
            around.values += 1;
        }
        self.tags.push(tag);
        self.text.push(text);
        self.places.push(place);
    }

    /// What each element holds.
    fn subtrees(&self, backend: &Backend) -> anyhow::Result<Vec<Subtree>> {
        let is_begin = |tag: &Tag| u32::from(tag.role() == Role::Begin);
        let levels: Vec<Depth> = self.tags.iter().map(|tag| Depth(is_begin(tag))).collect();
        let depths = backend.root_fix(&self.tags, &levels)?;
        let own = |(depth, text): (&Depth, &u32)| Size { values: 1, deepest: depth.0, text: *text };
        let own: Vec<Size> = depths.iter().zip(&self.text).map(own).collect();
        let sizes = backend.leaf_fix(&self.tags, &own)?;
        let subtree = |((tag, depth), size): ((&Tag, &Depth), Size)| Subtree {
            values: size.values,
            // The node itself is counted on its path already.
            depth: (size.deepest + u32::from(tag.is_marker())).wrapping_sub(depth.0),
            text: size.text,
        };
        Ok(self.tags.iter().zip(&depths).zip(sizes).map(subtree).collect())
    }

    /// The elements that are values, in the order of the file.
    fn values(&self) -> impl Iterator<Item = usize> {
        (0..self.tags.len()).filter(|element| self.tags[*element].role() != Role::End)
    }

    /// The arrays and objects with the most values.
    fn table(&self, subtrees: &[Subtree], rows: usize) -> String {
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

    /// The path to an element from the root `$`, without its beginning where it
    /// is long.
    fn path(&self, element: usize) -> String {
        let (mut path, mut element) = (String::new(), element);
        while path.len() < 60 {
            let Some(place) = self.places.get(element) else { return format!("${path}") };
            path.insert_str(
                0,
                &match &place.name {
                    Name::None => String::new(),
                    Name::Index(index) => format!("[{index}]"),
                    Name::Key(key) => match &self.json[key.clone()] {
                        key if key.chars().all(|c| c == '_' || c.is_alphanumeric()) => {
                            format!(".{key}")
                        }
                        key => format!("[\"{key}\"]"),
                    },
                },
            );
            element = place.parent as usize;
        }
        format!("...{path}")
    }
}

/// The length of the token at the start of a text that is JSON.
fn token_len(rest: &[u8]) -> usize {
    let is_mark = |byte: &u8| b" \t\n\r,:[]{}\"".contains(byte);
    if rest[0] == b'"' {
        let mut escaped = false;
        let is_end = |byte: &u8| {
            let ends = *byte == b'"' && !escaped;
            escaped = *byte == b'\\' && !escaped;
            ends
        };
        return rest[1..].iter().position(is_end).map_or(rest.len(), |len| len + 2);
    }
    let len = if is_mark(&rest[0]) { Some(1) } else { rest.iter().position(is_mark) };
    len.unwrap_or(rest.len())
}
