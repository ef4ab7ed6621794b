//! Checks a chain of dispatches, times it, and checks it again.

mod device;

#[cfg(test)]
pub(crate) use device::Mismatch;
pub(crate) use device::{Copy, Kernel, POISON, Transfer, buffer, bytes, compare, fill, storage};

use anyhow::Context;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::{Duration, Instant};
use treebounds::{Dispatch, Gpu, Job, wgpu};
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

/// The number of chains submitted at once during the warm-up. A GPU only leaves its idle frequency while
/// it is busy.
const WARM_UP_CHAINS: usize = 16;
const WARM_UP: Duration = Duration::from_millis(400);

pub(crate) struct Harness {
    pub(crate) gpu: Gpu,
    runs: u32,
}

/// The times of a chain of dispatches, and of its individual dispatches.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub(crate) struct Measured {
    /// The time of the whole chain on the GPU's clock.
    pub(crate) chain: Time,
    /// The time of the whole chain on the host's clock, from submission to completion, without
    /// recording.
    pub(crate) wall: Time,
    /// The time of each dispatch on the GPU's clock. The times add up to more than `chain`, in which
    /// dispatches overlap.
    pub(crate) dispatches: Vec<(String, f64)>,
}

impl Harness {
    pub(crate) fn new(gpu: Gpu, runs: u32) -> anyhow::Result<Self> {
        anyhow::ensure!(
            gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY),
            "{} cannot time its own work (no timestamp queries)",
            gpu.adapter.name
        );
        Ok(Self { gpu, runs })
    }

    /// The number of runs.
    pub(crate) fn runs(&self) -> u32 {
        self.runs
    }

    /// Measures dispatches that are recorded in order in one pass.
    pub(crate) fn measure(&self, dispatches: &[Box<dyn Recordable>]) -> anyhow::Result<Measured> {
        let mut clock = Clock::new(&self.gpu)?;
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            let many = std::iter::repeat_n(dispatches, WARM_UP_CHAINS).flatten();
            submit(&self.gpu, many.map(AsRef::as_ref))?;
        }
        let chain =
            (0..self.runs).map(|_| Ok(micros(&clock.run(dispatches, false)?))).collect::<Times>();
        let wall = (0..self.runs).map(|_| self.wall(dispatches)).collect::<Times>();
        Ok(Measured {
            chain: Time::of(chain?),
            wall: Time::of(wall?),
            dispatches: self.one_by_one(&mut clock, dispatches)?,
        })
    }

    /// The median time of each dispatch, measured inside the pass.
    fn one_by_one(
        &self,
        clock: &mut Clock<'_>,
        dispatches: &[Box<dyn Recordable>],
    ) -> anyhow::Result<Vec<(String, f64)>> {
        if !self.gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            return Ok(Vec::new());
        }
        let mut times = vec![Vec::new(); dispatches.len()];
        for _ in 0..self.runs {
            let pass = clock.run(dispatches, true)?;
            for (times, query) in times.iter_mut().zip(&pass.nested_queries) {
                times.push(micros(query));
            }
        }
        let labels = dispatches.iter().map(|dispatch| dispatch.label().to_owned());
        Ok(labels.zip(times.into_iter().map(|times| Time::of(times).median)).collect())
    }

    /// The time from submission to completion in microseconds.
    fn wall(&self, dispatches: &[Box<dyn Recordable>]) -> anyhow::Result<f64> {
        let commands = record(&self.gpu.device, dispatches.iter().map(Box::as_ref));
        let start = Instant::now();
        self.gpu.queue.submit([commands]);
        self.gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
        Ok(start.elapsed().as_secs_f64() * 1e6)
    }
}

type Times = anyhow::Result<Vec<f64>>;

/// Measures with the GPU's clock.
struct Clock<'a> {
    gpu: &'a Gpu,
    profiler: GpuProfiler,
}

impl<'a> Clock<'a> {
    fn new(gpu: &'a Gpu) -> anyhow::Result<Self> {
        let profiler = GpuProfiler::new(&gpu.device, GpuProfilerSettings::default())?;
        Ok(Self { gpu, profiler })
    }

