//! Chooses between the GPU and the CPU, and computes the boxes there.

use crate::{
    failure::{Failure, one_line},
    table::Times,
};
use clap::ValueEnum;
use std::time::Instant;
use treebounds::{Gpu, wgpu};
use treebounds_core::{Bounds, Stream, reference};
use treebounds_report::Backend;

/// Where to compute the boxes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// On a GPU if one works and the scene is large enough to benefit, otherwise on the CPU.
    #[default]
    Auto,
    /// On a GPU or a software adapter. Fails if there is neither.
    Gpu,
    /// On the CPU.
    Cpu,
}

/// The backend opened for a [`Choice`].
#[derive(Debug)]
pub enum Opened {
    /// A GPU.
    Gpu(Box<Gpu>),
    /// The CPU, with the reason if a GPU was wanted.
    Cpu(Option<String>),
}

/// The maximum number of elements for which `Auto` skips the GPU. The CPU needs about 10 ms for them; starting a GPU
/// takes hundreds of milliseconds.
const CPU_ELEMENTS: usize = 200_000;

impl Choice {
    /// Resolves the choice for at most `most` elements. `Auto` becomes the CPU for small scenes, without looking for a
    /// GPU.
    pub fn for_elements(self, most: usize) -> Self {
        if self == Self::Auto && most <= CPU_ELEMENTS { Self::Cpu } else { self }
    }

    /// Opens the chosen backend.
    ///
    /// # Errors
    /// Returns a one-line reason if a GPU was chosen and none works.
    pub fn open(self) -> Result<Opened, String> {
        match self {
            Self::Cpu => Ok(Opened::Cpu(None)),
            Self::Gpu => pollster::block_on(Gpu::request())
                .map(|gpu| Opened::Gpu(Box::new(gpu)))
                .map_err(|error| format!("{}; {DRIVER}", one_line(&error.to_string()))),
            Self::Auto => Ok(hardware()),
        }
    }
}

const DRIVER: &str = "install a Vulkan driver (Debian and Ubuntu have a software one: apt-get install mesa-vulkan-drivers)";

/// Opens a hardware GPU, or falls back to the CPU.
fn hardware() -> Opened {
    let adapter = match pollster::block_on(Gpu::best_adapter()) {
        Ok(adapter) => adapter,
        Err(error) => return Opened::Cpu(Some(one_line(&error.to_string()))),
    };
    let info = adapter.get_info();
    if is_software(&info) {
        let why = format!("the only adapter, {}, is software", info.name);
        return Opened::Cpu(Some(one_line(&why)));
    }
    match pollster::block_on(Gpu::open(&adapter)) {
        Ok(gpu) => Opened::Gpu(Box::new(gpu)),
        Err(error) => Opened::Cpu(Some(one_line(&error.to_string()))),
    }
}

/// Whether the adapter computes on the CPU.
pub fn is_software(adapter: &wgpu::AdapterInfo) -> bool {
    adapter.device_type == wgpu::DeviceType::Cpu
}

/// Returns the adapter's kind and name.
pub fn name(adapter: &wgpu::AdapterInfo) -> String {
    let kind = if is_software(adapter) { "software adapter" } else { "GPU" };
    format!("{kind}, {}", adapter.name)
}

/// Computes boxes on the chosen backend. Opens the GPU at most once, when it is first needed.
pub(crate) struct Machine {
    choice: Choice,
    opened: Option<Opened>,
}

/// Bounds and the backend that computed them.
pub(crate) struct Computed {
    pub(crate) bounds: Bounds,
    pub(crate) backend: Backend,
    /// The backend's name and, if the GPU was wanted but not used, the reason.
    pub(crate) name: String,
}

impl Machine {
    pub(crate) fn new(choice: Choice) -> Self {
        Self { choice, opened: None }
    }

    /// Computes the bounds of a stream.
    ///
    /// # Errors
    /// Fails if a GPU was requested and none works, or if the GPU fails.
    pub(crate) fn compute(
        &mut self,
        stream: &Stream,
        times: &mut Times,
    ) -> Result<Computed, Failure> {
        let is_auto = self.choice == Choice::Auto;
        if self.choice.for_elements(stream.len()) == Choice::Cpu {
            return Ok(on_cpu(stream, None, times));
        }
        match self.open(times)? {
            Opened::Cpu(why) => Ok(on_cpu(stream, why.as_deref(), times)),
            Opened::Gpu(gpu) => match on_gpu(gpu, stream, times) {
                Err(why) if is_auto => Ok(on_cpu(stream, Some(&why), times)),
                done => done.map_err(Failure::bad),
            },
        }
    }

    fn open(&mut self, times: &mut Times) -> Result<&Opened, Failure> {
        let opened = match self.opened.take() {
            Some(opened) => opened,
            None => times
                .of("start-up", || self.choice.open())
                .map_err(|why| Failure::no_gpu(format!("{why}; --backend cpu needs none")))?,
        };
        Ok(self.opened.insert(opened))
    }
}

fn on_gpu(gpu: &Gpu, stream: &Stream, times: &mut Times) -> Result<Computed, String> {
    let adapter = gpu.adapter.name.clone();
    let (bounds, took) = treebounds::compute_timed(&gpu.device, &gpu.queue, stream)
        .map_err(|error| one_line(&format!("{adapter} failed: {error}")))?;
    times.add("kernels", took.kernels);
    times.add("computing", took.computing);
    times.add("readback", took.readback);
    Ok(Computed { bounds, backend: Backend::Gpu { adapter }, name: name(&gpu.adapter) })
}

fn on_cpu(stream: &Stream, why: Option<&str>, times: &mut Times) -> Computed {
    let start = Instant::now();
    let bounds = reference::bounds(stream);
    times.add("computing", start.elapsed());
    let because = why.map_or(String::new(), |why| format!(", because {why}"));
    Computed { bounds, backend: Backend::Cpu, name: format!("CPU{because}") }
}
