//! Tests a contest, and Vello's clip stage within and beyond its limits.

use crate::arguments::{Arguments, BoundsArguments, Command};
use crate::bounds::vello::{Layers, MOST, PARTITION, VelloCpu, VelloGpu, limit, unsuited_reason};
use crate::bounds::{Scene, start};
use crate::contest::CpuStrategy as _;
use crate::inputs::Input;
use crate::measure::{Harness, Mismatch, POISON, Transfer, gpu, own_gpu};
use crate::record::{COPY, FUSED, MARKER_CLIPS, MARKERS, ONE_CORE, Outcome, VELLO_CPU, VELLO_GPU};
use crate::{inputs, report};
use clap::Parser;
use treebounds_core::{NodeKind, Tag};

fn arguments(words: &[&str]) -> BoundsArguments {
    let words = ["treebounds_bench", "bounds"].iter().chain(words);
    match Arguments::try_parse_from(words).unwrap().command {
        Command::Bounds(arguments) => arguments,
        other => panic!("{other:?}"),
    }
}

#[test]
#[ignore = "minutes: run with --include-ignored"]
fn strategies_run_on_all_inputs_they_support() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--markers", "100,10", "--inputs", "random;open, then;only closes;drawings"];
    let (mut contest, game) = start(&harness, &arguments(&words)).unwrap();
    game.size(&mut contest, 1 << 10);
    let record = contest.record;

    assert!(record.is_correct());
    let outcome = |name, input| &record.find(name, input, 1 << 10).expect("there is a row").outcome;
    let inputs = [
        "random walk",
        "open, then close",
        "only closes",
        "random walk, markers 10%",
        "drawings, repeated",
    ];
    for input in inputs {
        for name in [COPY, FUSED, ONE_CORE] {
            let figures = outcome(name, input).figures().expect("it was right");
            assert!(figures.gelem_per_s > 0.0 && figures.of_copy.is_some());
        }
    }
    // For each strategy and input, whether the strategy supports the input.
    for (name, is_supported) in [
        (MARKERS, [true, true, true, false, false]),
        (MARKER_CLIPS, [true, true, true, false, false]),
        (VELLO_GPU, [true, false, false, false, false]),
        (VELLO_CPU, [true, true, false, false, false]),
    ] {
        for (input, is_supported) in inputs.into_iter().zip(is_supported) {
            match outcome(name, input) {
                Outcome::Right(_) => assert!(is_supported, "{name}, {input}"),
                Outcome::Unsuited { .. } => assert!(!is_supported, "{name}, {input}"),
                other => panic!("{name}, {input}: {other:?}"),
            }
        }
    }
    assert!(record.find(FUSED, "drawings, repeated, markers 10%", 1 << 10).is_none());

    assert_eq!(record.figure_inputs(), ["random walk", "random walk, markers 10%"]);
    assert_eq!(record.scenes[0].markers, 1 << 10);
    let text = report::summary(&record);
    for words in ["depth > 256", "has draws", "end without begin"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = serde_json::to_string(&record).unwrap();
    let again: crate::record::Record = serde_json::from_str(&json).unwrap();
    assert_eq!(report::rows(&again), report::rows(&record));
}

const JSON_LIKE: &str = "JSON-like";

fn input(name: &str) -> &'static Input {
    inputs::ALL.iter().find(|input| input.name.contains(name)).expect("there is such an input")
}

fn scene(name: &str, n: usize) -> Scene {
    Scene::new(input(name), 100, n, PARTITION).unwrap()
}

/// A scene with `depth` open layers at the border of a partition, which are then closed.
fn deep(depth: usize) -> Scene {
    let tags = [Tag::begin(NodeKind::Clip), Tag::end(NodeKind::Clip)];
    let pairs = (depth.next_multiple_of(PARTITION) - depth) / 2;
    let mut roles = vec![tags[0]; depth];
    roles.extend(std::iter::repeat_n(tags, pairs).flatten());
    roles.extend(vec![tags[1]; depth]);
    Scene::dressed(format!("{depth} deep"), &roles).unwrap()
}

