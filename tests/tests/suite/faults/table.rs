//! The table of cases, and the devices on which they run.

use crate::faults::bench::Subject;
use crate::faults::subjects;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use treebounds::{Gpu, Stage, wgpu};
use treebounds_core::{Stream, reference};
use treebounds_tests::gpu::no_gpu;
use treebounds_tests::streams::random_scene;

/// The outcome of a case: the right answer, or the reason why there is none.
pub(crate) type Outcome = Result<(), Refusal>;

/// The reason why there is no right answer. The kind is the name of an error variant, or one of the constants below.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: String,
    pub(crate) text: String,
}

const WRONG: &str = "wrong";

/// An error from a direct call of wgpu by the test.
pub(crate) const WGPU: &str = "wgpu";

/// The adapter cannot open a device for the case.
const IMPOSSIBLE: &str = "impossible";

impl Refusal {
    fn new(kind: &str, text: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), text: text.into() }
    }

    pub(crate) fn wrong(text: impl Into<String>) -> Self {
        Self::new(WRONG, text)
    }

    pub(crate) fn wgpu(text: impl Into<String>) -> Self {
        Self::new(WGPU, text)
    }
}

impl<E: std::error::Error> From<E> for Refusal {
    fn from(error: E) -> Self {
        // A stage error inside an error of the Vello crate keeps its kind.
        let debug = format!("{error:?}");
        let mut words = debug.trim_start_matches("Stage(").split(|c: char| !c.is_alphanumeric());
        Self::new(words.next().unwrap_or_default(), error.to_string())
    }
}

pub(crate) fn made<T>(made: Result<T, impl Into<Refusal>>) -> Outcome {
    made.map(|_| ()).map_err(Into::into)
}

pub(crate) fn right_if(is_right: bool, otherwise: &str) -> Outcome {
    if is_right { Ok(()) } else { Err(Refusal::wrong(otherwise)) }
}

/// Describes the difference from the expected outcome. `expected` is `right`, the kind of an error, or `kind: word`
/// if the error must mention a word. If a race decides, several of these are joined by ` or `.
fn problem(outcome: &Outcome, expected: &str) -> Option<String> {
    let Err(Refusal { kind, text }) = outcome else {
        let is_expected = expected.split(" or ").any(|one| one == "right");
        return (!is_expected).then(|| format!("right, not {expected}"));
    };
    let is_expected = expected.split(" or ").any(|one| {
        let (expected, word) = one.split_once(": ").unwrap_or((one, ""));
        kind == expected && text.contains(word)
    });
    if !is_expected {
        return Some(format!("{kind}: {text}; not {expected}"));
    }
    let is_a_line = text.split_whitespace().count() >= 3 && !text.contains('\n');
    (!is_a_line).then(|| format!("an error is one line of words, not {text:?}"))
}

/// The results of cases on the devices of a lab.
pub(crate) struct Table<'a> {
    pub(crate) lab: &'a Lab,
    /// The prefixes of the names of cases to run.
    wanted: &'a [String],
    pub(crate) cases: usize,
    /// The names of the cases that the device cannot run.
    pub(crate) impossible: Vec<String>,
    pub(crate) failures: Vec<String>,
}

/// Whether cases with this name or prefix can match one of the `wanted` prefixes.
fn may_run(wanted: &[String], name: &str) -> bool {
    wanted.iter().any(|start| name.starts_with(start) || start.starts_with(name))
}

impl<'a> Table<'a> {
    pub(crate) fn new(lab: &'a Lab, wanted: &'a [String]) -> Self {
        Self { lab, wanted, cases: 0, impossible: Vec::new(), failures: Vec::new() }
    }

    /// Whether cases with this name or prefix can be selected.
    pub(crate) fn wants(&self, name: &str) -> bool {
        may_run(self.wanted, name)
    }

