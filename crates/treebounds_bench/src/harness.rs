//! Timing on the GPU: warm up, repeat, take the median.

use anyhow::Context;
use serde::Serialize;
use std::time::{Duration, Instant};
use treebounds::{Dispatch, Gpu, wgpu};
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings, GpuTimerQueryResult};

/// A GPU clock takes this long to leave its idle frequency.
const WARM_UP: Duration = Duration::from_millis(80);

/// A device to measure on.
pub(crate) struct Harness {
    pub(crate) gpu: Gpu,
    runs: u32,
}

/// Microseconds: the median of the runs, and the quartiles around it.
#[derive(Clone, Copy, Debug, Serialize)]
pub(crate) struct Time {
    pub(crate) median: f64,
    pub(crate) low: f64,
    pub(crate) high: f64,
}

/// The time of a chain of dispatches, and of each alone.
#[derive(Clone, Debug, Serialize)]
pub(crate) struct Measured {
    pub(crate) chain: Time,
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

    /// Measures dispatches that are recorded one after the other in one pass.
    pub(crate) fn measure(&self, dispatches: &[&dyn Recordable]) -> anyhow::Result<Measured> {
        let start = Instant::now();
        while start.elapsed() < WARM_UP {
            self.run(dispatches, false)?;
        }
        let chains = (0..self.runs).map(|_| Ok(micros(&self.run(dispatches, false)?)));
        let chain = Time::of(chains.collect::<anyhow::Result<_>>()?);
        Ok(Measured { chain, dispatches: self.one_by_one(dispatches)? })
    }

    /// The median of each dispatch, timed inside the pass.
    fn one_by_one(&self, dispatches: &[&dyn Recordable]) -> anyhow::Result<Vec<(String, f64)>> {
        if !self.gpu.device.features().contains(wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES) {
            return Ok(Vec::new());
        }
        let mut times = vec![Vec::new(); dispatches.len()];
        for _ in 0..self.runs {
            let pass = self.run(dispatches, true)?;
            for (times, query) in times.iter_mut().zip(&pass.nested_queries) {
                times.push(micros(query));
            }
        }
        let labels = dispatches.iter().map(|dispatch| dispatch.label().to_owned());
        Ok(labels.zip(times.into_iter().map(|times| Time::of(times).median)).collect())
    }

    /// Submits once, waits, and returns the times of the pass and, if asked, of
    /// each dispatch in it.
    fn run(
        &self,
        dispatches: &[&dyn Recordable],
        each: bool,
    ) -> anyhow::Result<GpuTimerQueryResult> {
        let Gpu { device, queue, .. } = &self.gpu;
        let mut profiler = GpuProfiler::new(device, GpuProfilerSettings::default())?;
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

/// Something that goes into a compute pass.
pub(crate) trait Recordable {
    fn label(&self) -> &str;
    fn record(&self, pass: &mut wgpu::ComputePass<'_>);
}

impl Recordable for Dispatch {
    fn label(&self) -> &str {
        Dispatch::label(self)
    }

    fn record(&self, pass: &mut wgpu::ComputePass<'_>) {
        Dispatch::record(self, pass);
    }
}

impl Time {
    fn of(mut times: Vec<f64>) -> Self {
        times.sort_by(f64::total_cmp);
        let at = |quarter: usize| times.get((times.len().max(1) - 1) * quarter / 4).copied();
        Self {
            median: at(2).unwrap_or(f64::NAN),
            low: at(1).unwrap_or(f64::NAN),
            high: at(3).unwrap_or(f64::NAN),
        }
    }
}

fn micros(query: &GpuTimerQueryResult) -> f64 {
    query.time.as_ref().map_or(f64::NAN, |time| (time.end - time.start) * 1e6)
}
