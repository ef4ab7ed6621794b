//! Compares the stage with a copy kernel, the CPU and Vello.

mod ours;
mod scene;
#[cfg(test)]
mod tests;
mod vello;

use crate::arguments::BoundsArguments;
use crate::bounds::ours::{Nodes, Ours};
pub(crate) use crate::bounds::scene::Scene;
use crate::bounds::vello::{VelloCpu, VelloGpu};
use crate::contest::{Contest, CpuStrategy, Prepared, Puzzle, Strategy};
use crate::inputs;
use crate::inputs::Input;
use crate::measure::{Copy, Harness, Output, Transfer, Trial, buffer, bytes};
use crate::record::{BOUNDS_SCHEMA, COPY, ONE_CORE, Record};
use treebounds::Gpu;
use treebounds::wgpu::BufferUsages;
use treebounds_core::{Bounds, reference};

/// Runs the benchmark and reports it. Returns an error at the end if any result was wrong.
pub(crate) fn run(arguments: &BoundsArguments) -> anyhow::Result<()> {
    let gpu = pollster::block_on(Gpu::request())?;
    let harness = Harness::new(gpu, arguments.common.runs)?;
    let (contest, game) = start(&harness, arguments)?;
    let extent = (&arguments.common.sizes()[..], game.inputs.len());
    contest.run(&arguments.common, extent, false, |contest, n| game.size(contest, n))
}

/// The inputs at each size, and the stage.
struct Game {
    /// The inputs with their percentages of markers.
    inputs: Vec<(&'static Input, u32)>,
    /// The whole stage. Its tile determines the length of the saw teeth.
    ours: Ours,
}

fn start<'a>(
    harness: &'a Harness,
    arguments: &BoundsArguments,
) -> anyhow::Result<(Contest<'a, Scene>, Game)> {
    let (device, options) = (&harness.gpu.device, arguments.common.tuning());
    let lines = Ours::lines(device, &options)?;
    let ours = lines[0].clone();
    let mut gpu: Vec<Box<dyn Strategy<Scene>>> =
        vec![Box::new(Copy::new(device, options.checked)?)];
    gpu.extend(lines.into_iter().map(|line| Box::new(line) as _));
    gpu.extend(Nodes::lines(device, &options)?.into_iter().map(|line| Box::new(line) as _));
    gpu.push(Box::new(VelloGpu::new(device, options.checked)?));
    let cpu: Vec<Box<dyn CpuStrategy<Scene>>> =
        vec![Box::new(OneCore::default()), Box::new(VelloCpu::default())];
    let sizes = arguments.common.sizes();
    let record = Record {
        ours: ours.describe(&sizes),
        tiles: sizes.iter().map(|&n| (n, ours.tile(n))).collect(),
        ..Record::new(BOUNDS_SCHEMA, harness)
    };
    let shapes = inputs::named(&arguments.common.inputs)?;
    let percents = arguments.markers.iter();
    let inputs = percents
        .flat_map(|&percent| shapes.iter().map(move |&input| (input, percent)))
        // Shapes that already contain draws are used unchanged.
        .filter(|(input, percent)| *percent == 100 || !input.draws())
        .collect();
    let contest = Contest::new(harness, gpu, cpu, &arguments.common.only, record)?;
    Ok((contest, Game { inputs, ours }))
}

impl Game {
    /// Runs all strategies on all inputs with `n` elements.
    fn size(&self, contest: &mut Contest<'_, Scene>, n: usize) {
        for (input, percent) in &self.inputs {
            match Scene::new(input, *percent, n, self.ours.tile(n)) {
                Ok(scene) => {
                    contest.record.scenes.push(scene.facts.clone());
                    contest.play(&scene, true);
                }
                Err(error) => contest.fail(&input.named(*percent), n, &error),
            }
        }
    }
}

impl Puzzle for Scene {
    fn input(&self) -> &str {
        &self.facts.input
    }

    fn len(&self) -> usize {
        self.facts.n
    }

    fn shares(&self) -> usize {
        self.facts.markers
    }
}

impl Strategy<Scene> for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare<'p>(
        &self,
        transfer: &Transfer<'_>,
        scene: &'p Scene,
    ) -> anyhow::Result<Prepared<'p>> {
        let words = scene.facts.bytes().div_ceil(8);
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

/// The reference on one core, and its last result.
#[derive(Default)]
struct OneCore(Bounds);

impl CpuStrategy<Scene> for OneCore {
    fn name(&self) -> &str {
        ONE_CORE
    }

    fn load(&mut self, _: &Scene) {
        self.0 = Bounds::default();
    }

    fn run(&mut self, scene: &Scene) {
        reference::bounds_into(&scene.stream, &mut self.0);
    }

    fn mismatch(&self, scene: &Scene) -> Option<String> {
        (self.0 != scene.bounds).then(|| "not what the reference found before".to_owned())
    }
}
