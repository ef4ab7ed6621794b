//! Everything that a run found out, as it is saved.

use crate::inputs::{DRAWS, WALK_FOR_VELLO};
use crate::measure::{Measured, Time};
use indicatif::{ProgressBar, ProgressStyle};
use serde::{Deserialize, Serialize};

/// The name of the format of a run of `matching`.
pub(crate) const MATCHING: &str = "treebounds.bench.matching/1";

/// The name of the format of a run of `bounds`.
pub(crate) const BOUNDS: &str = "treebounds.bench.bounds/1";

/// The strategy of rows that nobody could begin.
pub(crate) const EVERYBODY: &str = "every strategy";

/// How often the input of `bounds` is read: boxes need the clips of what lies left of them first.
pub(crate) const READS: usize = 2;

/// A run.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: String,
    pub(crate) adapter: String,
    pub(crate) driver: String,
    /// What the default of `treebounds::Matcher` or of `treebounds::Stage` is here.
    pub(crate) ours: String,
    /// Sizes, and the elements of its tile there, which the saw teeth aim at.
    #[serde(default)]
    pub(crate) tiles: Vec<(usize, usize)>,
    /// Threads a workgroup of the paper's algorithms, for each `k`.
    pub(crate) paper: String,
    /// Threads that "all cores" means.
    pub(crate) cores: usize,
    /// Runs per figure on the GPU.
    pub(crate) runs: u32,
    /// How many outputs were compared in full with the reference.
    pub(crate) compared: u64,
    /// What the inputs of `bounds` are made of.
    #[serde(default)]
    pub(crate) scenes: Vec<Facts>,
    pub(crate) rows: Vec<Row>,
}

/// What an input of `bounds` is made of.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) input: String,
    pub(crate) n: usize,
    /// How many elements are begins or ends.
    pub(crate) nodes: usize,
    /// How many have a rect: draws and begins.
    pub(crate) rects: usize,
    /// How many are begins or ends of blends.
    pub(crate) blends: usize,
}

/// A strategy on an input at a size.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Row {
    pub(crate) strategy: String,
    pub(crate) input: String,
    pub(crate) n: usize,
    pub(crate) outcome: Outcome,
}

/// How it went.
#[derive(Clone, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "snake_case")]
pub(crate) enum Outcome {
    /// Every link was right, before the timing and after it.
    Right(Figures),
    /// Checked only, and right.
    Checked,
    /// A link was wrong.
    Wrong { what: String },
    /// Something else went wrong.
    Failed { why: String },
    /// More elements than the algorithm can take.
    OverLimit { max_n: usize },
    /// An input of a kind that the strategy cannot read.
    Unsuited { why: String },
}

/// How fast it was.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// Which clock measured.
    pub(crate) clock: Clock,
    /// Microseconds: on the GPU the whole chain of dispatches.
    pub(crate) micros: Time,
    /// Microseconds from submission to completion; on the CPU the same again.
    pub(crate) wall: Time,
    /// Microseconds of each dispatch.
    pub(crate) dispatches: Vec<(String, f64)>,
    /// Billions of elements a second.
    pub(crate) gelem_per_s: f64,
    /// The copy kernel's time over this one: for `matching` the kernel copies the
    /// input, for `bounds` it moves as many bytes as [`Facts::bytes`] says.
    pub(crate) of_copy: Option<f64>,
    /// Bytes of GPU memory besides input and output: for `matching` an element,
    /// for `bounds` a node.
    #[serde(default)]
    pub(crate) scratch: Option<f64>,
}

/// Who measured a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Clock {
    Gpu,
    Cpu,
}

impl Facts {
    /// The least bytes that must be read and written, if the input is read this many
    /// times: a tag an element and 16 bytes a rect; 16 bytes of bounds an element and 16
    /// of content a begin or end of a blend.
    pub(crate) fn bytes(&self, reads: usize) -> usize {
        reads * (4 * self.n + 16 * self.rects) + 16 * self.n + 16 * self.blends
    }
}

