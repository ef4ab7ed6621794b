//! Generates inputs from random numbers and seeds.

use crate::svg::{bomb, made};
use std::path::{Path, PathBuf};
use std::{fs, io};
use treebounds_testkit::Rng;

/// The maximum length of an input of words, in bytes.
const WORDS_MOST: u32 = 1000;
/// The maximum length of a drawing in `assets` that is used as a seed.
const DRAWING_MOST: usize = 20_000;

/// The seeds of a target, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Seeds(pub Vec<Vec<u8>>);

impl Seeds {
    /// Reads the folder `fuzz/seeds/NAME`, and for `svg` also the small drawings in `assets`.
    ///
    /// # Errors
    /// Fails if a folder or a file cannot be read.
    pub fn of(target: &str) -> io::Result<Self> {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut inputs = read_all(&fuzz.join("seeds").join(target))?;
        if target == "svg" {
            let is_small = |data: &Vec<u8>| data.len() < DRAWING_MOST && data.starts_with(b"<");
            inputs.extend(read_all(&fuzz.join("../assets"))?.into_iter().filter(is_small));
        }
        Ok(Self(inputs))
    }
}

/// Reads the files of a folder; none if there is no folder.
fn read_all(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().map(fs::read).collect()
}

/// Generates input for bodies that read words: random bytes, with short and long inputs equally often, or a
/// modified seed.
pub(crate) fn words(rng: &mut Rng, seeds: &Seeds) -> Vec<u8> {
    if rng.one_in(4) && !seeds.0.is_empty() {
        let mut data = rng.pick(&seeds.0).clone();
        change_bytes(rng, &mut data, seeds);
        return data;
    }
    let most = 1 + rng.below(WORDS_MOST);
    let len = rng.below(most);
    random(rng, len)
}

/// Generates a new drawing or takes a seed, and changes its text and sometimes its bytes.
pub(crate) fn svg(rng: &mut Rng, seeds: &Seeds) -> Vec<u8> {
    let mut text = if rng.one_in(3) && !seeds.0.is_empty() {
        String::from_utf8_lossy(rng.pick::<Vec<u8>>(&seeds.0)).into_owned()
    } else {
        made::drawing(rng)
    };
    for _ in 0..rng.below(6) {
        made::change(rng, &mut text);
    }
    let mut data = text.into_bytes();
    if rng.one_in(8) {
        change_bytes(rng, &mut data, seeds);
    }
    data
}

/// Generates a small drawing that expands enormously.
pub(crate) fn svg_bombs(rng: &mut Rng, _: &Seeds) -> Vec<u8> {
    bomb::drawing(rng).into_bytes()
}

fn random(rng: &mut Rng, len: u32) -> Vec<u8> {
    let mut data: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| rng.bits().to_le_bytes()).collect();
    data.truncate(len as usize);
    data
}

/// Flips, sets, inserts, removes and repeats bytes, and joins two inputs.
fn change_bytes(rng: &mut Rng, data: &mut Vec<u8>, seeds: &Seeds) {
    for _ in 0..=rng.below(4) {
        let at = rng.below(data.len() as u32 + 1) as usize;
        let len = (1 + rng.below(16) as usize).min(data.len() - at);
        match rng.below(6) {
            0 => data.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << rng.below(8)),
            1 => data.iter_mut().skip(at).take(1).for_each(|byte| *byte = rng.bits() as u8),
            2 => drop(data.splice(at..at, random(rng, len as u32))),
            3 => drop(data.drain(at..at + len)),
            4 => data.extend_from_within(at..at + len),
            _ if seeds.0.is_empty() => {}
            _ => {
                let other = rng.pick(&seeds.0);
                let from = rng.below(other.len() as u32 + 1) as usize;
                data.truncate(at);
                data.extend_from_slice(&other[from..]);
            }
        }
    }
}
