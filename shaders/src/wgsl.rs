//! Reads WGSL with imports and conditions, as far as linking needs it.
//!
//! # Theory
//! Linking moves text; it never needs to understand an expression. A module is a list of tokens with comments and blanks
//! between them. Conditions drop tokens, brackets say where an element or a declaration ends, and what remains is copied
//! with its comments, so that a linked kernel reads like the files it came from.
//!
//! # Practice
//! The syntax is a part of [WESL](https://wesl-lang.org):
//!
//! - `import package::lib::bits::{low_ones, lowest_ones};` before the declarations, of items or of whole modules;
//! - `@if(condition)`, `@elif(condition)` and `@else` before a declaration, directive, import, statement, member or
//!   parameter, where a condition consists of features, `true`, `false`, `!`, `&&`, `||` and parentheses.

use crate::linker::LinkError;
use std::borrow::Cow;
use std::collections::HashMap;

/// A word, a number, or one character of anything else. Comments and blanks lie between tokens.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Token {
    start: u32,
    end: u32,
    /// From 1.
    line: u32,
}

/// Cuts a text into tokens. A text of 4 GiB or more is cut off there.
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
                tokens.push(Token { start, end, line });
                continue;
            }
        }
        at += 1;
    }
    tokens
}

/// The end of a block comment, which may hold others.
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
    /// The file that errors name; empty for what Rust generates.
    pub(crate) file: &'static str,
    pub(crate) text: &'a str,
    pub(crate) tokens: Cow<'a, [Token]>,
}

impl<'a> Module<'a> {
    /// The text of a token; empty past the last.
    pub(crate) fn word(&self, token: usize) -> &'a str {
        let range = self.tokens.get(token).map(|one| one.start as usize..one.end as usize);
        range.and_then(|range| self.text.get(range)).unwrap_or_default()
    }

    /// The comments and blanks before a token.
    pub(crate) fn blanks(&self, token: usize) -> &'a str {
        let start = token.checked_sub(1).map_or(0, |before| self.tokens[before].end as usize);
        let end = self.tokens.get(token).map_or(self.text.len(), |one| one.start as usize);
        &self.text[start..end]
    }

    /// The line of a token, from 1.
    pub(crate) fn line(&self, token: usize) -> usize {
        self.tokens.get(token).or(self.tokens.last()).map_or(0, |one| one.line as usize)
    }

    pub(crate) fn error(&self, token: usize, message: impl Into<String>) -> LinkError {
        let (file, line) = (self.file.to_owned(), self.line(token));
        LinkError::Wgsl { file, line, message: message.into() }
    }
}

/// The features that conditions test. Any other name in a condition is an error.
pub(crate) type Features = [(&'static str, bool)];

/// A token that the conditions keep.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Kept {
    pub(crate) token: usize,
    /// The token whose comments and blanks come before it in the linked text. For the first token after a condition, the
    /// condition's `@`.
    pub(crate) lead: usize,
}

/// What a declaration or the like is.
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
    /// The name that it declares; empty for directives and imports.
    pub(crate) name: &'a str,
    /// Its first token among those that are kept.
    pub(crate) first: usize,
    /// The first kept token after it.
    pub(crate) end: usize,
}

/// An import of one name.
#[derive(Clone, Debug)]
pub(crate) struct Import<'a> {
    /// The path after `package`, which ends in a module or in an item of one.
    pub(crate) path: Vec<&'a str>,
    /// The token that errors point to.
    pub(crate) token: usize,
}

/// A module after its conditions.
#[derive(Clone, Debug)]
pub(crate) struct Selected<'a> {
    pub(crate) kept: Vec<Kept>,
    pub(crate) items: Vec<Item<'a>>,
    /// The index of each declaration by its name.
    pub(crate) names: HashMap<&'a str, usize>,
    /// Imports by the name that they bring.
    pub(crate) imports: HashMap<&'a str, Import<'a>>,
}

