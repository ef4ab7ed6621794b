//! Everything that a run found out, as it is saved.

use crate::inputs::{DRAWS, WALK_FOR_VELLO};
use crate::measure::{Harness, Measured, Time};
use serde::{Deserialize, Serialize};

/// The name of the format of a run of `matching`.
pub(crate) const MATCHING_SCHEMA: &str = "treebounds.bench.matching/1";

/// The name of the format of a run of `bounds`.
pub(crate) const BOUNDS_SCHEMA: &str = "treebounds.bench.bounds/2";

/// The name of the format of a run of `bins`.
pub(crate) const BINS_SCHEMA: &str = "treebounds.bench.bins/2";

/// The strategy of rows that no strategy could begin.
pub(crate) const EVERYBODY: &str = "every strategy";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: String,
    pub(crate) adapter: String,
    pub(crate) driver: String,
    /// The default of `treebounds::Matcher` or of `treebounds::Stage` on this device.
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
    /// The facts about the inputs of `bounds`.
    #[serde(default)]
    pub(crate) scenes: Vec<Facts>,
    pub(crate) rows: Vec<Row>,
}

/// The facts about an input of `bounds`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) input: String,
    pub(crate) n: usize,
    /// How many elements are begins or ends.
    pub(crate) markers: usize,
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
    /// An input of a kind or a size that the strategy cannot take.
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
    /// Billions of elements per second.
    pub(crate) gelem_per_s: f64,
    /// The copy kernel's time over this one: for `matching` the kernel copies the
    /// input, for `bounds` it moves as many bytes as [`Facts::bytes`] says.
    pub(crate) of_copy: Option<f64>,
    /// Bytes of GPU memory in addition to input and output: per element for `matching`,
    /// per marker for `bounds`.
    #[serde(default)]
    pub(crate) scratch: Option<f64>,
}

/// The clock that measured a time.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Clock {
    Gpu,
    Cpu,
}

impl Facts {
    /// The least bytes that must be read and written. The input is read twice, because boxes need the
    /// clips of what lies left of them first: one tag per element and 16 bytes per rect. Written are
    /// 16 bytes of box per element and 16 of content per Begin or End of a blend.
    pub(crate) fn bytes(&self) -> usize {
        2 * (4 * self.n + 16 * self.rects) + 16 * self.n + 16 * self.blends
    }
}

impl Record {
    /// An empty record for this device.
    pub(crate) fn new(schema: &str, harness: &Harness) -> Self {
        let adapter = &harness.gpu.adapter;
        Self {
            schema: schema.to_owned(),
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info).trim().to_owned(),
            ours: String::new(),
            tiles: Vec::new(),
            paper: String::new(),
            cores: rayon::current_num_threads(),
            runs: harness.runs(),
            compared: 0,
            scenes: Vec::new(),
            rows: Vec::new(),
        }
    }

    /// The title of the figures.
    pub(crate) fn title(&self) -> &'static str {
        match &*self.schema {
            BOUNDS_SCHEMA => "Bounding boxes",
            BINS_SCHEMA => "Binning",
            _ => "Parentheses matching",
        }
    }

    /// The inputs whose figures over n are shown: the first, the first with draws, and
    /// for bounds the one that takes Vello's clip stage to its limits.
    pub(crate) fn leads(&self) -> Vec<&str> {
        let shape = |input: &str| input.split(DRAWS).next().unwrap_or_default().to_owned();
        let mut inputs = self.inputs();
        let first = inputs.first().map(|first| shape(first)).unwrap_or_default();
        let for_vello = |input: &str| self.schema == BOUNDS_SCHEMA && input == WALK_FOR_VELLO;
        inputs.retain(|input| shape(input) == first || for_vello(input));
        inputs
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

    /// All rows except the neighbours of the sizes, and sizes that are too
    /// large for the device.
    fn timed(&self) -> impl Iterator<Item = &Row> {
        let timed = |row: &&Row| row.n.is_power_of_two() && row.strategy != EVERYBODY;
        self.rows.iter().filter(timed)
    }
}

impl Row {
    /// The complaint about it, in one line.
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
    /// A failure with all its causes.
    pub(crate) fn failed(error: &anyhow::Error) -> Self {
        Self::Failed { why: format!("{error:#}") }
    }

    pub(crate) fn figures(&self) -> Option<&Figures> {
        if let Self::Right(figures) = self { Some(figures) } else { None }
    }

    pub(crate) fn is_wrong(&self) -> bool {
        matches!(self, Self::Wrong { .. } | Self::Failed { .. })
    }
}

impl Figures {
    /// The figures of a chain on the GPU; `copy` is the copy kernel's time in microseconds.
    pub(crate) fn of_gpu(n: usize, measured: Measured, copy: Option<f64>) -> Self {
        Self {
            clock: Clock::Gpu,
            wall: measured.wall,
            dispatches: measured.dispatches,
            ..Self::of_time(n, measured.chain, copy)
        }
    }

    /// The figures of a time on the CPU; `copy` is the copy kernel's time in microseconds.
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

/// As a power of two if it is one.
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

pub(crate) const COPY: &str = "copy kernel";
/// `treebounds::Matcher` by default.
pub(crate) const MATCHING: &str = "treebounds";
/// The same, reading bits.
pub(crate) const MATCHING_BITS: &str = "treebounds, bits in";
/// `treebounds::BracketMatcher`, which finds more than links.
pub(crate) const BRACKETS: &str = "treebounds, brackets";
/// The start of the names of the paper's algorithms.
pub(crate) const PAPER: &str = "Levien 2022";
/// Levien's single pass with look-back, and with decoupled fallback.
pub(crate) const LOOKBACK: &str = "Levien 2021, lookback";
/// `treebounds::Stage`: clips and blends at once.
pub(crate) const FUSED: &str = "treebounds, fused";
/// The stage with clips alone.
pub(crate) const CLIPS: &str = "treebounds, clips";
/// The stage with blends alone.
pub(crate) const BLENDS: &str = "treebounds, blends";
/// `treebounds::NodeStage`, of markers alone.
pub(crate) const MARKERS: &str = "treebounds, markers";
/// The same with clips alone, which is what Vello finds.
pub(crate) const MARKER_CLIPS: &str = "treebounds, marker clips";
/// Vello's clip stage.
pub(crate) const VELLO_GPU: &str = "Vello 0.11, clips";
/// The same on the CPU.
pub(crate) const VELLO_CPU: &str = "Vello 0.11, CPU";

pub(crate) const ONE_CORE: &str = "CPU, one core";
pub(crate) const ALL_CORES: &str = "CPU, all cores";

/// Whether this line is one of ours by default, for matching or for bounds.
pub(crate) fn is_ours(line: &str) -> bool {
    line.starts_with(MATCHING)
}
