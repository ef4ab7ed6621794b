//! Tests a contest with wrong strategies, and compares all strategies with the reference: on all shapes, at sizes around a
//! tile, and at the maximum size of each strategy.

use crate::arguments::{Arguments, Command, MatchingArguments};
use crate::contest::{Prepared, Strategy};
use crate::inputs::Input;
use crate::matching::board::{Board, Ours, Puzzle};
use crate::matching::cpu::{AllCores, OneCore};
use crate::matching::lookback::{LookBack, Waiting};
use crate::matching::paper::{PER_THREAD, Paper};
use crate::matching::start;
use crate::measure::{Copy, Harness, Transfer, gpu, own_gpu};
use crate::record::{BRACKETS, MATCHING, MATCHING_BITS, Outcome};
use crate::{inputs, report};
use clap::Parser;
use std::rc::Rc;
use treebounds::{MatcherDescriptor, Tuning};
use treebounds_core::{Tag, reference};

/// A strategy that writes nothing or fails.
struct Wrong {
    name: &'static str,
    is_able: bool,
}

impl Strategy<Puzzle> for Wrong {
    fn name(&self) -> &str {
        self.name
    }

    fn prepare<'p>(&self, _: &Transfer<'_>, puzzle: &'p Puzzle) -> anyhow::Result<Prepared<'p>> {
        anyhow::ensure!(self.is_able, "out of order");
        Ok(puzzle.prepared(Vec::new(), 0))
    }
}

fn arguments(words: &[&str]) -> MatchingArguments {
    let words = ["treebounds_bench", "matching"].iter().chain(words);
    match Arguments::try_parse_from(words).unwrap().command {
        Command::Matching(arguments) => arguments,
        other => panic!("{other:?}"),
    }
}

#[test]
fn wrong_strategies_are_reported_and_the_others_continue() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--runs", "2", "--inputs", "random", "--only", "treebounds,simple,CPU"];
    let (mut contest, game) = start(&harness, &arguments(&words)).unwrap();
    contest.gpu.insert(0, Box::new(Wrong { name: "idle", is_able: true }));
    contest.gpu.insert(1, Box::new(Wrong { name: "unable", is_able: false }));
    game.size(&mut contest, 1 << 10);
    game.size(&mut contest, 1 << 17);
    let record = contest.record;

    assert!(!record.is_correct());
    let outcome =
        |name: &str, n| &record.find(name, "random walk", n).expect("there is a row").outcome;
    for n in [1 << 10, 1 << 17] {
        assert!(matches!(outcome("idle", n), Outcome::Wrong { .. }));
        assert!(matches!(outcome("unable", n), Outcome::Failed { .. }));
        for name in ["copy kernel", "treebounds", "CPU, one core", "CPU, all cores"] {
            let figures = outcome(name, n).figures().expect("it was right");
            assert!(figures.gelem_per_s > 0.0 && figures.of_copy.is_some());
        }
    }
    assert!(matches!(outcome("Levien 2022, simple, k = 1", 1 << 10), Outcome::Right(_)));
    let limit = outcome("Levien 2022, simple, k = 1", 1 << 17);
    assert!(matches!(limit, Outcome::Unsuited { why } if why == "n > 65536"));

    let text = report::summary(&record);
    assert!(
        text.contains("| idle ") && text.contains("WRONG") && text.contains("n > 65536 |"),
        "{text}"
    );
    // Two sizes, and one element less and one more than each.
    assert_eq!(report::wrong(&record).matches("WRONG: idle").count(), 6);
    let json = serde_json::to_string(&record).unwrap();
    let again: crate::record::Record = serde_json::from_str(&json).unwrap();
    assert_eq!(report::rows(&again), report::rows(&record));
}

