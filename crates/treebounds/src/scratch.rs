//! Memory that the stage works in. The caller owns it and reuses it.

use crate::buffers::{check_size, create};
use crate::ready::{lost, scoped};
use crate::tree_layout::TreeLayout;
use crate::{Capacity, Error};
use wgpu::BufferUsages;

/// Working memory of a [`Stage`](crate::Stage), a [`NodeStage`](crate::NodeStage) or a
/// [`HostClips`](crate::HostClips) for a capacity. One scratch serves any number of jobs that do not run at the same
/// time.
#[derive(Clone, Debug)]
pub struct Scratch {
    pub(crate) layout: TreeLayout,
    pub(crate) words: wgpu::Buffer,
    pub(crate) values: wgpu::Buffer,
    pub(crate) plan: wgpu::Buffer,
    /// Where the layout is of entries.
    pub(crate) counted: Option<CountedScratch>,
}

/// What a scene of few nodes takes besides: how its elements are laid out in the same scratch.
#[derive(Clone, Debug)]
pub(crate) struct CountedScratch {
    pub(crate) layout: TreeLayout,
    pub(crate) plan: wgpu::Buffer,
}

impl Scratch {
    pub(crate) fn new(device: &wgpu::Device, layout: TreeLayout) -> Result<Self, Error> {
        let storage = BufferUsages::STORAGE;
        Ok(Self {
            counted: None,
            words: create(device, "treebounds words", layout.word_bytes, storage)?,
            values: create(device, "treebounds values", layout.value_buffer_bytes, storage)?,
            plan: uniform(device, "treebounds plan", bytemuck::bytes_of(&layout.plan))?,
            layout,
        })
    }

    /// What it was made for.
    pub fn capacity(&self) -> Capacity {
        self.counted.as_ref().map_or(self.layout.capacity, |counted| counted.layout.capacity)
    }

    /// How many bytes of GPU memory it holds.
    pub fn bytes(&self) -> u64 {
        let own = [&self.words, &self.values, &self.plan];
        let counted = self.counted.iter().map(|counted| &counted.plan);
        own.into_iter().chain(counted).map(wgpu::Buffer::size).sum::<u64>()
    }
}

/// A uniform for each dispatch that wants one, at an offset of its own.
#[derive(Clone, Debug)]
pub(crate) struct Levels {
    buffer: wgpu::Buffer,
    size: u64,
    stride: u64,
    count: usize,
}

impl Levels {
    pub(crate) fn of<T: bytemuck::Pod>(device: &wgpu::Device, all: &[T]) -> Result<Self, Error> {
        let size = size_of::<T>();
        let alignment = device.limits().min_uniform_buffer_offset_alignment as usize;
        let stride = size.next_multiple_of(alignment.max(1));
        let mut bytes = vec![0; stride * all.len().max(1)];
        for (slot, one) in bytes.chunks_exact_mut(stride).zip(all) {
            slot[..size].copy_from_slice(bytemuck::bytes_of(one));
        }
        let buffer = uniform(device, "treebounds levels", &bytes)?;
        Ok(Self { buffer, size: size as u64, stride: stride as u64, count: all.len() })
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.buffer.size()
    }

    pub(crate) fn binding(&self, level: usize) -> Option<wgpu::BindingResource<'_>> {
        (level < self.count).then(|| {
            wgpu::BindingResource::Buffer(wgpu::BufferBinding {
                buffer: &self.buffer,
                offset: level as u64 * self.stride,
                size: wgpu::BufferSize::new(self.size),
            })
        })
    }
}

/// A uniform buffer with these bytes, written before any submission.
pub(crate) fn uniform(
    device: &wgpu::Device,
    label: &'static str,
    bytes: &[u8],
) -> Result<wgpu::Buffer, Error> {
    let size = (bytes.len() as u64).next_multiple_of(16);
    check_size(device, label, size)?;
    let descriptor = wgpu::BufferDescriptor {
        label: Some(label),
        size,
        usage: BufferUsages::UNIFORM,
        mapped_at_creation: true,
    };
    let buffer = scoped(device, || device.create_buffer(&descriptor)).map_err(Error::Device)?;
    let mut view = buffer.get_mapped_range_mut(..).map_err(|error| lost(&error))?;
    view.slice(..bytes.len()).copy_from_slice(bytes);
    drop(view);
    buffer.unmap();
    Ok(buffer)
}
