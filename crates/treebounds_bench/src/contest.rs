//! A contest runs all strategies on all inputs at all sizes. Each is checked, timed, and checked again.

use crate::arguments::{Common, save};
use crate::arguments::{check_wanted, wanted};
use crate::measure::{Harness, Time, Transfer, Trial, Verdict};
use crate::record::{COPY, EVERYBODY, Figures, Outcome, Record, Row};
use crate::report;
use indicatif::{ProgressBar, ProgressStyle};

/// An input of a contest with its correct result.
pub(crate) trait Puzzle {
    fn input(&self) -> &str;

    fn len(&self) -> usize;

    /// The divisor that converts scratch bytes to bytes per element or per marker.
    fn shares(&self) -> usize {
        self.len()
    }
}

/// A way to solve a puzzle on the GPU, with compiled pipelines.
pub(crate) trait Strategy<P> {
    /// The name of the strategy's line in figures.
    fn name(&self) -> &str;

    /// Returns a short reason if the strategy does not support the puzzle.
    fn unsuited_reason(&self, _puzzle: &P) -> Option<String> {
        None
    }

    /// Uploads missing inputs and binds everything.
    fn prepare<'p>(&self, transfer: &Transfer<'_>, puzzle: &'p P) -> anyhow::Result<Prepared<'p>>;
}

pub(crate) struct Prepared<'p> {
    pub(crate) trial: Trial<'p>,
    /// GPU memory in bytes, in addition to inputs and outputs, if known.
    pub(crate) scratch: Option<u64>,
}

/// A way to solve a puzzle on the CPU. It reuses its memory.
pub(crate) trait CpuStrategy<P> {
    /// The name of the strategy's line in figures.
    fn name(&self) -> &str;

    /// Returns a short reason if the strategy does not support the puzzle.
    fn unsuited_reason(&self, _puzzle: &P) -> Option<String> {
        None
    }

    /// Prepares for a puzzle and resets the results.
    fn load(&mut self, puzzle: &P);

    /// Solves the loaded puzzle.
    fn run(&mut self, puzzle: &P);

    /// Describes the first wrong part of the result, if any.
    fn mismatch(&self, puzzle: &P) -> Option<String>;
}

/// The strategies and their record.
pub(crate) struct Contest<'a, P> {
    pub(crate) harness: &'a Harness,
    pub(crate) transfer: Transfer<'a>,
    /// The GPU strategies. The first is the copy kernel, which the others are compared with.
    pub(crate) gpu: Vec<Box<dyn Strategy<P> + 'a>>,
    pub(crate) cpu: Vec<Box<dyn CpuStrategy<P> + 'a>>,
    pub(crate) record: Record,
    progress: ProgressBar,
}

impl<'a, P: Puzzle> Contest<'a, P> {
    /// Creates a contest of the strategies whose name contains one of `only`, and of the copy kernel.
    pub(crate) fn new(
        harness: &'a Harness,
        mut gpu: Vec<Box<dyn Strategy<P> + 'a>>,
        mut cpu: Vec<Box<dyn CpuStrategy<P> + 'a>>,
        only: &[String],
        record: Record,
    ) -> anyhow::Result<Self> {
        let names = gpu.iter().map(|one| one.name()).chain(cpu.iter().map(|one| one.name()));
        check_wanted("strategy", names, only)?;
        gpu.retain(|strategy| strategy.name() == COPY || wanted(strategy.name(), only));
        cpu.retain(|strategy| wanted(strategy.name(), only));
        let transfer = Transfer::new(&harness.gpu, usize::MAX)?;
        Ok(Self { harness, transfer, gpu, cpu, record, progress: ProgressBar::hidden() })
    }

