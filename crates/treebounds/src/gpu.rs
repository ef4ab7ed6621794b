//! Devices, buffers, pipelines and jobs; and a device for tools and tests. Renderers bring theirs.

pub(crate) mod buffers;
pub(crate) mod capabilities;
pub(crate) mod device;
pub(crate) mod error;
pub(crate) mod job;
pub(crate) mod pipelines;

use crate::{Error, optional_features, required_features};
use device::one_line;

/// A device with everything that the stage can use.
#[derive(Clone, Debug)]
pub struct Gpu {
    /// The adapter it was opened on.
    pub adapter: wgpu::AdapterInfo,
    /// The device.
    pub device: wgpu::Device,
    /// Its queue.
    pub queue: wgpu::Queue,
}

impl Gpu {
    /// Opens the best adapter, software ones included, with the adapter's limits and with the features
    /// that make the kernels faster or measurable.
    ///
    /// wgpu's environment variables select backends and adapters.
    ///
    /// # Errors
    /// [`Error::NoGpu`], with the reason.
    pub async fn request() -> Result<Self, Error> {
        Self::open(&Self::best_adapter().await?).await
    }

    /// The adapter that [`Gpu::request`] opens. The [`wgpu::AdapterInfo::device_type`] of a software
    /// adapter is [`wgpu::DeviceType::Cpu`]; the CPU backend is faster then.
    ///
    /// # Errors
    /// [`Error::NoGpu`], with the reason.
    pub async fn best_adapter() -> Result<wgpu::Adapter, Error> {
        let mut descriptor = wgpu::InstanceDescriptor::new_without_display_handle();
        // Without OpenGL: it has too few storage buffers, and looking for it makes some systems print
        // warnings about displays.
        descriptor.backends = wgpu::Backends::PRIMARY;
        let instance = wgpu::Instance::new(descriptor.with_env());
        instance
            .request_adapter(&wgpu::RequestAdapterOptions {
                power_preference: wgpu::PowerPreference::HighPerformance,
                ..Default::default()
            })
            .await
            .map_err(|error| Error::NoGpu(first_clause(&error.to_string())))
    }

    /// Opens this adapter with its limits and with the features of [`Gpu::request`].
    ///
    /// # Errors
    /// [`Error::NoGpu`] where the driver refuses.
    pub async fn open(adapter: &wgpu::Adapter) -> Result<Self, Error> {
        let measurable =
            wgpu::Features::TIMESTAMP_QUERY | wgpu::Features::TIMESTAMP_QUERY_INSIDE_PASSES;
        let wanted = optional_features() | measurable;
        let (device, queue) = adapter
            .request_device(&wgpu::DeviceDescriptor {
                label: Some("treebounds"),
                required_features: required_features() | (adapter.features() & wanted),
                required_limits: adapter.limits(),
                ..Default::default()
            })
            .await
            .map_err(|error| Error::NoGpu(one_line(&error.to_string())))?;
        Ok(Self { adapter: adapter.get_info(), device, queue })
    }
}

/// A message without its details, which start at the first colon, semicolon or bracket that has more
/// than one word before it.
fn first_clause(text: &str) -> String {
    let text = one_line(text);
    text.match_indices([':', ';', '('])
        .map(|(at, _)| text[..at].trim_end())
        .find(|clause| clause.contains(' '))
        .unwrap_or(&text)
        .to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn details_are_left_out() {
        let cases = [
            ("No adapter found; noop not enabled,\nvulkan: none", "No adapter found"),
            ("Vulkan: out of memory (device)", "Vulkan: out of memory"),
            ("WGPU_ADAPTER_NAME not set", "WGPU_ADAPTER_NAME not set"),
            ("lost:", "lost:"),
            ("", ""),
        ];
        for (text, expected) in cases {
            assert_eq!(first_clause(text), expected);
        }
    }
}