impl Record {
    /// What was done.
    pub(crate) fn title(&self) -> &'static str {
        if self.schema == BOUNDS { "Bounding boxes" } else { "Parentheses matching" }
    }

    /// The inputs whose figures over n are shown: the first, the first with draws, and
    /// for bounds the one that takes Vello's clip stage to its limits.
    pub(crate) fn leads(&self) -> Vec<&str> {
        let shape = |input: &str| input.split(DRAWS).next().unwrap_or_default().to_owned();
        let mut inputs = self.inputs();
        let first = inputs.first().map(|first| shape(first)).unwrap_or_default();
        let for_vello = |input: &str| self.schema == BOUNDS && input == WALK_FOR_VELLO;
        inputs.retain(|input| shape(input) == first || for_vello(input));
        inputs
    }

    /// What an input is made of at a size.
    pub(crate) fn facts(&self, input: &str, n: usize) -> Option<&Facts> {
        self.scenes.iter().find(|facts| facts.n == n && facts.input == input)
    }

    /// Whether nothing went wrong.
    pub(crate) fn is_right(&self) -> bool {
        !self.rows.iter().any(|row| row.outcome.is_wrong())
    }

    /// The sizes that were timed, growing.
    pub(crate) fn sizes(&self) -> Vec<usize> {
        let mut sizes: Vec<_> = self.timed().map(|row| row.n).collect();
        sizes.sort_unstable();
        sizes.dedup();
        sizes
    }

    /// The strategies, in the order of the rows.
    pub(crate) fn strategies(&self) -> Vec<&str> {
        distinct(self.timed().map(|row| row.strategy.as_str()))
    }

    /// The inputs, in the order of the rows.
    pub(crate) fn inputs(&self) -> Vec<&str> {
        distinct(self.timed().map(|row| row.input.as_str()))
    }

    /// What a strategy did on an input at a size that was timed.
    pub(crate) fn find(&self, strategy: &str, input: &str, n: usize) -> Option<&Row> {
        self.timed().find(|row| row.n == n && row.strategy == strategy && row.input == input)
    }

    /// How fast it was, if it was right.
    pub(crate) fn figures(&self, strategy: &str, input: &str, n: usize) -> Option<&Figures> {
        self.find(strategy, input, n)?.outcome.figures()
    }

    /// All rows but those of the neighbours of the sizes, and of sizes that are too
    /// large for the device.
    fn timed(&self) -> impl Iterator<Item = &Row> {
        let timed = |row: &&Row| row.n.is_power_of_two() && row.strategy != EVERYBODY;
        self.rows.iter().filter(timed)
    }
}

impl Row {
    /// What is wrong with it, in a line.
    pub(crate) fn complaint(&self) -> String {
        let (kind, why) = match &self.outcome {
            Outcome::Wrong { what } => ("WRONG", what.as_str()),
            Outcome::Failed { why } => ("FAILED", why.as_str()),
            _ => ("right", ""),
        };
        format!("{kind}: {}, {}, n = {}: {why}", self.strategy, self.input, self.n)
    }
}

impl Outcome {
    pub(crate) fn figures(&self) -> Option<&Figures> {
        if let Self::Right(figures) = self { Some(figures) } else { None }
    }

    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self, Self::Wrong { .. } | Self::Failed { .. })
    }
}

impl Figures {
    /// Of a chain on the GPU; `copy` are the copy kernel's microseconds.
    pub(crate) fn of_gpu(n: usize, measured: Measured, copy: Option<f64>) -> Self {
        Self {
            clock: Clock::Gpu,
            wall: measured.wall,
            dispatches: measured.dispatches,
            ..Self::of_time(n, measured.chain, copy)
        }
    }

    /// Of a time on the CPU; `copy` are the copy kernel's microseconds.
    pub(crate) fn of_time(n: usize, micros: Time, copy: Option<f64>) -> Self {
        Self {
            clock: Clock::Cpu,
            micros,
            wall: micros,
            dispatches: Vec::new(),
            gelem_per_s: n as f64 / micros.median / 1e3,
            of_copy: copy.map(|copy| copy / micros.median),
            scratch: None,
        }
    }
}

/// As a power of two, where it is one.
pub(crate) fn size(n: usize) -> String {
    if n.is_power_of_two() { format!("2^{}", n.ilog2()) } else { n.to_string() }
}

fn distinct<'a>(names: impl Iterator<Item = &'a str>) -> Vec<&'a str> {
    let mut all = Vec::new();
    for name in names {
        if !all.contains(&name) {
            all.push(name);
        }
    }
    all
}

/// Keeps a record.
pub(crate) struct Ledger {
    pub(crate) record: Record,
    progress: ProgressBar,
}

impl Ledger {
    pub(crate) fn new(record: Record) -> Self {
        Self { record, progress: ProgressBar::hidden() }
    }

    /// Shows progress over this many rows, on a terminal only.
    pub(crate) fn announce(&mut self, rows: usize) {
        self.progress = ProgressBar::new(rows as u64);
        if let Ok(style) = ProgressStyle::with_template("{wide_bar} {pos}/{len} {eta} {msg}") {
            self.progress.set_style(style);
        }
    }

    pub(crate) fn finish(self) -> Record {
        self.progress.finish_and_clear();
        self.record
    }

    /// Keeps a row; says at once where something is wrong.
    pub(crate) fn add(
        &mut self,
        strategy: impl Into<String>,
        input: &str,
        n: usize,
        outcome: Outcome,
    ) {
        let row = Row { strategy: strategy.into(), input: input.to_owned(), n, outcome };
        if row.outcome.is_wrong() {
            let line = row.complaint();
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
