//! Who takes part.

use super::cpu::OnCpu;
use super::ours::{Nodes, Ours};
use super::strategy::{CpuStrategy, Strategy};
use super::vello::{VelloCpu, VelloGpu};
use crate::arguments::BoundsArguments;
use crate::lines::keep_wanted;
use crate::measure::Copy;
use treebounds::wgpu;

/// The strategies. The copy kernel comes first: the others are compared to it.
pub(super) struct Field {
    pub(super) copy: Copy,
    pub(super) gpu: Vec<Box<dyn Strategy>>,
    pub(super) cpu: Vec<Box<dyn CpuStrategy>>,
    /// The whole stage: its tiles are what the saw teeth aim at.
    pub(super) ours: Ours,
}

impl Field {
    pub(super) fn new(device: &wgpu::Device, arguments: &BoundsArguments) -> anyhow::Result<Self> {
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
