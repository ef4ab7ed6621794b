//! The speed of bounds next to the copy kernel, the CPU and Vello, as one short table.

use crate::inputs::{ALL, DRAWS, WALK_FOR_VELLO};
use crate::record::{
    ALL_CORES, COPY, FUSED, MARKER_CLIPS, MARKERS, ONE_CORE, READS, Record, VELLO_GPU, size,
};
use crate::report::{dash, push, table, three, two};

/// The sizes at which Vello's clip stage is met.
const AGAINST_VELLO: [usize; 2] = [1 << 16, 1 << 12];

/// The size of all other rows.
const LARGE: usize = 1 << 22;

/// A table of our times, the times to compare them with, and the ratios: for the whole stage, and if they were measured,
/// for `NodeStage` and its clips.
pub(crate) fn floors(record: &Record) -> String {
    let measured = |name: &str| record.rows.iter().any(|row| row.strategy == name);
    let others = [MARKERS, MARKER_CLIPS].into_iter().filter(|name| measured(name));
    [FUSED].into_iter().chain(others).map(|name| floors_of(record, name)).collect()
}

fn floors_of(record: &Record, name: &str) -> String {
    let random = ALL[0].name;
    let mut text = format!("\n{name}: what it is held against\n");
    let headers = ["input", "n", "us", "against", "us", "times as fast"];
    let mut table = table(headers.map(str::to_owned));
    let micros = |strategy: &str, input: &str, n| {
        record.figures(strategy, input, n).map(|figures| figures.micros.median)
    };
    let mut row = |input: &str, n: usize, ours: Option<f64>, against: &str, other: Option<f64>| {
        if ours.is_none() {
            return;
        }
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
            let (ours, vello) = (micros(name, input, n), micros(VELLO_GPU, input, n));
            row(input, n, ours, VELLO_GPU, vello);
        }
    }
    // The copy kernel and the CPU move or find contents too, which says little about clips alone.
    let leads = if name == MARKER_CLIPS { Vec::new() } else { record.leads() };
    for input in leads {
        let (ours, copy) = (micros(name, input, LARGE), micros(COPY, input, LARGE));
        let facts = record.facts(input, LARGE);
        let once = facts.map(|facts| facts.bytes(1) as f64 / facts.bytes(READS) as f64);
        row(input, LARGE, ours, "copy, input read twice", copy);
        let copy_once = copy.zip(once).map(|(copy, once)| copy * once);
        row(input, LARGE, ours, "copy, input read once", copy_once);
        for cores in [ONE_CORE, ALL_CORES] {
            row(input, LARGE, ours, cores, micros(cores, input, LARGE));
        }
    }
    let usual = micros(name, random, LARGE);
    for input in record.inputs().into_iter().filter(|input| !input.contains(DRAWS)) {
        if input != random {
            row(input, LARGE, micros(name, input, LARGE), random, usual);
        }
    }
    if table.is_empty() {
        return String::new();
    }
    push(&mut text, table);
    text
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::Time;
    use crate::record::{BOUNDS_SCHEMA, Facts, Figures, Outcome, Row};

    fn row(strategy: &str, input: &str, n: usize, micros: f64) -> Row {
        let figures = Figures::of_time(n, Time::of(vec![micros]), None);
        let outcome = Outcome::Right(figures);
        Row { strategy: strategy.to_owned(), input: input.to_owned(), n, outcome }
    }

    #[test]
    fn ratios_are_other_times_over_ours() {
        let random = ALL[0].name;
        let facts = Facts {
            input: random.to_owned(),
            n: LARGE,
            markers: LARGE,
            rects: LARGE / 2,
            blends: LARGE,
        };
        let record = Record {
            schema: BOUNDS_SCHEMA.to_owned(),
            adapter: String::new(),
            driver: String::new(),
            ours: String::new(),
            tiles: Vec::new(),
            paper: String::new(),
            cores: 1,
            runs: 1,
            compared: 0,
            scenes: vec![facts],
            rows: vec![
                row(FUSED, random, 1 << 12, 40.0),
                row(VELLO_GPU, random, 1 << 12, 10.0),
                row(FUSED, random, LARGE, 200.0),
                row(COPY, random, LARGE, 112.0),
                row(ONE_CORE, random, LARGE, 30_000.0),
                row(FUSED, "()()()", LARGE, 100.0),
                row(MARKERS, random, 1 << 10, 5.0),
                row(MARKER_CLIPS, random, 1 << 12, 5.0),
                row(MARKER_CLIPS, random, LARGE, 50.0),
            ],
        };
        let text = floors(&record);
        let rows = text.lines().filter(|line| line.contains("2^"));
        let lines: Vec<_> = rows.map(|line| line.replace(' ', "")).collect();
        let expected = [
            "|randomwalk|2^12|40.0|Vello0.11,clips|10.0|0.25|",
            "|randomwalk|2^22|200|copy,inputreadtwice|112|0.56|",
            // 44 bytes an element instead of 56.
            "|randomwalk|2^22|200|copy,inputreadonce|88.0|0.44|",
            "|randomwalk|2^22|200|CPU,onecore|30000|150.00|",
            "|randomwalk|2^22|200|CPU,allcores|-|-|",
            "|()()()|2^22|100|randomwalk|200|2.00|",
            "|randomwalk|2^12|5.00|Vello0.11,clips|10.0|2.00|",
        ];
        assert_eq!(lines, expected, "{text}");
        // Nothing is held against 2^10, and there is no empty table.
        assert!(!text.contains(MARKERS) && text.contains(MARKER_CLIPS), "{text}");
    }
}