/// The first wrong box of Vello's stage on the GPU, if any.
fn wrong_box(scene: &Scene, checked: bool) -> Option<Mismatch> {
    let transfer = Transfer::new(gpu(), 4 * scene.facts.n).unwrap();
    let vello = VelloGpu::new(&gpu().device, checked).unwrap();
    let trial = vello.bind(&transfer, &Layers::new(scene, POISON)).unwrap().trial;
    let wrong = trial.check(&transfer).unwrap();
    let boxes = &trial.outputs[0];
    let mismatch = transfer.mismatch(&boxes.buffer, &boxes.expected).unwrap();
    assert_eq!(wrong.is_some_and(|wrong| wrong.starts_with(boxes.name)), mismatch.is_some());
    mismatch
}

fn vello_cpu_is_correct(scene: &Scene) -> bool {
    let mut vello = VelloCpu::default();
    vello.load(scene);
    assert!(vello.mismatch(scene).is_some());
    vello.run(scene);
    vello.mismatch(scene).is_none()
}

#[test]
fn vello_is_correct_within_its_limits() {
    let transfer = Transfer::new(gpu(), 1 << 16).unwrap();
    let vello = [false, true].map(|checked| VelloGpu::new(&gpu().device, checked).unwrap());
    let mut compared = 0;
    for input in inputs::ALL {
        for n in [1, 2, 255, 256, 257, 511, 512, 513, 5000] {
            let scene = Scene::new(input, 100, n, PARTITION).unwrap();
            if unsuited_reason(scene.tags()).is_some() {
                continue;
            }
            assert!(vello_cpu_is_correct(&scene), "CPU, {} at n = {n}", scene.facts.input);
            if limit(scene.tags()).is_some() {
                continue;
            }
            compared += 1;
            for vello in &vello {
                let trial = vello.bind(&transfer, &Layers::new(&scene, POISON)).unwrap().trial;
                let wrong = trial.check(&transfer).unwrap();
                assert_eq!(wrong, None, "{} at n = {n}", scene.facts.input);
            }
        }
    }
    assert!(compared > 70, "{compared}");
}

#[test]
fn vello_is_wrong_beyond_its_marker_limit() {
    let most = scene(JSON_LIKE, MOST);
    assert_eq!(limit(most.tags()), None);
    assert_eq!(wrong_box(&most, false), None);

    let more = scene(JSON_LIKE, 70_000);
    assert_eq!(limit(more.tags()), Some("n > 65792".to_owned()));
    let wrong = wrong_box(&more, true).expect("a box is wrong");
    assert!(wrong.at >= 4 * MOST, "{wrong}");
    assert!(vello_cpu_is_correct(&more));
}

#[test]
fn vello_is_wrong_beyond_its_depth_limit() {
    let deepest = deep(PARTITION);
    assert_eq!(limit(deepest.tags()), None);
    assert_eq!(wrong_box(&deepest, false), None);

    let deeper = deep(300);
    assert_eq!(deeper.facts.n, 812);
    assert_eq!(limit(deeper.tags()), Some("depth > 256".to_owned()));
    let wrong = wrong_box(&deeper, true).expect("a box is wrong");
    assert!(wrong.at >= 4 * 512, "{wrong}");
    // The left edge is too far left, so the box is too large.
    let [found, expected] = [wrong.found, wrong.expected].map(f32::from_bits);
    assert!(if wrong.at % 4 < 2 { found < expected } else { found > expected }, "{wrong}");
    assert!(vello_cpu_is_correct(&deeper));
}

#[test]
fn unsuited_inputs_have_a_reason() {
    let why = |name| unsuited_reason(scene(name, 1000).tags());
    assert_eq!(why("random walk"), None);
    assert_eq!(why("only opens"), None);
    assert_eq!(why("only closes"), Some("end without begin".to_owned()));
    assert_eq!(why("drawings"), Some("has draws".to_owned()));
}
