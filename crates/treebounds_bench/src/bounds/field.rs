//! Who takes part.

use super::cpu::OnCpu;
use super::ours::Ours;
use super::strategy::{CpuStrategy, Strategy};
use super::vello::{VelloCpu, VelloGpu};
use crate::arguments::BoundsArguments;
use crate::copy::Copy;
use crate::inputs::{some_wanted, wanted};
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
        let options = arguments.common.options();
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
        field.gpu.push(Box::new(VelloGpu::new(device, options.checked)?));
        field.cpu.push(Box::new(OnCpu::all_cores()));
        field.cpu.push(Box::new(OnCpu::one_core()));
        field.cpu.push(Box::new(VelloCpu::default()));
        let only = &arguments.common.only;
        let gpu = field.gpu.iter().map(|strategy| strategy.name());
        let names = gpu.chain(field.cpu.iter().map(|strategy| strategy.name()));
        some_wanted("strategy", names.chain([crate::copy::NAME]), only)?;
        field.gpu.retain(|strategy| wanted(strategy.name(), only));
        field.cpu.retain(|strategy| wanted(strategy.name(), only));
        Ok(field)
    }
}
