//! What all measurements share: kernels, buffers up and down, a check of every word, and a clock.

mod copy;
mod harness;
mod kernel;
mod transfer;
mod trial;

pub(crate) use copy::Copy;
pub(crate) use harness::{Harness, Measured, Recordable, Time, recordables, submit};
pub(crate) use kernel::{Bound, Kernel};
#[cfg(test)]
pub(crate) use transfer::Mismatch;
pub(crate) use transfer::{POISON, Transfer, buffer, bytes, compare, storage};
pub(crate) use trial::{Output, Trial, Verdict};
