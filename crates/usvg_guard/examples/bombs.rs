//! What becomes of known bombs: the rows of the table in the README.
//!
//! `cargo run --release -p usvg_guard --example bombs [FILE...]` makes each bomb of `bombs.txt`, or reads the files, and has
//! the guard check it with the limits of a library: 2 s and 1 GiB.
//!
//! A line of `bombs.txt` is a name, a tab and a drawing: `«N:text»` stands for N times the text, in which `№` is the number
//! of the copy, from 1, and `№-` the one before; `¶` is a small path, `§` the start tag of an `svg`, which is put around a
//! drawing that does not say so itself.
#![allow(clippy::unwrap_used)]

use std::time::Instant;
use usvg_guard::{Error, Guard, Limits, Options};

const START: &str = "<svg xmlns='http://www.w3.org/2000/svg' xmlns:xlink='http://www.w3.org/1999/xlink' width='100' height='100'>";

fn main() {
    usvg_guard::contain::serve(&mut []);
    let family = std::env::var("FONT_FAMILY").unwrap_or("DejaVu Sans".into());
    let guard = Guard::new(Options { font_family: Some(family), ..Options::default() });
    let files: Vec<String> = std::env::args().skip(1).collect();
    for file in &files {
        row(&guard, file.rsplit('/').next().unwrap(), &std::fs::read(file).unwrap());
    }
    for line in include_str!("bombs.txt").lines().filter(|_| files.is_empty()) {
        let (name, drawing) = line.split_once('\t').unwrap();
        let is_whole =
            drawing.contains('§') || drawing.contains("xmlns=") && !drawing.contains("%22");
        let whole = if is_whole { drawing.to_owned() } else { format!("§{drawing}</svg>") };
        let text = expand(&whole.replace('¶', "<path d='M0 0h9v9z'/>").replace('§', START), true);
        row(&guard, name, text.as_bytes());
    }
}

fn row(guard: &Guard, name: &str, data: &[u8]) {
    let start = Instant::now();
    let parsed = guard.check(data, &Limits::default());
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
