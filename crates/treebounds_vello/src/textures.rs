//! Gradient ramps and the image atlas.

use crate::Error;
use peniko::ImageData;
use treebounds::device::scoped;
use treebounds::wgpu;
use vello_encoding::Ramps;

/// A texture and its view.
#[derive(Clone)]
pub(crate) struct Texture {
    texture: wgpu::Texture,
    pub(crate) view: wgpu::TextureView,
}

impl Texture {
    /// Creates a texture. The device must support its size.
    pub(crate) fn new(
        device: &wgpu::Device,
        label: &'static str,
        [width, height]: [u32; 2],
        usage: wgpu::TextureUsages,
    ) -> Result<Self, Error> {
        let descriptor = wgpu::TextureDescriptor {
            label: Some(label),
            size: wgpu::Extent3d { width, height, depth_or_array_layers: 1 },
            mip_level_count: 1,
            sample_count: 1,
            dimension: wgpu::TextureDimension::D2,
            format: wgpu::TextureFormat::Rgba8Unorm,
            usage,
            view_formats: &[],
        };
        scoped(device, || {
            let texture = device.create_texture(&descriptor);
            let view = texture.create_view(&wgpu::TextureViewDescriptor::default());
            Self { texture, view }
        })
        .map_err(Error::Device)
    }

    pub(crate) fn texture(&self) -> &wgpu::Texture {
        &self.texture
    }

    pub(crate) fn size(&self) -> [u32; 2] {
        [self.texture.width(), self.texture.height()]
    }

    pub(crate) fn bytes(&self) -> u64 {
        4 * u64::from(self.texture.width()) * u64::from(self.texture.height())
    }

    fn write(
        &self,
        (device, queue): (&wgpu::Device, &wgpu::Queue),
        [x, y]: [u32; 2],
        [width, height]: [u32; 2],
        data: &[u8],
    ) -> Result<(), Error> {
        if width == 0 || height == 0 {
            return Ok(());
        }
        let target = wgpu::TexelCopyTextureInfo {
            origin: wgpu::Origin3d { x, y, z: 0 },
            ..self.texture.as_image_copy()
        };
        let layout = wgpu::TexelCopyBufferLayout {
            offset: 0,
            bytes_per_row: Some(4 * width),
            rows_per_image: None,
        };
        let size = wgpu::Extent3d { width, height, depth_or_array_layers: 1 };
        scoped(device, || queue.write_texture(target, data, layout, size)).map_err(Error::Device)
    }
}

/// Checks that the device supports a texture of this size. Returns the maximum side length.
fn check_side(
    device: &wgpu::Device,
    what: &'static str,
    [width, height]: [u32; 2],
    remedy: &'static str,
) -> Result<u32, Error> {
    let most = device.limits().max_texture_dimension_2d;
    let count = width.max(height);
    if count > most {
        return Err(Error::TooMany { what, count: count.into(), most: most.into(), remedy });
    }
    Ok(most)
}

/// The color sources of the last stage.
pub(crate) struct Textures {
    pub(crate) gradients: Texture,
    pub(crate) atlas: Texture,
}

const READ: wgpu::TextureUsages =
    wgpu::TextureUsages::TEXTURE_BINDING.union(wgpu::TextureUsages::COPY_DST);

impl Textures {
    pub(crate) fn new(device: &wgpu::Device) -> Result<Self, Error> {
        Ok(Self {
            gradients: Texture::new(device, "gradients", [1, 1], READ)?,
            atlas: Texture::new(device, "image atlas", [1, 1], READ)?,
        })
    }

    pub(crate) fn write_ramps(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        ramps: &Ramps<'_>,
    ) -> Result<(), Error> {
        let size = [ramps.width.max(1), ramps.height.max(1)];
        let [width, height] = self.gradients.size();
        if width < size[0] || height < size[1] {
            let most = check_side(device, "gradients", size, "use fewer")?;
            let size = [size[0], size[1].next_power_of_two().min(most)];
            self.gradients = Texture::new(device, "gradients", size, READ)?;
        }
        let data = bytemuck::cast_slice(ramps.data);
        self.gradients.write((device, queue), [0, 0], [ramps.width, ramps.height], data)
    }

    /// Uploads the resolver's new images. `size` is the size of the resolver's atlas; if it changes, the resolver returns all images
    /// again.
    pub(crate) fn write_images(
        &mut self,
        device: &wgpu::Device,
        queue: &wgpu::Queue,
        size: [u32; 2],
        images: &[(ImageData, u32, u32)],
    ) -> Result<(), Error> {
        // A frame without new images leaves the images of earlier frames in place.
        if !images.is_empty() && self.atlas.size() != size {
            check_side(device, "pixels a side of images", size, "use smaller ones")?;
            self.atlas = Texture::new(device, "image atlas", size, READ)?;
        }
        for (image, x, y) in images {
            let (place, size) = ([*x, *y], [image.width, image.height]);
            self.atlas.write((device, queue), place, size, image.data.data())?;
        }
        Ok(())
    }

    pub(crate) fn bytes(&self) -> u64 {
        self.gradients.bytes() + self.atlas.bytes()
    }
}