impl<'a> Selected<'a> {
    /// Evaluates the conditions of a module and finds what it declares and imports.
    ///
    /// # Errors
    /// [`LinkError::Wgsl`] for brackets that do not match, an unknown feature, a name declared twice, and anything at the
    /// top that is no declaration, directive or import.
    pub(crate) fn new(module: &Module<'a>, features: &Features) -> Result<Self, LinkError> {
        let mut conditions = Conditions { module, features, kept: Vec::new() };
        conditions.walk(0, module.tokens.len(), None, Vec::new())?;
        let (names, imports) = (HashMap::new(), HashMap::new());
        let mut selected = Self { kept: conditions.kept, items: Vec::new(), names, imports };
        let mut at = 0;
        while at < selected.kept.len() {
            if selected.word(module, at) == ";" {
                at += 1;
                continue;
            }
            let item = selected.item(module, at)?;
            at = item.end;
            selected.add(module, item)?;
        }
        Ok(selected)
    }

    /// The text of a kept token; empty past the last.
    pub(crate) fn word(&self, module: &Module<'a>, at: usize) -> &'a str {
        self.kept.get(at).map_or("", |kept| module.word(kept.token))
    }

    /// The item that begins at a kept token.
    fn item(&self, module: &Module<'a>, first: usize) -> Result<Item<'a>, LinkError> {
        let word = |at: usize| self.word(module, at);
        let mut at = first;
        while word(at) == "@" {
            at += 2;
            if word(at) == "(" {
                at = self.after_bracket(module, at)?;
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
                return Err(module.error(self.kept[at.min(self.kept.len() - 1)].token, message));
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
            match word(at) {
                ";" => break,
                "(" | "[" | "{" => {
                    let ends = has_body && word(at) == "{";
                    at = self.after_bracket(module, at)?;
                    if ends {
                        return Ok(Item { kind, name, first, end: at });
                    }
                }
                "" => return Err(module.error(self.kept[first].token, "a declaration without end")),
                _ => at += 1,
            }
        }
        Ok(Item { kind, name, first, end: at + 1 })
    }

    /// The kept token after the bracket that closes the one here.
    fn after_bracket(&self, module: &Module<'a>, open: usize) -> Result<usize, LinkError> {
        let (mut at, mut depth) = (open, 0_usize);
        loop {
            match self.word(module, at) {
                "(" | "[" | "{" => depth += 1,
                ")" | "]" | "}" => depth -= 1,
                "" => return Err(unclosed(module, self.kept[open].token)),
                _ => {}
            }
            at += 1;
            if depth == 0 {
                return Ok(at);
            }
        }
    }

    fn add(&mut self, module: &Module<'a>, item: Item<'a>) -> Result<(), LinkError> {
        if item.kind == Kind::Import {
            let path = Vec::new();
            self.add_imports(module, item.first + 1, path)?;
        } else if !item.name.is_empty() && self.names.insert(item.name, self.items.len()).is_some()
        {
            let message = format!("`{}` is declared twice", item.name);
            return Err(module.error(self.kept[item.first].token, message));
        }
        self.items.push(item);
        Ok(())
    }

    /// Reads `a::b::{c, d}` after so much of a path. Gives the kept token after it.
    fn add_imports(
        &mut self,
        module: &Module<'a>,
        mut at: usize,
        mut path: Vec<&'a str>,
    ) -> Result<usize, LinkError> {
        loop {
            let word = self.word(module, at);
            if word == "{" {
                loop {
                    at = self.add_imports(module, at + 1, path.clone())?;
                    match self.word(module, at) {
                        "," if self.word(module, at + 1) == "}" => return Ok(at + 2),
                        "," => {}
                        _ => return Ok(at + 1),
                    }
                }
            }
            path.push(word);
            at += 1;
            if self.word(module, at) != ":" {
                break;
            }
            at += 2;
        }
        let token = self.kept.get(at - 1).map_or(0, |kept| kept.token);
        if path.first() != Some(&"package") {
            return Err(module.error(token, "an import must begin with `package::`"));
        }
        let name = path.last().copied().unwrap_or_default();
        self.imports.insert(name, Import { path: path.split_off(1), token });
        Ok(at)
    }
}

fn unclosed(module: &Module<'_>, token: usize) -> LinkError {
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

    /// Keeps the tokens of a range, less what conditions drop. `lead`: of the first of them. `lists`: for each bracket
    /// that is open, whether a comma ends what a condition is about.
    fn walk(
        &mut self,
        mut at: usize,
        end: usize,
        mut lead: Option<usize>,
        mut lists: Vec<bool>,
    ) -> Result<(), LinkError> {
        let (base, mut in_struct) = (lists.len(), false);
        while at < end {
            let word = self.word(at);
            match word {
                "@" if self.word(at + 1) == "if" => {
                    at = self.chain(at, lead.take(), &lists)?;
                    continue;
                }
                "@" if matches!(self.word(at + 1), "elif" | "else") => {
                    let message = format!("`@{}` without `@if` before it", self.word(at + 1));
                    return Err(self.module.error(at, message));
                }
                "struct" => in_struct = true,
                "(" => lists.push(true),
                "[" => lists.push(false),
                "{" => lists.push(std::mem::take(&mut in_struct)),
                ")" | "]" | "}" if lists.len() > base => {
                    lists.pop();
                }
                ")" | "]" | "}" => {
                    let message = format!("`{word}` closes nothing");
                    return Err(self.module.error(at, message));
                }
                _ => {}
            }
            self.kept.push(Kept { token: at, lead: lead.take().unwrap_or(at) });
            at += 1;
        }
        Ok(())
    }

    /// An `@if` with its `@elif` and `@else`. Gives the token after it.
    fn chain(
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
                // What the text says before the branch, or before all of them.
                let has_comment = self.module.blanks(at).contains("//");
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

    /// The token after the element that a condition is about: in a list up to a comma or the closing bracket, elsewhere
    /// up to a semicolon or a block.
    fn element_end(&self, start: usize, is_list: bool) -> Result<usize, LinkError> {
        let is_import = self.word(start) == "import";
        let (mut at, mut depth) = (start, 0_usize);
        loop {
            match self.word(at) {
                "" => {
                    return Err(self.module.error(start, "a condition of an element without end"));
                }
                "," if is_list && depth == 0 => return Ok(at + 1),
                ";" if !is_list && depth == 0 => return Ok(at + 1),
                ")" | "}" if depth == 0 => return Ok(at),
                "(" | "[" | "{" => depth += 1,
                "<" if is_list => depth += 1,
                ">" if is_list => depth = depth.saturating_sub(1),
                "}" => {
                    depth -= 1;
                    if depth == 0 && !is_list && !is_import && self.word(at + 1) != "else" {
                        return Ok(at + 1);
                    }
                }
                ")" | "]" => depth = depth.saturating_sub(1),
                _ => {}
            }
            at += 1;
        }
    }

    /// The value of a condition in parentheses, and the token after it.
    fn condition(&self, at: usize) -> Result<(bool, usize), LinkError> {
        if self.word(at) != "(" {
            return Err(self.module.error(at, "a condition must be in parentheses"));
        }
        self.factor(at)
    }

    /// `a && b || c`.
    fn expression(&self, at: usize) -> Result<(bool, usize), LinkError> {
        let (mut any, mut after) = self.term(at)?;
        while self.word(after) == "|" && self.word(after + 1) == "|" {
            let (value, end) = self.term(after + 2)?;
            (any, after) = (any | value, end);
        }
        Ok((any, after))
    }

    fn term(&self, at: usize) -> Result<(bool, usize), LinkError> {
        let (mut all, mut after) = self.factor(at)?;
        while self.word(after) == "&" && self.word(after + 1) == "&" {
            let (value, end) = self.factor(after + 2)?;
            (all, after) = (all & value, end);
        }
        Ok((all, after))
    }

    fn factor(&self, at: usize) -> Result<(bool, usize), LinkError> {
        match self.word(at) {
            "!" => self.factor(at + 1).map(|(value, after)| (!value, after)),
            "(" => {
                let (value, after) = self.expression(at + 1)?;
                if self.word(after) != ")" {
                    return Err(unclosed(self.module, at));
                }
                Ok((value, after + 1))
            }
            "true" => Ok((true, at + 1)),
            "false" => Ok((false, at + 1)),
            name => {
                let feature = self.features.iter().find(|feature| feature.0 == name);
                let message = || format!("there is no feature `{name}`");
                feature
                    .map(|feature| (feature.1, at + 1))
                    .ok_or_else(|| self.module.error(at, message()))
            }
        }
    }
}
