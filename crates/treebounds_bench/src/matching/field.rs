//! Who takes part.

use super::board::{Board, CpuStrategy, Puzzle, Strategy};
use super::cpu::{AllCores, OneCore};
use super::ours::Ours;
use super::paper::{PER_THREAD, Paper};
use crate::arguments::MatchingArguments;
use crate::lines::{COPY, MATCHING, keep_wanted};
use crate::measure::{Copy, Recordable};
use treebounds::{MatcherDescriptor, Tuning, wgpu};

/// The strategies. The copy kernel comes first: the others are compared to it.
pub(super) struct Field {
    pub(super) copy: Copy,
    pub(super) gpu: Vec<Box<dyn Strategy>>,
    pub(super) cpu: Vec<Box<dyn CpuStrategy>>,
    /// Our default, which may not take part itself.
    pub(super) ours: Ours,
    /// The workgroups of the paper's algorithms.
    pub(super) paper: String,
}

impl Field {
    pub(super) fn new(
        device: &wgpu::Device,
        arguments: &MatchingArguments,
    ) -> anyhow::Result<Self> {
        let options = arguments.common.matcher();
        let ours = Ours::new(device, MATCHING, &options)?;
        let mut field = Self {
            copy: Copy::new(device, options.tuning.checked)?,
            gpu: Vec::new(),
            cpu: Vec::new(),
            ours: ours.clone(),
            paper: String::new(),
        };
        field.gpu.push(Box::new(ours));
        field.gpu.push(Box::new(Ours::reading_bits(device, &options)?));
        if arguments.variants {
            field.gpu.extend(variants(device, options));
        } else {
            field.add_paper(device, arguments.paper_threads, options.tuning.checked)?;
            field.cpu.push(Box::new(AllCores::default()));
            field.cpu.push(Box::new(OneCore::default()));
        }
        keep_wanted(
            (&mut field.gpu, <dyn Strategy>::name),
            (&mut field.cpu, <dyn CpuStrategy>::name),
            &arguments.common.only,
        )?;
        Ok(field)
    }

    fn add_paper(
        &mut self,
        device: &wgpu::Device,
        threads: u32,
        checked: bool,
    ) -> anyhow::Result<()> {
        let mut workgroups = Vec::new();
        for per_thread in PER_THREAD {
            let paper = Paper::new(device, threads, per_thread, checked)?;
            workgroups.push(format!("{} (k = {per_thread})", paper.threads()));
            self.gpu.push(Box::new(paper));
        }
        self.paper = workgroups.join(", ");
        Ok(())
    }
}

/// Our kernels in every variant that the device can run.
fn variants(device: &wgpu::Device, options: MatcherDescriptor<'_>) -> Vec<Box<dyn Strategy>> {
    let mut variants: Vec<Box<dyn Strategy>> = Vec::new();
    for subgroups in [true, false] {
        for workgroup_size in [64, 128, 256, 512] {
            for per_thread in [4, 8, 16, 32, 64] {
                let tuning = Tuning {
                    workgroup_size: Some(workgroup_size),
                    subgroups: Some(subgroups),
                    ..options.tuning
                };
                let options = MatcherDescriptor { per_thread: Some(per_thread), tuning, ..options };
                let with = if subgroups { "subgroups" } else { "no subgroups" };
                let name = format!("{workgroup_size} x {per_thread}, {with}");
                if let Ok(variant) = Ours::new(device, name, &options) {
                    variants.push(Box::new(variant));
                }
            }
        }
    }
    variants
}

/// Copies the tags to where the links belong.
impl Strategy for Copy {
    fn name(&self) -> &str {
        COPY
    }

    fn prepare(&self, board: &Board) -> anyhow::Result<Vec<Box<dyn Recordable>>> {
        Ok(vec![self.between(&board.gpu.device, &board.tags, &board.links)?])
    }

    fn answer<'a>(&self, puzzle: &'a Puzzle) -> &'a [u32] {
        &puzzle.tags
    }
}
