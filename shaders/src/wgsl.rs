//! Parses WGSL with imports and conditions, as far as linking requires.
//!
//! # Theory
//! Linking moves text and does not parse expressions. A module is a list of tokens with comments and whitespace between
//! them. Conditions drop tokens, and brackets determine the ends of elements and declarations. The remaining text is copied
//! with its comments, so a linked kernel reads like its source files.
//!
//! # Practice
//! The syntax is a subset of [WESL](https://wesl-lang.org):
//!
//! - `import package::lib::bits::{low_ones, lowest_ones};` before the declarations, for items or whole modules;
//! - `@if(condition)`, `@elif(condition)` and `@else` before a declaration, directive, import, statement, member or
//!   parameter. A condition consists of features, `!`, `&&` and `||`, without nested parentheses.

use crate::variant::VariantError;
use std::borrow::Cow;
use std::collections::HashMap;

/// A link error.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LinkError {
    /// The kernel does not support this variant.
    #[error(transparent)]
    Variant(#[from] VariantError),
    /// The WGSL of a module cannot be linked, for example because of unmatched brackets, a condition on an unknown feature, or
    /// an import without a declaration.
    #[error("{file}, line {line}: {message}")]
    Wgsl {
        /// The file, or [`Linked::GIVEN`](crate::Linked::GIVEN) for caller-supplied WGSL.
        file: String,
        /// The line, from 1.
        line: usize,
        /// The description of the error.
        message: String,
    },
}

/// A word, a number, or a single other character. Comments and whitespace are between tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    start: u32,
    end: u32,
    /// From 1.
    line: u32,
    /// The first character if it is neither a letter nor a digit, otherwise [`WORD`].
    mark: u8,
}

/// The mark of words and numbers.
pub(crate) const WORD: u8 = b'a';

/// Splits a text of up to 4 GiB into tokens.
pub(crate) fn tokens(text: &str) -> Vec<Token> {
    let bytes = text.as_bytes();
    let byte = |at: usize| bytes.get(at).copied().unwrap_or_default();
    let in_word = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'_' || !byte.is_ascii();
    let (mut tokens, mut at, mut line) = (Vec::with_capacity(text.len() / 4), 0, 1);
    while at < bytes.len() {
        let start = at;
        match byte(at) {
            b'\n' => line += 1,
            blank if blank.is_ascii_whitespace() => {}
            b'/' if byte(at + 1) == b'/' => {
                at += bytes[at..].iter().take_while(|byte| **byte != b'\n').count();
                continue;
            }
            b'/' if byte(at + 1) == b'*' => {
                at = comment_end(bytes, at);
                line += bytes[start..at].iter().filter(|byte| **byte == b'\n').count() as u32;
                continue;
            }
            first => {
                let is_number = first.is_ascii_digit();
                while in_word(byte(at)) || is_number && byte(at) == b'.' {
                    at += 1;
                }
                at = at.max(start + 1);
                let (Ok(start), Ok(end)) = (start.try_into(), at.try_into()) else { break };
                let mark = if in_word(first) { WORD } else { first };
                tokens.push(Token { start, end, line, mark });
                continue;
            }
        }
        at += 1;
    }
    tokens
}

/// Returns the end of a block comment, which may contain nested comments.
fn comment_end(bytes: &[u8], start: usize) -> usize {
    let (mut at, mut depth) = (start, 0);
    while let Some(two) = bytes.get(at..at + 2) {
        at += match two {
            b"/*" => {
                depth += 1;
                2
            }
            b"*/" => {
                depth -= 1;
                2
            }
            _ => 1,
        };
        if depth == 0 {
            return at;
        }
    }
    bytes.len()
}

/// The text of a module.
#[derive(Clone, Debug)]
pub(crate) struct Module<'a> {
    /// The file name in errors; empty for text generated from Rust.
    pub(crate) file: &'static str,
    pub(crate) text: &'a str,
    pub(crate) tokens: Cow<'a, [Token]>,
}

impl<'a> Module<'a> {
    /// Returns the text of a token; empty past the last.
    pub(crate) fn word(&self, token: usize) -> &'a str {
        let range = self.tokens.get(token).map(|one| one.start as usize..one.end as usize);
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    /// Returns the character of a token, or [`WORD`]; 0 past the last.
    pub(crate) fn mark(&self, token: usize) -> u8 {
        self.tokens.get(token).map_or(0, |one| one.mark)
    }

