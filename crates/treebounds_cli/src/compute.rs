//! Where the bounds are computed, and how long that takes.

use crate::choice::{self, Choice, Opened};
use crate::failure::{Failure, one_line};
use crate::times::Times;
use std::time::Instant;
use treebounds::Gpu;
use treebounds_core::{Bounds, Stream, reference};
use treebounds_report::Backend;

/// A place to compute at, opened once for all drawings.
pub(crate) struct Machine {
    opened: Opened,
    is_auto: bool,
}

/// The bounds, and how they were come by.
pub(crate) struct Computed {
    pub(crate) bounds: Bounds,
    pub(crate) backend: Backend,
    /// What people call it, and why it was not a GPU, where nobody asked for the CPU.
    pub(crate) name: String,
}

impl Machine {
    /// Opens what was chosen.
    pub(crate) fn open(choice: Choice, times: &mut Times) -> Result<Self, Failure> {
        let start = Instant::now();
        let opened = choice.open().map_err(Failure::no_gpu)?;
        if choice != Choice::Cpu {
            times.add("start-up", start.elapsed());
        }
        Ok(Self { opened, is_auto: choice == Choice::Auto })
    }

    /// Computes.
    pub(crate) fn compute(&self, stream: &Stream, times: &mut Times) -> Result<Computed, Failure> {
        match &self.opened {
            Opened::Cpu(why) => Ok(on_cpu(stream, why.as_deref(), times)),
            Opened::Gpu(gpu) => match on_gpu(gpu, stream, times) {
                Err(why) if self.is_auto => Ok(on_cpu(stream, Some(&why), times)),
                done => done.map_err(Failure::bad),
            },
        }
    }
}

fn on_gpu(gpu: &Gpu, stream: &Stream, times: &mut Times) -> Result<Computed, String> {
    let adapter = gpu.adapter.name.clone();
    let (bounds, took) = treebounds::compute_timed(&gpu.device, &gpu.queue, stream)
        .map_err(|error| one_line(&format!("{adapter} failed: {error}")))?;
    times.add("kernels", took.kernels);
    times.add("computing", took.computing);
    times.add("readback", took.readback);
    let name = choice::name(&gpu.adapter);
    Ok(Computed { bounds, backend: Backend::Gpu { adapter }, name })
}

fn on_cpu(stream: &Stream, why: Option<&str>, times: &mut Times) -> Computed {
    let start = Instant::now();
    let bounds = reference::bounds(stream);
    times.add("computing", start.elapsed());
    let because = why.map_or(String::new(), |why| format!(", because {why}"));
    Computed { bounds, backend: Backend::Cpu, name: format!("CPU{because}") }
}
