//! What kernels are compiled for: a device, and WGSL of the caller's own.

use treebounds_shaders::{Binding, Custom};

/// Compiles for a device.
pub(crate) struct Compiler<'a> {
    pub(crate) device: &'a wgpu::Device,
    /// WGSL of the caller's own.
    pub(crate) custom: Custom<'a>,
    /// Which may have a bind group of its own.
    pub(crate) host: Option<&'a wgpu::BindGroupLayout>,
    /// Bytes from one value in an array to the next, where WGSL of the caller's own says what they are.
    pub(crate) strides: &'a [(Binding, u32)],
    /// Whether wgpu adds its checks.
    pub(crate) checked: bool,
}

impl<'a> Compiler<'a> {
    /// For kernels that are all ours.
    pub(crate) fn new(device: &'a wgpu::Device, checked: bool) -> Self {
        Self { device, custom: Custom::default(), host: None, strides: &[], checked }
    }
}
