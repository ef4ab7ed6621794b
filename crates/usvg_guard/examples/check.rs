//! Compares the guard with usvg alone, on files or on bombs.
//!
//! `find DIR -name '*.svg*' | cargo run --release -p usvg_guard --example check` parses each file of the list with both, prints
//! where the trees differ, and counts the files that are refused. usvg alone has no limits here, so the list should not contain
//! bombs.
//!
//! With `bombs [FILE...]` it prints the rows of the table in the README: what happens to each bomb of `bombs.txt`, or to each
//! file, within the default limits of 2 s and 1 GiB. A line of `bombs.txt` is a name, a tab and a drawing: `«N:text»` stands for
//! N copies of the text, in which `№` is the number of the copy, from 1, and `№-` the number before; `¶` is a small path, and
//! `§` the start tag of an `svg`, which is added to a drawing that has none.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::path::Path;
use std::time::{Duration, Instant};
use usvg_guard::usvg::{self, Tree, WriteOptions};
use usvg_guard::{Error, FilePolicy, Guard, Limits, Options, with_large_stack};

const START: &str = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='100'>";

fn main() {
    usvg_guard::contain::serve(&mut []);
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => compare(),
        [_] => bombs(),
        [_, files @ ..] => files.iter().for_each(|file| row(file, &std::fs::read(file).unwrap())),
    }
}

fn compare() {
    let mut plain = usvg::Options::default();
    plain.fontdb_mut().load_system_fonts();
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut alone, mut guarded, mut most) = (Duration::ZERO, Duration::ZERO, Duration::ZERO);
    let mut guards: BTreeMap<_, Guard> = BTreeMap::new();
    for path in std::io::stdin().lines().map(Result::unwrap) {
        let Ok(data) = std::fs::read(&path) else { continue };
        let folder = Path::new(&path).parent().map(Path::to_owned);
        plain.resources_dir.clone_from(&folder);
        let guard = guards.entry(folder.clone()).or_insert_with(|| {
            let files = FilePolicy { folder, allowed: vec![] };
            let guard = Guard::new(Options { files, ..Options::default() });
            // The first call starts a process, which looks for fonts.
            let _ = guard.parse(format!("{START}</svg>").as_bytes(), &Limits::default());
            guard
        });
        let start = Instant::now();
        let parsed = guard.parse(&data, &Limits::default());
        let with = start.elapsed();
        let start = Instant::now();
        let is_circle = |note: &&String| note.contains("circular reference");
        let kind = match &parsed {
            Err(error) => {
                println!("{path}: {error}");
                "refused"
            }
            Ok(parsed) if parsed.notes.iter().any(|note| is_circle(&note)) => {
                parsed.notes.iter().filter(is_circle).for_each(|note| println!("{path}: {note}"));
                "with a circle cut"
            }
            Ok(parsed) => match with_large_stack(|| Tree::from_data(&data, &plain)) {
                Ok(Ok(tree)) => {
                    let without = start.elapsed();
                    (alone, guarded) = (alone + without, guarded + with);
                    most = most.max(with.saturating_sub(without));
                    let text = |tree: &Tree| tree.to_string(&WriteOptions::default());
                    if text(&tree) == text(&parsed.tree) { "the same tree" } else { "another tree" }
                }
                _ => "read by the guard alone",
            },
        };
        if matches!(kind, "another tree" | "read by the guard alone") {
            println!("{path}: {kind}");
        }
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}; usvg alone {alone:?}, the guard {guarded:?}, at most {most:?} more");
}

fn bombs() {
    for line in include_str!("bombs.txt").lines() {
        let (name, drawing) = line.split_once('\t').unwrap();
        let is_whole =
            drawing.contains('§') || drawing.contains("xmlns=") && !drawing.contains("%22");
        let whole = if is_whole { drawing.to_owned() } else { format!("§{drawing}</svg>") };
        let text = expand(&whole.replace('¶', "<path d='M0 0h9v9z'/>").replace('§', START), true);
        row(name, text.as_bytes());
    }
}

fn row(name: &str, data: &[u8]) {
    thread_local!(static GUARD: Guard = Guard::new(Options {
        font_family: Some(std::env::var("FONT_FAMILY").unwrap_or("DejaVu Sans".into())),
        ..Options::default()
    }));
    let start = Instant::now();
    let parsed = GUARD.with(|guard| guard.check(data, &Limits::default()));
    let took = start.elapsed().as_millis();
    let ended = match parsed {
        Ok(()) => format!("read in {took} ms"),
        Err(Error::Stopped(why)) => format!("stopped after {took} ms: {why}"),
        Err(why) => format!("refused in {took} ms: {why}"),
    };
    println!("| {name} | {} | {ended} |", data.len());
}

/// The text with its copies made; the outermost are numbered.
fn expand(text: &str, is_outermost: bool) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once('«') {
        let mut depth = 1;
        let end = after.char_indices().find(|(_, letter)| {
            depth += i32::from(*letter == '«') - i32::from(*letter == '»');
            depth == 0
        });
        let (inside, tail) = after.split_at(end.unwrap().0);
        let (count, inside) = inside.split_once(':').unwrap();
        let inside = expand(inside, false);
        out.push_str(before);
        for at in 1..=count.parse::<usize>().unwrap() {
            if is_outermost && inside.contains('№') {
                let one = inside.replace("№-", &(at - 1).to_string());
                out.push_str(&one.replace('№', &at.to_string()));
            } else {
                out.push_str(&inside);
            }
        }
        rest = tail.strip_prefix('»').unwrap();
    }
    out + rest
}
