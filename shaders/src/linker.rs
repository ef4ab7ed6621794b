//! Links a kernel and the WGSL files that it imports into one WGSL module.
//!
//! # Theory
//! The kernel's file is the root. The linked text contains exactly the declarations that are reachable from `main` (and from
//! the fragment shader `paint`, if there is one) through calls and imports. Unreachable buffers are not bound. Declarations
//! of library modules are prefixed with the module's name, as in `bicyclic_combine`. Declarations of the kernel and those
//! generated from Rust keep their names.
//!
//! # Practice
//! | module | contents |
//! |---|---|
//! | `package::kernel` | the kernel's own file, whose bindings library modules may import |
//! | `package::lib::x` | `wgsl/lib/x.wgsl` |
//! | `package::constants` | constants from Rust |
//! | `package::layout` | structs from Rust |
//! | `package::answers`, `package::value` | the file of `wgsl/lib` for the kernel's kind of stream, or of value |
//! | `package::role`, `package::monoid`, `package::adapter` | the caller's WGSL, or the default in `wgsl/lib` |
//!
//! A module may import a name from a module that imports it. Unused imports are ignored, so they need no conditions.

use crate::layout::{Access, Binding};
use crate::source;
use crate::wgsl::{Features, Import, Item, Kind, LinkError, Module, Name, Selected, WORD, tokens};
use std::borrow::Cow;
use std::collections::{HashMap, VecDeque};

/// Caller-supplied WGSL that replaces the default modules.
///
/// Each text is a separate module. Its names cannot clash with those of this crate, and it may import modules of this crate
/// (`import package::constants::NONE;`). Compile the kernel with checks of indices and loops, unless the caller's WGSL is
/// known to be safe without them.
#[derive(Clone, Copy, Debug, Default)]
pub struct Custom<'a> {
    /// The role of a tag, for matching: a module that declares `fn role(tag: u32) -> u32`, which returns 1 for an open, 2
    /// for a close and 0 for anything else. Only the lowest two bits are used, and 3 is treated as 0. For brackets, 3 ends a
    /// segment, and the higher bits are the kind.
    pub role: Option<&'a str>,
    /// The monoid of [`Stream::Monoid`](crate::Stream::Monoid): a module that declares the types `Input`, `Product` and
    /// `Output`, and the functions `product_identity`, `product_load`, `product_combine` and `product_store`.
    pub monoid: Option<&'a str>,
    /// The adapter of [`Stream::Adapter`](crate::Stream::Adapter): a module with its own bindings in group 1, the functions
    /// `adapter_count`, `adapter_viewport`, `adapter_role`, `adapter_rect`, `adapter_top` and `adapter_emit`, and the type
    /// `AdapterTop`, which `adapter_top` returns.
    pub adapter: Option<&'a str>,
}

/// A linked kernel: its text, its bindings, and the origin of each line.
#[derive(Clone, Debug)]
pub struct Linked {
    source: String,
    bindings: Vec<(Binding, Access)>,
    /// For each line of the text, the file and line of its first token, if any.
    places: Vec<Option<(&'static str, usize)>>,
}

impl Linked {
    /// The file name of caller-supplied WGSL in errors.
    pub const GIVEN: &'static str = "the caller's WGSL";

    /// The buffers of group 0 that the kernel uses.
    pub fn bindings(&self) -> &[(Binding, Access)] {
        &self.bindings
    }

