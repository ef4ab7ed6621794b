//! The target texture and readback buffer for frames in memory.

use crate::Error;
use crate::device::{create, read_with};
use crate::textures::Texture;
use treebounds::wgpu;
use wgpu::{BufferUsages, TextureUsages};

/// The target of frames whose pixels are read back. It is reused until the frame size changes, because creating and clearing a texture
/// and a buffer of 16 MB each takes longer than rendering the frame.
#[derive(Clone)]
pub(super) struct Picture {
    pub(super) texture: Texture,
    buffer: wgpu::Buffer,
    /// The aligned row stride of the buffer.
    bytes_per_row: u32,
}

impl Picture {
    /// Creates a picture. The device must support its size.
    pub(super) fn new(device: &wgpu::Device, [width, height]: [u32; 2]) -> Result<Self, Error> {
        let usage = TextureUsages::STORAGE_BINDING | TextureUsages::COPY_SRC;
        let bytes_per_row = (4 * width).next_multiple_of(wgpu::COPY_BYTES_PER_ROW_ALIGNMENT);
        let bytes = u64::from(bytes_per_row) * u64::from(height);
        let for_reading = BufferUsages::MAP_READ | BufferUsages::COPY_DST;
        Ok(Self {
            texture: Texture::new(device, "target", [width, height], usage)?,
            buffer: create(device, "pixels read back", bytes, for_reading)?,
            bytes_per_row,
        })
    }

    pub(super) fn size(&self) -> [u32; 2] {
        self.texture.size()
    }

    pub(super) fn bytes(&self) -> u64 {
        self.texture.bytes() + self.buffer.size()
    }

    /// Records the copy of the texture to the buffer.
    pub(super) fn record_copy(&self, encoder: &mut wgpu::CommandEncoder) {
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(self.bytes_per_row),
            rows_per_image: None,
        };
        let texture = self.texture.texture();
        let buffer = wgpu::TexelCopyBufferInfo { buffer: &self.buffer, layout };
        encoder.copy_texture_to_buffer(texture.as_image_copy(), buffer, texture.size());
    }

    /// Waits for the device, and copies as many pixels as fit the slice.
    pub(super) fn read(&self, device: &wgpu::Device, pixels: &mut [u8]) -> Result<(), Error> {
        let [width, _] = self.size();
        read_with(device, &self.buffer, |padded| {
            let rows = padded.chunks_exact(self.bytes_per_row as usize);
            for (to, from) in pixels.chunks_mut(4 * width as usize).zip(rows) {
                to.copy_from_slice(&from[..to.len()]);
            }
        })
    }
}
