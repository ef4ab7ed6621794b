//! A contest with somebody who is wrong.

use super::{Contest, Outcome, Strategy};
use crate::arguments::{Arguments, Command, MatchingArguments};
use crate::lines::{MATCHING, MATCHING_BITS};
use crate::matching::board::Board;
use crate::measure::{Harness, Recordable};
use crate::report::tables;
use crate::tests::own_gpu;
use clap::Parser;

/// Leaves the poison where it is.
struct Idle;

impl Strategy for Idle {
    fn name(&self) -> &str {
        "idle"
    }

    fn prepare(&self, _: &Board<'_>) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        Ok(Vec::new())
    }
}

/// Can do nothing at all.
struct Unable;

impl Strategy for Unable {
    fn name(&self) -> &str {
        "unable"
    }

    fn prepare(&self, _: &Board<'_>) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        anyhow::bail!("out of order")
    }
}

fn arguments(words: &[&str]) -> MatchingArguments {
    let words = ["treebounds_bench", "matching"].iter().chain(words);
    match Arguments::try_parse_from(words).unwrap().command {
        Command::Matching(arguments) => arguments,
        other => panic!("{other:?}"),
    }
}

#[test]
fn who_is_wrong_is_named_and_the_others_go_on() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--runs", "2", "--inputs", "random", "--only", "treebounds,simple,CPU"];
    let mut contest = Contest::new(&harness, &arguments(&words)).unwrap();
    contest.field.gpu.insert(0, Box::new(Idle));
    contest.field.gpu.insert(1, Box::new(Unable));
    contest.size(1 << 10);
    contest.size(1 << 17);
    let record = contest.finish();

    assert!(!record.is_right());
    let outcome =
        |name: &str, n| &record.find(name, "random walk", n).expect("there is a row").outcome;
    for n in [1 << 10, 1 << 17] {
        assert!(matches!(outcome("idle", n), Outcome::Wrong { .. }));
        assert!(matches!(outcome("unable", n), Outcome::Failed { .. }));
        for name in ["copy kernel", "treebounds", "CPU, one core", "CPU, all cores"] {
            let figures = outcome(name, n).figures().expect("it was right");
            assert!(figures.gelem_per_s > 0.0 && figures.of_copy.is_some());
        }
    }
    assert!(matches!(outcome("Levien 2022, simple, k = 1", 1 << 10), Outcome::Right(_)));
    let limit = Outcome::OverLimit { max_n: 256 * 256 };
    assert_eq!(
        format!("{:?}", outcome("Levien 2022, simple, k = 1", 1 << 17)),
        format!("{limit:?}")
    );

    let text = tables::summary(&record);
    assert!(
        text.contains("| idle ") && text.contains("WRONG") && text.contains("n > 65536 |"),
        "{text}"
    );
    // At each size and at its two neighbours.
    assert_eq!(tables::wrong(&record).matches("WRONG: idle").count(), 6);
    let json = serde_json::to_string(&record).unwrap();
    let again: crate::record::Record = serde_json::from_str(&json).unwrap();
    assert_eq!(tables::rows(&again), tables::rows(&record));
}

#[test]
fn bits_take_part_where_all_open_or_close() {
    let gpu = own_gpu();
    let harness = Harness::new(gpu, 2).unwrap();
    let words = ["--inputs", "()();drawings", "--only", "treebounds"];
    let sizes = ["--min-log2", "10", "--max-log2", "10", "--runs", "2"];
    let words: Vec<_> = words.into_iter().chain(sizes).collect();
    let mut contest = Contest::new(&harness, &arguments(&words)).unwrap();
    contest.size(1 << 10);
    let record = contest.finish();

    assert!(record.is_right());
    let outcome = |name, input| &record.find(name, input, 1 << 10).expect("there is a row").outcome;
    for (name, input) in
        [(MATCHING, "()()()"), (MATCHING_BITS, "()()()"), (MATCHING, "drawings, repeated")]
    {
        let figures = outcome(name, input).figures().expect("it was right");
        assert!(figures.scratch > Some(0.0));
    }
    assert!(matches!(outcome(MATCHING_BITS, "drawings, repeated"), Outcome::Unsuited { .. }));
    assert_eq!(record.strategies(), ["copy kernel", MATCHING, MATCHING_BITS]);
    assert_eq!(record.tiles.len(), 1);
    // Nobody is timed on the neighbours of a size, and nobody was wrong there.
    assert!(record.rows.iter().all(|row| row.n == 1 << 10));
    // Five strategies and inputs that are timed, five at each neighbour.
    assert_eq!(record.compared, 5 * (2 + 1 + 1));
    assert!(tables::heading(&record).contains(&record.ours));
    assert!(tables::summary(&record).contains(MATCHING_BITS));
}

#[test]
fn sizes_end_at_the_largest() {
    let words = ["--min-log2", "10", "--max-log2", "15", "--step-log2", "2"];
    assert_eq!(arguments(&words).common.sizes(), [1 << 10, 1 << 12, 1 << 14, 1 << 15]);
}