    /// Returns the comments and whitespace before a token.
    pub(crate) fn trivia(&self, token: usize) -> &'a str {
        let start = token.checked_sub(1).map_or(0, |before| self.tokens[before].end as usize);
        let end = self.tokens.get(token).map_or(self.text.len(), |one| one.start as usize);
        &self.text[start..end]
    }

    /// Returns the line of a token, from 1.
    pub(crate) fn line(&self, token: usize) -> usize {
        self.tokens.get(token).or(self.tokens.last()).map_or(0, |one| one.line as usize)
    }

    pub(crate) fn error(&self, token: usize, message: impl Into<String>) -> LinkError {
        let (file, line) = (self.file.to_owned(), self.line(token));
        LinkError::Wgsl { file, line, message: message.into() }
    }
}

/// The features that conditions may test. Any other name in a condition is an error.
pub(crate) type Features = [(&'static str, bool)];

/// A token that the conditions keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) token: usize,
    /// The token whose preceding comments and whitespace are written before this one. For the first token after a condition,
    /// this is the condition's `@`.
    pub(crate) lead: usize,
}

/// The kinds of items.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Kind {
    /// `import`.
    Import,
    /// `enable`, `requires` or `diagnostic`.
    Directive,
    /// A struct.
    Struct,
    /// A function.
    Function,
    /// A variable, constant or alias.
    Other,
}

/// A declaration, a directive or an import.
#[derive(Clone, Debug)]
pub(crate) struct Item<'a> {
    pub(crate) kind: Kind,
    /// The declared name; empty for directives and imports.
    pub(crate) name: &'a str,
    /// The index of the item's first kept token.
    pub(crate) first: usize,
    /// The index of the first kept token after the item.
    pub(crate) end: usize,
}

/// An import of one name.
#[derive(Clone, Debug)]
pub(crate) struct Import<'a> {
    /// The path after `package`. Its last component is a module or an item of a module.
    pub(crate) path: Vec<&'a str>,
    /// The token at which errors are reported.
    pub(crate) token: usize,
}

/// The meaning of a name in a module.
#[derive(Clone, Debug)]
pub(crate) enum Name<'a> {
    /// The index of a declaration of the module.
    Declared(usize),
    /// An import.
    Imported(Import<'a>),
}

/// A module after the evaluation of its conditions.
#[derive(Clone, Debug)]
pub(crate) struct Selected<'a> {
    pub(crate) module: Module<'a>,
    pub(crate) kept: Vec<Kept>,
    pub(crate) items: Vec<Item<'a>>,
    /// The declared and imported names.
    pub(crate) names: HashMap<&'a str, Name<'a>>,
}

impl<'a> Selected<'a> {
    /// Evaluates the conditions of a module, and finds its declarations and imports.
    ///
    /// # Errors
    /// [`LinkError::Wgsl`] for unmatched brackets, an unknown feature, a name that is declared twice, and anything at the top
    /// level that is not a declaration, directive or import.
    pub(crate) fn new(module: Module<'a>, features: &Features) -> Result<Self, LinkError> {
        let mut conditions = Conditions { module: &module, features, kept: Vec::new() };
        conditions.walk(0, module.tokens.len(), None, Vec::new())?;
        let mut selected =
            Self { kept: conditions.kept, module, items: Vec::new(), names: HashMap::new() };
        let mut at = 0;
        while at < selected.kept.len() {
            if selected.word(at) == ";" {
                at += 1;
                continue;
            }
            let item = selected.item(at)?;
            at = item.end;
            selected.add(item)?;
        }
        Ok(selected)
    }

    /// Returns the index of the declaration of a name.
    pub(crate) fn declared(&self, name: &str) -> Option<usize> {
        match self.names.get(name)? {
            Name::Declared(item) => Some(*item),
            Name::Imported(_) => None,
        }
    }

