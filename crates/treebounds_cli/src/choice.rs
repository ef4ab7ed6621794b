//! Where a person wants the work done.

use crate::failure::one_line;
use clap::ValueEnum;
use treebounds::{Gpu, wgpu};

/// Where to compute.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// On a GPU if one works, else on the CPU.
    #[default]
    Auto,
    /// On a GPU, or a software adapter, or not at all.
    Gpu,
    /// On the CPU.
    Cpu,
}

/// What became of a choice.
#[derive(Debug)]
pub enum Opened {
    /// A GPU.
    Gpu(Box<Gpu>),
    /// The CPU, and why, where nobody chose it.
    Cpu(Option<String>),
}

impl Choice {
    /// Opens what was chosen.
    ///
    /// # Errors
    /// A GPU was chosen, and none works: why, in one line.
    pub fn open(self) -> Result<Opened, String> {
        match self {
            Self::Cpu => Ok(Opened::Cpu(None)),
            Self::Gpu => {
                let gpu = pollster::block_on(Gpu::request());
                gpu.map(|gpu| Opened::Gpu(Box::new(gpu)))
                    .map_err(|error| one_line(&error.to_string()))
            }
            Self::Auto => Ok(hardware()),
        }
    }
}

/// A GPU that is one, or the CPU.
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

/// Whether an adapter computes on the CPU.
pub fn is_software(adapter: &wgpu::AdapterInfo) -> bool {
    adapter.device_type == wgpu::DeviceType::Cpu
}

/// What people call an adapter.
pub fn name(adapter: &wgpu::AdapterInfo) -> String {
    let kind = if is_software(adapter) { "software adapter" } else { "GPU" };
    format!("{kind}, {}", adapter.name)
}
