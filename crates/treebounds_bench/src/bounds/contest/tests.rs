//! A contest with somebody who is wrong.

use super::{Contest, Outcome, Prepared, Strategy};
use crate::arguments::{Arguments, BoundsArguments, Command};
use crate::bounds::Scene;
use crate::lines::{ALL_CORES, FUSED, NODE_CLIPS, NODES, ONE_CORE, VELLO_CPU, VELLO_GPU};
use crate::measure::{Harness, Output, Transfer, Trial, buffer};
use crate::report::{floors, tables};
use crate::tests::own_gpu;
use clap::Parser;
use treebounds::wgpu::BufferUsages;

/// Leaves the poison where it is.
struct Idle;

impl Strategy for Idle {
    fn name(&self) -> &str {
        "idle"
    }

    fn prepare<'s>(&self, transfer: &Transfer<'_>, _: &'s Scene) -> anyhow::Result<Prepared<'s>> {
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_SRC;
        let words = buffer(&transfer.gpu.device, "words", 16, usage)?;
        let outputs = vec![Output::new("words", &words, vec![1])];
        Ok(Prepared { trial: Trial { dispatches: Vec::new(), outputs }, scratch: None })
    }
}

fn arguments(words: &[&str]) -> BoundsArguments {
    let words = ["treebounds_bench", "bounds"].iter().chain(words);
    match Arguments::try_parse_from(words).unwrap().command {
        Command::Bounds(arguments) => arguments,
        other => panic!("{other:?}"),
    }
}

#[test]
fn all_take_part_and_who_is_wrong_is_named() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--nodes", "100,10", "--inputs", "random;open, then;only closes;drawings"];
    let mut contest = Contest::new(&harness, &arguments(&words)).unwrap();
    contest.field.gpu.insert(0, Box::new(Idle));
    contest.size(1 << 10);
    let record = contest.finish();

    assert!(!record.is_right());
    let outcome = |name, input| &record.find(name, input, 1 << 10).expect("there is a row").outcome;
    for input in ["random walk", "random walk, nodes 10%", "only closes", "drawings, repeated"] {
        assert!(matches!(outcome("idle", input), Outcome::Wrong { .. }));
        for name in [crate::lines::COPY, FUSED, ALL_CORES, ONE_CORE] {
            let figures = outcome(name, input).figures().expect("it was right");
            assert!(figures.gelem_per_s > 0.0 && figures.of_copy.is_some());
        }
    }
    for input in ["random walk", "only closes"] {
        for name in [NODES, NODE_CLIPS] {
            assert!(matches!(outcome(name, input), Outcome::Right(_)));
        }
    }
    for name in [NODES, NODE_CLIPS] {
        assert!(matches!(outcome(name, "random walk, nodes 10%"), Outcome::Unsuited { .. }));
    }
    for name in [VELLO_GPU, VELLO_CPU] {
        assert!(matches!(outcome(name, "random walk"), Outcome::Right(_)));
        for input in ["random walk, nodes 10%", "only closes", "drawings, repeated"] {
            assert!(matches!(outcome(name, input), Outcome::Unsuited { .. }));
        }
    }
    assert!(matches!(outcome(VELLO_GPU, "open, then close"), Outcome::Unsuited { .. }));
    assert!(matches!(outcome(VELLO_CPU, "open, then close"), Outcome::Right(_)));
    assert!(record.find(FUSED, "drawings, repeated, nodes 10%", 1 << 10).is_none());

    assert_eq!(record.leads(), ["random walk", "random walk, nodes 10%"]);
    let facts = record.facts("random walk", 1 << 10).expect("there are facts");
    assert_eq!(facts.nodes, 1 << 10);
    let text = tables::summary(&record);
    for words in ["WRONG", "depth > 256", "has draws", "end without begin"] {
        assert!(text.contains(words), "{words}: {text}");
    }
    let json = serde_json::to_string(&record).unwrap();
    let again: crate::record::Record = serde_json::from_str(&json).unwrap();
    assert_eq!(tables::rows(&again), tables::rows(&record));
    assert_eq!(floors::floors(&again), floors::floors(&record));
}
