//! Parentheses matching: every strategy on every input at every size, checked and then timed.

mod board;
mod cpu;
mod paper;
#[cfg(test)]
mod tests;

use crate::arguments::{MatchingArguments, save};
use crate::inputs::Input;
use crate::matching::board::{Board, CpuStrategy, Ours, Puzzle, Strategy, TooLong, fits};
use crate::matching::cpu::{AllCores, OneCore};
use crate::matching::paper::{PER_THREAD, Paper};
use crate::measure::{Copy, Harness, Output, POISON, Recordable, Time, Trial, compare};
use crate::record::{
    COPY, EVERYBODY, Figures, Ledger, MATCHING, MATCHING_SCHEMA, Outcome, Record, keep_wanted,
};
use crate::{inputs, report};
use treebounds::{Gpu, MatcherDescriptor, Tuning, wgpu};

/// Measures, prints, saves and draws. An error at the end where anything was
/// wrong.
pub(crate) fn run(arguments: &MatchingArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let mut contest = Contest::new(&harness, arguments)?;
    let sizes = arguments.sizes();
    contest.announce(sizes.len());
    for n in sizes {
        contest.size(n);
        if let Some(path) = &arguments.common.json {
            save(path, contest.record())?;
        }
    }
    report::finish(&contest.finish(), &arguments.common, arguments.variants)
}

struct Contest<'a> {
    harness: &'a Harness,
    field: Field,
    inputs: Vec<&'static Input>,
    neighbours_up_to: usize,
    ledger: Ledger,
    /// Where CPU strategies write.
    answer: Vec<u32>,
}

impl<'a> Contest<'a> {
    fn new(harness: &'a Harness, arguments: &MatchingArguments) -> anyhow::Result<Self> {
        let field = Field::new(&harness.gpu.device, arguments)?;
        let sizes = arguments.sizes();
        let record = Record {
            ours: describe(&field.ours, &sizes),
            tiles: sizes.iter().map(|&n| (n, field.ours.tile(n))).collect(),
            paper: field.paper.clone(),
            ..Record::new(MATCHING_SCHEMA, harness)
        };
        let inputs = inputs::named(&arguments.common.inputs)?;
        let neighbours_up_to = 1_usize.checked_shl(arguments.neighbours_log2).unwrap_or(usize::MAX);
        Ok(Self {
            harness,
            field,
            inputs,
            neighbours_up_to,
            ledger: Ledger::new(record),
            answer: Vec::new(),
        })
    }

    /// Shows progress over this many sizes, on a terminal only.
    fn announce(&mut self, sizes: usize) {
        let strategies = 1 + self.field.gpu.len() + self.field.cpu.len();
        self.ledger.announce(sizes * self.inputs.len() * strategies);
    }

    fn record(&self) -> &Record {
        &self.ledger.record
    }

    fn finish(self) -> Record {
        self.ledger.finish()
    }

    /// Runs every strategy at `n` elements, and without timing at one less and one more.
    fn size(&mut self, n: usize) {
        self.play(n, true);
        if n <= self.neighbours_up_to {
            for n in [n - 1, n + 1] {
                if Board::fits(&self.harness.gpu, n) {
                    self.play(n, false);
                }
            }
        }
    }

    fn play(&mut self, n: usize, timed: bool) {
        let board = match Board::new(&self.harness.gpu, n) {
            Ok(board) => board,
            Err(error) => {
                self.ledger.add(EVERYBODY, "every input", n, Outcome::failed(&error));
                return;
            }
        };
        for input in self.inputs.clone() {
            let puzzle = Puzzle::new(input, n, self.field.ours.tile(n));
            if let Err(error) = board.load(&puzzle) {
                self.ledger.add(EVERYBODY, input.name, n, Outcome::failed(&error));
                continue;
            }
            self.play_gpu(&board, input, &puzzle, timed);
            self.play_cpu(input, &puzzle, timed);
        }
    }

    fn play_gpu(&mut self, board: &Board<'_>, input: &Input, puzzle: &Puzzle, timed: bool) {
        let harness = self.harness;
        let outcome = gpu_outcome(harness, board, &self.field.copy, puzzle, timed, None);
        let copy = outcome.figures().map(|figures| figures.micros.median);
        self.ledger.add(self.field.copy.name().to_owned(), input.name, board.n, outcome);
        for ix in 0..self.field.gpu.len() {
            let strategy = self.field.gpu[ix].as_ref();
            let outcome = gpu_outcome(harness, board, strategy, puzzle, timed, copy);
            self.ledger.add(strategy.name().to_owned(), input.name, board.n, outcome);
        }
    }

