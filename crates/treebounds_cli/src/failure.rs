//! What went wrong, in one line.

use serde::{Deserialize, Serialize};
use std::{
    fmt::{self, Display},
    io::{self, Write, stderr},
    process::ExitCode,
};

/// A reason to stop.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Failure {
    code: u8,
    about: Option<String>,
    cause: String,
}

impl Failure {
    /// The input is bad, or an output cannot be written.
    pub fn bad(cause: impl Display) -> Self {
        Self { code: 1, about: None, cause: cause.to_string() }
    }

    /// The command line asks for what cannot be.
    pub fn usage(cause: impl Display) -> Self {
        Self { code: 2, ..Self::bad(cause) }
    }

    /// A GPU was asked for, and there is none.
    pub fn no_gpu(cause: impl Display) -> Self {
        Self { code: 3, ..Self::bad(cause) }
    }

    /// Names the file that this is about.
    pub fn about(self, name: impl Display) -> Self {
        Self { about: Some(name.to_string()), ..self }
    }

    /// Names the file that this is about, unless one is named.
    pub fn about_if_none(self, name: impl Display) -> Self {
        if self.about.is_some() { self } else { self.about(name) }
    }

    /// Its exit code: 1, 2 or 3.
    pub fn code(&self) -> u8 {
        self.code
    }

    /// Writes the line, for this program; the exit code.
    pub fn tell(&self, program: &str) -> ExitCode {
        // Where even that cannot be written, the exit code says it.
        let _ = writeln!(stderr(), "{program}: {}", one_line(&self.to_string()));
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

/// The text without line breaks and control characters.
pub fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|character| !character.is_control()).collect()
}

/// What a person would call an error of the system.
pub fn plain(error: &io::Error) -> String {
    let text = match error.kind() {
        io::ErrorKind::NotFound => "there is no such file or folder".into(),
        io::ErrorKind::PermissionDenied => "permission denied".into(),
        io::ErrorKind::IsADirectory => "this is a folder, not a file".into(),
        io::ErrorKind::NotADirectory => "a part of this path is not a folder".into(),
        io::ErrorKind::StorageFull => "no space is left on the device".into(),
        _ => error.to_string(),
    };
    text.split(" (os error").next().unwrap_or_default().to_owned()
}
