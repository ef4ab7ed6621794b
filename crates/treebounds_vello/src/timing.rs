//! GPU times of the stages.

use crate::{Error, StageTime};
use std::time::Duration;
use treebounds::wgpu;
use wgpu_profiler::{GpuProfiler, GpuProfilerSettings};

/// Puts a timestamp before and after each compute pass.
pub(crate) struct Timer {
    profiler: GpuProfiler,
    times: Vec<StageTime>,
}

impl Timer {
    /// A timer, where the device has timestamps.
    pub(crate) fn new(device: &wgpu::Device) -> Result<Option<Self>, Error> {
        if !device.features().contains(wgpu::Features::TIMESTAMP_QUERY) {
            return Ok(None);
        }
        let settings = GpuProfilerSettings { enable_debug_groups: false, ..Default::default() };
        let profiler =
            GpuProfiler::new(device, settings).map_err(|error| Error::Device(error.to_string()))?;
        Ok(Some(Self { profiler, times: Vec::new() }))
    }

    /// Records a pass between two timestamps.
    pub(crate) fn pass(
        &self,
        encoder: &mut wgpu::CommandEncoder,
        label: &'static str,
        work: impl FnOnce(&mut wgpu::ComputePass<'_>),
    ) {
        let query = self.profiler.begin_pass_query(label, encoder);
        let mut pass = encoder.begin_compute_pass(&wgpu::ComputePassDescriptor {
            label: Some(label),
            timestamp_writes: query.compute_pass_timestamp_writes(),
        });
        work(&mut pass);
        drop(pass);
        self.profiler.end_query(encoder, query);
    }

    pub(crate) fn resolve(&mut self, encoder: &mut wgpu::CommandEncoder) {
        self.profiler.resolve_queries(encoder);
    }

    /// Reads the times of a frame that was submitted, and waits for them.
    pub(crate) fn end_frame(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
    ) -> Result<(), Error> {
        let failed = |message: String| Error::Device(message);
        self.profiler.end_frame().map_err(|error| failed(error.to_string()))?;
        device
            .poll(wgpu::PollType::wait_indefinitely())
            .map_err(|error| failed(error.to_string()))?;
        let results = self.profiler.process_finished_frame(queue.get_timestamp_period());
        let time = |range: std::ops::Range<f64>| {
            Duration::try_from_secs_f64(range.end - range.start).unwrap_or_default()
        };
        self.times = results
            .into_iter()
            .flatten()
            .filter_map(|result| Some(StageTime { time: time(result.time?), stage: result.label }))
            .collect();
        Ok(())
    }

    pub(crate) fn take(&mut self) -> Vec<StageTime> {
        std::mem::take(&mut self.times)
    }
}
