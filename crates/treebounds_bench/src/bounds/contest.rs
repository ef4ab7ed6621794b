//! Runs the field over inputs and sizes, and keeps the record.

#[cfg(test)]
mod tests;

use super::Scene;
use super::field::Field;
use super::strategy::{CpuStrategy, Prepared, Strategy};
use crate::arguments::BoundsArguments;
use crate::inputs::{self, Input};
use crate::measure::{Harness, Time, Transfer, Verdict};
use crate::record::{BOUNDS, EVERYBODY, Figures, Ledger, Outcome, Record};

pub(super) struct Contest<'a> {
    harness: &'a Harness,
    transfer: Transfer<'a>,
    field: Field,
    /// Inputs, and how many percent of their elements are nodes.
    inputs: Vec<(&'static Input, u32)>,
    sizes: usize,
    ledger: Ledger,
}

impl<'a> Contest<'a> {
    pub(super) fn new(harness: &'a Harness, arguments: &BoundsArguments) -> anyhow::Result<Self> {
        let field = Field::new(&harness.gpu.device, arguments)?;
        let sizes: Vec<_> = arguments.common.sizes();
        let adapter = &harness.gpu.adapter;
        let record = Record {
            schema: BOUNDS.to_owned(),
            adapter: adapter.name.clone(),
            driver: format!("{} {}", adapter.driver, adapter.driver_info).trim().to_owned(),
            ours: field.ours.describe(&sizes),
            tiles: sizes.iter().map(|&n| (n, field.ours.tile(n))).collect(),
            paper: String::new(),
            cores: rayon::current_num_threads(),
            runs: arguments.common.runs,
            compared: 0,
            scenes: Vec::new(),
            rows: Vec::new(),
        };
        let shapes = inputs::named(&arguments.common.inputs)?;
        let percents = arguments.nodes.iter();
        let inputs = percents
            .flat_map(|&percent| shapes.iter().map(move |&input| (input, percent)))
            // A shape with draws of its own is taken as it is.
            .filter(|(input, percent)| *percent == 100 || !input.draws())
            .collect();
        let transfer = Transfer::new(&harness.gpu, usize::MAX)?;
        let ledger = Ledger::new(record);
        Ok(Self { harness, transfer, field, inputs, sizes: sizes.len(), ledger })
    }

    /// Shows progress, on a terminal only.
    pub(super) fn announce(&mut self) {
        let strategies = 1 + self.field.gpu.len() + self.field.cpu.len();
        self.ledger.announce(self.sizes * self.inputs.len() * strategies);
    }

    pub(super) fn record(&self) -> &Record {
        &self.ledger.record
    }

    pub(super) fn finish(self) -> Record {
        self.ledger.finish()
    }

    /// Everybody at `n` elements.
    pub(super) fn size(&mut self, n: usize) {
        for (input, percent) in self.inputs.clone() {
            match Scene::new(input, percent, n, self.field.ours.tile(n)) {
                Ok(scene) => self.play(&scene),
                Err(error) => {
                    let why = format!("{error:#}");
                    let input = input.named(percent);
                    self.ledger.add(EVERYBODY, &input, n, Outcome::Failed { why });
                }
            }
        }
    }

    fn play(&mut self, scene: &Scene) {
        let (harness, transfer) = (self.harness, &self.transfer);
        self.ledger.record.scenes.push(scene.facts.clone());
        let outcome = gpu_outcome(harness, transfer, &self.field.copy, scene, None);
        let copy = outcome.figures().map(|figures| figures.micros.median);
        let mut add = |name: &str, outcome| {
            self.ledger.add(name, &scene.facts.input, scene.facts.n, outcome);
        };
        add(self.field.copy.name(), outcome);
        for strategy in &self.field.gpu {
            let outcome = gpu_outcome(harness, transfer, strategy.as_ref(), scene, copy);
            add(strategy.name(), outcome);
        }
        for strategy in &mut self.field.cpu {
            let outcome = cpu_outcome(strategy.as_mut(), scene, harness.runs(), copy);
            add(strategy.name(), outcome);
        }
    }
}

fn gpu_outcome(
    harness: &Harness,
    transfer: &Transfer<'_>,
    strategy: &dyn Strategy,
    scene: &Scene,
    copy: Option<f64>,
) -> Outcome {
    match strategy.unsuited(scene) {
        Some(why) => Outcome::Unsuited { why },
        None => gpu_run(harness, transfer, strategy, scene, copy)
            .unwrap_or_else(|error| Outcome::Failed { why: format!("{error:#}") }),
    }
}

/// Checks, times, and checks again what many runs have left.
fn gpu_run(
    harness: &Harness,
    transfer: &Transfer<'_>,
    strategy: &dyn Strategy,
    scene: &Scene,
    copy: Option<f64>,
) -> anyhow::Result<Outcome> {
    let Prepared { trial, scratch } = strategy.prepare(transfer, scene)?;
    let measured = match trial.run(harness, transfer, true)? {
        Verdict::Wrong(what) => return Ok(Outcome::Wrong { what }),
        Verdict::Right(None) => return Ok(Outcome::Checked),
        Verdict::Right(Some(measured)) => measured,
    };
    let copy =
        copy.or_else(|| (strategy.name() == crate::lines::COPY).then_some(measured.chain.median));
    let scratch = scratch.map(|bytes| bytes as f64 / scene.facts.nodes.max(1) as f64);
    Ok(Outcome::Right(Figures { scratch, ..Figures::of_gpu(scene.facts.n, measured, copy) }))
}

fn cpu_outcome(
    strategy: &mut dyn CpuStrategy,
    scene: &Scene,
    runs: u32,
    copy: Option<f64>,
) -> Outcome {
    if let Some(why) = strategy.unsuited(scene) {
        return Outcome::Unsuited { why };
    }
    strategy.load(scene);
    strategy.run(scene);
    if let Some(what) = strategy.mismatch(scene) {
        return Outcome::Wrong { what };
    }
    let time = Time::of_work(runs, || strategy.run(scene));
    match strategy.mismatch(scene) {
        Some(what) => Outcome::Wrong { what },
        None => Outcome::Right(Figures::of_time(scene.facts.n, time, copy)),
    }
}
