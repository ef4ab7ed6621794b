//! Bounding boxes: every strategy on every input at every size, checked, then timed.

mod cpu;
mod ours;
mod scene;
#[cfg(test)]
mod tests;
mod vello;

use crate::arguments::{BoundsArguments, save};
use crate::bounds::cpu::OnCpu;
use crate::bounds::ours::{Nodes, Ours};
pub(crate) use crate::bounds::scene::Scene;
use crate::bounds::vello::{VelloCpu, VelloGpu};
use crate::inputs::Input;
use crate::measure::{Copy, Harness, Output, Time, Transfer, Trial, buffer, bytes};
use crate::record::{
    BOUNDS_SCHEMA, COPY, EVERYBODY, Figures, Ledger, Outcome, READS, Record, keep_wanted,
};
use crate::{inputs, report};
use treebounds::wgpu::BufferUsages;
use treebounds::{Gpu, wgpu};

/// Measures, prints, saves and draws. An error at the end where anything was
/// wrong.
pub(crate) fn run(arguments: &BoundsArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let mut contest = Contest::new(&harness, arguments)?;
    contest.announce();
    for n in arguments.common.sizes() {
        contest.size(n);
        if let Some(path) = &arguments.common.json {
            save(path, contest.record())?;
        }
    }
    report::finish(&contest.finish(), &arguments.common, false)
}

struct Contest<'a> {
    harness: &'a Harness,
    transfer: Transfer<'a>,
    field: Field,
    /// Inputs, and how many percent of their elements are markers.
    inputs: Vec<(&'static Input, u32)>,
    sizes: usize,
    ledger: Ledger,
}

impl<'a> Contest<'a> {
    fn new(harness: &'a Harness, arguments: &BoundsArguments) -> anyhow::Result<Self> {
        let field = Field::new(&harness.gpu.device, arguments)?;
        let sizes: Vec<_> = arguments.common.sizes();
        let record = Record {
            ours: field.ours.describe(&sizes),
            tiles: sizes.iter().map(|&n| (n, field.ours.tile(n))).collect(),
            ..Record::new(BOUNDS_SCHEMA, harness)
        };
        let shapes = inputs::named(&arguments.common.inputs)?;
        let percents = arguments.markers.iter();
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
    fn announce(&mut self) {
        let strategies = 1 + self.field.gpu.len() + self.field.cpu.len();
        self.ledger.announce(self.sizes * self.inputs.len() * strategies);
    }

    fn record(&self) -> &Record {
        &self.ledger.record
    }

    fn finish(self) -> Record {
        self.ledger.finish()
    }

    /// Runs every strategy at `n` elements.
    fn size(&mut self, n: usize) {
        for (input, percent) in self.inputs.clone() {
            match Scene::new(input, percent, n, self.field.ours.tile(n)) {
                Ok(scene) => self.play(&scene),
                Err(error) => {
                    self.ledger.add(EVERYBODY, &input.named(percent), n, Outcome::failed(&error));
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
            .unwrap_or_else(|error| Outcome::failed(&error)),
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
    let scratch = scratch.map(|bytes| bytes as f64 / scene.facts.markers.max(1) as f64);
    let who = (strategy.name(), scene.facts.n);
    Outcome::of_trial(&trial, (harness, transfer), true, who, copy, scratch)
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

/// The strategies. The copy kernel comes first: the others are compared to it.
struct Field {
    copy: Copy,
    gpu: Vec<Box<dyn Strategy>>,
    cpu: Vec<Box<dyn CpuStrategy>>,
    /// The whole stage: its tiles are what the saw teeth aim at.
    ours: Ours,
}

impl Field {
    fn new(device: &wgpu::Device, arguments: &BoundsArguments) -> anyhow::Result<Self> {
        let options = arguments.common.tuning();
        let ours = Ours::lines(device, &options)?;
        let whole = ours[0].clone();
        let mut field = Self {
            copy: Copy::new(device, options.checked)?,
            gpu: Vec::new(),
            cpu: Vec::new(),
            ours: whole,
        };
        for ours in ours {
            field.gpu.push(Box::new(ours));
        }
        for nodes in Nodes::lines(device, &options)? {
            field.gpu.push(Box::new(nodes));
        }
        field.gpu.push(Box::new(VelloGpu::new(device, options.checked)?));
        field.cpu.push(Box::new(OnCpu::all_cores()));
        field.cpu.push(Box::new(OnCpu::one_core()));
        field.cpu.push(Box::new(VelloCpu::default()));
        keep_wanted(
            (&mut field.gpu, <dyn Strategy>::name),
            (&mut field.cpu, <dyn CpuStrategy>::name),
            &arguments.common.only,
        )?;
        Ok(field)
    }
}

/// A way to find bounds on the GPU. Its pipelines are built already.
trait Strategy {
    /// The name of its line.
    fn name(&self) -> &str;

    /// Why it cannot take such a scene, where it cannot, in a word or two.
    fn unsuited(&self, _scene: &Scene) -> Option<String> {
        None
    }

    /// Uploads the scene and binds everything.
    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>>;
}

/// A strategy on a scene.
struct Prepared<'s> {
    trial: Trial<'s>,
    /// Bytes of GPU memory in addition to inputs and outputs, if known.
    scratch: Option<u64>,
}

/// A way to find bounds on the CPU. Its memory is used again.
trait CpuStrategy {
    /// The name of its line.
    fn name(&self) -> &str;

    /// Why it cannot take such a scene, where it cannot, in a word or two.
    fn unsuited(&self, _scene: &Scene) -> Option<String> {
        None
    }

    /// Gets ready for a scene, and forgets all answers.
    fn load(&mut self, scene: &Scene);

    /// Finds the bounds of the scene that was loaded.
    fn run(&mut self, scene: &Scene);

    /// Describes the first part of the answer that is wrong, if any.
    fn mismatch(&self, scene: &Scene) -> Option<String>;
}

impl Strategy for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare<'s>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'s Scene,
    ) -> anyhow::Result<Prepared<'s>> {
        let words = scene.facts.bytes(READS).div_ceil(8);
        let usage = BufferUsages::STORAGE | BufferUsages::COPY_DST | BufferUsages::COPY_SRC;
        let new = |label| buffer(&transfer.gpu.device, label, bytes(words), usage);
        let (source, target) = (new("copy source")?, new("copy target")?);
        let rects: &[u32] = bytemuck::cast_slice(scene.stream.rects());
        let pattern: Vec<u32> = rects.iter().copied().cycle().take(words).collect();
        transfer.upload(&source, &pattern)?;
        let dispatch = self.between(&transfer.gpu.device, &source, &target)?;
        let outputs = vec![Output::new("copy", &target, pattern)];
        Ok(Prepared { trial: Trial { dispatches: vec![dispatch], outputs }, scratch: None })
    }
}