    /// Returns the text of a kept token; empty past the last.
    pub(crate) fn word(&self, at: usize) -> &'a str {
        self.kept.get(at).map_or("", |kept| self.module.word(kept.token))
    }

    /// Returns the character of a kept token, or [`WORD`]; 0 past the last.
    pub(crate) fn mark(&self, at: usize) -> u8 {
        self.kept.get(at).map_or(0, |kept| self.module.mark(kept.token))
    }

    /// Parses the item that starts at a kept token.
    fn item(&self, first: usize) -> Result<Item<'a>, LinkError> {
        let word = |at: usize| self.word(at);
        let mut at = first;
        while word(at) == "@" {
            at += 2;
            if word(at) == "(" {
                at = self.after_bracket(at)?;
            }
        }
        let kind = match word(at) {
            "import" => Kind::Import,
            "enable" | "requires" | "diagnostic" => Kind::Directive,
            "struct" => Kind::Struct,
            "fn" => Kind::Function,
            "var" | "const" | "override" | "alias" => Kind::Other,
            other => {
                let message = format!("expected a declaration, found `{other}`");
                return Err(self
                    .module
                    .error(self.kept[at.min(self.kept.len() - 1)].token, message));
            }
        };
        let mut named = at + 1;
        if word(at) == "var" && word(named) == "<" {
            while !matches!(word(named), ">" | "") {
                named += 1;
            }
            named += 1;
        }
        let is_declaration = !matches!(kind, Kind::Import | Kind::Directive);
        let name = if is_declaration { word(named) } else { "" };
        let has_body = matches!(kind, Kind::Struct | Kind::Function);
        loop {
            match self.mark(at) {
                b';' => break,
                open @ (b'(' | b'[' | b'{') => {
                    let ends = has_body && open == b'{';
                    at = self.after_bracket(at)?;
                    if ends {
                        return Ok(Item { kind, name, first, end: at });
                    }
                }
                0 => {
                    return Err(self
                        .module
                        .error(self.kept[first].token, "a declaration without end"));
                }
                _ => at += 1,
            }
        }
        Ok(Item { kind, name, first, end: at + 1 })
    }

    /// Returns the kept token after the bracket that matches the one at `open`.
    fn after_bracket(&self, open: usize) -> Result<usize, LinkError> {
        let (mut at, mut depth) = (open, 0_usize);
        loop {
            match self.mark(at) {
                b'(' | b'[' | b'{' => depth += 1,
                b')' | b']' | b'}' => depth -= 1,
                0 => return Err(unclosed_bracket(&self.module, self.kept[open].token)),
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Ok(at);
            }
        }
    }

    fn add(&mut self, item: Item<'a>) -> Result<(), LinkError> {
        if item.kind == Kind::Import {
            let path = Vec::new();
            self.add_imports(item.first + 1, path)?;
        } else if !item.name.is_empty()
            && self.names.insert(item.name, Name::Declared(self.items.len())).is_some()
        {
            let message = format!("`{}` is declared twice", item.name);
            return Err(self.module.error(self.kept[item.first].token, message));
        }
        self.items.push(item);
        Ok(())
    }

    /// Parses imports such as `a::b::{c, d}`, whose paths start with `path`. Returns the kept token after them.
    fn add_imports(&mut self, mut at: usize, mut path: Vec<&'a str>) -> Result<usize, LinkError> {
        loop {
            let word = self.word(at);
            if word == "{" {
                loop {
                    at = self.add_imports(at + 1, path.clone())?;
                    match self.word(at) {
                        "," if self.word(at + 1) == "}" => return Ok(at + 2),
                        "," => {}
                        _ => return Ok(at + 1),
                    }
                }
            }
            path.push(word);
            at += 1;
            if self.word(at) != ":" {
                break;
            }
            at += 2;
        }
        let token = self.kept.get(at - 1).map_or(0, |kept| kept.token);
        if path.first() != Some(&"package") {
            return Err(self.module.error(token, "an import must begin with `package::`"));
        }
        let name = path.last().copied().unwrap_or_default();
        self.names.insert(name, Name::Imported(Import { path: path.split_off(1), token }));
        Ok(at)
    }
}

fn unclosed_bracket(module: &Module<'_>, token: usize) -> LinkError {
    module.error(token, format!("`{}` is never closed", module.word(token)))
}

/// Evaluates conditions.
struct Conditions<'m, 'a> {
    module: &'m Module<'a>,
    features: &'m Features,
    kept: Vec<Kept>,
}

impl Conditions<'_, '_> {
    fn word(&self, token: usize) -> &str {
        self.module.word(token)
    }

