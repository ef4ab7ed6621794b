//! Paints display lists with one of three renderers.

use anyhow::{Context, Result};
use anyrender::{ImageRenderer, Scene};
use anyrender_vello::VelloImageRenderer;
use anyrender_vello_cpu::VelloCpuImageRenderer;
use clap::ValueEnum;
use std::time::{Duration, Instant};
use treebounds_anyrender::{TreeboundsImageRenderer, replay};

/// The available renderers.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Renderer {
    /// `anyrender_vello_cpu`, single-threaded.
    VelloCpu,
    /// `anyrender_vello`: Vello on the GPU.
    Vello,
    /// treebounds' pipeline on the GPU.
    Treebounds,
}

impl Renderer {
    /// Returns the renderer's name.
    pub fn name(self) -> &'static str {
        match self {
            Self::VelloCpu => "vello_cpu",
            Self::Vello => "vello",
            Self::Treebounds => "treebounds",
        }
    }
}

/// A renderer for pictures of one size.
pub enum Painter {
    VelloCpu(Box<VelloCpuImageRenderer>),
    Vello(Box<VelloImageRenderer>),
    Treebounds(Box<TreeboundsImageRenderer>),
}

impl Painter {
    /// Prepares a renderer for pictures of this size.
    pub fn new(renderer: Renderer, [width, height]: [u32; 2]) -> Result<Self> {
        Ok(match renderer {
            Renderer::VelloCpu => {
                Self::VelloCpu(Box::new(VelloCpuImageRenderer::new(width, height)))
            }
            Renderer::Vello => Self::Vello(Box::new(VelloImageRenderer::new(width, height))),
            Renderer::Treebounds => Self::Treebounds(Box::new(
                TreeboundsImageRenderer::try_new(width, height).context("treebounds' pipeline")?,
            )),
        })
    }

    /// Returns the picture as RGBA with 8 bits per channel, and the time from the first command until the
    /// pixels are in memory.
    pub fn paint(&mut self, scene: &Scene) -> Result<(Vec<u8>, Duration)> {
        let mut pixels = Vec::new();
        let start = Instant::now();
        match self {
            Self::VelloCpu(renderer) => {
                renderer.reset();
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
            Self::Vello(renderer) => {
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
            Self::Treebounds(renderer) => {
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
        }
        let time = start.elapsed();
        if let Self::Treebounds(renderer) = self
            && let Some(error) = renderer.error()
        {
            return Err(error.clone().into());
        }
        Ok((pixels, time))
    }
}

/// Writes a picture as PNG.
pub fn save(path: &std::path::Path, pixels: Vec<u8>, [width, height]: [u32; 2]) -> Result<()> {
    let picture =
        image::RgbaImage::from_raw(width, height, pixels).context("a picture of another size")?;
    picture.save(path).with_context(|| path.display().to_string())
}

/// Returns the maximum difference of a channel, and the number of differing pixels.
pub fn difference(a: &[u8], b: &[u8]) -> (u8, usize) {
    let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let pixels = a.chunks(4).zip(b.chunks(4)).filter(|(a, b)| a != b).count();
    (most, pixels)
}
