//! Random scenes by the million, many in a submission: each is a frame of a job that serves all sizes, and the GPU gives the
//! reference's answer.
//!
//! Scenes have numbers, and the number chooses the variant of the stage. `TREEBOUNDS_SCENES=0..10000000 cargo test
//! --release --workspace --test suite many:: -- --nocapture` checks the first ten million and says how many a second; a scene that
//! fails says its number and its variant, and `N..N+1` is that scene alone.
//!
//! A batch is prepared by other threads while the GPU has the batch before: scenes, answers of the reference, and all that
//! is uploaded, in one write. Two batches are in flight.
//!
//! ```text
//! threads   make 2        make 3        make 4
//! this one       record 2 check 1       record 3 check 2
//! GPU            run 1         run 2         run 3
//! ```

mod batch;
mod frames;
mod variants;

use batch::Batch;
use frames::Frames;
use std::collections::VecDeque;
use std::ops::Range;
use std::sync::mpsc::sync_channel;
use std::thread;
use std::time::Instant;
use treebounds_tests::gpu::gpu;
use variants::{VARIANTS, build};

/// Scenes of each variant in a submission.
const EACH: usize = 32;

/// Batches in flight.
const SETS: usize = 2;

/// The number of scenes without `TREEBOUNDS_SCENES`.
const USUAL: u64 = 4096;

/// The numbers of the scenes to check.
fn wanted() -> Range<u64> {
    let Ok(text) = std::env::var("TREEBOUNDS_SCENES") else { return 0..USUAL };
    let ends = text.split_once("..").and_then(|(a, b)| Some(a.parse().ok()?..b.parse().ok()?));
    let ends = ends.filter(|numbers| !numbers.is_empty());
    ends.unwrap_or_else(|| panic!("TREEBOUNDS_SCENES={text}: expected FIRST..END, with END above"))
}

/// The numbers of each batch: as many as there are frames.
fn batches(all: Range<u64>) -> impl Iterator<Item = Range<u64>> {
    let size = (VARIANTS.len() * EACH) as u64;
    let end = all.end;
    all.step_by(size as usize).map(move |first| first..end.min(first + size))
}

#[test]
fn random_scenes_are_the_references() {
    let stages = build(&gpu().device);
    let numbers = wanted();
    let each = EACH.min((numbers.end - numbers.start) as usize);
    let mut free: Vec<_> = (0..SETS).map(|_| Frames::new(&stages, each)).collect();
    let start = Instant::now();
    thread::scope(|scope| {
        // One batch waits while the next is made.
        let (sender, receiver) = sync_channel(1);
        let all = batches(numbers.clone());
        scope.spawn(move || all.map(Batch::new).try_for_each(|batch| sender.send(batch)));
        let mut running = VecDeque::new();
        for batch in receiver {
            let frames = free.pop().unwrap();
            running.push_back(frames.start(batch));
            if running.len() == SETS {
                free.extend(running.pop_front().map(frames::Running::finish));
            }
        }
        running.into_iter().for_each(|last| drop(last.finish()));
    });
    let (count, seconds) = (numbers.end - numbers.start, start.elapsed().as_secs_f64());
    println!(
        "scenes {numbers:?} are right: {count} in {seconds:.1} s, {:.0} a second, on {}",
        count as f64 / seconds,
        gpu().adapter.name
    );
}