#[test]
fn bits_do_not_support_streams_with_draws() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--inputs", "()();drawings", "--only", "treebounds", "--brackets"];
    let sizes = ["--min-log2", "10", "--max-log2", "10", "--runs", "2"];
    let words: Vec<_> = words.into_iter().chain(sizes).collect();
    let (mut contest, game) = start(&harness, &arguments(&words)).unwrap();
    game.size(&mut contest, 1 << 10);
    let record = contest.record;

    assert!(record.is_correct());
    let outcome = |name, input| &record.find(name, input, 1 << 10).expect("there is a row").outcome;
    for (name, input) in
        [(MATCHING, "()()()"), (MATCHING_BITS, "()()()"), (BRACKETS, "drawings, repeated")]
    {
        let figures = outcome(name, input).figures().expect("it was right");
        assert!(figures.scratch > Some(0.0));
    }
    assert!(matches!(outcome(MATCHING_BITS, "drawings, repeated"), Outcome::Unsuited { .. }));
    assert_eq!(record.strategies(), ["copy kernel", MATCHING, MATCHING_BITS, BRACKETS]);
    assert_eq!(record.tiles.len(), 1);
    // Neighboring sizes are not timed, and only wrong results would be stored.
    assert!(record.rows.iter().all(|row| row.n == 1 << 10));
    // Seven pairs of strategy and input: compared twice at the timed size, and once at each neighboring size.
    assert_eq!(record.compared, 7 * (2 + 1 + 1));
    assert!(report::heading(&record).contains(&record.ours));
    assert!(report::summary(&record).contains(MATCHING_BITS));
    let folder = tempfile::tempdir().unwrap();
    report::figures::draw(&record, folder.path()).unwrap();
    for name in ["throughput.svg", "shapes.svg"] {
        let svg = std::fs::read_to_string(folder.path().join(name)).unwrap();
        assert!(svg.contains(MATCHING_BITS), "{name}");
    }
}

#[test]
fn sizes_include_the_largest_even_between_steps() {
    let words = ["--min-log2", "10", "--max-log2", "15", "--step-log2", "2"];
    assert_eq!(arguments(&words).common.sizes(), [1 << 10, 1 << 12, 1 << 14, 1 << 15]);
}

#[test]
fn cpu_strategies_match_the_reference() {
    let mut one_core = OneCore::default();
    let mut all_cores = [1, 2, 7, 64, 4096].map(AllCores::with_chunks_of);
    let mut check = |tags: &[u32], name: &str| {
        let expected = reference::links(bytemuck::cast_slice::<u32, Tag>(tags));
        let mut links = vec![0xbad0_bad0; tags.len()];
        one_core.run(tags, &mut links);
        assert!(links == expected, "{name} at n = {}", tags.len());
        for all_cores in &mut all_cores {
            links.fill(0xbad0_bad0);
            all_cores.run(tags, &mut links);
            assert!(links == expected, "{name} at n = {}", tags.len());
        }
    };
    check(&[1, 0, 2, 0, 2, 1], "draws, which have no link");
    for input in inputs::ALL {
        for n in [0, 1, 2, 63, 64, 65, 1000, 4095, 4096, 4097, 50_001] {
            check(&input.tags(n, 64), input.name);
        }
    }
}

/// Creates a puzzle on the GPU of this thread.
fn puzzle(transfer: &Transfer<'_>, input: &Input, n: usize, tile: usize) -> Puzzle {
    let board = Rc::new(Board::new(gpu(), n).unwrap());
    Puzzle::new(transfer, &board, input, tile).unwrap()
}

/// Checks strategies on all shapes and sizes that they support.
fn check(strategies: &[&dyn Strategy<Puzzle>], tile: usize, sizes: &[usize]) {
    for &n in sizes {
        let transfer = Transfer::new(gpu(), n).unwrap();
        for input in inputs::ALL {
            let puzzle = puzzle(&transfer, input, n, tile);
            let suited = strategies.iter().filter(|one| one.unsuited_reason(&puzzle).is_none());
            for strategy in suited {
                let trial = strategy.prepare(&transfer, &puzzle).unwrap().trial;
                if let Some(wrong) = trial.check(&transfer).unwrap() {
                    panic!("{}, {} at n = {n}: {wrong}", strategy.name(), input.name);
                }
            }
        }
    }
}

