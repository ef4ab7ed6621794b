//! New inputs from random numbers and old ones.

mod bomb;
mod drawing;
mod text;
mod vocabulary;

use crate::Seeds;
use treebounds_tests::streams::Rng;

/// Bytes of the longest input of words.
const WORDS_MOST: u32 = 600;
/// Bytes of the longest input of many streams.
const BATCH_MOST: u32 = 60_000;

/// Input of bodies that read words: random bytes, short ones as often as long ones, or a kept input with changes.
pub(crate) fn words(rng: &mut Rng, seeds: &Seeds) -> Vec<u8> {
    match rng.below(4) {
        0 if !seeds.inputs.is_empty() => {
            let mut data = pick(rng, &seeds.inputs).clone();
            change_bytes(rng, &mut data, seeds);
            data
        }
        _ => {
            let most = 1 + rng.below(WORDS_MOST);
            let len = rng.below(most);
            random(rng, len)
        }
    }
}

/// Input of bodies that read many streams at once.
pub(crate) fn batch(rng: &mut Rng, _: &Seeds) -> Vec<u8> {
    random(rng, BATCH_MOST)
}

/// A drawing: a kept one or one made anew, with changes of its text, sometimes of its bytes too.
pub(crate) fn svg(rng: &mut Rng, seeds: &Seeds) -> Vec<u8> {
    let mut text = match rng.below(3) {
        0 if !seeds.inputs.is_empty() => {
            let kept: &Vec<u8> = pick(rng, &seeds.inputs);
            String::from_utf8_lossy(kept).into_owned()
        }
        _ => drawing::drawing(rng),
    };
    let rounds = rng.below(6);
    for _ in 0..rounds {
        text::change(rng, &mut text);
    }
    let mut data = text.into_bytes();
    if rng.one_in(8) {
        change_bytes(rng, &mut data, seeds);
    }
    data
}

/// A drawing that means much more than it says.
pub(crate) fn svg_bombs(rng: &mut Rng, _: &Seeds) -> Vec<u8> {
    bomb::drawing(rng).into_bytes()
}

/// One of them. There must be one.
pub(crate) fn pick<'a, T>(rng: &mut Rng, items: &'a [T]) -> &'a T {
    &items[rng.below(items.len() as u32) as usize]
}

fn random(rng: &mut Rng, len: u32) -> Vec<u8> {
    let mut data: Vec<u8> = (0..len.div_ceil(8)).flat_map(|_| rng.bits().to_le_bytes()).collect();
    data.truncate(len as usize);
    data
}

/// Flips, sets, inserts, removes and doubles bytes, and joins two inputs.
fn change_bytes(rng: &mut Rng, data: &mut Vec<u8>, seeds: &Seeds) {
    for _ in 0..=rng.below(4) {
        let at = rng.below(data.len() as u32 + 1) as usize;
        let len = (1 + rng.below(16) as usize).min(data.len() - at);
        match rng.below(6) {
            0 => data.iter_mut().skip(at).take(1).for_each(|byte| *byte ^= 1 << rng.below(8)),
            1 => data.iter_mut().skip(at).take(1).for_each(|byte| *byte = rng.bits() as u8),
            2 => {
                let new = random(rng, len as u32);
                data.splice(at..at, new);
            }
            3 => {
                data.drain(at..at + len);
            }
            4 => {
                let again = data[at..at + len].to_vec();
                data.splice(at..at, again);
            }
            _ if seeds.inputs.is_empty() => {}
            _ => {
                let other = pick(rng, &seeds.inputs);
                let from = rng.below(other.len() as u32 + 1) as usize;
                data.truncate(at);
                data.extend_from_slice(&other[from..]);
            }
        }
    }
}
