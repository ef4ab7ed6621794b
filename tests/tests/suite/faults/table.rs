//! The table of cases, and the devices that they run on.

use crate::faults::bench::Subject;
use crate::faults::subjects;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex, PoisonError};
use treebounds::{Gpu, Stage, wgpu};
use treebounds_core::{Stream, reference};
use treebounds_tests::gpu::no_gpu;
use treebounds_tests::streams::random_scene;

/// The right answer, or why there is none.
pub(crate) type Ending = Result<(), Refusal>;

/// Why there is no right answer. The kind is the name of an error's variant, or one of those below.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    pub(crate) kind: String,
    pub(crate) text: String,
}

const WRONG: &str = "wrong";

/// An error that wgpu gave to a call of the test's own.
pub(crate) const WGPU: &str = "wgpu";

/// The adapter opens no device for the case.
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
        // An error of the stage inside one of Vello's crate keeps its kind.
        let debug = format!("{error:?}");
        let mut words = debug.trim_start_matches("Stage(").split(|c: char| !c.is_alphanumeric());
        Self::new(words.next().unwrap_or_default(), error.to_string())
    }
}

/// The ending of something that is made.
pub(crate) fn made<T>(made: Result<T, impl Into<Refusal>>) -> Ending {
    made.map(|_| ()).map_err(Into::into)
}

/// The right answer if the condition holds.
pub(crate) fn right_if(is_right: bool, otherwise: &str) -> Ending {
    if is_right { Ok(()) } else { Err(Refusal::wrong(otherwise)) }
}

/// What is wrong with an ending. Expected is `right`, or the kind of an error, or `kind: word` if the error must mention a
/// word, or several of these joined by ` or ` where a race decides.
fn problem(ending: &Ending, expected: &str) -> Option<String> {
    let Err(Refusal { kind, text }) = ending else {
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

/// Cases on the devices of a lab, and how they ended.
pub(crate) struct Table<'a> {
    pub(crate) lab: &'a Lab,
    /// The starts of the names of those cases that run.
    wanted: &'a [String],
    pub(crate) cases: usize,
    /// The names of those that the device cannot run.
    pub(crate) impossible: Vec<String>,
    pub(crate) failures: Vec<String>,
}

/// Whether cases whose names start so may run.
fn may_run(wanted: &[String], name: &str) -> bool {
    wanted.iter().any(|start| name.starts_with(start) || start.starts_with(name))
}

impl<'a> Table<'a> {
    pub(crate) fn new(lab: &'a Lab, wanted: &'a [String]) -> Self {
        Self { lab, wanted, cases: 0, impossible: Vec::new(), failures: Vec::new() }
    }

    /// Whether cases whose names start so may run.
    pub(crate) fn wants(&self, name: &str) -> bool {
        may_run(self.wanted, name)
    }

    /// Runs a case, if it is wanted; prints how it ends, judges that, and checks that a healthy device still works.
    pub(crate) fn case(&mut self, name: &str, expected: &str, run: impl FnOnce() -> Ending) {
        if !self.wanted.iter().any(|start| name.starts_with(start)) {
            return;
        }
        let ending = caught(run);
        let text = match &ending {
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
        for problem in [problem(&ending, expected), heard, next].into_iter().flatten() {
            println!("FAILED {name}: {problem}");
            self.failures.push(format!("{name}: {problem}"));
        }
    }
}

/// An ending, which may be a panic.
fn caught(run: impl FnOnce() -> Ending) -> Ending {
    catch_unwind(AssertUnwindSafe(run)).unwrap_or_else(|panic| {
        let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
        let text = text.or_else(|| panic.downcast_ref().cloned()).unwrap_or_default();
        Err(Refusal::new("panic", text))
    })
}

/// Devices of one adapter. Keeps all errors that reach the handler of any of them.
pub(crate) struct Lab {
    adapter: wgpu::Adapter,
    /// The device of most faults.
    pub(crate) gpu: Gpu,
    /// Another device of the same adapter.
    pub(crate) other: Gpu,
    /// The name of every subject that is wanted, and the subject on both devices.
    pub(crate) subjects: Vec<(&'static str, [Subject; 2])>,
    errors: Arc<Mutex<Vec<String>>>,
    stage: Stage,
    scenes: [Stream; 2],
}

impl Lab {
    /// Opens the GPU of the tests. A machine without a GPU fails the test.
    pub(crate) fn open(wanted: &[String]) -> Self {
        let adapter =
            pollster::block_on(Gpu::best_adapter()).unwrap_or_else(|error| no_gpu(&error));
        let errors = Arc::default();
        let [gpu, other] = [(); 2].map(|()| {
            let gpu = pollster::block_on(Gpu::open(&adapter)).unwrap();
            listen(&gpu.device, &errors);
            gpu
        });
        // Small workgroups: many tiles of a scene that is small itself.
        let stage = Stage::new(&gpu.device, &subjects::with(Some(8)).into()).unwrap();
        let scenes = [random_scene(1, 90, 40), random_scene(2, 140, 40)];
        let of = |gpu: &Gpu| subjects::some(&gpu.device, |name| may_run(wanted, name));
        let both = of(&gpu).into_iter().zip(of(&other));
        let subjects = both.map(|((name, own), (_, other))| (name, [own, other])).collect();
        Self { adapter, gpu, other, subjects, errors, stage, scenes }
    }

    /// Another device, without features and with the adapter's limits.
    pub(crate) fn device(&self) -> Gpu {
        self.device_with(|_| {}).unwrap()
    }

    /// Another device, with some limits changed.
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

    /// The errors that reached a handler since the last call.
    fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A frame of the healthy device; two scenes take turns.
    fn frame(&self, turn: usize) -> Ending {
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