    /// The linked WGSL. Its entry point is `main`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// Returns the original file and line of a line (from 1) of the text. The file is [`Linked::GIVEN`] for caller-supplied
    /// WGSL. For directives, and for generated constants and structs, the result is `("", line)`.
    pub fn locate(&self, line: usize) -> (&'static str, usize) {
        let before = self.places.get(..line).unwrap_or(&self.places);
        let place = before.iter().rev().find_map(|place| *place);
        place.filter(|place| !place.0.is_empty()).unwrap_or(("", line))
    }
}

/// A kernel and all inputs that determine its text.
pub(crate) struct LinkJob<'a> {
    /// The kernel's file, without the extension.
    pub(crate) kernel: &'static str,
    /// The features that conditions may test.
    pub(crate) features: Vec<(&'static str, bool)>,
    /// The modules whose file depends on the kernel: the import path and the file of each.
    pub(crate) chosen: Vec<(&'static str, &'static str)>,
    /// The text of `package::constants`.
    pub(crate) constants: String,
    pub(crate) custom: &'a Custom<'a>,
}

const ROOT: &str = "kernel";

/// Maximum number of imports between a name and its declaration. Import cycles end with an error.
const HOPS: u32 = 8;

impl LinkJob<'_> {
    /// Links the kernel.
    ///
    /// # Errors
    /// [`LinkError::Wgsl`].
    pub(crate) fn link(&self) -> Result<Linked, LinkError> {
        let mut linker = Linker {
            job: self,
            modules: Vec::new(),
            numbers: HashMap::new(),
            queue: VecDeque::new(),
        };
        // Load these first, because modules are written in the order in which they are loaded.
        linker.load("constants")?;
        linker.load("layout")?;
        let root = linker.load(ROOT)?;
        let root = root.ok_or_else(|| missing_declaration(self.kernel))?;
        let main = linker.modules[root].selected.declared("main");
        let main = Symbol { module: root, item: main.ok_or_else(|| missing_declaration("main"))? };
        linker.use_symbol(main);
        if let Some(item) = linker.modules[root].selected.declared("paint") {
            linker.use_symbol(Symbol { module: root, item });
        }
        while let Some(symbol) = linker.queue.pop_front() {
            linker.resolve(symbol)?;
        }
        Ok(linker.write())
    }

    /// Returns the module with this path after `package`, if there is one.
    fn module(&self, path: &str) -> Option<Module<'_>> {
        let generated = |file, text| Module { file, text, tokens: Cow::Owned(tokens(text)) };
        let given = match path {
            "role" => self.custom.role,
            "monoid" => self.custom.monoid,
            "adapter" => self.custom.adapter,
            _ => None,
        };
        if let Some(text) = given {
            return Some(generated(Linked::GIVEN, text));
        }
        match path {
            ROOT => source::module(self.kernel),
            "constants" => Some(generated("", &self.constants)),
            "layout" => Some(source::layout()),
            "role" | "monoid" | "adapter" => source::module(&format!("lib/{path}")),
            path => source::module(path),
        }
    }
}

fn missing_declaration(name: &str) -> LinkError {
    let message = format!("there is no `{name}`");
    LinkError::Wgsl { file: format!("{name}.wgsl"), line: 0, message }
}

/// A declaration of a linked module.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
struct Symbol {
    module: usize,
    item: usize,
}

/// The replacement of a token in the linked text.
#[derive(Clone, Copy, Debug)]
enum Fate {
    /// The token is copied.
    Same,
    /// The token belongs to the path before a name, and is dropped.
    Dropped,
    /// The token is replaced by the linked name of a declaration.
    Names(Symbol),
}

/// A module during linking.
struct LinkedModule<'a> {
    /// The prefix of the module's names in the linked text.
    prefix: String,
    selected: Selected<'a>,
    /// Whether each item is used.
    is_used: Vec<bool>,
    /// One per kept token.
    fates: Vec<Fate>,
}

impl<'a> LinkedModule<'a> {
    /// Whether a token is the name of a member or parameter, before its colon.
    fn is_label(&self, at: usize) -> bool {
        self.selected.mark(at + 1) == b':' && self.selected.mark(at + 2) != b':'
    }
}

/// The parameters and variables that are in scope at a token of a function.
#[derive(Default)]
struct Locals<'a> {
    /// The number of enclosing blocks.
    depth: usize,
    /// Names, each with the depth of its block.
    names: Vec<(usize, &'a str)>,
    /// The variable whose declaration contains the token.
    declared: Option<&'a str>,
}

impl<'a> Locals<'a> {
    fn contains(&self, name: &str) -> bool {
        self.names.iter().any(|local| local.1 == name)
    }

