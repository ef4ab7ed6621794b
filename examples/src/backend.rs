//! Where products are computed.

use crate::gpu::{self, Direction};
use std::fmt;
use treebounds::Gpu;
use treebounds_cli::{Choice, Failure, Opened, backend};
use treebounds_core::{Monoid, Tag, reference};

/// A monoid with a WGSL implementation, whose values have the same layout in memory.
pub trait WgslMonoid: Monoid + bytemuck::Pod {
    /// What [`treebounds::WgslMonoid::wgsl`] wants.
    const WGSL: &str;
}

/// The GPU, or the CPU and why.
pub struct Backend {
    gpu: Option<Gpu>,
    name: String,
}

impl Backend {
    /// Opens what was chosen.
    ///
    /// # Errors
    /// A GPU was chosen, and none works.
    pub fn open(choice: Choice) -> Result<Self, Failure> {
        Ok(match choice.open().map_err(Failure::no_gpu)? {
            Opened::Gpu(gpu) => Self { name: backend::name(&gpu.adapter), gpu: Some(*gpu) },
            Opened::Cpu(None) => Self { name: "CPU".into(), gpu: None },
            Opened::Cpu(Some(why)) => Self { name: format!("CPU, because {why}"), gpu: None },
        })
    }

    /// The product along the path to each element.
    ///
    /// # Errors
    /// The GPU cannot hold so many elements, or fails.
    pub fn root_fix<M: WgslMonoid>(&self, tags: &[Tag], values: &[M]) -> anyhow::Result<Vec<M>> {
        match &self.gpu {
            None => Ok(reference::root_fix(tags, values)),
            Some(gpu) => gpu::products(gpu, Direction::Down, tags, values),
        }
    }

    /// The product over the subtree of each element.
    ///
    /// # Errors
    /// As [`Self::root_fix`].
    pub fn leaf_fix<M: WgslMonoid>(&self, tags: &[Tag], values: &[M]) -> anyhow::Result<Vec<M>> {
        match &self.gpu {
            None => Ok(reference::leaf_fix(tags, values)),
            Some(gpu) => gpu::products(gpu, Direction::Up, tags, values),
        }
    }
}

impl fmt::Display for Backend {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.name)
    }
}
