//! The brackets of documents and their errors.

use serde::de::IgnoredAny;
use std::fmt;
use treebounds_core::{Bracket, BracketErrorKind, Segment};
use treebounds_examples::Backend;

const SQUARE: u32 = 0;
const CURLY: u32 = 1;

/// A text that should be JSON, and its position in the file.
pub(crate) struct Document<'a> {
    pub(crate) text: &'a [u8],
    /// Its first line, counted from 1.
    line: usize,
    /// Whether every line is a document.
    is_line: bool,
}

/// The description of an error.
#[derive(Debug)]
pub(crate) struct Problem {
    line: usize,
    column: usize,
    text: String,
}

impl fmt::Display for Problem {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "line {} column {}: {}", self.line, self.column, self.text)
    }
}

impl<'a> Document<'a> {
    /// Creates a text that is a single document.
    pub(crate) fn whole(text: &'a [u8]) -> Self {
        Self { text, line: 1, is_line: false }
    }

    pub(crate) fn lines(text: &'a [u8]) -> Vec<Self> {
        let lines = (1..).zip(text.split(|byte| *byte == b'\n'));
        lines.map(|(line, text)| Self { text, line, is_line: true }).collect()
    }

    /// Returns its line if every line is a document.
    pub(crate) fn line(&self) -> Option<usize> {
        self.is_line.then_some(self.line)
    }

    pub(crate) fn is_blank(&self) -> bool {
        self.is_line && self.text.trim_ascii().is_empty()
    }

    /// Returns its text if it is valid JSON, with any nesting depth.
    pub(crate) fn parse(&self) -> Result<&'a str, Problem> {
        let json = std::str::from_utf8(self.text)
            .map_err(|error| self.problem_after(error.valid_up_to() + 1, "not UTF-8"))?;
        match serde_json::from_str::<IgnoredAny>(json) {
            Ok(_) => Ok(json),
            Err(error) => {
                let (line, text) = (self.line + error.line().max(1) - 1, error.to_string());
                let text = text.split(" at line ").next().unwrap_or_default().to_owned();
                Err(Problem { line, column: error.column(), text })
            }
        }
    }

    /// Returns the description and the position of a bracket error.
    pub(crate) fn problem(&self, fault: Fault) -> Problem {
        let bracket = |at: usize| char::from(self.text[at]);
        let of = |open: usize| {
            let (line, column) = self.place_after(open + 1);
            format!("the {} of line {line} column {column}", bracket(open))
        };
        match fault {
            Fault::Unopened { close } => {
                self.problem_after(close + 1, format!("{} closes nothing", bracket(close)))
            }
            Fault::Mismatched { open, close } => {
                self.problem_after(close + 1, format!("{} closes {}", bracket(close), of(open)))
            }
            Fault::Unclosed { open } => {
                self.problem_after(self.text.len(), format!("{} is not closed", of(open)))
            }
        }
    }

    pub(crate) fn problem_after(&self, bytes: usize, text: impl Into<String>) -> Problem {
        let (line, column) = self.place_after(bytes);
        Problem { line, column, text: text.into() }
    }

    /// Returns the line and column of the byte before position `bytes`. Both count from 1, and
    /// columns count bytes, as in serde_json.
    fn place_after(&self, bytes: usize) -> (usize, usize) {
        let before = &self.text[..bytes];
        let lines = before.iter().filter(|byte| **byte == b'\n').count();
        let column = before.iter().rev().take_while(|byte| **byte != b'\n').count();
        (self.line + lines, column)
    }
}

/// The brackets outside strings. Each document ends with a reset, including the last one.
#[derive(Default)]
pub(crate) struct Brackets {
    words: Vec<Bracket>,
    /// The position of each bracket in its document, in bytes.
    at: Vec<usize>,
}

/// The first error in the brackets of a document. Positions are bytes in the document.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) enum Fault {
    /// A close without an open.
    Unopened { close: usize },
    /// A close that matches an open of another kind.
    Mismatched { open: usize, close: usize },
    /// An open without a close.
    Unclosed { open: usize },
}

impl Brackets {
    /// Adds a document. Records the brackets outside strings and skips everything else, valid or
    /// not.
    pub(crate) fn add(&mut self, document: &[u8]) {
        let mut at = 0;
        while let Some(byte) = document.get(at) {
            let word = match byte {
                b'[' => Bracket::open(SQUARE),
                b'{' => Bracket::open(CURLY),
                b']' => Bracket::close(SQUARE),
                b'}' => Bracket::close(CURLY),
                _ => Bracket::OTHER,
            };
            if word != Bracket::OTHER {
                self.push(word, at);
            }
            at += token_len(&document[at..]);
        }
        self.push(Bracket::RESET, document.len());
    }

    fn push(&mut self, word: Bracket, at: usize) {
        self.words.push(word);
        self.at.push(at);
    }

    /// Returns the first error of each document.
    pub(crate) fn faults(&self, backend: &Backend) -> anyhow::Result<Vec<Option<Fault>>> {
        let found = backend.brackets(&self.words)?;
        let at = |element: u32| self.at[element as usize];
        let fault = |segment: &Segment| {
            let error = segment.first_error()?;
            let here = at(error.element);
            Some(match error.kind {
                BracketErrorKind::Unopened => Fault::Unopened { close: here },
                BracketErrorKind::Unclosed => Fault::Unclosed { open: here },
                BracketErrorKind::Mismatched => {
                    let open = at(found.partners[error.element as usize]);
                    Fault::Mismatched { open, close: here }
                }
            })
        };
        // After the last reset there is an additional, empty segment.
        let documents = self.words.iter().filter(|word| **word == Bracket::RESET).count();
        Ok(found.segments.iter().take(documents).map(fault).collect())
    }
}

/// Returns the length of the token at the start of a text: a string, a mark, or everything up to the
/// next mark.
pub(crate) fn token_len(rest: &[u8]) -> usize {
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
