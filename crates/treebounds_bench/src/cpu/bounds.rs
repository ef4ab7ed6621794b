//! Bounds on the CPU: one core, and all of them.

mod all_cores;
mod one_core;

#[cfg(test)]
mod tests;

pub(crate) use all_cores::AllCores;
pub(crate) use one_core::OneCore;