    /// Runs a case if it is selected: prints and judges its outcome, and checks that a healthy device still works.
    pub(crate) fn case(&mut self, name: &str, expected: &str, run: impl FnOnce() -> Outcome) {
        if !self.wanted.iter().any(|start| name.starts_with(start)) {
            return;
        }
        let outcome = caught(run);
        let text = match &outcome {
            Ok(()) => "right".to_owned(),
            Err(Refusal { kind, text }) if kind == IMPOSSIBLE => {
                println!("not possible on this device: {name}, {text}");
                return self.impossible.push(name.to_owned());
            }
            Err(Refusal { kind, text }) => format!("{kind}: {text}"),
        };
        println!("{name:<52} {text}");
        let heard = self.lab.errors();
        let next = caught(|| self.lab.frame(self.cases));
        self.cases += 1;
        let heard = (!heard.is_empty()).then(|| format!("the device's handler heard {heard:?}"));
        let next = problem(&next, "right").map(|problem| format!("the next frame: {problem}"));
        for problem in [problem(&outcome, expected), heard, next].into_iter().flatten() {
            println!("FAILED {name}: {problem}");
            self.failures.push(format!("{name}: {problem}"));
        }
    }
}

/// Runs a case and turns panics into outcomes.
fn caught(run: impl FnOnce() -> Outcome) -> Outcome {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref().cloned()).unwrap_or_default();
        Err(Refusal::new("panic", text))
    })
}

/// Devices of one adapter. Stores all errors that reach the handler of any of them.
pub(crate) struct Lab {
    adapter: wgpu::Adapter,
    /// The device for most faults.
    pub(crate) gpu: Gpu,
    /// Another device of the same adapter.
    pub(crate) other: Gpu,
    /// The selected subjects by name, built on both devices.
    pub(crate) subjects: Vec<(&'static str, [Subject; 2])>,
    errors: Arc<Mutex<Vec<String>>>,
    stage: Stage,
    scenes: [Stream; 2],
}

impl Lab {
    /// Opens the GPU for the tests. Fails the test on a machine without a GPU.
    pub(crate) fn open(wanted: &[String]) -> Self {
        let adapter =
            pollster::block_on(Gpu::best_adapter()).unwrap_or_else(|error| no_gpu(&error));
        let errors = Arc::default();
        let [gpu, other] = [(); 2].map(|()| {
            let gpu = pollster::block_on(Gpu::open(&adapter)).unwrap();
            listen(&gpu.device, &errors);
            gpu
        });
        // Small workgroups, so that small scenes have many tiles.
        let stage = Stage::new(&gpu.device, &subjects::with(Some(8)).into()).unwrap();
        let scenes = [random_scene(1, 90, 40), random_scene(2, 140, 40)];
        let of = |gpu: &Gpu| subjects::some(&gpu.device, |name| may_run(wanted, name));
        let both = of(&gpu).into_iter().zip(of(&other));
        let subjects = both.map(|((name, own), (_, other))| (name, [own, other])).collect();
        Self { adapter, gpu, other, subjects, errors, stage, scenes }
    }

    /// Opens another device, without features and with the adapter's limits.
    pub(crate) fn device(&self) -> Gpu {
        self.device_with(|_| {}).unwrap()
    }

    /// Opens another device, with some limits changed.
    pub(crate) fn device_with(
        &self,
        change: impl FnOnce(&mut wgpu::Limits),
    ) -> Result<Gpu, Refusal> {
        let mut required_limits = self.adapter.limits();
        change(&mut required_limits);
        let descriptor = wgpu::DeviceDescriptor { required_limits, ..Default::default() };
        let opened = pollster::block_on(self.adapter.request_device(&descriptor));
        let (device, queue) =
            opened.map_err(|error| Refusal::new(IMPOSSIBLE, error.to_string()))?;
        listen(&device, &self.errors);
        Ok(Gpu { adapter: self.adapter.get_info(), device, queue })
    }

    /// Returns the errors that reached a handler since the last call.
    fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// Runs a frame on the healthy device. Two scenes take turns.
    fn frame(&self, turn: usize) -> Outcome {
        let scene = &self.scenes[turn % self.scenes.len()];
        let found = self.stage.compute(&self.gpu.queue, scene)?;
        let heard = self.errors();
        right_if(heard.is_empty(), &format!("the device's handler heard {heard:?}"))?;
        right_if(found == reference::bounds(scene), "not the reference's answer")
    }
}

fn listen(device: &wgpu::Device, errors: &Arc<Mutex<Vec<String>>>) {
    let errors = Arc::clone(errors);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
    }));
}
