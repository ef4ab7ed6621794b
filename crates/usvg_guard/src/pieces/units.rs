//! The parts of a text that are not cut.
//!
//! A drawing is cut between the children of its root, and between the children of groups that are too large and do
//! nothing but group: those are *opened*. What lies between two cuts is a *unit*: an element that others refer to, an
//! element with a style sheet inside, or a row of siblings that are neither.

use super::alone::is_effect;
use super::references;
use super::tags::{Kind, Tag, local, tags};
use crate::refused::one_line;
use crate::{Refused, USVG_ELEMENTS};
use simplecss::DeclarationTokenizer;
use std::collections::{HashMap, HashSet};
use std::ops::Range;

/// A group whose children are told apart.
#[derive(Debug)]
pub(super) struct Opened<'t> {
    /// Its start tag.
    pub(super) tag: Tag<'t>,
    /// The opened group around it; `None`: the root.
    pub(super) around: Option<u32>,
}

/// A part that is not cut.
#[derive(Debug)]
pub(super) struct Unit {
    pub(super) range: Range<usize>,
    /// How many elements it has.
    pub(super) elements: u64,
    /// The opened group that it is in; `None`: the root.
    pub(super) inside: Option<u32>,
    /// Whether others refer to it.
    pub(super) is_target: bool,
    /// Whether a style sheet is in it.
    pub(super) has_sheet: bool,
}

/// All parts of a text.
#[derive(Debug)]
pub(super) struct Units<'t> {
    /// The root's start tag.
    pub(super) root: Tag<'t>,
    /// Where the root's end tag begins.
    pub(super) end: usize,
    pub(super) opened: Vec<Opened<'t>>,
    pub(super) units: Vec<Unit>,
    /// Units, each with one that it refers to.
    pub(super) links: Vec<(u32, u32)>,
    /// Units that all others need: style sheets, and what the root and opened groups refer to.
    pub(super) needed: Vec<u32>,
}

/// How many elements a text has, or a few more.
pub(super) fn count(text: &str) -> u64 {
    tags(text).filter(|tag| tag.kind != Kind::Close).count() as u64
}

/// What is known of a text before it is cut.
struct Survey {
    /// The ids that are referred to, each with a number.
    names: HashMap<Box<str>, u32>,
    /// Where elements begin that have more than so many inside.
    large: HashSet<usize>,
}

impl Survey {
    fn of(text: &str, most: u64, nesting: u64) -> Result<Self, Refused> {
        let (mut names, mut large) = (HashMap::<Box<str>, u32>::new(), HashSet::new());
        let mut open: Vec<(Tag, u64)> = Vec::new();
        let mut elements = 0;
        for tag in tags(text) {
            if tag.text.get(1..).is_some_and(|rest| rest.contains('<')) {
                return Err(Refused::BadXml { reason: "a tag has a '<' inside".to_owned() });
            }
            let mut visit = |name: &str| {
                if !names.contains_key(name) {
                    names.insert(name.into(), names.len() as u32);
                }
            };
            if tag.kind != Kind::Close {
                references::of_tag(&tag, &mut visit);
                elements += 1;
            }
            match tag.kind {
                Kind::Open => {
                    open.push((tag, elements));
                    let depth = open.len() as u64;
                    if depth > nesting {
                        return Err(Refused::TooNested { depth, max: nesting });
                    }
                }
                Kind::Empty => {}
                Kind::Close => {
                    let begin = open.pop().filter(|(begin, _)| begin.name() == tag.name());
                    let (begin, before) = begin.ok_or_else(unbalanced)?;
                    if begin.local_name() == "style" {
                        let sheet = text.get(begin.end()..tag.start).unwrap_or_default();
                        references::of_sheet(sheet, visit);
                    }
                    if elements - before > most {
                        large.insert(begin.start);
                    }
                }
            }
        }
        if open.is_empty() { Ok(Self { names, large }) } else { Err(unbalanced()) }
    }
}

fn unbalanced() -> Refused {
    Refused::BadXml { reason: "the start and end tags are not balanced".to_owned() }
}

/// The element that is being read and will be a unit, or a part of one.
struct Open<'t> {
    tag: Tag<'t>,
    /// The last element inside.
    last: Tag<'t>,
    elements: u64,
    /// How many elements are open, it included.
    depth: u32,
    /// Where a style sheet begins, and how many elements are open around it, while one is open.
    sheet: Option<(usize, u32)>,
    has_sheet: bool,
    ids: Vec<u32>,
    names: Vec<u32>,
}

