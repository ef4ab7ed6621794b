//! Where the bounds are computed.

use crate::failure::{Failure, one_line};
use std::time::{Duration, Instant};
use treebounds::Gpu;
use treebounds_core::{Bounds, Stream, reference};
use treebounds_debug::Backend;
use treebounds_examples::Choice;

/// The bounds, and how they were come by.
pub(crate) struct Computed {
    pub(crate) bounds: Bounds,
    pub(crate) backend: Backend,
    /// Why it was not the GPU, where nobody asked for the CPU.
    pub(crate) why: Option<String>,
    pub(crate) time: Duration,
}

/// Computes where the choice says.
pub(crate) fn compute(choice: Choice, stream: &Stream) -> Result<Computed, Failure> {
    match choice {
        Choice::Cpu => Ok(on_cpu(stream, None)),
        Choice::Gpu => {
            let gpu = request().map_err(Failure::no_gpu)?;
            on_gpu(&gpu, stream).map_err(Failure::bad)
        }
        Choice::Auto => Ok(request()
            .and_then(|gpu| on_gpu(&gpu, stream))
            .unwrap_or_else(|why| on_cpu(stream, Some(why)))),
    }
}

fn request() -> Result<Gpu, String> {
    pollster::block_on(Gpu::request()).map_err(|error| one_line(&error.to_string()))
}

fn on_gpu(gpu: &Gpu, stream: &Stream) -> Result<Computed, String> {
    let adapter = gpu.adapter.name.clone();
    let start = Instant::now();
    let bounds = treebounds::compute(&gpu.device, &gpu.queue, stream)
        .map_err(|error| one_line(&format!("{adapter} failed: {error}")))?;
    let time = start.elapsed();
    Ok(Computed { bounds, backend: Backend::Gpu { adapter }, why: None, time })
}

fn on_cpu(stream: &Stream, why: Option<String>) -> Computed {
    let start = Instant::now();
    let bounds = reference::bounds(stream);
    Computed { bounds, backend: Backend::Cpu, why, time: start.elapsed() }
}
