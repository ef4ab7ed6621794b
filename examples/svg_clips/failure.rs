//! What went wrong, in one line.

use std::{
    fmt::Display,
    io::{self, Write, stderr},
    process::ExitCode,
};

/// A reason to stop.
#[derive(Debug)]
pub(crate) struct Failure {
    code: u8,
    about: Option<String>,
    cause: String,
}

impl Failure {
    /// The input is bad, or an output cannot be written.
    pub(crate) fn bad(cause: impl Display) -> Self {
        Self { code: 1, about: None, cause: cause.to_string() }
    }

    /// The command line asks for what cannot be.
    pub(crate) fn usage(cause: impl Display) -> Self {
        Self { code: 2, ..Self::bad(cause) }
    }

    /// A GPU was asked for, and there is none.
    pub(crate) fn no_gpu(cause: impl Display) -> Self {
        Self { code: 3, ..Self::bad(cause) }
    }

    /// Names the file that this is about.
    pub(crate) fn about(self, name: impl Display) -> Self {
        Self { about: Some(name.to_string()), ..self }
    }

    /// Writes the line; the exit code.
    pub(crate) fn tell(&self) -> ExitCode {
        let about = self.about.iter().map(|name| format!("{name}: ")).collect::<String>();
        // Where even that cannot be written, the exit code says it.
        let _ = writeln!(stderr(), "svg_clips: {}", one_line(&format!("{about}{}", self.cause)));
        ExitCode::from(self.code)
    }
}

/// The text without line breaks and control characters.
pub(crate) fn one_line(text: &str) -> String {
    let words: Vec<_> = text.split_whitespace().collect();
    words.join(" ").chars().filter(|character| !character.is_control()).collect()
}

/// What a person would call an error of the system.
pub(crate) fn plain(error: &io::Error) -> String {
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