fn paper(threads: u32, per_thread: u32, checked: bool) -> (Paper, usize) {
    let paper = Paper::new(&gpu().device, threads, per_thread, checked).unwrap();
    (paper, (threads * per_thread) as usize)
}

#[test]
fn paper_algorithms_are_correct_around_the_workgroup_size() {
    for (k, checked) in PER_THREAD.into_iter().flat_map(|k| [(k, false), (k, true)]) {
        let (paper, tile) = paper(16, k, checked);
        check(&[&paper], tile, &[0, 1, 15, 16, 17, tile - 1, tile, tile + 1, 3 * tile + 5]);
    }
}

#[test]
fn paper_algorithms_are_correct_up_to_their_limit() {
    for (w, k) in [(2, 1), (16, 1), (64, 1), (4, 2), (16, 2), (16, 4), (8, 8), (4, 16)] {
        let (paper, tile) = paper(w, k, false);
        let limit = paper.max_n();
        assert_eq!(limit, tile * tile);
        let transfer = Transfer::new(gpu(), limit).unwrap();
        let beyond = puzzle(&transfer, &inputs::ALL[0], limit + 1, tile);
        assert_eq!(paper.unsuited_reason(&beyond), Some(format!("n > {limit}")));
        check(&[&paper], tile, &[limit - 1, limit]);
    }
}

#[test]
fn paper_algorithms_are_correct_with_the_benchmarked_workgroup_size() {
    for k in PER_THREAD {
        let (paper, tile) = paper(256, k, false);
        assert_eq!(tile, (paper.threads() * k) as usize);
        check(&[&paper], tile, &[tile - 1, tile, tile + 1, tile * 16 + 1]);
    }
}

/// Checks look-back with different waiting behaviors, alternating between builds with and without bounds checks.
fn check_lookback(
    (threads, per_thread): (u32, u32),
    waitings: &[Waiting],
    sizes: impl Fn(usize) -> Vec<usize>,
) {
    let strategies = waitings.iter().zip([false, true].into_iter().cycle());
    let strategies = strategies.map(|(&waiting, checked)| {
        LookBack::new(&gpu().device, threads, per_thread, waiting, checked).unwrap()
    });
    let strategies: Vec<_> = strategies.collect();
    let tile = strategies[0].partition();
    let strategies: Vec<_> = strategies.iter().map(|one| one as &dyn Strategy<Puzzle>).collect();
    check(&strategies, tile.max(4), &sizes(tile));
}

/// Zero, one, and sizes around one partition, one window of partitions, and several windows.
fn around_partitions(window: u32) -> impl Fn(usize) -> Vec<usize> {
    move |tile| {
        let several = [1, window as usize, 4 * window as usize + 1].map(|count| count * tile);
        [0, 1].into_iter().chain(several.into_iter().flat_map(|n| [n - 1, n, n + 1])).collect()
    }
}

fn spins(spins: u32) -> Waiting {
    Waiting { spins, ..Waiting::default() }
}

#[test]
fn lookback_is_correct_for_any_waiting_time() {
    let random = Waiting { seed: 0x9e37_79b9, ..spins(200) };
    for geometry in [(2, 1), (4, 2), (16, 16)] {
        let waitings = [Waiting::default(), spins(0), spins(1), random];
        check_lookback(geometry, &waitings, around_partitions(geometry.0));
    }
}

#[test]
fn lookback_recomputes_words_that_are_never_published() {
    let muted = |muted_reductions, muted_backlinks, muted_slices| Waiting {
        muted_reductions,
        muted_backlinks,
        muted_slices,
        ..spins(3)
    };
    let muted = [muted(1, 0, 0), muted(0, 0, 1), muted(1, 1, 1), muted(2, 3, 5), muted(3, 3, 3)];
    for geometry in [(4, 2), (8, 16)] {
        check_lookback(geometry, &muted, around_partitions(geometry.0));
    }
}