    /// Submits once, waits, and returns the times of the pass and optionally of each dispatch.
    fn run(
        &mut self,
        dispatches: &[Box<dyn Recordable>],
        each: bool,
    ) -> anyhow::Result<GpuTimerQueryResult> {
        let Gpu { device, queue, .. } = self.gpu;
        let profiler = &mut self.profiler;
        let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
        {
            let mut scope = profiler.scope("run", &mut encoder);
            let mut pass = scope.scoped_compute_pass("chain");
            for dispatch in dispatches {
                if each {
                    let mut scope = pass.scope(dispatch.label());
                    dispatch.record(&mut scope);
                } else {
                    dispatch.record(&mut pass);
                }
            }
        }
        profiler.resolve_queries(&mut encoder);
        queue.submit([encoder.finish()]);
        profiler.end_frame()?;
        device.poll(wgpu::PollType::wait_indefinitely())?;
        let results = profiler
            .process_finished_frame(queue.get_timestamp_period())
            .context("the GPU gave no timestamps")?;
        let run = results.into_iter().next().context("the GPU gave no timestamps")?;
        run.nested_queries.into_iter().next().context("the GPU gave no timestamps for the pass")
    }
}

/// A dispatch that can be recorded into a compute pass.
pub(crate) trait Recordable {
    fn label(&self) -> &str;
    fn record(&self, pass: &mut wgpu::ComputePass<'_>);
}

/// The individual dispatches of a job.
pub(crate) fn recordables(job: &Job) -> Vec<Box<dyn Recordable>> {
    job.dispatches().iter().map(|dispatch| Box::new(dispatch.clone()) as _).collect()
}

impl Recordable for Dispatch {
    fn label(&self) -> &str {
        Dispatch::label(self)
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        // SAFETY: all dispatches of a job are recorded in order, with only timestamps in between.
        #[expect(unsafe_code, reason = "each dispatch is timed separately")]
        unsafe {
            Dispatch::record(self, pass);
        }
    }
}

/// Runs dispatches once and waits.
pub(crate) fn submit<'a>(
    gpu: &Gpu,
    dispatches: impl IntoIterator<Item = &'a dyn Recordable>,
) -> anyhow::Result<()> {
    gpu.queue.submit([record(&gpu.device, dispatches)]);
    gpu.device.poll(wgpu::PollType::wait_indefinitely())?;
    Ok(())
}

fn record<'a>(
    device: &wgpu::Device,
    dispatches: impl IntoIterator<Item = &'a dyn Recordable>,
) -> wgpu::CommandBuffer {
    let mut encoder = device.create_command_encoder(&wgpu::CommandEncoderDescriptor::default());
    {
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor::default());
        for dispatch in dispatches {
            dispatch.record(&mut pass);
        }
    }
    encoder.finish()
}

fn micros(query: &GpuTimerQueryResult) -> f64 {
    query.time.as_ref().map_or(f64::NAN, |time| (time.end - time.start) * 1e6)
}

/// The time limit for repeated runs on the CPU, after the first two.
const BUDGET: Duration = Duration::from_millis(300);

/// The median and quartiles of the runs, in microseconds.
#[derive(Clone, Copy, Debug, Serialize, Deserialize)]
pub(crate) struct Time {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

impl Time {
    /// Times work on the CPU, with at least two runs and at most as many as on the GPU.
    pub(crate) fn of_work(runs: u32, mut work: impl FnMut()) -> Self {
        let start = Instant::now();
        let mut times = Vec::new();
        while times.len() < 2 || (times.len() < runs as usize && start.elapsed() < BUDGET) {
            let start = Instant::now();
            work();
            times.push(start.elapsed().as_secs_f64() * 1e6);
        }
        Self::of(times)
    }

    /// Computes the median and quartiles of at least one run.
    pub(crate) fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |quarter: usize| times.get((times.len().max(1) - 1) * quarter / 4).copied();
        Self {
            median: at(2).unwrap_or(f64::NAN),
            low: at(1).unwrap_or(f64::NAN),
            high: at(3).unwrap_or(f64::NAN),
        }
    }
}

