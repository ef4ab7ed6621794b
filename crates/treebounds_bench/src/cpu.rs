//! The same on the CPU: one core, and all of them.

mod all_cores;
pub(crate) mod bounds;
mod one_core;

#[cfg(test)]
mod tests;

pub(crate) use all_cores::AllCores;
pub(crate) use one_core::OneCore;

/// What the line of one core is called.
pub(crate) const ONE_CORE: &str = "CPU, one core";

/// What the line of all cores is called.
pub(crate) const ALL_CORES: &str = "CPU, all cores";
