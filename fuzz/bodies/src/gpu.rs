//! Many inputs on the GPU that the tests run on, with jobs that are bound once.

use crate::Outcome;
use crate::words::Words;
use arbitrary::Unstructured;
use treebounds::{Capacity, MatchInput, Matcher, MatcherDescriptor, Stage, Tuning};
use treebounds_core::{Stream, Tag, reference};
use treebounds_tests::bound::{Bound, Matching, bitmap, tags_of_bits};
use treebounds_tests::gpu::gpu;
use treebounds_tests::streams::padded;

/// Pieces of one input.
const BATCH: usize = 64;
/// Elements of the longest piece.
const MOST: usize = 300;

thread_local! {
    static STAGES: Vec<(Capacity, Bound)> = stages();
    static MATCHERS: Vec<(MatchInput<'static>, Matching)> = matchers();
}

/// One tile; a few tiles without subgroups; many tiles; and many tiles of few markers, which are compacted first.
#[expect(clippy::expect_used, reason = "a device that builds no stage is a failure")]
fn stages() -> Vec<(Capacity, Bound)> {
    let most = MOST as u32;
    let sized = |threads| Tuning { workgroup_size: Some(threads), ..Tuning::default() };
    let alone = Tuning { subgroups: Some(false), ..sized(64) };
    let all = [
        (Tuning::default(), most, most),
        (alone, 1100, 1100),
        (sized(8), most, most),
        (sized(16), 1100, 100),
    ];
    let bind = |(tuning, elements, markers): (Tuning, _, _)| {
        let capacity = Capacity { elements, markers };
        let stage = Stage::new(&gpu().device, &tuning.into()).expect("the stage builds");
        (capacity, Bound::new(&stage, capacity).expect("the stage binds"))
    };
    all.into_iter().map(bind).collect()
}

/// Every form of input in three sizes of tile.
#[expect(clippy::expect_used, reason = "a device that does not match is a failure")]
fn matchers() -> Vec<(MatchInput<'static>, Matching)> {
    const PARENTHESES: MatchInput<'_> = MatchInput::Roles(
        "fn role(tag: u32) -> u32 { return select(select(0u, 2u, tag == 41u), 1u, tag == 40u); }",
    );
    let sized = |threads, per_thread| MatcherDescriptor {
        per_thread: Some(per_thread),
        ..Tuning { workgroup_size: Some(threads), ..Tuning::default() }.into()
    };
    let mut all = Vec::new();
    for input in [MatchInput::Tags, PARENTHESES, MatchInput::Bits] {
        for sized in [sized(2, 4), MatcherDescriptor::default(), sized(16, 8)] {
            let descriptor = MatcherDescriptor { input, ..sized };
            let matcher = Matcher::new(&gpu().device, &descriptor).expect("it builds");
            let bound = Matching::new(&matcher, &[0; MOST], MOST as u32).expect("it binds");
            all.push((input, bound));
        }
    }
    all
}

/// Cuts the bytes into pieces, each with its length before it.
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

/// Runs each of many streams on several stages that differ in strategy. The bits are the reference's.
///
/// # Panics
/// If there is no GPU. The message names the package to install.
pub fn stream_gpu(data: &[u8]) -> Outcome {
    let mut outcome = Outcome::default();
    for piece in pieces(&mut Unstructured::new(data)) {
        match Words::read(&mut Unstructured::new(piece), MOST).map(|words| words.stream()) {
            Ok(Ok(stream)) => {
                check_stages(&stream);
                outcome += Outcome::ACCEPTED;
            }
            _ => outcome += Outcome::REFUSED,
        }
    }
    outcome
}

/// Every stage that has room for the stream.
fn check_stages(stream: &Stream) {
    let expected = reference::bounds(stream);
    STAGES.with(|stages| {
        for (capacity, bound) in stages {
            if stream.marker_count() <= capacity.markers as usize {
                assert_eq!(bound.run(stream), expected, "with room for {capacity:?}: {stream:?}");
            }
        }
    });
}

/// Matches each of many inputs as tags, as words with roles of their own, and as bits. The links are the reference's.
///
/// # Panics
/// If there is no GPU. The message names the package to install.
pub fn matching_gpu(data: &[u8]) -> Outcome {
    let inputs = pieces(&mut Unstructured::new(data)).into_iter().map(words).collect::<Vec<_>>();
    MATCHERS.with(|matchers| {
        for (form, bound) in matchers {
            for words in &inputs {
                let (input, tags) = in_form(*form, words);
                bound.write(&input);
                let found = bound.run(words.len() as u32);
                assert_eq!(found, reference::links(&tags), "{form:?} of {words:?}");
            }
        }
    });
    Outcome { accepted: inputs.len() as u64, ..Outcome::default() }
}

/// One word for each byte: tags, parentheses, and now and then any word at all.
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

/// The words to upload, and the tags that they stand for. Odd words are set bits.
fn in_form(form: MatchInput<'_>, words: &[u32]) -> (Vec<u32>, Vec<Tag>) {
    let role = |word: &u32| match word {
        40 => Tag::ROLE_BEGIN,
        41 => Tag::ROLE_END,
        _ => Tag::ROLE_DRAW,
    };
    match form {
        MatchInput::Bits => {
            let opens: Vec<bool> = words.iter().map(|word| word % 2 == 1).collect();
            (bitmap(&opens), tags_of_bits(&opens))
        }
        MatchInput::Roles(_) => {
            (padded(words), words.iter().map(|word| bytemuck::cast(role(word))).collect())
        }
        _ => (padded(words), bytemuck::cast_slice(words).to_vec()),
    }
}
