//! Why a worker ended, in a person's words.

use crate::{failure::one_line, limits::Limits};
use std::process::ExitStatus;

/// The time was up, while it did this.
pub(crate) fn too_long(doing: &str, limits: &Limits) -> String {
    let seconds = limits.max_seconds;
    format!("{doing} it took more than {seconds} s and was stopped; --max-seconds allows more")
}

/// What its status and its last words say of what it did.
pub(crate) fn cause(
    doing: &str,
    status: Option<ExitStatus>,
    said: &str,
    limits: &Limits,
) -> String {
    let memory = ["memory allocation of", "bad_alloc", "out of memory", "Cannot allocate memory"];
    if memory.iter().any(|words| said.contains(words)) {
        let memory = limits.max_memory;
        return format!(
            "{doing} it needs more than {memory} GiB of memory; --max-memory allows more"
        );
    }
    let how = if said.contains("has overflowed its stack") {
        "its stack overflowed".to_owned()
    } else if let Some(at) = said.find("panicked at ") {
        one_line(&said[at..]).chars().take(200).collect()
    } else {
        status.map_or("it cannot be said how".to_owned(), how)
    };
    format!("the program crashed on it: {how}")
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn last_words_are_told_in_one_line() {
        let limits =
            Limits { max_seconds: 0.5, max_memory: 4.0, trust: false, allow_files: vec![] };
        let told = |said| cause("reading", None, said, &limits);
        assert!(
            told("memory allocation of 9 bytes failed\n")
                .starts_with("reading it needs more than 4 GiB")
        );
        let overflow = "\nthread 'main' has overflowed its stack\nfatal runtime error";
        assert_eq!(told(overflow), "the program crashed on it: its stack overflowed");
        let panic = "thread 'main' panicked at src/a.rs:1:2:\nindex out of bounds\nnote: ...";
        assert!(told(panic).contains("panicked at src/a.rs:1:2: index out of bounds"));
        assert!(too_long("painting", &limits).starts_with("painting it took more than 0.5 s"));
    }
}