    /// Runs the contest at each size, saves after each size, and finally prints and draws the results.
    /// Returns an error at the end if any result was wrong.
    pub(crate) fn run(
        mut self,
        common: &Common,
        (sizes, inputs): (&[usize], usize),
        by_variant: bool,
        mut size: impl FnMut(&mut Self, usize),
    ) -> anyhow::Result<()> {
        let rows = sizes.len() * inputs * (self.gpu.len() + self.cpu.len());
        self.progress = ProgressBar::new(rows as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta} {msg}") {
            self.progress.set_style(style);
        }
        for &n in sizes {
            size(&mut self, n);
            if let Some(path) = &common.json {
                save(path, &self.record)?;
            }
        }
        self.progress.finish_and_clear();
        report::finish(&self.record, common, by_variant)
    }

    pub(crate) fn play(&mut self, puzzle: &P, timed: bool) {
        let (n, input) = (puzzle.len(), puzzle.input());
        let mut copy = None;
        for at in 0..self.gpu.len() {
            let (name, outcome) = self.on_gpu(at, puzzle, timed, copy);
            if name == COPY {
                copy = outcome.figures().map(|figures| figures.micros.median);
            }
            self.add(name, input, n, outcome);
        }
        for at in 0..self.cpu.len() {
            let strategy = self.cpu[at].as_mut();
            let name = strategy.name().to_owned();
            let runs = timed.then(|| self.harness.runs());
            let outcome = on_cpu(strategy, puzzle, runs, copy);
            self.add(name, input, n, outcome);
        }
    }

    fn on_gpu(&self, at: usize, puzzle: &P, timed: bool, copy: Option<f64>) -> (String, Outcome) {
        let strategy = &self.gpu[at];
        let outcome = match strategy.unsuited_reason(puzzle) {
            Some(why) => Outcome::Unsuited { why },
            None => self
                .trial(strategy.as_ref(), puzzle, timed, copy)
                .unwrap_or_else(|error| Outcome::failed(&error)),
        };
        (strategy.name().to_owned(), outcome)
    }

    fn trial(
        &self,
        strategy: &dyn Strategy<P>,
        puzzle: &P,
        timed: bool,
        copy: Option<f64>,
    ) -> anyhow::Result<Outcome> {
        let Prepared { trial, scratch } = strategy.prepare(&self.transfer, puzzle)?;
        let measured = match trial.run(self.harness, &self.transfer, timed)? {
            Verdict::Wrong(what) => return Ok(Outcome::Wrong { what }),
            Verdict::Right(None) => return Ok(Outcome::Checked),
            Verdict::Right(Some(measured)) => measured,
        };
        let is_copy = strategy.name() == COPY;
        let copy = copy.or_else(|| is_copy.then_some(measured.chain.median));
        let scratch = scratch.map(|bytes| bytes as f64 / puzzle.shares().max(1) as f64);
        Ok(Outcome::Right(Figures { scratch, ..Figures::of_gpu(puzzle.len(), measured, copy) }))
    }

    /// Records that a puzzle could not be created.
    pub(crate) fn fail(&mut self, input: &str, n: usize, error: &anyhow::Error) {
        self.add(EVERYBODY.to_owned(), input, n, Outcome::failed(error));
    }

    /// Adds a row, and reports it immediately if it is wrong.
    fn add(&mut self, strategy: String, input: &str, n: usize, outcome: Outcome) {
        let row = Row { strategy, input: input.to_owned(), n, outcome };
        if row.outcome.is_wrong() {
            let line = row.error_line();
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
        // Results at neighboring sizes are counted, but only stored if they are wrong.
        if n.is_power_of_two() && !matches!(row.outcome, Outcome::Checked) || row.outcome.is_wrong()
        {
            self.record.rows.push(row);
        }
    }
}

/// Checks a CPU strategy, and times it if `runs` is given.
fn on_cpu<P: Puzzle>(
    strategy: &mut dyn CpuStrategy<P>,
    puzzle: &P,
    runs: Option<u32>,
    copy: Option<f64>,
) -> Outcome {
    if let Some(why) = strategy.unsuited_reason(puzzle) {
        return Outcome::Unsuited { why };
    }
    strategy.load(puzzle);
    strategy.run(puzzle);
    if let Some(what) = strategy.mismatch(puzzle) {
        return Outcome::Wrong { what };
    }
    let Some(runs) = runs else { return Outcome::Checked };
    let time = Time::of_work(runs, || strategy.run(puzzle));
    match strategy.mismatch(puzzle) {
        Some(what) => Outcome::Wrong { what },
        None => Outcome::Right(Figures::of_time(puzzle.len(), time, copy)),
    }
}