#[test]
fn lookback_is_correct_with_the_benchmarked_workgroup_size() {
    let muted = Waiting { muted_reductions: 3, muted_slices: 2, ..spins(1) };
    check_lookback((256, 16), &[spins(64), spins(64), spins(0), muted], |tile| {
        vec![tile - 1, tile, tile + 1, 16 * tile - 1, 40 * tile + 1]
    });
}

#[test]
fn matcher_and_copy_kernel_are_correct() {
    let ours = Ours::new(&gpu().device, "treebounds", &MatcherDescriptor::default()).unwrap();
    let bits = Ours::reading_bits(&gpu().device, &MatcherDescriptor::default()).unwrap();
    let copy = Copy::new(&gpu().device, false).unwrap();
    let tile = ours.tile(1);
    for n in [0, 1, 31, 33, tile - 1, tile, tile + 1, 16 * tile + 1] {
        check(&[&ours, &copy], ours.tile(n), &[n]);
        check(&[&bits], bits.tile(n), &[n]);
    }
}

#[test]
fn describe_lists_the_variants_by_size() {
    let tuning = Tuning { workgroup_size: Some(64), subgroups: Some(false), ..Tuning::default() };
    let options =
        |per_thread| MatcherDescriptor { per_thread, tuning, ..MatcherDescriptor::default() };
    let fixed = Ours::new(&gpu().device, "64 x 8", &options(Some(8))).unwrap();
    assert_eq!(fixed.describe([1 << 10, 1 << 20, 1 << 28]), "64 x 8, without subgroups");
    assert_eq!(fixed.tile(1 << 20), 512);

    let ours = Ours::new(&gpu().device, "treebounds", &MatcherDescriptor::default()).unwrap();
    let sizes = || (10..=28).map(|log2| 1 << log2);
    let text = ours.describe(sizes());
    let mut each: Vec<_> = sizes().map(|n| ours.describe([n])).collect();
    each.dedup();
    assert_eq!(text.matches(" x ").count(), each.len(), "{text}");
    assert_eq!(text.matches(" elements, then ").count(), each.len() - 1, "{text}");
}

#[test]
fn wrong_links_are_found_at_any_position() {
    let transfer = Transfer::new(gpu(), 1000).unwrap();
    let puzzle = puzzle(&transfer, &inputs::ALL[0], 1000, 64);
    let links = &puzzle.board.links;
    let copy: &dyn Strategy<Puzzle> = &Copy::new(&gpu().device, false).unwrap();
    let trial = copy.prepare(&transfer, &puzzle).unwrap().trial;
    assert_eq!(trial.check(&transfer).unwrap(), None);
    for at in [0, 511, 999] {
        let mut expected = puzzle.tags.clone();
        expected[at] = 77;
        let mismatch = transfer.mismatch(links, &expected).unwrap().unwrap();
        assert_eq!((mismatch.at, mismatch.expected), (at, 77));
    }
    transfer.poison(links).unwrap();
    assert!(transfer.mismatch(links, &puzzle.tags).unwrap().is_some());
}

#[test]
fn bits_match_tags_on_inputs_without_draws() {
    let transfer = Transfer::new(gpu(), 1000).unwrap();
    for n in [0, 1, 31, 32, 33, 1000] {
        for input in inputs::ALL {
            let puzzle = puzzle(&transfer, input, n, 64);
            let Some(bits) = puzzle.bits else {
                assert!(input.draws());
                continue;
            };
            assert!(!input.draws() || n < 1000);
            assert_eq!(bits.len(), n.div_ceil(32));
            for (ix, tag) in puzzle.tags.iter().enumerate() {
                let opens = tag & Tag::ROLE_MASK == Tag::ROLE_BEGIN;
                assert_eq!(bits[ix / 32] >> (ix % 32) & 1 == 1, opens, "{ix} of {n}");
            }
        }
    }
}
