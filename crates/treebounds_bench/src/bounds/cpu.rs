//! Both ways on the CPU as lines of the benchmark.

mod all_cores;

#[cfg(test)]
mod tests;

use super::Scene;
use super::strategy::CpuStrategy;
use crate::lines::ONE_CORE;
use all_cores::AllCores;
use treebounds_core::{Bounds, Stream, reference};

/// Writes the bounds of a stream over an old answer.
type Run = dyn FnMut(&Stream, &mut Bounds);

/// A way to find bounds, and the last answer.
pub(super) struct OnCpu {
    name: &'static str,
    run: Box<Run>,
    answer: Bounds,
}

impl OnCpu {
    pub(super) fn one_core() -> Self {
        Self::new(OneCore::NAME, |stream, out| OneCore.run(stream, out))
    }

    pub(super) fn all_cores() -> Self {
        let mut all_cores = AllCores::default();
        Self::new(AllCores::NAME, move |stream, out| all_cores.run(stream, out))
    }

    fn new(name: &'static str, run: impl FnMut(&Stream, &mut Bounds) + 'static) -> Self {
        Self { name, run: Box::new(run), answer: Bounds::default() }
    }
}

impl CpuStrategy for OnCpu {
    fn name(&self) -> &str {
        self.name
    }

    fn load(&mut self, _: &Scene) {
        self.answer = Bounds::default();
    }

    fn run(&mut self, scene: &Scene) {
        (self.run)(&scene.stream, &mut self.answer);
    }

    fn mismatch(&self, scene: &Scene) -> Option<String> {
        let (found, expected) = (&self.answer, &scene.bounds);
        let parts = [
            ("marker_elements", found.marker_elements == expected.marker_elements),
            ("links", found.links == expected.links),
            ("clips", found.clips == expected.clips),
            ("contents", found.contents == expected.contents),
            ("bounds", found.boxes == expected.boxes),
        ];
        parts.iter().find(|part| !part.1).map(|part| format!("{} are wrong", part.0))
    }
}

/// One core, one stack.
#[derive(Debug, Default)]
pub(crate) struct OneCore;

impl OneCore {
    pub(crate) const NAME: &'static str = ONE_CORE;

    pub(crate) fn run(&mut self, stream: &Stream, out: &mut Bounds) {
        reference::bounds_into(stream, out);
    }
}
