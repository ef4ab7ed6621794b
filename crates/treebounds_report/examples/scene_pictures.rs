//! Draws the boxes of scene files, each as a PNG next to its file: `cargo run --example scene_pictures --
//! assets/scenes/clip_cuts.json`.

use std::path::Path;
use treebounds_core::reference;
use treebounds_report::{Findings, Overlay, PictureFrame, SceneFile};

fn main() -> Result<(), Box<dyn std::error::Error>> {
    for path in std::env::args().skip(1) {
        let scene = SceneFile::read_json(std::fs::File::open(&path)?)?.scene()?;
        let bounds = reference::bounds(&scene.stream);
        let frame = PictureFrame::with_width(scene.width, scene.height, 480)?;
        let picture = Overlay::new(&Findings::new(&scene, &bounds)?, frame).paint()?;
        std::fs::write(Path::new(&path).with_extension("png"), picture.png()?)?;
    }
    Ok(())
}
