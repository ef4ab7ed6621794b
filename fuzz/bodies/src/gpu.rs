//! Many inputs in a submission, on the GPU that the tests run on.

mod links;
mod scenes;

use crate::Outcome;
use crate::words::Words;
use arbitrary::Unstructured;
use links::LinkFrames;
use scenes::SceneFrames;
use std::sync::OnceLock;
use treebounds_core::Stream;

/// Streams of a submission.
const BATCH: usize = 64;
/// Elements of the longest of them.
const MOST: usize = 300;

/// Never dropped: a driver may have ended before.
static SCENES: OnceLock<SceneFrames> = OnceLock::new();
static LINKS: OnceLock<LinkFrames> = OnceLock::new();

/// The bytes, cut into pieces of which each is a length and as many bytes, at most so many.
fn pieces<'a>(u: &mut Unstructured<'a>) -> Vec<&'a [u8]> {
    let mut pieces = Vec::new();
    while !u.is_empty() && pieces.len() < BATCH {
        let Ok(wanted) = u.arbitrary::<u16>() else { break };
        // Short ones as often as long ones.
        let wanted = usize::from(wanted) % (1 << (5 + wanted % 7));
        let Ok(piece) = u.bytes(wanted.min(u.len())) else { break };
        pieces.push(piece);
    }
    pieces
}

/// Many streams, each on several stages that differ in strategy: the bits are those of the reference.
///
/// # Panics
/// Where there is no GPU, with what to install.
pub fn stream_gpu(data: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    let mut streams: Vec<Stream> = Vec::new();
    for piece in pieces(&mut Unstructured::new(data)) {
        match Words::read(&mut Unstructured::new(piece), MOST).map(|words| words.stream()) {
            Ok(Ok(stream)) => streams.push(stream),
            _ => outcome += Outcome::REFUSED,
        }
    }
    outcome.accepted += streams.len() as u64;
    SCENES.get_or_init(SceneFrames::new).check(&streams);
    outcome
}

/// Many inputs of matching, each from tags, from words with roles of their own, and from bits: the links are those of the
/// reference.
///
/// # Panics
/// Where there is no GPU, with what to install.
pub fn matching_gpu(data: &[u8]) -> Outcome {
    let inputs = pieces(&mut Unstructured::new(data)).into_iter().map(words).collect::<Vec<_>>();
    LINKS.get_or_init(LinkFrames::new).check(&inputs);
    Outcome { accepted: inputs.len() as u64, ..Outcome::default() }
}

/// A word of every byte: tags, parentheses, and now and then any word at all.
fn words(piece: &[u8]) -> Vec<u32> {
    let word = |(at, byte): (usize, &u8)| match byte {
        0..80 => u32::from(byte % 4),
        80..120 => u32::from(b'('),
        120..160 => u32::from(b')'),
        160..250 => u32::from(*byte),
        _ => u32::from(*byte).wrapping_mul(0x9e37_79b9).rotate_left(at as u32),
    };
    piece.iter().take(MOST).enumerate().map(word).collect()
}
