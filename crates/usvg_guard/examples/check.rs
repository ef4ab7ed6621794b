//! Compares the guard with usvg alone on ordinary files, or tests it on bombs: files built to exhaust a parser.
//!
//! `find DIR -name '*.svg*' | cargo run --release -p usvg_guard --example check` parses each listed file with both,
//! prints the differing trees, and counts the rejected files. Neither reads linked images. usvg alone has no limits
//! here, so do not list bombs.
//!
//! `bombs [FILE...]` prints the rows of the table in the README: the outcome for each bomb in `bombs.txt`, or for each
//! file, with the default limits of 2 s and 1 GiB. A line of `bombs.txt` is a name, a tab and a drawing. In a drawing,
//! `«N:text»` stands for N copies of the text, where `№` is the number of the copy, from 1, and `№-` the number of the
//! previous copy. `¶` is a small path, and `§` the start tag of an `svg`.
#![allow(clippy::unwrap_used)]

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::{Duration, Instant};
use usvg_guard::usvg::{ImageHrefResolver, Options, Tree, WriteOptions, fontdb::Database};
use usvg_guard::{Error, Guard, Limits, with_large_stack};

const START: &str = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='100'>";

fn main() {
    let mut fonts = Database::new();
    fonts.load_system_fonts();
    let fonts = Arc::new(fonts);
    let options = move || Options {
        fontdb: fonts.clone(),
        // The guard leaves linked images out.
        image_href_resolver: ImageHrefResolver {
            resolve_string: Box::new(|_, _| None),
            ..ImageHrefResolver::default()
        },
        font_family: "DejaVu Sans".into(),
        ..Options::default()
    };
    let guard = Guard::new(options.clone());
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match &arguments[..] {
        [] => compare(&guard, options),
        [_] => bombs(&guard),
        [_, files @ ..] => {
            files.iter().for_each(|file| row(&guard, file, &std::fs::read(file).unwrap()));
        }
    }
}

fn compare(guard: &Guard, plain: impl Fn() -> Options<'static> + Sync) {
    let mut counts: BTreeMap<&str, u32> = BTreeMap::new();
    let (mut alone, mut guarded) = (Duration::ZERO, Duration::ZERO);
    for path in std::io::stdin().lines().map(Result::unwrap) {
        let Ok(data) = std::fs::read(&path) else { continue };
        let start = Instant::now();
        let parsed = guard.parse(&data, &Limits::default());
        let with = start.elapsed();
        let start = Instant::now();
        let kind = match &parsed {
            Err(_) => "refused",
            Ok(parsed) if !parsed.left_out.is_empty() => "with a circle cut",
            Ok(parsed) => match with_large_stack(|| Tree::from_data(&data, &plain())) {
                Ok(Ok(tree)) => {
                    (alone, guarded) = (alone + start.elapsed(), guarded + with);
                    let text = |tree: &Tree| tree.to_string(&WriteOptions::default());
                    if text(&tree) == text(&parsed.tree) { "the same tree" } else { "another tree" }
                }
                _ => "read by the guard alone",
            },
        };
        if kind != "the same tree" {
            println!("{path}: {kind} {:?}", parsed.map(|parsed| parsed.left_out));
        }
        *counts.entry(kind).or_default() += 1;
    }
    println!("{counts:?}; usvg alone {alone:?}, the guard {guarded:?}");
}

fn bombs(guard: &Guard) {
    for line in include_str!("bombs.txt").lines() {
        let (name, drawing) = line.split_once('\t').unwrap();
        let text = expand(drawing.replace('¶', "<path d='M0 0h9v9z'/>").replace('§', START));
        row(guard, name, text.as_bytes());
    }
}

fn row(guard: &Guard, name: &str, data: &[u8]) {
    let start = Instant::now();
    let parsed = guard.parse(data, &Limits::default());
    let took = start.elapsed().as_millis();
    let ended = match parsed {
        Ok(_) => format!("read in {took} ms"),
        Err(Error::Stopped(why)) => format!("stopped after {took} ms: {why}"),
        Err(why) => format!("refused in {took} ms: {why}"),
    };
    println!("| {name} | {} | {ended} |", data.len());
}

/// Expands the copies in a text. Only the outermost copies are numbered.
fn expand(mut text: String) -> String {
    while let Some(start) = text.rfind('«') {
        let end = start + text[start..].find('»').unwrap();
        let (count, inside) = text[start + '«'.len_utf8()..end].split_once(':').unwrap();
        let is_inner = text[..start].matches('«').count() > text[..start].matches('»').count();
        let numbered =
            |at: usize| inside.replace("№-", &(at - 1).to_string()).replace('№', &at.to_string());
        let copies = match is_inner || !inside.contains('№') {
            true => inside.repeat(count.parse().unwrap()),
            false => (1..=count.parse().unwrap()).map(numbered).collect(),
        };
        text.replace_range(start..end + '»'.len_utf8(), &copies);
    }
    text
}