    /// Keeps the tokens of a range, except those that conditions drop. `lead` is the [`Kept::lead`] of the first kept
    /// token. `lists` has one entry per enclosing bracket: whether conditional elements end at a comma there.
    fn walk(
        &mut self,
        mut at: usize,
        end: usize,
        mut lead: Option<usize>,
        mut lists: Vec<bool>,
    ) -> Result<(), LinkError> {
        let (base, mut in_struct) = (lists.len(), false);
        while at < end {
            match self.module.mark(at) {
                b'@' if self.word(at + 1) == "if" => {
                    at = self.keep_branch(at, lead.take(), &lists)?;
                    continue;
                }
                b'@' if matches!(self.word(at + 1), "elif" | "else") => {
                    let message = format!("`@{}` without `@if` before it", self.word(at + 1));
                    return Err(self.module.error(at, message));
                }
                WORD if lists.is_empty() => in_struct |= self.word(at) == "struct",
                b'(' => lists.push(true),
                b'[' => lists.push(false),
                b'{' => lists.push(std::mem::take(&mut in_struct)),
                b')' | b']' | b'}' if lists.len() > base => {
                    lists.pop();
                }
                b')' | b']' | b'}' => {
                    let message = format!("`{}` closes nothing", self.word(at));
                    return Err(self.module.error(at, message));
                }
                _ => {}
            }
            self.kept.push(Kept { token: at, lead: lead.take().unwrap_or(at) });
            at += 1;
        }
        Ok(())
    }

    /// Processes an `@if` with its `@elif` and `@else`. Returns the index of the token after the chain.
    fn keep_branch(
        &mut self,
        head: usize,
        lead: Option<usize>,
        lists: &[bool],
    ) -> Result<usize, LinkError> {
        let is_list = lists.last().copied().unwrap_or_default();
        let (mut at, mut is_taken) = (head, false);
        loop {
            let is_else = self.word(at + 1) == "else";
            let (is_on, start) = if is_else { (true, at + 2) } else { self.condition(at + 2)? };
            let end = self.element_end(start, is_list)?;
            if is_on && !is_taken {
                is_taken = true;
                // The comments before the branch or, if there are none, before the whole chain.
                let has_comment = self.module.trivia(at).contains("//");
                let own = if has_comment { at } else { lead.unwrap_or(head) };
                self.walk(start, end, Some(own), lists.to_vec())?;
            }
            let goes_on = self.word(end) == "@" && matches!(self.word(end + 1), "elif" | "else");
            if is_else || !goes_on {
                return Ok(end);
            }
            at = end;
        }
    }

