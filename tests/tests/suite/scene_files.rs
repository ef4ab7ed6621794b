//! Tests the reference, the GPU, damage and picks against the expected answers in `assets/scenes`.

use serde_json::Value;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use treebounds::{
    Capacity, InputBindings, Stage, StageDescriptor, Tuning, capture, wgpu::BufferUsages,
};
use treebounds_core::{Bounds, NONE, Rect, Role, Stream, Tag, pick::pick, reference};
use treebounds_report::{SceneElement, SceneFile};
use treebounds_testkit::scene_text;
use treebounds_tests::bound::Bound;
use treebounds_tests::gpu::{Arena, gpu};
use treebounds_tests::streams::{filtered, random_mixture};

const SCHEMA: &str = include_str!("../../../crates/treebounds_report/scene.schema.json");

fn folder() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../assets/scenes")
}

/// Returns the files with their names.
fn files() -> Vec<(String, String)> {
    let mut files = Vec::new();
    for entry in folder().read_dir().unwrap() {
        let path = entry.unwrap().path();
        if path.extension().is_some_and(|extension| extension == "json") {
            let name = path.file_name().unwrap().to_string_lossy().into_owned();
            files.push((name, std::fs::read_to_string(path).unwrap()));
        }
    }
    files.sort();
    assert!(files.len() >= 60, "{} files", files.len());
    files
}

fn scenes() -> impl Iterator<Item = (String, SceneFile)> {
    files().into_iter().map(|(name, text)| {
        let scene = SceneFile::from_json(&text).unwrap_or_else(|error| panic!("{name}: {error}"));
        (name, scene)
    })
}

/// Checks an implementation's answers for both frames of every file.
fn check(about: &str, answers: impl Fn(&Stream) -> (Bounds, Vec<Rect>)) {
    let mut failures = Vec::new();
    for (name, scene) in scenes() {
        let stream = scene.stream().unwrap();
        let (bounds, landings) = answers(&stream);
        check_ends_repeat_their_begins(&name, &stream, &bounds, &landings);
        let mut mistakes = scene.mistakes(&bounds, &landings);
        if let Some(next) = scene.next_stream().unwrap() {
            let (bounds, landings) = answers(&next);
            check_ends_repeat_their_begins(&name, &next, &bounds, &landings);
            mistakes.extend(scene.next_mistakes(&bounds, &landings));
        }
        failures.extend(mistakes.into_iter().map(|mistake| format!("{name}: {mistake}")));
    }
    assert!(failures.is_empty(), "{about}:\n{}", failures.join("\n"));
}

/// Checks that ends repeat the answers of their begins, because files state them only at the begin.
fn check_ends_repeat_their_begins(name: &str, stream: &Stream, bounds: &Bounds, landings: &[Rect]) {
    let Bounds { marker_elements, links, clips, contents, boxes } = bounds;
    for (marker, (&element, &link)) in marker_elements.iter().zip(links).enumerate() {
        if stream.tags()[element as usize].role() == Role::End && link != NONE {
            let begin = bounds.marker_of(link).unwrap();
            let [end, link] = [element as usize, link as usize];
            assert_eq!(clips[marker], clips[begin], "{name}: clip of {element}");
            assert_eq!(contents[marker], contents[begin], "{name}: content of {element}");
            assert_eq!(boxes[end], boxes[link], "{name}: bounds of {element}");
            assert_eq!(landings[end], landings[link], "{name}: landing of {element}");
        }
    }
}

fn on_gpu(tuning: Tuning) -> impl Fn(&Stream) -> (Bounds, Vec<Rect>) {
    let descriptor = StageDescriptor { filter_depth: 16, landings: true, ..tuning.into() };
    let stage = Stage::new(&gpu().device, &descriptor).unwrap();
    move |stream| {
        let bound = Bound::new(&stage, Capacity::of(stream)).unwrap();
        let bounds = bound.run(stream);
        // Without filters, landings are the boxes.
        let has_landings = bound.outputs.landings.is_some();
        let landings = has_landings.then(|| bound.landings(stream));
        let landings = landings.unwrap_or_else(|| bounds.boxes.clone());
        (bounds, landings)
    }
}

