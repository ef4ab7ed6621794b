//! Compares our parentheses matching with a copy kernel, the CPU and the algorithms in Levien's paper.

mod board;
mod brackets;
mod cpu;
mod lookback;
mod paper;
#[cfg(test)]
mod tests;

use crate::arguments::MatchingArguments;
use crate::contest::{Contest, CpuStrategy, Prepared, Strategy};
use crate::inputs;
use crate::inputs::Input;
use crate::matching::board::{Board, Ours, Puzzle};
use crate::matching::brackets::OfParsers;
use crate::matching::cpu::{AllCores, OnCpu, OneCore};
use crate::matching::lookback::{LookBack, Waiting};
use crate::matching::paper::{PER_THREAD, Paper};
use crate::measure::{Copy, Harness, Output, Transfer, Trial};
use crate::record::{ALL_CORES, COPY, MATCHING, MATCHING_SCHEMA, ONE_CORE, Record};
use std::rc::Rc;
use treebounds::{BracketMatcherDescriptor, Gpu, MatcherDescriptor, Tuning, wgpu};

/// Runs the benchmark and reports it. Returns an error at the end if any result was wrong.
pub(crate) fn run(arguments: &MatchingArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let (contest, game) = start(&harness, arguments)?;
    let extent = (&arguments.sizes()[..], game.inputs.len());
    let size = |contest: &mut Contest<'_, _>, n| game.size(contest, n);
    contest.run(&arguments.common, extent, arguments.variants, size)
}

/// The inputs at each size, and our matcher.
struct Game {
    inputs: Vec<&'static Input>,
    /// Up to this size, inputs with one element more and one less are checked, too.
    neighbours_up_to: usize,
    /// Our default variant, even if it is not selected.
    ours: Ours,
}

fn start<'a>(
    harness: &'a Harness,
    arguments: &MatchingArguments,
) -> anyhow::Result<(Contest<'a, Puzzle>, Game)> {
    let (device, options) = (&harness.gpu.device, arguments.common.matcher());
    let ours = Ours::new(device, MATCHING, &options)?;
    let sizes = arguments.sizes();
    let mut record = Record {
        ours: describe(&ours, &sizes),
        tiles: sizes.iter().map(|&n| (n, ours.tile(n))).collect(),
        ..Record::new(MATCHING_SCHEMA, harness)
    };
    let mut gpu: Vec<Box<dyn Strategy<Puzzle>>> = vec![
        Box::new(Copy::new(device, options.tuning.checked)?),
        Box::new(ours.clone()),
        Box::new(Ours::reading_bits(device, &options)?),
    ];
    if arguments.brackets {
        let MatcherDescriptor { per_thread, tuning, .. } = options;
        let options = BracketMatcherDescriptor { per_thread, tuning, ..Default::default() };
        gpu.push(Box::new(OfParsers::new(device, &options)?));
    }
    let mut cpu: Vec<Box<dyn CpuStrategy<Puzzle>>> = Vec::new();
    if arguments.variants {
        gpu.extend(variants(device, options).into_iter().map(|variant| Box::new(variant) as _));
    } else {
        let mut workgroups = Vec::new();
        for k in PER_THREAD {
            let paper = Paper::new(device, arguments.paper_threads, k, options.tuning.checked)?;
            workgroups.push(format!("{} (k = {k})", paper.threads()));
            gpu.push(Box::new(paper));
        }
        let (threads, checked) = (arguments.paper_threads, options.tuning.checked);
        let lookback = LookBack::new(device, threads, 16, Waiting::default(), checked)?;
        workgroups.push(format!("with look-back {}", lookback.describe()));
        gpu.push(Box::new(lookback));
        record.paper = workgroups.join(", ");
        let (mut all_cores, mut one_core) = (AllCores::default(), OneCore::default());
        cpu.push(Box::new(OnCpu::new(ALL_CORES, move |tags, links| all_cores.run(tags, links))));
        cpu.push(Box::new(OnCpu::new(ONE_CORE, move |tags, links| one_core.run(tags, links))));
    }
    let inputs = inputs::named(&arguments.common.inputs)?;
    let neighbours_up_to = 1_usize.checked_shl(arguments.neighbours_log2).unwrap_or(usize::MAX);
    let contest = Contest::new(harness, gpu, cpu, &arguments.common.only, record)?;
    Ok((contest, Game { inputs, neighbours_up_to, ours }))
}

/// Describes our variants at all powers of two between the smallest and the largest size.
fn describe(ours: &Ours, sizes: &[usize]) -> String {
    let log2 = |n: Option<&usize>| n.map_or(0, |n| n.ilog2());
    ours.describe((log2(sizes.first())..=log2(sizes.last())).map(|log2| 1 << log2))
}

/// Our kernels in all variants that the device supports.
fn variants(device: &wgpu::Device, options: MatcherDescriptor<'_>) -> Vec<Ours> {
    let mut variants = Vec::new();
    for subgroups in [true, false] {
        for workgroup_size in [64, 128, 256, 512] {
            for per_thread in [4, 8, 16, 32, 64] {
                let tuning = Tuning {
                    workgroup_size: Some(workgroup_size),
                    subgroups: Some(subgroups),
                    ..options.tuning
                };
                let options = MatcherDescriptor { per_thread: Some(per_thread), tuning, ..options };
                let with = if subgroups { "subgroups" } else { "no subgroups" };
                let name = format!("{workgroup_size} x {per_thread}, {with}");
                if let Ok(variant) = Ours::new(device, name, &options) {
                    variants.push(variant);
                }
            }
        }
    }
    variants
}

impl Game {
    /// Runs all strategies with `n` elements, and checks them with one less and one more.
    fn size(&self, contest: &mut Contest<'_, Puzzle>, n: usize) {
        self.play(contest, n, true);
        if n <= self.neighbours_up_to {
            for n in [n - 1, n + 1] {
                if Board::fits(&contest.harness.gpu, n) {
                    self.play(contest, n, false);
                }
            }
        }
    }

    fn play(&self, contest: &mut Contest<'_, Puzzle>, n: usize, timed: bool) {
        let board = match Board::new(&contest.harness.gpu, n) {
            Ok(board) => Rc::new(board),
            Err(error) => return contest.fail("every input", n, &error),
        };
        for input in &self.inputs {
            match Puzzle::new(&contest.transfer, &board, input, self.ours.tile(n)) {
                Ok(puzzle) => contest.play(&puzzle, timed),
                Err(error) => contest.fail(input.name, n, &error),
            }
        }
    }
}

/// Copies the tags to the links.
impl Strategy<Puzzle> for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        puzzle: &'p Puzzle,
    ) -> anyhow::Result<Prepared<'p>> {
        let Board { tags, links, .. } = &*puzzle.board;
        let dispatches = vec![self.between(&transfer.gpu.device, tags, links)?];
        let outputs = vec![Output::new("links", links, puzzle.tags.as_slice())];
        Ok(Prepared { trial: Trial { dispatches, outputs }, scratch: None })
    }
}