    /// Updates the scope for a token. Returns whether the token is the name of a new variable.
    fn advance(&mut self, module: &LinkedModule<'a>, at: usize) -> bool {
        match module.selected.mark(at) {
            b'{' => self.depth += 1,
            b'}' => {
                self.depth = self.depth.saturating_sub(1);
                self.names.retain(|local| local.0 <= self.depth);
            }
            // A variable is in scope after its own initializer.
            b';' => self.names.extend(self.declared.take().map(|name| (self.depth, name))),
            WORD if self.depth == 0 && module.is_label(at) => {
                self.names.push((1, module.selected.word(at)));
            }
            WORD if self.depth > 0
                && matches!(module.selected.word(at - 1), "let" | "var" | "const") =>
            {
                self.declared = Some(module.selected.word(at));
                return true;
            }
            _ => {}
        }
        false
    }
}

struct Linker<'a> {
    job: &'a LinkJob<'a>,
    /// In the order of the linked text.
    modules: Vec<LinkedModule<'a>>,
    /// The index in `modules` of each path.
    numbers: HashMap<String, Option<usize>>,
    /// Used items that have not been resolved yet.
    queue: VecDeque<Symbol>,
}

impl<'a> Linker<'a> {
    /// Loads a module by its path, and returns its index if it exists.
    fn load(&mut self, path: &str) -> Result<Option<usize>, LinkError> {
        let chosen = self.job.chosen.iter().find(|chosen| chosen.0 == path);
        let path = chosen.map_or(path, |chosen| chosen.1);
        if let Some(number) = self.numbers.get(path) {
            return Ok(*number);
        }
        let number = match self.job.module(path) {
            None => None,
            Some(module) => {
                let features: &Features = &self.job.features;
                let selected = Selected::new(module, features)?;
                let last = path.rsplit('/').next().unwrap_or_default();
                let is_global = [ROOT, "constants", "layout"].contains(&path);
                self.modules.push(LinkedModule {
                    prefix: if is_global { String::new() } else { format!("{last}_") },
                    is_used: vec![false; selected.items.len()],
                    fates: vec![Fate::Same; selected.kept.len()],
                    selected,
                });
                Some(self.modules.len() - 1)
            }
        };
        self.numbers.insert(path.to_owned(), number);
        Ok(number)
    }

    fn use_symbol(&mut self, symbol: Symbol) {
        let is_used = &mut self.modules[symbol.module].is_used[symbol.item];
        if !std::mem::replace(is_used, true) {
            self.queue.push_back(symbol);
        }
    }

    /// Resolves the names in an item, and marks the declarations that it uses.
    fn resolve(&mut self, symbol: Symbol) -> Result<(), LinkError> {
        let item = self.modules[symbol.module].selected.items[symbol.item].clone();
        let (mut at, mut locals) = (item.first, Locals::default());
        while at < item.end {
            let own = &self.modules[symbol.module];
            let is_new = item.kind == Kind::Function && locals.advance(own, at);
            at += if is_new { 1 } else { self.resolve_token(symbol.module, &item, at, &locals)? };
        }
        Ok(())
    }

    /// Resolves the name at a token. Returns the length of the name in tokens.
    fn resolve_token(
        &mut self,
        module: usize,
        item: &Item<'a>,
        at: usize,
        locals: &Locals<'a>,
    ) -> Result<usize, LinkError> {
        let own = &self.modules[module];
        if own.selected.mark(at) != WORD {
            return Ok(1);
        }
        let before = if at > item.first { own.selected.mark(at - 1) } else { 0 };
        let is_member = item.kind == Kind::Struct && own.is_label(at);
        // Members and attributes are not resolved.
        if matches!(before, b'.' | b'@') || is_member {
            return Ok(1);
        }
        let word = own.selected.word(at);
        if word == "var" && own.selected.mark(at + 1) == b'<' {
            // The address space and the access mode are not references to declarations.
            let more = (at..item.end).take_while(|at| own.selected.mark(*at) != b'>').count();
            return Ok(more + 1);
        }
        let is_path = own.selected.mark(at + 1) == b':' && own.selected.mark(at + 2) == b':';
        if !is_path && locals.contains(word) {
            return Ok(1);
        }
        let (target, tokens) = match own.selected.names.get(word).cloned() {
            Some(Name::Imported(mut import)) if is_path => {
                import.token = own.selected.kept[at].token;
                import.path.push(own.selected.word(at + 3));
                (self.find(module, &import, HOPS)?, 4)
            }
            Some(Name::Imported(import)) => (self.find(module, &import, HOPS)?, 1),
            Some(Name::Declared(item)) => (Some(Symbol { module, item }), 1),
            None if own.selected.module.file == Linked::GIVEN => {
                self.check_not_global(module, at)?;
                (None, 1)
            }
            None => (None, 1),
        };
        if let Some(target) = target {
            let fates = &mut self.modules[module].fates[at..at + tokens];
            fates.fill(Fate::Dropped);
            fates[tokens - 1] = Fate::Names(target);
            self.use_symbol(target);
        }
        Ok(tokens)
    }

