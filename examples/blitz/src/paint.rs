//! Display lists, painted by one of four renderers.

#[cfg(feature = "gpu")]
use crate::hybrid::HybridImageRenderer;
use anyhow::{Context, Result};
use anyrender::{ImageRenderer, Scene};
#[cfg(feature = "gpu")]
use anyrender_vello::VelloImageRenderer;
use anyrender_vello_cpu::VelloCpuImageRenderer;
use clap::ValueEnum;
use std::time::{Duration, Instant};
#[cfg(feature = "gpu")]
use treebounds_anyrender::TreeboundsImageRenderer;
use treebounds_anyrender::replay;

/// What paints.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub enum Renderer {
    /// `anyrender_vello_cpu`: on the CPU, one thread.
    VelloCpu,
    /// `anyrender_vello`: Vello on the GPU.
    #[cfg(feature = "gpu")]
    Vello,
    /// `vello_gpu`, which was called `vello_hybrid`: paths on the CPU, pixels on the GPU.
    #[cfg(feature = "gpu")]
    VelloGpu,
    /// treebounds' pipeline on the GPU.
    #[cfg(feature = "gpu")]
    Treebounds,
}

impl Renderer {
    /// Its name.
    pub fn name(self) -> &'static str {
        match self {
            Self::VelloCpu => "vello_cpu",
            #[cfg(feature = "gpu")]
            Self::Vello => "vello",
            #[cfg(feature = "gpu")]
            Self::VelloGpu => "vello_gpu",
            #[cfg(feature = "gpu")]
            Self::Treebounds => "treebounds",
        }
    }
}

/// One renderer by its name, or all of them by `all`.
#[derive(Clone, Debug)]
pub struct Renderers(pub Vec<Renderer>);

impl std::str::FromStr for Renderers {
    type Err = String;

    fn from_str(name: &str) -> std::result::Result<Self, String> {
        if name == "all" {
            return Ok(Self(Renderer::value_variants().to_vec()));
        }
        Renderer::from_str(name, true).map(|renderer| Self(vec![renderer]))
    }
}

/// A renderer that is ready.
pub enum Painter {
    VelloCpu(Box<VelloCpuImageRenderer>),
    #[cfg(feature = "gpu")]
    Vello(Box<VelloImageRenderer>),
    #[cfg(feature = "gpu")]
    VelloGpu(Box<HybridImageRenderer>),
    #[cfg(feature = "gpu")]
    Treebounds(Box<TreeboundsImageRenderer>),
}

impl Painter {
    /// Prepares a renderer for pictures of this size.
    pub fn new(renderer: Renderer, [width, height]: [u32; 2]) -> Result<Self> {
        Ok(match renderer {
            Renderer::VelloCpu => {
                Self::VelloCpu(Box::new(VelloCpuImageRenderer::new(width, height)))
            }
            #[cfg(feature = "gpu")]
            Renderer::Vello => Self::Vello(Box::new(VelloImageRenderer::new(width, height))),
            #[cfg(feature = "gpu")]
            Renderer::VelloGpu => Self::VelloGpu(Box::new(
                HybridImageRenderer::new([width, height]).context("vello_gpu")?,
            )),
            #[cfg(feature = "gpu")]
            Renderer::Treebounds => Self::Treebounds(Box::new(
                TreeboundsImageRenderer::try_new(width, height).context("treebounds' pipeline")?,
            )),
        })
    }

    /// The picture, RGBA of 8 bits each, and how long it took, from the first command to the pixels in memory.
    pub fn paint(&mut self, scene: &Scene) -> Result<(Vec<u8>, Duration)> {
        let mut pixels = Vec::new();
        let start = Instant::now();
        match self {
            Self::VelloCpu(renderer) => {
                renderer.reset();
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
            #[cfg(feature = "gpu")]
            Self::Vello(renderer) => {
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
            #[cfg(feature = "gpu")]
            Self::VelloGpu(renderer) => {
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels)?;
            }
            #[cfg(feature = "gpu")]
            Self::Treebounds(renderer) => {
                renderer.render_to_vec(|painter| replay(scene, painter), &mut pixels);
            }
        }
        let time = start.elapsed();
        #[cfg(feature = "gpu")]
        if let Self::Treebounds(renderer) = self
            && let Some(error) = renderer.error()
        {
            return Err(error.clone().into());
        }
        Ok((pixels, time))
    }
}

/// Writes a picture.
pub fn save(path: &std::path::Path, pixels: Vec<u8>, [width, height]: [u32; 2]) -> Result<()> {
    let picture =
        image::RgbaImage::from_raw(width, height, pixels).context("a picture of another size")?;
    picture.save(path).with_context(|| path.display().to_string())
}

/// The largest difference of a channel, and how many pixels differ.
pub fn difference(a: &[u8], b: &[u8]) -> (u8, usize) {
    let most = a.iter().zip(b).map(|(a, b)| a.abs_diff(*b)).max().unwrap_or(0);
    let pixels = a.chunks(4).zip(b.chunks(4)).filter(|(a, b)| a != b).count();
    (most, pixels)
}
