//! Why a job was not done, in a person's words.

use super::Limits;
use std::io;
use std::process::ExitStatus;
use std::time::Duration;

/// Why a job was not done. Each message is one line of at most about 300 characters.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum Ended {
    /// The work returned this error.
    #[error("{0}")]
    Failed(String),
    /// The time was up.
    #[error("it took more than {} s and was stopped; allow more time", limit.as_secs_f64())]
    Time {
        /// How much there was.
        limit: Duration,
    },
    /// The memory was full.
    #[error("it needs more than {} MiB of memory and was stopped; allow more memory", limit >> 20)]
    Memory {
        /// How much there was, in bytes.
        limit: u64,
    },
    /// The stack was full.
    #[error("it is nested too deep: the stack overflowed")]
    Stack,
    /// The work panicked, which is a bug in it.
    #[error("the program failed on it, which is a bug: {0}")]
    Panic(String),
    /// The worker ended in another way.
    #[error("the program crashed on it: {0}")]
    Crash(String),
    /// A message, or all of them, have more bytes than allowed.
    #[error("the result has more than {limit} bytes")]
    Bytes {
        /// How many are allowed.
        limit: u64,
    },
    /// There was no worker.
    #[error("no process could be started for it: {0}")]
    NotStarted(String),
    /// The callback ended it.
    #[error("it was stopped")]
    Stopped,
}

impl Ended {
    pub(super) fn not_started(error: io::Error) -> Self {
        Self::NotStarted(one_line(&error.to_string()))
    }

    /// What the status of a worker and its last words say.
    pub(super) fn of(
        status: Option<ExitStatus>,
        said: &str,
        limits: &Limits,
        has_begun: bool,
    ) -> Self {
        const MEMORY: [&str; 4] =
            ["memory allocation of", "bad_alloc", "out of memory", "Cannot allocate memory"];
        if MEMORY.iter().any(|words| said.contains(words)) {
            return Self::Memory { limit: limits.memory };
        }
        if said.contains("has overflowed its stack") {
            return Self::Stack;
        }
        if let Some(at) = said.find("panicked at ") {
            return Self::Panic(one_line(&said[at..]));
        }
        let how = status.map_or("nobody knows how".to_owned(), how);
        if !has_begun {
            return Self::NotStarted(format!("does main begin with contain::serve? ({how})"));
        }
        Self::Crash(how)
    }
}

#[cfg(unix)]
fn how(status: ExitStatus) -> String {
    use std::os::unix::process::ExitStatusExt;
    match status.signal() {
        Some(9) => "the system stopped it, perhaps for want of memory".to_owned(),
        _ => status.to_string(),
    }
}

#[cfg(not(unix))]
fn how(status: ExitStatus) -> String {
    status.to_string()
}

/// So many characters of a text are shown.
const SHOWN: usize = 250;

/// The text as one short line: control characters and those that turn the direction of writing are escaped.
pub fn one_line(text: &str) -> String {
    let mut out = String::new();
    for (at, letter) in text.trim_end().chars().enumerate() {
        if at == SHOWN {
            out.push('…');
            break;
        }
        let turns = matches!(letter, '\u{200e}' | '\u{200f}' | '\u{202a}'..='\u{202e}' | '\u{2066}'..='\u{2069}');
        match letter {
            '\n' | '\r' | '\t' => out.push(' '),
            _ if letter.is_control() || turns => out.extend(letter.escape_default()),
            _ => out.push(letter),
        }
    }
    out
}