    /// Rejects a word that a module neither declares nor imports, if it is the name of a global declaration. Otherwise,
    /// caller-supplied WGSL might use declarations of this crate by accident.
    fn check_not_global(&self, module: usize, at: usize) -> Result<(), LinkError> {
        let own = &self.modules[module];
        let word = own.selected.word(at);
        let mut globals = self.modules.iter().filter(|other| other.prefix.is_empty());
        if globals.any(|other| other.selected.declared(word).is_some()) {
            let message = format!("`{word}` is neither declared nor imported");
            return Err(own.selected.module.error(own.selected.kept[at].token, message));
        }
        Ok(())
    }

    /// Finds the declaration of an import, through at most `hops` imports of other modules. Returns `None` for a module.
    fn find(
        &mut self,
        module: usize,
        import: &Import<'a>,
        hops: u32,
    ) -> Result<Option<Symbol>, LinkError> {
        let path = import.path.join("/");
        if self.load(&path)?.is_some() {
            return Ok(None);
        }
        let (parent, name) = path.rsplit_once('/').unwrap_or(("", &path));
        let found = self.load(parent)?;
        let item = found.and_then(|module| self.modules[module].selected.declared(name));
        if let (Some(module), Some(item)) = (found, item) {
            return Ok(Some(Symbol { module, item }));
        }
        if let Some((other, next)) = self.imported(found, name)
            && hops > 0
        {
            return self.find(other, &next, hops - 1);
        }
        let place = found.map_or("", |module| self.modules[module].selected.module.file);
        let message = match (found, place) {
            (None, _) => format!("there is no module `package::{}`", parent.replace('/', "::")),
            (Some(_), "") => format!("package::{parent} does not declare `{name}`"),
            (Some(_), place) => format!("{place} does not declare `{name}`"),
        };
        Err(self.modules[module].selected.module.error(import.token, message))
    }

    /// Returns the import of a name in a module, if the module imports the name.
    fn imported(&self, module: Option<usize>, name: &str) -> Option<(usize, Import<'a>)> {
        match self.modules[module?].selected.names.get(name)? {
            Name::Imported(import) => Some((module?, import.clone())),
            Name::Declared(_) => None,
        }
    }

    fn prefixed_name(&self, symbol: Symbol) -> (&str, &'a str) {
        let module = &self.modules[symbol.module];
        (&module.prefix, module.selected.items[symbol.item].name)
    }

    fn write(self) -> Linked {
        let mut text = Text::default();
        for module in &self.modules {
            for item in module.selected.items.iter().filter(|item| item.kind == Kind::Directive) {
                self.write_tokens(&mut text, module, item.first..item.end);
                text.push_trivia("\n");
            }
        }
        for module in self.modules.iter().filter(|module| module.is_used.contains(&true)) {
            self.write_module(&mut text, module);
        }
        let bindings = self.modules.iter().flat_map(|module| {
            let items = module.selected.items.iter().zip(&module.is_used);
            items.filter(|item| *item.1).filter_map(|item| binding(module, item.0))
        });
        Linked { bindings: bindings.collect(), source: text.source, places: text.places }
    }

