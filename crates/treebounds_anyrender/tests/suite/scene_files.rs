//! Converts the scene files of `assets/scenes` to display lists, as far as AnyRender can represent them: draws, clips,
//! layers and blurs.

use anyrender::filters::FilterEffect;
use anyrender::recording::Scene;
use anyrender::{Filter, PaintScene};
use kurbo::{Affine, Rect, Vec2};
use peniko::{Color, Fill, Mix};
use std::path::Path;
use std::sync::Arc;
use treebounds_anyrender::stream;
use treebounds_core::{self as core, NodeKind, Role, reference};
use treebounds_report::{SceneElement, SceneFile};

/// The clip of a layer that cuts nothing.
const AROUND: Rect = Rect::new(-5e4, -5e4, 5e4, 5e4);

/// Returns a box of whole pixels, which a list preserves.
fn whole(rect: Option<core::Rect>) -> Option<Rect> {
    let sides = rect?.to_array();
    let is_whole = sides.iter().all(|side| side.fract() == 0.0 && side.abs() < 1e4);
    is_whole.then(|| Rect::new(sides[0].into(), sides[1].into(), sides[2].into(), sides[3].into()))
}

/// Returns the effect with this footprint: a blur or an offset.
fn effect([x0, y0, x1, y1]: [f32; 4]) -> Option<FilterEffect> {
    if x0 == x1 && y0 == y1 && x0.abs().max(y0.abs()) < 1e4 {
        return Some(FilterEffect::Offset(Vec2::new(x0.into(), y0.into())));
    }
    // The footprint of a blur was rounded outward to the next pixel.
    let is_blur = x0 == -x1 && y0 == -y1 && x1 == y1 && x1 < 1e4;
    is_blur.then(|| FilterEffect::blur((x1 - 0.1) / 3.0))
}

/// Returns the list of these elements. `None` if AnyRender cannot represent it.
fn list(elements: &[SceneElement]) -> Option<Scene> {
    let (mut scene, mut open) = (Scene::new(), Vec::new());
    let (rule, here) = (Fill::NonZero, Affine::IDENTITY);
    for element in elements {
        let tag = element.tag();
        if tag.is_non_local() || tag.is_filling() {
            return None;
        }
        let Some(kind) = tag.node_kind() else {
            scene.fill(rule, here, Color::BLACK, None, &whole(element.rect)?);
            continue;
        };
        match (tag.role(), kind) {
            (Role::End, _) => {
                if open.pop() != Some(kind) {
                    return None;
                }
                scene.pop_layer();
                continue;
            }
            (_, NodeKind::Clip) => scene.push_clip_layer(rule, here, &whole(element.rect)?),
            (_, NodeKind::Spread) => {
                let filter = Some(Arc::new(Filter::single(effect(element.footprint?)?)));
                scene.push_layer(rule, Mix::Normal, 1.0, here, &AROUND, filter, None);
            }
            (_, NodeKind::Blend | NodeKind::ClipBlend) => {
                let extent = match element.rect {
                    None => AROUND,
                    rect => whole(rect)?,
                };
                scene.push_layer(rule, Mix::Normal, 0.5, here, &extent, None, None);
            }
        }
        open.push(kind);
    }
    open.is_empty().then_some(scene)
}

#[test]
fn scene_files_and_their_lists_have_equal_boxes() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../assets/scenes");
    let (mut count, mut filters) = (0, 0);
    for entry in folder.read_dir().unwrap() {
        let path = entry.unwrap().path();
        let Ok(text) = std::fs::read_to_string(&path) else { continue };
        let Ok(file) = SceneFile::from_json(&text) else { continue };
        let (Some(viewport), Some(scene)) = (whole(Some(file.viewport)), list(&file.elements))
        else {
            continue;
        };
        let list = stream(&scene, viewport).unwrap();
        let bounds = reference::bounds(&list.stream);
        let landings = reference::landings(&list.stream, &bounds);
        for (command, element) in file.elements.iter().enumerate() {
            // The layer of a filter is a clip around the filter.
            if element.kind.is_spread() {
                continue;
            }
            let at = list.elements[command] as usize;
            let name = SceneFile::label(&file.elements, command);
            let found = [bounds.boxes[at], landings[at]];
            for (found, expected) in found.into_iter().zip([element.bounds, element.lands]) {
                let expected = expected.unwrap_or(found);
                assert_eq!(found, expected, "{}, element {name}", path.display());
            }
        }
        count += 1;
        filters += usize::from(file.elements.iter().any(|element| element.kind.is_spread()));
    }
    assert!(count >= 30 && filters >= 10, "{count} scenes, {filters} with filters");
}
