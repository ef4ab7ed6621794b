//! Hinted glyphs are inside their boxes, which are as narrow as the outlines under vertical hinting.

use crate::support::paint::paint_at;
use anyrender::recording::Scene;
use anyrender::{Glyph, PaintScene};
use kurbo::{Affine, Rect, Vec2};
use peniko::{Color, Fill};
use treebounds_anyrender::{Options, Workspace};
use treebounds_testkit::font;

const SIZE: [u32; 2] = [70, 50];

fn glyph(id: u32, size: f32, at: Affine) -> Scene {
    let mut scene = Scene::new();
    let glyphs = [Glyph { id, x: 0.0, y: 0.0 }];
    let (fill, none) = (Fill::NonZero, Vec2::ZERO);
    let black = Color::BLACK;
    let run = glyphs.into_iter();
    scene.draw_glyphs(font(), size, true, &[], none, fill, black, 1.0, at, None, run);
    scene
}

/// Whether the glyph is culled in a window of one column.
fn is_culled(scene: &Scene, column: u32, options: &Options, workspace: &mut Workspace) -> bool {
    let left = f64::from(column);
    let window = Rect::new(left, 0.0, left + 1.0, SIZE[1].into());
    workspace.optimize(&mut scene.clone(), window, options).unwrap().culled_draws == 1
}

#[test]
fn hinted_glyphs_are_inside_their_boxes() {
    let mut workspace = Workspace::new();
    // The number of culled columns, without and with vertical hinting.
    let mut culled = [0, 0];
    for id in 36..96 {
        for (size, scale) in [(9.0, 1.0), (15.0, 1.0), (15.0, 2.0), (13.5, 1.0)] {
            let at = Affine::translate((12.3, 38.0)) * Affine::scale(scale);
            let scene = glyph(id, size, at);
            let picture = paint_at(&scene, SIZE);
            let is_blank = |column: u32| {
                let row = SIZE[0] as usize;
                picture.chunks(4).skip(column as usize).step_by(row).all(|pixel| pixel[3] == 0)
            };
            for column in 0..SIZE[0] {
                for (at, vertical_hinting) in [false, true].into_iter().enumerate() {
                    let options = Options { vertical_hinting, ..Options::EXACT };
                    if is_culled(&scene, column, &options, &mut workspace) {
                        culled[at] += 1;
                        assert!(is_blank(column), "glyph {id}, size {size}, column {column}");
                    }
                }
            }
        }
    }
    // One column on each side of each glyph at a whole size.
    assert!(culled[1] > culled[0] + 300, "{culled:?}");
}
