//! Checks that the README lists every note of the code.

use std::fs;
use std::path::Path;

/// Returns the string literals of a text, without escapes.
fn literals(text: &str) -> impl Iterator<Item = &str> {
    text.split('"').skip(1).step_by(2)
}

/// Returns the first word of a note's subject.
fn word(what: &str) -> &str {
    what.split([':', ' ', '{', '=']).next().unwrap_or_default()
}

/// Returns the subjects of the notes in one file: properties, attributes and elements.
fn subjects(text: &str) -> Vec<&str> {
    let mut found = Vec::new();
    for call in ["self.note(", "Note::new("] {
        let calls = text.split(call).skip(1).filter_map(|rest| rest.split(';').next());
        // The element comes first, then the subject, then the effect.
        let is_subject =
            |call: &&str| call.split('"').next().unwrap_or_default().matches(',').count() < 2;
        found.extend(calls.filter(is_subject).filter_map(|call| literals(call).next()).map(word));
    }
    // Tables of properties: the first string of each row.
    for table in ["const LEFT_OUT", "const NOT_EXACT"] {
        let rows = text.split(table).nth(1).and_then(|rest| rest.split("];").next());
        let rows = rows.unwrap_or_default().split("\n    (").skip(1);
        found.extend(rows.filter_map(|row| literals(row).next()));
    }
    // Elements that are left out.
    let arms = text.split("let effect = match name {").nth(1);
    let arms = arms.and_then(|rest| rest.split("\"use\"").next()).unwrap_or_default();
    let names = literals(arms).filter(|name| name.chars().all(char::is_alphanumeric));
    found.extend(names);
    found.retain(|name| !name.is_empty() && !name.contains(char::is_whitespace));
    found
}

fn all_files(folder: &Path, out: &mut Vec<String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        if path.is_dir() { all_files(&path, out) } else { out.extend(fs::read_to_string(path)) }
    }
}

#[test]
fn the_readme_lists_every_note() {
    let package = Path::new(env!("CARGO_MANIFEST_DIR"));
    let page = fs::read_to_string(package.join("README.md")).expect("a page");
    let table = page.split("## Notes").nth(1).and_then(|rest| rest.split("\n## ").next());
    let table = table.unwrap_or_default().to_lowercase();
    let listed: Vec<&str> = table.split('`').skip(1).step_by(2).collect();
    let is_listed = |name: &str| {
        let name = name.trim_start_matches("-webkit-").to_lowercase();
        listed.iter().any(|one| {
            let rest = name.strip_prefix(one.trim_end_matches('='));
            rest.is_some_and(|rest| rest.is_empty() || one.len() > 3)
        })
    };
    let mut texts = Vec::new();
    all_files(&package.join("src"), &mut texts);
    let subjects: Vec<&str> = texts.iter().flat_map(|text| subjects(text)).collect();
    assert!(
        subjects.len() > 60,
        "the code has {} notes, or is no longer understood",
        subjects.len()
    );
    let missing: Vec<&str> = subjects.into_iter().filter(|name| !is_listed(name)).collect();
    assert!(missing.is_empty(), "not in README.md: {missing:?}");
}
