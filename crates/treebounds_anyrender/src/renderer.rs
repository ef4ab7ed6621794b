//! AnyRender backends over treebounds' pipeline: Vello's shaders, treebounds' clip stage.

mod image;
mod window;

pub use image::TreeboundsImageRenderer;
pub use window::TreeboundsWindowRenderer;

use anyrender_vello::VelloScenePainter;
use treebounds_vello::{Frame, Options, Pipeline};

/// Why a renderer cannot render.
#[derive(Clone, Debug, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum RendererError {
    /// There is no GPU to work with.
    #[error(transparent)]
    Gpu(#[from] treebounds::Error),
    /// The pipeline could not be built, or not render the frame.
    #[error(transparent)]
    Pipeline(#[from] treebounds_vello::Error),
    /// The window cannot be rendered to.
    #[error("the window has no surface to render to: {0}")]
    Surface(String),
}

/// Vello's painter, on a scene of its own.
fn painter(scene: &mut vello::Scene) -> VelloScenePainter<'static, '_> {
    VelloScenePainter::new(scene)
}
