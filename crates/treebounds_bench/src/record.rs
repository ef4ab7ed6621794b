//! The saved results of a run.

use crate::inputs::{DRAWS, WALK_FOR_VELLO};
use crate::measure::{Harness, Measured, Time};
use serde::{Deserialize, Serialize};

/// The JSON schema of `matching`.
pub(crate) const MATCHING_SCHEMA: &str = "treebounds.bench.matching/1";

/// The JSON schema of `bounds`.
pub(crate) const BOUNDS_SCHEMA: &str = "treebounds.bench.bounds/2";

/// The JSON schema of `bins`.
pub(crate) const BINS_SCHEMA: &str = "treebounds.bench.bins/2";

/// The strategy name for inputs that could not be created.
pub(crate) const EVERYBODY: &str = "every strategy";

#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Record {
    pub(crate) schema: String,
    pub(crate) adapter: String,
    pub(crate) driver: String,
    /// The default variants of `treebounds::Matcher` or `treebounds::Stage` on this device.
    pub(crate) ours: String,
    /// Sizes with their tile lengths, which determine the saw teeth.
    #[serde(default)]
    pub(crate) tiles: Vec<(usize, usize)>,
    /// Threads per workgroup of the paper's algorithms, for each `k`.
    pub(crate) paper: String,
    /// The number of threads for "all cores".
    pub(crate) cores: usize,
    /// Runs per figure on the GPU.
    pub(crate) runs: u32,
    /// The number of outputs compared in full with the reference.
    pub(crate) compared: u64,
    /// The element counts of the inputs of `bounds`.
    #[serde(default)]
    pub(crate) scenes: Vec<Facts>,
    pub(crate) rows: Vec<Row>,
}

/// The element counts of an input of `bounds`.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Facts {
    pub(crate) input: String,
    pub(crate) n: usize,
    /// The number of begins and ends.
    pub(crate) markers: usize,
    /// The number of elements with a rect: draws and begins.
    pub(crate) rects: usize,
    /// The number of begins and ends of blends.
    pub(crate) blends: usize,
}

/// The outcome of a strategy for an input and size.
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
    /// All results were correct before and after timing.
    Right(Figures),
    /// All results were correct, and nothing was timed.
    Checked,
    /// A result was wrong.
    Wrong { what: String },
    /// An error occurred.
    Failed { why: String },
    /// The strategy does not support this input or size.
    Unsuited { why: String },
}

/// The measured performance.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// The clock of the measurement.
    pub(crate) clock: Clock,
    /// The time in microseconds; on the GPU, for the whole chain of dispatches.
    pub(crate) micros: Time,
    /// The time from submission to completion in microseconds; on the CPU, equal to `micros`.
    pub(crate) wall: Time,
    /// Microseconds per dispatch.
    pub(crate) dispatches: Vec<(String, f64)>,
    /// Billions of elements per second.
    pub(crate) gelem_per_s: f64,
    /// The copy kernel's time divided by this time. For `matching`, the kernel copies the input; for
    /// `bounds`, it moves [`Facts::bytes`].
    pub(crate) of_copy: Option<f64>,
    /// GPU memory in bytes in addition to input and output, per element for `matching` and per marker for
    /// `bounds`.
    #[serde(default)]
    pub(crate) scratch: Option<f64>,
}

/// The clock of a measurement.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Clock {
    Gpu,
    Cpu,
}

impl Facts {
    /// The minimum number of bytes to read and write. The input (a tag per element and 16 bytes per rect)
    /// is read twice, because boxes depend on earlier clips. The output is a box per element, and a content
    /// box per Begin or End of a blend, 16 bytes each.
    pub(crate) fn bytes(&self) -> usize {
        2 * (4 * self.n + 16 * self.rects) + 16 * self.n + 16 * self.blends
    }
}

impl Record {
    /// Creates an empty record for this device.
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