/// The GPU of this test's thread. Tests fail on machines without a GPU.
#[cfg(test)]
pub(crate) fn gpu() -> &'static Gpu {
    thread_local! {
        static GPU: &'static Gpu = Box::leak(Box::new(own_gpu()));
    }
    GPU.with(|gpu| *gpu)
}

/// A new GPU device.
#[cfg(test)]
pub(crate) fn own_gpu() -> Gpu {
    pollster::block_on(Gpu::request()).unwrap_or_else(|error| {
        panic!("{error}; install a driver: apt-get install mesa-vulkan-drivers")
    })
}

/// Bound dispatches in order, with uploaded inputs.
pub(crate) struct Trial<'a> {
    pub(crate) dispatches: Vec<Box<dyn Recordable>>,
    pub(crate) outputs: Vec<Output<'a>>,
}

/// An output buffer of whole vectors.
pub(crate) struct Output<'a> {
    pub(crate) name: &'static str,
    pub(crate) buffer: wgpu::Buffer,
    /// The expected first words.
    pub(crate) expected: Cow<'a, [u32]>,
    /// The initial first words; poison if `None`.
    pub(crate) before: Option<Vec<u32>>,
    /// Checks results that have several correct forms, instead of comparing words.
    pub(crate) check: Option<Check<'a>>,
}

/// Describes the first wrong part of a result on the GPU, if any.
pub(crate) type Check<'a> = Box<dyn Fn(&Gpu) -> anyhow::Result<Option<String>> + 'a>;

/// The result of a trial.
pub(crate) enum Verdict {
    /// The result is wrong. Describes the first difference.
    Wrong(String),
    /// The result is correct. Contains the times if they were measured.
    Right(Option<Measured>),
}

impl<'a> Output<'a> {
    /// Creates an output that is poisoned before the run and compared word by word.
    pub(crate) fn new(
        name: &'static str,
        buffer: &wgpu::Buffer,
        expected: impl Into<Cow<'a, [u32]>>,
    ) -> Self {
        Self { name, buffer: buffer.clone(), expected: expected.into(), before: None, check: None }
    }
}

impl Trial<'_> {
    /// Checks one run, and if `timed`, times many runs and checks them.
    pub(crate) fn run(
        &self,
        harness: &Harness,
        transfer: &Transfer<'_>,
        timed: bool,
    ) -> anyhow::Result<Verdict> {
        if let Some(wrong) = self.check(transfer)? {
            return Ok(Verdict::Wrong(wrong));
        }
        if !timed {
            return Ok(Verdict::Right(None));
        }
        let measured = harness.measure(&self.dispatches)?;
        Ok(match self.mismatch(transfer)? {
            Some(wrong) => Verdict::Wrong(wrong),
            None => Verdict::Right(Some(measured)),
        })
    }

    /// Runs once on poisoned outputs. Describes the first difference, if any.
    pub(crate) fn check(&self, transfer: &Transfer<'_>) -> anyhow::Result<Option<String>> {
        for output in &self.outputs {
            transfer.poison(&output.buffer)?;
            transfer.upload(&output.buffer, output.before.as_deref().unwrap_or_default())?;
        }
        submit(transfer.gpu, self.dispatches.iter().map(Box::as_ref))?;
        self.mismatch(transfer)
    }

    fn mismatch(&self, transfer: &Transfer<'_>) -> anyhow::Result<Option<String>> {
        for Output { name, buffer, expected, check, .. } in &self.outputs {
            let mismatch = match check {
                Some(check) => check(transfer.gpu)?,
                None => transfer.mismatch(buffer, expected)?.map(|wrong| wrong.to_string()),
            };
            if let Some(mismatch) = mismatch {
                return Ok(Some(format!("{name}: {mismatch}")));
            }
        }
        Ok(None)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quartiles_surround_the_median() {
        let time = Time::of(vec![5.0, 1.0, 4.0, 2.0, 3.0]);
        assert_eq!((time.low, time.median, time.high), (2.0, 3.0, 4.0));
        let time = Time::of(vec![7.0]);
        assert_eq!((time.low, time.median, time.high), (7.0, 7.0, 7.0));
    }
}