    /// Returns the token after a conditional element. In a list, the element ends at a comma or the closing bracket, elsewhere
    /// at a semicolon or after a block.
    fn element_end(&self, start: usize, is_list: bool) -> Result<usize, LinkError> {
        let is_import = self.word(start) == "import";
        let (mut at, mut depth) = (start, 0_usize);
        loop {
            match self.module.mark(at) {
                0 => {
                    return Err(self.module.error(start, "a condition of an element without end"));
                }
                b',' if is_list && depth == 0 => return Ok(at + 1),
                b';' if !is_list && depth == 0 => return Ok(at + 1),
                b')' | b'}' if depth == 0 => return Ok(at),
                b'(' | b'[' | b'{' => depth += 1,
                b'<' if is_list => depth += 1,
                b'>' if is_list => depth = depth.saturating_sub(1),
                b'}' => {
                    depth -= 1;
                    if depth == 0 && !is_list && !is_import && self.word(at + 1) != "else" {
                        return Ok(at + 1);
                    }
                }
                b')' | b']' => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
    }

    /// Returns the value of a condition such as `(a && !b || c)`, and the token after it.
    fn condition(&self, open: usize) -> Result<(bool, usize), LinkError> {
        if self.word(open) != "(" {
            return Err(self.module.error(open, "a condition must be in parentheses"));
        }
        // Whether an earlier alternative is true, whether the last one is true so far, and whether the next feature is
        // negated.
        let (mut any, mut all, mut negated) = (false, true, false);
        let mut at = open + 1;
        loop {
            match self.word(at) {
                ")" => return Ok((any || all, at + 1)),
                "" => return Err(unclosed_bracket(self.module, open)),
                "!" => negated = !negated,
                "&" => {}
                "|" if self.word(at - 1) == "|" => (any, all) = (any || all, true),
                "|" => {}
                name => {
                    let feature = self.features.iter().find(|feature| feature.0 == name);
                    let Some((_, value)) = feature else {
                        let message = format!("there is no feature `{name}`");
                        return Err(self.module.error(at, message));
                    };
                    all &= *value != negated;
                    negated = false;
                }
            }
            at += 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{LinkError, Module, Selected, tokens};
    use std::borrow::Cow;

    /// Returns the tokens that conditions keep if the feature `on` is true and `off` is false.
    fn kept_tokens(text: &str) -> Result<String, LinkError> {
        let module = Module { file: "test", text, tokens: Cow::Owned(tokens(text)) };
        let selected = Selected::new(module, &[("on", true), ("off", false)])?;
        let words = (0..selected.kept.len()).map(|at| selected.word(at));
        Ok(words.collect::<Vec<_>>().join(" "))
    }

    #[test]
    fn conditions_keep_or_drop_one_element() {
        let cases = [
            ("@if(on) const A = 1u; const B = 2u;", "const A = 1u ; const B = 2u ;"),
            ("@if(off) fn f() { a(); } const B = 2u;", "const B = 2u ;"),
            ("@if(off) import package::{a, b}; alias C = u32;", "alias C = u32 ;"),
            ("fn f(@if(off) a: array<u32, 4>, b: u32) {}", "fn f ( b : u32 ) { }"),
            ("fn f(@if(on) a: u32, @else b: u32) {}", "fn f ( a : u32 , ) { }"),
            ("struct S { a: u32, @if(off) b: u32 }", "struct S { a : u32 , }"),
            ("fn f() { @if(off) if a { b(); } else { c(); } d(); }", "fn f ( ) { d ( ) ; }"),
            ("fn f() { @if(off) for (;;) { b(); } d(); }", "fn f ( ) { d ( ) ; }"),
            ("fn f() { @if(off) a(); @elif(on) b(); @else c(); }", "fn f ( ) { b ( ) ; }"),
            ("fn f() { @if(off) a(); @elif(off) b(); @else c(); }", "fn f ( ) { c ( ) ; }"),
            (
                "fn f() { @if(on) { @if(off) a(); b(); } @else { c(); } }",
                "fn f ( ) { { b ( ) ; } }",
            ),
            ("/* @if(off) /* */ */ const A = 1u; // @if(off)", "const A = 1u ;"),
        ];
        for (text, expected) in cases {
            assert_eq!(kept_tokens(text).as_deref(), Ok(expected), "{text}");
        }
    }

    #[test]
    fn conditions_support_not_and_or() {
        let cases = [
            ("on && !off", true),
            ("off || on && off", false),
            ("on || on && off", true),
            ("off && on || !off && on", true),
            ("!on || !on && !off", false),
        ];
        for (condition, expected) in cases {
            let text = format!("@if({condition}) const A = 1u;");
            assert_eq!(
                kept_tokens(&text).map(|text| !text.is_empty()),
                Ok(expected),
                "{condition}"
            );
        }
    }

    #[test]
    fn errors_contain_line_and_message() {
        let cases = [
            ("\n@if(no) const A = 1u;", 2, "there is no feature `no`"),
            ("@if(on", 1, "`(` is never closed"),
            ("@if on const A = 1u;", 1, "a condition must be in parentheses"),
            ("fn f() {\n@else a(); }", 2, "`@else` without `@if` before it"),
            ("fn f() {\n(}", 1, "`{` is never closed"),
            ("fn f() {}\n}", 2, "`}` closes nothing"),
            ("const A = 1u;\nvar<private> A: u32;", 2, "`A` is declared twice"),
            ("import lib::a;", 1, "an import must begin with `package::`"),
            ("1 + 1;", 1, "expected a declaration, found `1`"),
            ("@if(on) const A", 1, "a condition of an element without end"),
        ];
        for (text, expected, what) in cases {
            match kept_tokens(text) {
                Err(LinkError::Wgsl { line, message, .. }) => {
                    assert_eq!((line, message.as_str()), (expected, what), "{text}");
                }
                other => assert!(matches!(other, Err(LinkError::Wgsl { .. })), "{text}: {other:?}"),
            }
        }
    }
}