    /// The inputs for the figures over n: the first shape with each percentage of markers, and for `bounds`
    /// the walk within the depth limit of Vello's clip stage.
    pub(crate) fn figure_inputs(&self) -> Vec<&str> {
        let shape = |input: &str| input.split(DRAWS).next().unwrap_or_default().to_owned();
        let mut inputs = self.inputs();
        let first = inputs.first().map(|first| shape(first)).unwrap_or_default();
        let for_vello = |input: &str| self.schema == BOUNDS_SCHEMA && input == WALK_FOR_VELLO;
        inputs.retain(|input| shape(input) == first || for_vello(input));
        inputs
    }

    /// Whether all results are correct.
    pub(crate) fn is_correct(&self) -> bool {
        !self.rows.iter().any(|row| row.outcome.is_wrong())
    }

    /// The timed sizes, in ascending order.
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

    /// The row of a strategy for an input and a timed size.
    pub(crate) fn find(&self, strategy: &str, input: &str, n: usize) -> Option<&Row> {
        self.timed().find(|row| row.n == n && row.strategy == strategy && row.input == input)
    }

    /// The figures of a strategy, if its results were correct.
    pub(crate) fn figures(&self, strategy: &str, input: &str, n: usize) -> Option<&Figures> {
        self.find(strategy, input, n)?.outcome.figures()
    }

    /// All rows except those for neighboring sizes and for sizes that are too large for the device.
    fn timed(&self) -> impl Iterator<Item = &Row> {
        let timed = |row: &&Row| row.n.is_power_of_two() && row.strategy != EVERYBODY;
        self.rows.iter().filter(timed)
    }
}

impl Row {
    /// The error message on one line.
    pub(crate) fn error_line(&self) -> String {
        let (kind, why) = match &self.outcome {
            Outcome::Wrong { what } => ("WRONG", what.as_str()),
            Outcome::Failed { why } => ("FAILED", why.as_str()),
            _ => ("right", ""),
        };
        format!("{kind}: {}, {}, n = {}: {why}", self.strategy, self.input, self.n)
    }
}

impl Outcome {
    /// Creates a failure with all causes of an error.
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
    /// Creates the figures of a chain on the GPU. `copy` is the copy kernel's time in microseconds.
    pub(crate) fn of_gpu(n: usize, measured: Measured, copy: Option<f64>) -> Self {
        Self {
            clock: Clock::Gpu,
            wall: measured.wall,
            dispatches: measured.dispatches,
            ..Self::of_time(n, measured.chain, copy)
        }
    }

    /// Creates the figures of a time on the CPU. `copy` is the copy kernel's time in microseconds.
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

/// Formats a size, as a power of two if possible.
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
/// `treebounds::Matcher` with its defaults.
pub(crate) const MATCHING: &str = "treebounds";
/// `treebounds::Matcher` with bits as input.
pub(crate) const MATCHING_BITS: &str = "treebounds, bits in";
/// `treebounds::BracketMatcher`.
pub(crate) const BRACKETS: &str = "treebounds, brackets";
/// The common prefix of the names of the paper's algorithms.
pub(crate) const PAPER: &str = "Levien 2022";
/// Levien's single pass with look-back and decoupled fallback.
pub(crate) const LOOKBACK: &str = "Levien 2021, lookback";
/// `treebounds::Stage` with clips and blends.
pub(crate) const FUSED: &str = "treebounds, fused";
/// `treebounds::Stage` with clips only.
pub(crate) const CLIPS: &str = "treebounds, clips";
/// `treebounds::Stage` with blends only.
pub(crate) const BLENDS: &str = "treebounds, blends";
/// `treebounds::NodeStage` on markers only.
pub(crate) const MARKERS: &str = "treebounds, markers";
/// `treebounds::NodeStage` with clips only, like Vello's stage.
pub(crate) const MARKER_CLIPS: &str = "treebounds, marker clips";
/// Vello's clip stage on the GPU.
pub(crate) const VELLO_GPU: &str = "Vello 0.11, clips";
/// Vello's clip stage on the CPU.
pub(crate) const VELLO_CPU: &str = "Vello 0.11, CPU";

pub(crate) const ONE_CORE: &str = "CPU, one core";
pub(crate) const ALL_CORES: &str = "CPU, all cores";

/// Whether a line shows our defaults for matching or bounds.
pub(crate) fn is_ours(line: &str) -> bool {
    line.starts_with(MATCHING)
}