    fn play_cpu(&mut self, input: &Input, puzzle: &Puzzle, timed: bool) {
        let n = puzzle.tags.len();
        let copy = self
            .ledger
            .record
            .figures(self.field.copy.name(), input.name, n)
            .map(|figures| figures.micros.median);
        self.answer.resize(n, POISON);
        for ix in 0..self.field.cpu.len() {
            let strategy = self.field.cpu[ix].as_mut();
            let name = strategy.name().to_owned();
            self.answer.fill(POISON);
            strategy.run(&puzzle.tags, &mut self.answer);
            let outcome = match compare(0, &self.answer, &puzzle.links) {
                Some(mismatch) => Outcome::Wrong { what: mismatch.to_string() },
                None if !timed => Outcome::Checked,
                None => {
                    let runs = self.ledger.record.runs;
                    let time = Time::of_work(runs, || strategy.run(&puzzle.tags, &mut self.answer));
                    Outcome::Right(Figures::of_time(n, time, copy))
                }
            };
            self.ledger.add(name, input.name, n, outcome);
        }
    }
}

/// Ours at every power of two from the smallest of these sizes to the largest.
fn describe(ours: &Ours, sizes: &[usize]) -> String {
    let log2 = |n: Option<&usize>| n.map_or(0, |n| n.ilog2());
    ours.describe((log2(sizes.first())..=log2(sizes.last())).map(|log2| 1 << log2))
}

fn gpu_outcome(
    harness: &Harness,
    board: &Board<'_>,
    strategy: &dyn Strategy,
    puzzle: &Puzzle,
    timed: bool,
    copy: Option<f64>,
) -> Outcome {
    if let Err(TooLong { max_n, .. }) = fits(strategy, board.n) {
        return Outcome::OverLimit { max_n };
    }
    if let Some(why) = strategy.unsuited(puzzle) {
        return Outcome::Unsuited { why: why.to_owned() };
    }
    gpu_run(harness, board, strategy, puzzle, timed, copy)
        .unwrap_or_else(|error| Outcome::failed(&error))
}

fn gpu_run(
    harness: &Harness,
    board: &Board<'_>,
    strategy: &dyn Strategy,
    puzzle: &Puzzle,
    timed: bool,
    copy: Option<f64>,
) -> anyhow::Result<Outcome> {
    let trial = Trial {
        dispatches: strategy.prepare(board)?,
        outputs: vec![Output::new("links", &board.links, strategy.answer(puzzle))],
    };
    let scratch = strategy.scratch_bytes(board.n).map(|bytes| bytes as f64 / board.n as f64);
    let who = (strategy.name(), board.n);
    Outcome::of_trial(&trial, (harness, &board.transfer), timed, who, copy, scratch)
}

/// The strategies. The copy kernel comes first: the others are compared to it.
struct Field {
    copy: Copy,
    gpu: Vec<Box<dyn Strategy>>,
    cpu: Vec<Box<dyn CpuStrategy>>,
    /// Our default, which may not take part itself.
    ours: Ours,
    /// The workgroups of the paper's algorithms.
    paper: String,
}

impl Field {
    fn new(device: &wgpu::Device, arguments: &MatchingArguments) -> anyhow::Result<Self> {
        let options = arguments.common.matcher();
        let ours = Ours::new(device, MATCHING, &options)?;
        let mut field = Self {
            copy: Copy::new(device, options.tuning.checked)?,
            gpu: Vec::new(),
            cpu: Vec::new(),
            ours: ours.clone(),
            paper: String::new(),
        };
        field.gpu.push(Box::new(ours));
        field.gpu.push(Box::new(Ours::reading_bits(device, &options)?));
        if arguments.variants {
            field.gpu.extend(variants(device, options));
        } else {
            field.add_paper(device, arguments.paper_threads, options.tuning.checked)?;
            field.cpu.push(Box::new(AllCores::default()));
            field.cpu.push(Box::new(OneCore::default()));
        }
        keep_wanted(
            (&mut field.gpu, <dyn Strategy>::name),
            (&mut field.cpu, <dyn CpuStrategy>::name),
            &arguments.common.only,
        )?;
        Ok(field)
    }

    fn add_paper(
        &mut self,
        device: &wgpu::Device,
        threads: u32,
        checked: bool,
    ) -> anyhow::Result<()> {
        let mut workgroups = Vec::new();
        for per_thread in PER_THREAD {
            let paper = Paper::new(device, threads, per_thread, checked)?;
            workgroups.push(format!("{} (k = {per_thread})", paper.threads()));
            self.gpu.push(Box::new(paper));
        }
        self.paper = workgroups.join(", ");
        Ok(())
    }
}

/// Our kernels in every variant that the device can run.
fn variants(device: &wgpu::Device, options: MatcherDescriptor<'_>) -> Vec<Box<dyn Strategy>> {
    let mut variants: Vec<Box<dyn Strategy>> = Vec::new();
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
                    variants.push(Box::new(variant));
                }
            }
        }
    }
    variants
}

/// Copies the tags to where the links belong.
impl Strategy for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        Ok(vec![self.between(&board.gpu.device, &board.tags, &board.links)?])
    }

    fn answer<'a>(&self, puzzle: &'a Puzzle) -> &'a [u32] {
        &puzzle.tags
    }
}
