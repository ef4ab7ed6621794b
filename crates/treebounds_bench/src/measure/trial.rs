//! A chain of dispatches, and what it must write: checked, timed, checked again.

use super::harness::{Harness, Measured, Recordable, submit};
use super::transfer::Transfer;
use std::borrow::Cow;
use treebounds::wgpu;

/// Dispatches, in order, with everything bound and every input uploaded.
pub(crate) struct Trial<'a> {
    pub(crate) dispatches: Vec<Box<dyn Recordable>>,
    pub(crate) outputs: Vec<Output<'a>>,
}

/// A buffer of whole vectors that is written.
pub(crate) struct Output<'a> {
    pub(crate) name: &'static str,
    pub(crate) buffer: wgpu::Buffer,
    /// What its first words must be in the end.
    pub(crate) expected: Cow<'a, [u32]>,
    /// Its first words before; poison where there are none.
    pub(crate) before: Option<Vec<u32>>,
}

/// How a trial went.
pub(crate) enum Verdict {
    /// A word was wrong.
    Wrong(String),
    /// All was right; how long it took, if that was asked.
    Right(Option<Measured>),
}

impl<'a> Output<'a> {
    /// An output that is poisoned first.
    pub(crate) fn new(
        name: &'static str,
        buffer: &wgpu::Buffer,
        expected: impl Into<Cow<'a, [u32]>>,
    ) -> Self {
        Self { name, buffer: buffer.clone(), expected: expected.into(), before: None }
    }
}

impl Trial<'_> {
    /// Checks, times where that is `timed`, and checks what many runs have left.
    pub(crate) fn run(
        &self,
        harness: &Harness,
        transfer: &Transfer<'_>,
        timed: bool,
    ) -> anyhow::Result<Verdict> {
        if let Some(wrong) = self.check(transfer)? {
            return Ok(Verdict::Wrong(wrong));
        }
        if !timed {
            return Ok(Verdict::Right(None));
        }
        let measured = harness.measure(&self.dispatches)?;
        Ok(match self.mismatch(transfer)? {
            Some(wrong) => Verdict::Wrong(wrong),
            None => Verdict::Right(Some(measured)),
        })
    }

    /// Runs once on poisoned outputs; what is wrong, if anything is.
    pub(crate) fn check(&self, transfer: &Transfer<'_>) -> anyhow::Result<Option<String>> {
        for output in &self.outputs {
            transfer.poison(&output.buffer)?;
            transfer.upload(&output.buffer, output.before.as_deref().unwrap_or_default())?;
        }
        submit(transfer.gpu, self.dispatches.iter().map(Box::as_ref))?;
        self.mismatch(transfer)
    }

    fn mismatch(&self, transfer: &Transfer<'_>) -> anyhow::Result<Option<String>> {
        for Output { name, buffer, expected, .. } in &self.outputs {
            if let Some(mismatch) = transfer.mismatch(buffer, expected)? {
                return Ok(Some(format!("{name}: {mismatch}")));
            }
        }
        Ok(None)
    }
}