    fn write_module(&self, text: &mut Text, module: &LinkedModule<'a>) {
        text.push_trivia(if text.source.is_empty() { "// " } else { "\n// " });
        let file = module.selected.module.file;
        text.push_trivia(if file.is_empty() { "Generated from Rust" } else { file });
        text.push_trivia("\n");
        let head = header(module.selected.module.trivia(0)).0;
        if !head.is_empty() {
            text.push_trivia("//\n");
            text.push_trivia(head.trim());
            text.push_trivia("\n\n");
        }
        for (item, is_used) in module.selected.items.iter().zip(&module.is_used) {
            if *is_used {
                let lead = module.selected.kept[item.first].lead;
                let trivia = module.selected.module.trivia(lead);
                let trivia = if lead == 0 { header(trivia).1 } else { own_lines(trivia) };
                text.push_item_trivia(trivia);
                self.write_tokens(text, module, item.first..item.end);
                text.push_trivia("\n");
            }
        }
    }

    /// Writes tokens with the comments and whitespace between them.
    fn write_tokens(
        &self,
        text: &mut Text,
        module: &LinkedModule<'a>,
        range: std::ops::Range<usize>,
    ) {
        let (kept, first) = (&module.selected.kept, range.start);
        for at in range {
            let one = kept[at];
            if at > first {
                let before = kept[at - 1].token;
                let trivia = module.selected.module.trivia(one.lead);
                if before + 1 == one.token {
                    text.push_trivia(trivia);
                } else {
                    // Tokens between the two were dropped, with their comments.
                    let rest = module.selected.module.trivia(before + 1);
                    text.push_trivia(rest.lines().next().unwrap_or_default().trim_end());
                    text.push_trivia(own_lines(trivia));
                }
            }
            let place = || (module.selected.module.file, module.selected.module.line(one.token));
            match module.fates[at] {
                Fate::Same => text.token(module.selected.module.word(one.token), place),
                Fate::Dropped => {}
                Fate::Names(symbol) => {
                    let (prefix, name) = self.prefixed_name(symbol);
                    text.token(prefix, place);
                    text.token(name, place);
                }
            }
        }
    }
}

/// Splits leading comments into those of the file and those of its first declaration.
fn header(trivia: &str) -> (&str, &str) {
    trivia.rsplit_once("\n\n").unwrap_or(("", trivia))
}

/// Returns comments and whitespace without the rest of the previous line.
fn own_lines(trivia: &str) -> &str {
    trivia.find('\n').map_or(trivia, |at| &trivia[at..])
}

/// The linked text under construction.
struct Text {
    source: String,
    places: Vec<Option<(&'static str, usize)>>,
}

impl Default for Text {
    fn default() -> Self {
        Self { source: String::with_capacity(1 << 16), places: vec![None] }
    }
}

impl Text {
    fn push_trivia(&mut self, text: &str) {
        self.source.push_str(text);
        let lines = text.bytes().filter(|byte| *byte == b'\n').count();
        self.places.extend(std::iter::repeat_n(None, lines));
    }

    /// Appends the comments and whitespace before a declaration.
    fn push_item_trivia(&mut self, trivia: &str) {
        let lines = trivia.trim_start_matches('\n');
        if trivia.len() - lines.len() > 1 && !self.source.ends_with("\n\n") {
            self.push_trivia("\n");
        }
        self.push_trivia(lines);
    }

    fn token(&mut self, word: &str, place: impl Fn() -> (&'static str, usize)) {
        self.source.push_str(word);
        if let Some(line @ None) = self.places.last_mut() {
            *line = Some(place());
        }
    }
}

/// Returns the buffer of group 0 that a declaration binds, if any.
fn binding(module: &LinkedModule<'_>, item: &Item<'_>) -> Option<(Binding, Access)> {
    let words: Vec<_> =
        (item.first..item.end.min(item.first + 20)).map(|at| module.selected.word(at)).collect();
    let number = |attribute: &str| {
        let at = words.windows(2).position(|two| two == ["@", attribute])?;
        words.get(at + 3)?.trim_end_matches(['u', 'i']).parse::<u32>().ok()
    };
    if number("group") != Some(0) {
        return None;
    }
    let binding = Binding::of(number("binding")?)?;
    let space = words.iter().position(|word| *word == "<")?;
    let access = match words.get(space + 1..space + 4)? {
        ["uniform", ..] => Access::Uniform,
        ["storage", ",", "read_write"] => Access::ReadWrite,
        _ => Access::Read,
    };
    Some((binding, access))
}
