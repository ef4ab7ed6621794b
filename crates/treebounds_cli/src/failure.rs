//! One-line errors, and escaping of text for the terminal.

use serde::{Deserialize, Serialize};
use std::{
    fmt::{self, Display},
    io::{self, Write, stderr},
    process::ExitCode,
};

/// A reason to stop: a one-line message and an exit code.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    code: u8,
    about: Option<String>,
    cause: String,
}

impl Failure {
    /// Creates a failure for bad input or an unwritable output: exit code 1.
    pub fn bad(cause: impl Display) -> Self {
        Self { code: 1, about: None, cause: one_line(&cause.to_string()) }
    }

    /// Creates a failure for an invalid command line: exit code 2.
    pub fn usage(cause: impl Display) -> Self {
        Self { code: 2, ..Self::bad(cause) }
    }

    /// Creates a failure for `--backend gpu` without a working GPU: exit code 3.
    pub fn no_gpu(cause: impl Display) -> Self {
        Self { code: 3, ..Self::bad(cause) }
    }

    /// Sets the file name.
    pub fn about(self, name: impl Display) -> Self {
        Self { about: Some(cut(&name.to_string(), NAME_MAX)), ..self }
    }

    /// Sets the file name, unless it is already set.
    pub fn about_if_none(self, name: impl Display) -> Self {
        if self.about.is_some() { self } else { self.about(name) }
    }

    pub(crate) fn before(self, words: &str) -> Self {
        Self { cause: format!("{words}{}", self.cause), ..self }
    }

    pub(crate) fn and(self, more: &str) -> Self {
        Self { cause: format!("{}; {}", self.cause, one_line(more)), ..self }
    }

    /// Returns the exit code: 1, 2 or 3.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Prints the program's name and the message to standard error. Returns the exit code.
    pub fn tell(&self, program: &str) -> ExitCode {
        // If standard error is unwritable too, only the exit code remains.
        let _ = writeln!(stderr(), "{program}: {self}");
        ExitCode::from(self.code)
    }
}

impl Display for Failure {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.about {
            Some(name) => write!(f, "{name}: {}", self.cause),
            None => f.write_str(&self.cause),
        }
    }
}

impl std::error::Error for Failure {}

/// The maximum length of a message in bytes.
const LINE_MAX: usize = 400;
/// The maximum length of a file name in a message, in bytes.
const NAME_MAX: usize = 200;

/// Puts the text on one line of at most about 400 bytes and escapes control characters.
pub fn one_line(text: &str) -> String {
    cut(text, LINE_MAX)
}

/// Escapes control characters (as `\u{1b}`) and characters that reorder text, so that a file name or an id cannot control
/// the terminal.
pub fn printable(text: &str) -> String {
    let mut shown = String::new();
    text.chars().for_each(|character| push(&mut shown, character));
    shown
}

fn push(shown: &mut String, character: char) {
    let reorders = matches!(
        character,
        '\u{61c}' | '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}'
    );
    if character.is_control() || reorders {
        shown.extend(character.escape_unicode());
    } else {
        shown.push(character);
    }
}

fn cut(text: &str, max: usize) -> String {
    let mut line = String::new();
    for word in text.split_whitespace() {
        if !line.is_empty() {
            line.push(' ');
        }
        for character in word.chars() {
            if line.len() >= max {
                line.push_str(" ...");
                return line;
            }
            push(&mut line, character);
        }
    }
    line
}

/// Describes a system error in plain words.
pub fn plain(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "this is a folder, not a file".into(),
        io::ErrorKind::NotADirectory => "a part of this path is not a folder".into(),
        io::ErrorKind::StorageFull => "no space is left on the device".into(),
        io::ErrorKind::FileTooLarge => {
            "the file would exceed the size limit of this process".into()
        }
        _ => error.to_string(),
    };
    text.split(" (os error").next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_is_escaped_and_truncated() {
        assert_eq!(printable("a\u{1b}]0;x\u{7}b"), "a\\u{1b}]0;x\\u{7}b");
        assert_eq!(printable("\u{9b}31m\u{202e}gvs"), "\\u{9b}31m\\u{202e}gvs");
        assert_eq!(one_line(" two\nlines\tand a tab "), "two lines and a tab");
        assert!(one_line(&"a".repeat(1 << 20)).len() < 500);
        let long = Failure::bad("b".repeat(1 << 20)).about("c".repeat(1 << 20)).to_string();
        assert!(long.len() < 700 && long.contains("c ...: b"), "{long}");
    }
}
