//! Where products are computed.

use crate::gpu::{self, Direction};
use clap::ValueEnum;
use std::fmt;
use treebounds::Gpu;
use treebounds_core::{Monoid, Tag, reference};

/// Where to compute.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Choice {
    /// On the GPU if one works, else on the CPU.
    Auto,
    /// On the GPU, or not at all.
    Gpu,
    /// On the CPU.
    Cpu,
}

/// A monoid with a twin in WGSL, which loads, combines and stores values that lie
/// in memory as those of Rust do.
pub trait WgslMonoid: Monoid + bytemuck::Pod {
    /// What [`treebounds::Monoid::wgsl`] wants.
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
    /// The GPU was chosen, and none works.
    pub fn open(choice: Choice) -> anyhow::Result<Self> {
        let cpu = |name| Self { gpu: None, name };
        if choice == Choice::Cpu {
            return Ok(cpu("CPU".into()));
        }
        match pollster::block_on(Gpu::request()) {
            Ok(gpu) => Ok(Self { name: format!("GPU, {}", gpu.adapter.name), gpu: Some(gpu) }),
            Err(why) if choice == Choice::Auto => Ok(cpu(format!("CPU, because {why}"))),
            Err(why) => Err(why.into()),
        }
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