#[test]
fn the_reference_matches_every_scene_file() {
    check("reference", |stream| {
        let bounds = reference::bounds(stream);
        let landings = reference::landings(stream, &bounds);
        (bounds, landings)
    });
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn the_gpu_matches_every_scene_file() {
    check("the default variant", on_gpu(Tuning::default()));
    let small = Tuning { workgroup_size: Some(4), subgroups: Some(false), ..Tuning::default() };
    check("4 threads", on_gpu(small));
}

/// Whether both lists cover the same points.
fn covers_same(a: &[Rect], b: &[Rect]) -> bool {
    let edges = |of: fn(&Rect) -> [f32; 2]| {
        let mut edges: Vec<f32> = a.iter().chain(b).flat_map(of).collect();
        edges.sort_by(f32::total_cmp);
        edges
    };
    let (xs, ys) = (edges(|r| [r.x0, r.x1]), edges(|r| [r.y0, r.y1]));
    let held = |rects: &[Rect], point| rects.iter().any(|rect| rect.holds(point));
    ys.iter().all(|y| xs.iter().all(|x| held(a, [*x, *y]) == held(b, [*x, *y])))
}

#[test]
fn damage_matches_every_scene_file_forward_and_backward() {
    let mut count = 0;
    for (name, mut scene) in scenes() {
        let Some(expected) = scene.damage.clone() else { continue };
        let damage = scene.find_damage(8).unwrap().unwrap();
        assert!(covers_same(&damage, &expected), "{name}: {damage:?}, not {expected:?}");
        count += 1;
        // When the canvas shrinks, nothing outside the new one is damaged.
        if let (None, Some(next)) = (scene.next_viewport, &mut scene.next) {
            std::mem::swap(&mut scene.elements, next);
            let back = scene.find_damage(8).unwrap().unwrap();
            assert!(covers_same(&back, &expected), "{name}, back: {back:?}, not {expected:?}");
        }
    }
    assert!(count >= 20, "{count} files with damage");
}

#[test]
fn picks_match_every_scene_file() {
    let mut count = 0;
    for (name, scene) in scenes() {
        let stream = scene.stream().unwrap();
        let landings = reference::landings(&stream, &reference::bounds(&stream));
        for expected in &scene.picks {
            let hits: Vec<u32> = pick(&stream, &landings, expected.at).collect();
            assert_eq!(hits, expected.hits, "{name} at {:?}", expected.at);
            count += 1;
        }
    }
    assert!(count >= 30, "{count} picks");
}

/// The files contain every kind of node with every flag, and both kinds of imbalance.
#[test]
fn scene_files_schema_and_page_cover_every_kind_of_element() {
    let schema = jsonschema::validator_for(&serde_json::from_str(SCHEMA).unwrap()).unwrap();
    let page = std::fs::read_to_string(folder().join("README.md")).unwrap();
    let mut tags = BTreeSet::new();
    for (name, text) in files() {
        let value: Value = serde_json::from_str(&text).unwrap();
        let errors: Vec<_> = schema.iter_errors(&value).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{name}: {errors:?}");
        assert!(page.contains(&format!("({name})")), "{name} is not in README.md");
        let elements = SceneFile::from_json(&text).unwrap().elements;
        tags.extend(elements.iter().map(SceneElement::tag).map(Tag::bits));
    }
    let kinds = Tag::CLIP | Tag::BLEND | Tag::SPREAD;
    for flags in [Tag::CLIP, Tag::BLEND, Tag::CLIP | Tag::BLEND, Tag::SPREAD] {
        assert!(tags.iter().any(|bits| bits & kinds == flags), "no node has {flags:#b}");
    }
    for flag in [Tag::NON_LOCAL, Tag::FILLS, Tag::NON_LOCAL | Tag::FILLS] {
        assert!(tags.iter().any(|bits| bits & flag == flag), "no node has {flag:#b}");
    }
}

#[test]
fn captured_gpu_streams_become_scene_files() {
    let arena = Arena::new(1 << 16, BufferUsages::STORAGE | BufferUsages::UNIFORM);
    for seed in 0..4 {
        let stream = filtered(&random_mixture(seed, 60), seed, 30, 4);
        let n = stream.len() as u64;
        let (params, tags, rects) = (arena.take(32), arena.take(4 * n + 16), arena.take(16 * n));
        let inputs = InputBindings { params, tags, rects, filter_depth: 4 };
        inputs.write(&gpu().queue, &stream).unwrap();
        let read = capture(&gpu().device, &gpu().queue, inputs).unwrap();
        assert_eq!(read, stream);
        let file = SceneFile::capture(&read, |_| None);
        assert_eq!(SceneFile::from_json(&file.to_json()).unwrap().stream().unwrap(), stream);
        assert_eq!(SceneFile::from_json(&scene_text(&stream)).unwrap(), file);
    }
}
