//! The devices for the faults, and a healthy one.

use crate::faults::subject::Subject;
use crate::faults::subjects;
use crate::faults::table::{Ending, Refusal};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;
use treebounds::{Gpu, Stage, Tuning, wgpu};
use treebounds_core::{Bounds, Stream, reference};
use treebounds_tests::gpu::no_gpu;
use treebounds_tests::streams::random_scene;

/// Errors that reached a device's handler.
type Errors = Arc<Mutex<Vec<String>>>;

/// The name of a subject, and it on two devices.
type Pair = (&'static str, Subject, Subject);

/// Devices of one adapter. Errors that nobody asked for are kept, of all of them.
pub(crate) struct Lab {
    adapter: wgpu::Adapter,
    /// The device that most faults happen on.
    pub(crate) gpu: Gpu,
    /// Another device of the same adapter.
    pub(crate) other: Gpu,
    /// Every subject, on both.
    pub(crate) subjects: Vec<Pair>,
    errors: Errors,
    stage: Stage,
    frames: [(Stream, Bounds); 2],
    turn: AtomicUsize,
}

impl Lab {
    /// Opens the GPU of the tests, and builds the subjects that are wanted. A machine without one fails the test.
    pub(crate) fn open(wants: impl Fn(&str) -> bool) -> Self {
        let adapter =
            pollster::block_on(Gpu::best_adapter()).unwrap_or_else(|error| no_gpu(&error));
        let errors = Errors::default();
        let [gpu, other] = [(); 2].map(|()| {
            let gpu = pollster::block_on(Gpu::open(&adapter)).unwrap();
            listen(&gpu.device, &errors);
            gpu
        });
        // Small workgroups: many tiles of a scene that is small itself.
        let options = Tuning { workgroup_size: Some(8), ..Tuning::default() };
        let stage = Stage::new(&gpu.device, &options.into()).unwrap();
        let frames = [(1, 90), (2, 140)].map(|(seed, n)| {
            let stream = random_scene(seed, n, 40);
            let expected = reference::bounds(&stream);
            (stream, expected)
        });
        let both = |(name, build): (&'static str, subjects::Build)| {
            let [own, other] = [&gpu, &other].map(|gpu| build(&gpu.device));
            match (own, other) {
                (Ok(own), Ok(other)) => (name, own, other),
                (Err(refusal), _) | (_, Err(refusal)) => panic!("{name}: {refusal:?}"),
            }
        };
        let wanted = subjects::ALL.into_iter().filter(|(name, _)| wants(name));
        let subjects = wanted.map(both).collect();
        Self { adapter, gpu, other, subjects, errors, stage, frames, turn: AtomicUsize::new(0) }
    }

    /// One more device, with the adapter's limits.
    pub(crate) fn device(&self) -> Gpu {
        self.device_with(self.adapter.limits()).unwrap()
    }

    /// One more device, with these limits.
    pub(crate) fn device_with(&self, limits: wgpu::Limits) -> Result<Gpu, Refusal> {
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let made = pollster::block_on(self.adapter.request_device(&descriptor));
        let refused = |_| Refusal::wgpu("the adapter refuses such a device");
        let (device, queue) = made.map_err(refused)?;
        listen(&device, &self.errors);
        Ok(Gpu { adapter: self.adapter.get_info(), device, queue })
    }

    /// The adapter's limits.
    pub(crate) fn limits(&self) -> wgpu::Limits {
        self.adapter.limits()
    }

    /// The errors that reached a handler since the last call.
    pub(crate) fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A frame of the healthy device; two scenes take turns.
    pub(crate) fn next_frame(&self) -> Result<(), String> {
        let turn = self.turn.fetch_add(1, Ordering::Relaxed);
        let (stream, expected) = &self.frames[turn % self.frames.len()];
        let found =
            self.stage.compute(&self.gpu.queue, stream).map_err(|error| error.to_string())?;
        let unseen = self.errors();
        if found != *expected {
            return Err("not the reference's answer".to_owned());
        }
        if unseen.is_empty() { Ok(()) } else { Err(format!("reached the handler: {unseen:?}")) }
    }
}

/// Repeats work while another thread destroys the device after so many milliseconds. It is right until the first error.
pub(crate) fn lost_after(gpu: &Gpu, milliseconds: u64, mut work: impl FnMut() -> Ending) -> Ending {
    thread::scope(|scope| {
        scope.spawn(|| {
            thread::sleep(Duration::from_millis(milliseconds));
            gpu.device.destroy();
        });
        loop {
            work()?;
        }
    })
}

fn listen(device: &wgpu::Device, errors: &Errors) {
    let errors = Arc::clone(errors);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
    }));
}
