//! What the speed of bounds is held against, as one short table.

use super::copy::READS;
use super::{FUSED, VELLO_GPU};
use crate::cpu::{ALL_CORES, ONE_CORE};
use crate::inputs::{ALL, DRAWS, WALK_FOR_VELLO};
use crate::record::Record;
use crate::tables::{dash, push, size, table, three, two};

/// The sizes at which Vello's clip stage is met.
const AGAINST_VELLO: [usize; 2] = [1 << 16, 1 << 12];

/// The size of all other rows.
const LARGE: usize = 1 << 22;

/// What was measured, what it is held against, and the ratio, for each.
pub(crate) fn floors(record: &Record) -> String {
    let random = ALL[0].name;
    let mut text = format!("\n{FUSED}: what it is held against\n");
    let headers = ["input", "n", "us", "against", "us", "times as fast"];
    let mut table = table(headers.map(str::to_owned));
    let micros = |strategy: &str, input: &str, n| {
        record.figures(strategy, input, n).map(|figures| figures.micros.median)
    };
    let mut row = |input: &str, n: usize, ours: Option<f64>, against: &str, other: Option<f64>| {
        let ratio = ours.zip(other).map(|(ours, other)| other / ours);
        let cell = |value: Option<f64>, text: fn(f64) -> String| value.map_or_else(dash, text);
        let against = against.to_owned();
        table.add_row([
            input.to_owned(),
            size(n),
            cell(ours, three),
            against,
            cell(other, three),
            cell(ratio, two),
        ]);
    };
    for n in AGAINST_VELLO {
        for input in [random, WALK_FOR_VELLO] {
            let (ours, vello) = (micros(FUSED, input, n), micros(VELLO_GPU, input, n));
            row(input, n, ours, VELLO_GPU, vello);
        }
    }
    for input in record.leads() {
        let (ours, copy) = (micros(FUSED, input, LARGE), micros(crate::copy::NAME, input, LARGE));
        let facts = record.facts(input, LARGE);
        let once = facts.map(|facts| facts.bytes(1) as f64 / facts.bytes(READS) as f64);
        row(input, LARGE, ours, "copy, input read twice", copy);
        let copy_once = copy.zip(once).map(|(copy, once)| copy * once);
        row(input, LARGE, ours, "copy, input read once", copy_once);
        for cores in [ONE_CORE, ALL_CORES] {
            row(input, LARGE, ours, cores, micros(cores, input, LARGE));
        }
    }
    let usual = micros(FUSED, random, LARGE);
    for input in record.inputs().into_iter().filter(|input| !input.contains(DRAWS)) {
        if input != random {
            row(input, LARGE, micros(FUSED, input, LARGE), random, usual);
        }
    }
    push(&mut text, table);
    text
}
