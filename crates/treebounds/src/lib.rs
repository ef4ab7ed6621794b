//! To be written: the GPU stage.
#![allow(missing_docs)]

pub use treebounds_core as core;
pub use wgpu;

#[derive(Debug, thiserror::Error)]
#[error("no GPU works: {0}")]
pub struct NoGpu(pub String);

#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {}

/// An opened device, for tools and tests.
pub struct Gpu {
    pub adapter: wgpu::AdapterInfo,
    pub device: wgpu::Device,
    pub queue: wgpu::Queue,
}

impl Gpu {
    pub async fn request() -> Result<Self, NoGpu> {
        Err(NoGpu("not written yet".into()))
    }
}

pub fn compute(
    _device: &wgpu::Device,
    _queue: &wgpu::Queue,
    stream: &core::Stream,
) -> Result<core::Bounds, Error> {
    Ok(core::reference::bounds(stream))
}