/// Reads the units of a text.
struct Reader<'t> {
    text: &'t str,
    survey: Survey,
    /// Rows of siblings have no more elements.
    most: u64,
    opened: Vec<Opened<'t>>,
    inside: Option<u32>,
    /// Where what is not in a unit yet begins.
    from: usize,
    units: Vec<Unit>,
    /// The unit that holds each id that is referred to.
    holders: HashMap<u32, u32>,
    /// Units with numbers of ids that they refer to.
    links: Vec<(u32, u32)>,
    /// Numbers of ids that the root and opened groups refer to.
    needed: Vec<u32>,
    open: Option<Open<'t>>,
}

impl<'t> Units<'t> {
    /// Reads a text. Groups of more elements than `most` are opened. Elements may be nested `nesting` deep.
    pub(super) fn of(text: &'t str, most: u64, nesting: u64) -> Result<Self, Refused> {
        let survey = Survey::of(text, most, nesting)?;
        let mut all = tags(text);
        let root = all.next().ok_or_else(unbalanced)?;
        if root.kind == Kind::Empty {
            return Err(refuse("it has no elements"));
        }
        let mut reader = Reader {
            text,
            survey,
            most,
            opened: Vec::new(),
            inside: None,
            from: root.end(),
            units: Vec::new(),
            holders: HashMap::new(),
            links: Vec::new(),
            needed: Vec::new(),
            open: None,
        };
        if reader.is_target(&root) {
            return Err(refuse("others refer to the outermost element"));
        }
        reader.need(&root);
        let mut end = None;
        for tag in all {
            if end.is_some() {
                return Err(unbalanced());
            }
            if reader.read(tag)? {
                end = Some(tag.start);
            }
        }
        let Reader { opened, units, holders, links, needed, .. } = reader;
        let sheets = (0..).zip(&units).filter(|(_, unit)| unit.has_sheet).map(|(at, _)| at);
        let needed = needed.iter().filter_map(|name| holders.get(name).copied());
        let needed = needed.chain(sheets).collect();
        let links = links.into_iter().filter_map(|(unit, name)| {
            let holder = *holders.get(&name)?;
            (holder != unit).then_some((unit, holder))
        });
        let mut links: Vec<_> = links.collect();
        links.sort_unstable();
        links.dedup();
        Ok(Self { root, end: end.ok_or_else(unbalanced)?, opened, units, links, needed })
    }
}

impl<'t> Reader<'t> {
    /// Reads a tag. Says whether it closes the root.
    fn read(&mut self, tag: Tag<'t>) -> Result<bool, Refused> {
        let open = match self.open.take() {
            Some(mut open) => {
                open.read(tag, self.text, &self.survey)?;
                open
            }
            None if tag.kind == Kind::Close => return self.close(tag),
            None if self.is_opened(&tag) => {
                self.enter(tag);
                return Ok(false);
            }
            None => Open::new(tag, self.text, &self.survey)?,
        };
        match open.depth {
            0 => self.add(open, tag.end())?,
            _ => self.open = Some(open),
        }
        Ok(false)
    }

    /// Whether this is a group that is opened.
    fn is_opened(&self, tag: &Tag) -> bool {
        self.survey.large.contains(&tag.start) && self.why_whole(tag).is_none()
    }

    fn enter(&mut self, tag: Tag<'t>) {
        self.need(&tag);
        self.opened.push(Opened { tag, around: self.inside });
        self.inside = Some(self.opened.len() as u32 - 1);
        self.from = tag.end();
    }

    /// What the root and opened groups refer to, all pieces need.
    fn need(&mut self, tag: &Tag) {
        let names = &self.survey.names;
        references::of_tag(tag, |name| self.needed.extend(names.get(name)));
    }

    /// Whether an element is referred to.
    fn is_target(&self, tag: &Tag) -> bool {
        ids(tag).any(|id| self.survey.names.contains_key(&*id))
    }

