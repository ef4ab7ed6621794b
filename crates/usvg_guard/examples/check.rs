//! Parses every file of a list with usvg alone and with the guard, and says where they differ.
//!
//! `find DIR -name '*.svg*' | cargo run --release -p usvg_guard --example check` compares the trees, and counts what is
//! refused for what. usvg alone parses on the guard's stack, so the list should hold no bombs.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use usvg_guard::usvg::{self, Tree, WriteOptions};
use usvg_guard::{Error, FilePolicy, Guard, Limits, Options, with_large_stack};

fn main() {
    usvg_guard::contain::serve(&mut []);
    let mut plain = usvg::Options::default();
    plain.fontdb_mut().load_system_fonts();
    let (mut same, mut both, mut noted) = (0, 0, 0);
    let mut reasons: BTreeMap<String, u32> = BTreeMap::new();
    let (mut alone, mut guarded, mut most) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut guards: BTreeMap<_, Guard> = BTreeMap::new();
    for path in std::io::stdin().lines() {
        let path = path.unwrap();
        let Ok(data) = std::fs::read(&path) else { continue };
        let folder = Path::new(&path).parent().map(Path::to_owned);
        plain.resources_dir.clone_from(&folder);
        let guard = guards.entry(folder.clone()).or_insert_with(|| {
            let files = FilePolicy { folder, allowed: vec![] };
            let guard = Guard::new(Options { files, ..Options::default() });
            // The first call starts a process, which looks for fonts.
            let _ = guard.parse(b"<svg/>", &Limits::default());
            guard
        });
        let start = Instant::now();
        let parsed = guard.parse(&data, &Limits::default());
        let with = start.elapsed();
        let parsed = match parsed {
            Ok(parsed) => parsed,
            Err(error) => {
                println!("{path}: {error}");
                *reasons.entry(kind(&error)).or_default() += 1;
                continue;
            }
        };
        noted += u32::from(!parsed.notes.is_empty());
        for note in parsed.notes.iter().filter(|note| note.contains("circle")) {
            println!("{path}: {note}");
        }
        if parsed.notes.iter().any(|note| note.contains("circle")) {
            continue;
        }
        let start = Instant::now();
        let Ok(Ok(tree)) = with_large_stack(|| Tree::from_data(&data, &plain)) else {
            println!("{path}: the guard alone reads it");
            continue;
        };
        let without = start.elapsed();
        (alone, guarded) = (alone + without, guarded + with);
        most = most.max(with.saturating_sub(without));
        both += 1;
        let text = |tree: &Tree| tree.to_string(&WriteOptions::default());
        if text(&tree) == text(&parsed.tree) {
            same += 1;
        } else {
            println!("{path}: another tree");
        }
    }
    println!("{both} are read by both, {same} of them as the same tree; {noted} with notes");
    println!("refused: {reasons:?}");
    println!(
        "usvg alone {alone:?}, with the guard {guarded:?}; at most {most:?} more for one file"
    );
}

/// The name of the error.
fn kind(error: &Error) -> String {
    format!("{error:?}").chars().take_while(|one| one.is_alphanumeric()).collect()
}
