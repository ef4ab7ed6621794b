//! Runs the field over inputs and sizes, and keeps the record.

use super::field::{Field, wanted};
#[cfg(test)]
mod tests;

use crate::arguments::MatchingArguments;
use crate::board::{Board, Mismatch, POISON, compare};
use crate::harness::{Harness, submit};
use crate::inputs::{self, Input};
use crate::ours::Ours;
use crate::puzzle::Puzzle;
use crate::record::{EVERYBODY, Figures, Outcome, Record, Row, SCHEMA};
use crate::strategy::{CpuStrategy, Strategy, TooLong, fits};
use crate::time::Time;
use indicatif::{ProgressBar, ProgressStyle};
use std::time::{Duration, Instant};

/// How long a CPU strategy may repeat a row, once it has run twice.
const CPU_BUDGET: Duration = Duration::from_millis(300);

pub(super) struct Contest<'a> {
    harness: &'a Harness,
    field: Field,
    inputs: Vec<&'static Input>,
    neighbours_up_to: usize,
    record: Record,
    /// Where CPU strategies write.
    answer: Vec<u32>,
    progress: ProgressBar,
}

impl<'a> Contest<'a> {
    pub(super) fn new(harness: &'a Harness, arguments: &MatchingArguments) -> anyhow::Result<Self> {
        let field = Field::new(&harness.gpu.device, arguments)?;
        let sizes = arguments.sizes();
        let adapter = &harness.gpu.adapter;
        let record = Record {
            schema: SCHEMA.to_owned(),
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info).trim().to_owned(),
            ours: describe(&field.ours, &sizes),
            tiles: sizes.iter().map(|&n| (n, field.ours.tile(n))).collect(),
            paper: field.paper.clone(),
            cores: rayon::current_num_threads(),
            runs: arguments.common.runs,
            compared: 0,
            rows: Vec::new(),
        };
        let inputs: Vec<_> =
            inputs::ALL.iter().filter(|input| wanted(input.name, &arguments.inputs)).collect();
        anyhow::ensure!(!inputs.is_empty(), "no input has such a name");
        let neighbours_up_to = 1_usize.checked_shl(arguments.neighbours_log2).unwrap_or(usize::MAX);
        Ok(Self {
            harness,
            field,
            inputs,
            neighbours_up_to,
            record,
            answer: Vec::new(),
            progress: ProgressBar::hidden(),
        })
    }

    /// Shows progress over this many sizes, on a terminal only.
    pub(super) fn announce(&mut self, sizes: usize) {
        let strategies = 1 + self.field.gpu.len() + self.field.cpu.len();
        self.progress = ProgressBar::new((sizes * self.inputs.len() * strategies) as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta} {msg}") {
            self.progress.set_style(style);
        }
    }

    pub(super) fn record(&self) -> &Record {
        &self.record
    }

    pub(super) fn finish(self) -> Record {
        self.progress.finish_and_clear();
        self.record
    }

    /// Everybody at `n` elements; at one less and one more, without timing.
    pub(super) fn size(&mut self, n: usize) {
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
                self.add(
                    EVERYBODY,
                    "every input",
                    n,
                    Outcome::Failed { why: format!("{error:#}") },
                );
                return;
            }
        };
        for input in self.inputs.clone() {
            let puzzle = Puzzle::new(input, n, self.field.ours.tile(n));
            if let Err(error) = board.load(&puzzle) {
                let why = format!("{error:#}");
                self.add(EVERYBODY, input.name, n, Outcome::Failed { why });
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
        self.add(self.field.copy.name().to_owned(), input.name, board.n, outcome);
        for ix in 0..self.field.gpu.len() {
            let strategy = self.field.gpu[ix].as_ref();
            let outcome = gpu_outcome(harness, board, strategy, puzzle, timed, copy);
            self.add(strategy.name().to_owned(), input.name, board.n, outcome);
        }
    }

    fn play_cpu(&mut self, input: &Input, puzzle: &Puzzle, timed: bool) {
        let n = puzzle.tags.len();
        let copy = self
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
                Some(mismatch) => wrong(mismatch),
                None if !timed => Outcome::Checked,
                None => {
                    let time = cpu_time(strategy, puzzle, &mut self.answer, self.record.runs);
                    Outcome::Right(Figures::of_time(n, time, copy))
                }
            };
            self.add(name, input.name, n, outcome);
        }
    }

    /// Keeps a row; says at once where something is wrong.
    fn add(&mut self, strategy: impl Into<String>, input: &str, n: usize, outcome: Outcome) {
        let row = Row { strategy: strategy.into(), input: input.to_owned(), n, outcome };
        if row.outcome.is_wrong() {
            let line = crate::tables::complaint(&row);
            self.progress.suspend(|| eprintln!("{line}"));
        }
        if n.is_power_of_two() {
            self.progress.set_message(format!("n = {n}, {input}"));
            self.progress.inc(1);
        }
        self.record.compared += match row.outcome {
            Outcome::Right(_) => 2,
            Outcome::Checked | Outcome::Wrong { .. } => 1,
            _ => 0,
        };
        // A neighbour counts, and is kept where it is wrong.
        if n.is_power_of_two() && !matches!(row.outcome, Outcome::Checked) || row.outcome.is_wrong()
        {
            self.record.rows.push(row);
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
        .unwrap_or_else(|error| Outcome::Failed { why: format!("{error:#}") })
}

/// Checks, times, and checks again what many runs have left.
fn gpu_run(
    harness: &Harness,
    board: &Board<'_>,
    strategy: &dyn Strategy,
    puzzle: &Puzzle,
    timed: bool,
    copy: Option<f64>,
) -> anyhow::Result<Outcome> {
    let expected = strategy.answer(puzzle);
    board.poison()?;
    let dispatches = strategy.prepare(board)?;
    submit(&harness.gpu, dispatches.iter().map(Box::as_ref))?;
    if let Some(mismatch) = board.mismatch(expected)? {
        return Ok(wrong(mismatch));
    }
    if !timed {
        return Ok(Outcome::Checked);
    }
    let measured = harness.measure(&dispatches)?;
    if let Some(mismatch) = board.mismatch(expected)? {
        return Ok(wrong(mismatch));
    }
    let copy =
        copy.or_else(|| (strategy.name() == crate::copy::NAME).then_some(measured.chain.median));
    let scratch = strategy.scratch_bytes(board.n).map(|bytes| bytes as f64 / board.n as f64);
    Ok(Outcome::Right(Figures { scratch, ..Figures::of_gpu(board.n, measured, copy) }))
}

fn wrong(mismatch: Mismatch) -> Outcome {
    Outcome::Wrong { what: mismatch.to_string() }
}

/// At least two runs, at most as many as on the GPU.
fn cpu_time(
    strategy: &mut dyn CpuStrategy,
    puzzle: &Puzzle,
    answer: &mut [u32],
    runs: u32,
) -> Time {
    let start = Instant::now();
    let mut times = Vec::new();
    while times.len() < 2 || (times.len() < runs as usize && start.elapsed() < CPU_BUDGET) {
        let start = Instant::now();
        strategy.run(&puzzle.tags, answer);
        times.push(start.elapsed().as_secs_f64() * 1e6);
    }
    Time::of(times)
}