    /// Why an element is not opened, in words that follow what it has inside; `None` where it is a group that does
    /// nothing but group. What style sheets say of it is looked at later.
    fn why_whole(&self, tag: &Tag) -> Option<&'static str> {
        let has_effect = || {
            tag.attributes().any(|(name, value)| {
                let styles = DeclarationTokenizer::from(if name == "style" { &*value } else { "" });
                let mut styles = styles.map(|one| is_effect(one.name, one.value));
                is_effect(name, &value) || styles.any(|is_effect| is_effect)
            })
        };
        let has_namespace = || tag.attributes().any(|(name, _)| name.starts_with("xmlns"));
        match () {
            () if tag.local_name() != "g" => Some(""),
            () if self.is_target(tag) => Some(", and others refer to it"),
            () if has_effect() => Some(", and has an effect on them together (opacity, mask, ...)"),
            () if has_namespace() => Some(", and declares a namespace"),
            () => None,
        }
    }

    /// An opened group closes, or the root.
    fn close(&mut self, tag: Tag<'t>) -> Result<bool, Refused> {
        let Some(inside) = self.inside else { return Ok(true) };
        self.inside = self.opened[inside as usize].around;
        self.from = tag.end();
        Ok(false)
    }

    /// An element is read to its end.
    fn add(&mut self, open: Open<'t>, end: usize) -> Result<(), Refused> {
        if open.elements > USVG_ELEMENTS {
            let (whole, last) = (name(&open.tag), open.last.name());
            let why = self.why_whole(&open.tag).unwrap_or_default();
            let elements = open.elements;
            return Err(refuse(format!(
                "{whole} alone has {elements} elements such as <{last}> inside{why}"
            )));
        }
        let is_target = !open.ids.is_empty();
        let is_alone = is_target || open.has_sheet;
        let joins = |last: &&mut Unit| {
            let is_row = !last.is_target && !last.has_sheet && last.inside == self.inside;
            // What was between the last unit and this one are blanks, not the tags of groups.
            let is_next = last.range.end == self.from;
            is_row && is_next && last.elements + open.elements <= self.most
        };
        match self.units.last_mut().filter(|_| !is_alone).filter(joins) {
            Some(last) => {
                last.range.end = end;
                last.elements += open.elements;
            }
            None => self.units.push(Unit {
                range: self.from..end,
                elements: open.elements,
                inside: self.inside,
                is_target,
                has_sheet: open.has_sheet,
            }),
        }
        self.from = end;
        let unit = self.units.len() as u32 - 1;
        self.links.extend(open.names.into_iter().map(|name| (unit, name)));
        for id in open.ids {
            let holder = *self.holders.entry(id).or_insert(unit);
            if holder != unit {
                let known = self.survey.names.iter().find(|(_, number)| **number == id);
                let id = known.map(|(name, _)| one_line(name)).unwrap_or_default();
                return Err(refuse(format!(
                    "several elements have the id '{id}' or begin with it, and it is referred to"
                )));
            }
        }
        Ok(())
    }
}

impl<'t> Open<'t> {
    fn new(tag: Tag<'t>, text: &'t str, survey: &Survey) -> Result<Self, Refused> {
        let mut open = Self {
            tag,
            last: tag,
            elements: 0,
            depth: 0,
            sheet: None,
            has_sheet: false,
            ids: Vec::new(),
            names: Vec::new(),
        };
        open.read(tag, text, survey)?;
        Ok(open)
    }

    fn read(&mut self, tag: Tag<'t>, text: &'t str, survey: &Survey) -> Result<(), Refused> {
        let Self { names, .. } = self;
        let mut visit = |name: &str| names.extend(survey.names.get(name));
        if tag.kind == Kind::Close {
            self.depth = self.depth.checked_sub(1).ok_or_else(unbalanced)?;
            if let Some((sheet, _)) = self.sheet.take_if(|(_, depth)| *depth == self.depth) {
                references::of_sheet(text.get(sheet..tag.start).unwrap_or_default(), visit);
            }
            return Ok(());
        }
        references::of_tag(&tag, &mut visit);
        if !survey.names.is_empty() {
            self.ids.extend(ids(&tag).filter_map(|id| survey.names.get(&*id)));
        }
        self.elements += 1;
        self.last = tag;
        if tag.kind == Kind::Open {
            if tag.local_name() == "style" && self.sheet.is_none() {
                self.sheet = Some((tag.end(), self.depth));
                self.has_sheet = true;
            }
            self.depth += 1;
        }
        Ok(())
    }
}

/// The ids of an element, each as far as a reference to it is read.
fn ids<'t>(tag: &Tag<'t>) -> impl Iterator<Item = String> + use<'t> {
    let all = tag.attributes().filter(|(name, _)| local(name) == "id");
    all.map(|(_, id)| references::head(&id).to_owned())
}

/// What people call an element.
fn name(tag: &Tag) -> String {
    let id = tag.attribute("id").map(|id| format!(" id=\"{}\"", one_line(&id)));
    format!("<{}{}>", local(tag.name()), id.unwrap_or_default())
}

pub(super) fn refuse(why: impl Into<String>) -> Refused {
    Refused::NotInPieces { why: why.into() }
}
