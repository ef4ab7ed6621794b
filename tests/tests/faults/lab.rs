//! The devices that faults happen on, and a healthy one.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use treebounds::{Gpu, Options, Stage, wgpu};
use treebounds_core::{Bounds, Stream, reference};
use treebounds_tests::streams::random_scene;

/// What reached a device's handler.
type Errors = Arc<Mutex<Vec<String>>>;

/// Devices of one adapter. Errors that nobody asked for are kept, of all of them.
pub struct Lab {
    adapter: wgpu::Adapter,
    /// The device that most faults happen on.
    pub gpu: Gpu,
    /// Another device of the same adapter.
    pub other: Gpu,
    errors: Errors,
    stage: Stage,
    frames: [(Stream, Bounds); 2],
    turn: AtomicUsize,
}

impl Lab {
    /// Opens the GPU of the tests. A machine without one fails the test.
    pub fn open() -> Self {
        let adapter =
            pollster::block_on(Gpu::best_adapter()).unwrap_or_else(|error| panic!("{error}"));
        let errors = Errors::default();
        let [gpu, other] = [(); 2].map(|()| {
            let gpu = pollster::block_on(Gpu::open(&adapter)).unwrap();
            listen(&gpu.device, &errors);
            gpu
        });
        // Small workgroups: many tiles of a scene that is small itself.
        let options = Options { workgroup_size: Some(8), ..Options::default() };
        let stage = Stage::new(&gpu.device, &options).unwrap();
        let frames = [(1, 90), (2, 140)].map(|(seed, n)| {
            let stream = random_scene(seed, n, 40);
            let expected = reference::bounds(&stream);
            (stream, expected)
        });
        Self { adapter, gpu, other, errors, stage, frames, turn: AtomicUsize::new(0) }
    }

    /// One more device, with the adapter's limits.
    pub fn device(&self) -> Gpu {
        self.device_with(self.adapter.limits()).unwrap()
    }

    /// One more device, with these limits. None where the adapter refuses them.
    pub fn device_with(&self, limits: wgpu::Limits) -> Option<Gpu> {
        let descriptor = wgpu::DeviceDescriptor { required_limits: limits, ..Default::default() };
        let (device, queue) = pollster::block_on(self.adapter.request_device(&descriptor)).ok()?;
        listen(&device, &self.errors);
        Some(Gpu { adapter: self.adapter.get_info(), device, queue })
    }

    /// The adapter's limits.
    pub fn limits(&self) -> wgpu::Limits {
        self.adapter.limits()
    }

    /// The errors that reached a handler since the last call.
    pub fn errors(&self) -> Vec<String> {
        std::mem::take(&mut *self.errors.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// A frame of the healthy device; two scenes take turns.
    pub fn next_frame(&self) -> Result<(), String> {
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

fn listen(device: &wgpu::Device, errors: &Errors) {
    let errors = Arc::clone(errors);
    device.on_uncaptured_error(Arc::new(move |error: wgpu::Error| {
        errors.lock().unwrap_or_else(PoisonError::into_inner).push(error.to_string());
    }));
}
