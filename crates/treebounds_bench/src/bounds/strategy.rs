//! What is compared: ways to find bounds, on the GPU and on the CPU.

use super::Scene;
use crate::transfer::Transfer;
use crate::trial::Trial;

/// A way to find bounds on the GPU. Its pipelines are built already.
pub(super) trait Strategy {
    /// What its line is called.
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
pub(super) struct Prepared<'s> {
    pub(super) trial: Trial<'s>,
    /// Bytes of GPU memory besides inputs and outputs, where that is known.
    pub(super) scratch: Option<u64>,
}

/// A way to find bounds on the CPU. Its memory is used again.
pub(super) trait CpuStrategy {
    /// What its line is called.
    fn name(&self) -> &str;

    /// Why it cannot take such a scene, where it cannot, in a word or two.
    fn unsuited(&self, _scene: &Scene) -> Option<String> {
        None
    }

    /// Gets ready for a scene, and forgets all answers.
    fn load(&mut self, scene: &Scene);

    /// Finds the bounds of the scene that was loaded.
    fn run(&mut self, scene: &Scene);

    /// What is wrong with the answer, if anything is.
    fn mismatch(&self, scene: &Scene) -> Option<String>;
}
