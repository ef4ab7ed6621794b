//! What the guard says of files that are ordinary: how many it reads, and how many it refuses for what.
//!
//! `find DIR -name '*.svg*' | cargo run --release -p usvg_guard --example check` reads the files that standard input
//! names, a line each, and prints those that are refused or read in part.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use usvg_guard::{Limits, parse, usvg::Options};

fn main() {
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    for path in std::io::stdin().lines().map(Result::unwrap) {
        let data = std::fs::read(&path).unwrap();
        let name = match parse(&data, &Limits::default(), Options::default()) {
            Ok(parsed) if parsed.notes.is_empty() => "read".to_owned(),
            Ok(parsed) => {
                println!("{path}: {}", parsed.notes.join("; "));
                "read in part".to_owned()
            }
            Err(error) => {
                println!("{path}: {error}");
                format!("{error:?}").chars().take_while(|one| one.is_alphanumeric()).collect()
            }
        };
        *counts.entry(name).or_default() += 1;
    }
    for (name, count) in counts {
        println!("{count:6} {name}");
    }
}
