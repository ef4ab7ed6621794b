//! The functions called by the worker.

use std::sync::Arc;
use treebounds::{Capacity, Gpu, Inputs, Job, Outputs, Scratch, Stage, StageDescriptor};
use treebounds_core::{Bounds, Rect, Stream, reference};
use treebounds_encoding::svg::{self, Drawing, usvg::fontdb::Database};
use treebounds_report::{Backend, Findings, Report};
use wasm_bindgen::prelude::*;

type Outcome<T> = Result<T, JsError>;

/// The maximum number of timed runs. The median counts.
const RUNS: usize = 5;
/// After this many milliseconds, no further run begins, because slow adapters take seconds per run.
const ENOUGH: f64 = 1000.0;

/// A drawing and the backends that compute it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Desk {
    fonts: Database,
    drawing: Option<Drawing>,
    /// The drawing's elements, repeated.
    stream: Option<Stream>,
    gpu: Option<Gpu>,
    /// The GPU's kernels, compiled once.
    stage: Option<Stage>,
    on_cpu: Bounds,
    on_gpu: Bounds,
}

#[wasm_bindgen]
impl Desk {
    /// Creates a desk without a drawing or a GPU.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds a font file for text.
    #[wasm_bindgen(js_name = addFont)]
    pub fn add_font(&mut self, file: Vec<u8>) {
        self.fonts.load_font_data(file);
        let family = self
            .fonts
            .faces()
            .next()
            .and_then(|face| face.families.first())
            .map(|(name, _)| name.clone());
        if let Some(family) = family {
            self.fonts.set_serif_family(family.clone());
            self.fonts.set_sans_serif_family(family.clone());
            self.fonts.set_monospace_family(family.clone());
            self.fonts.set_cursive_family(family.clone());
            self.fonts.set_fantasy_family(family);
        }
    }

    /// Reads a file and returns its number of elements. Keeps the previous drawing if the file cannot be read.
    ///
    /// # Errors
    /// Describes the problem with the file.
    pub fn read(&mut self, file: &[u8]) -> Outcome<usize> {
        let mut options = svg::Options::default().system_fonts(false);
        options.fonts = Some(Arc::new(self.fonts.clone()));
        let drawing = svg::encode(file, &options)?;
        let elements = drawing.scene.stream.len();
        self.stream = Some(drawing.scene.stream.clone());
        self.drawing = Some(drawing);
        Ok(elements)
    }

    /// Opens WebGPU and returns the adapter's name.
    ///
    /// # Errors
    /// Fails if WebGPU is not available.
    #[wasm_bindgen(js_name = openGpu)]
    pub async fn open_gpu(&mut self) -> Outcome<String> {
        let gpu = Gpu::request().await?;
        let parts = [&gpu.adapter.name, &gpu.adapter.device.to_string(), &gpu.adapter.driver_info];
        let name = parts.into_iter().find(|name| !name.is_empty() && *name != "0").cloned();
        self.gpu = Some(gpu);
        Ok(name.unwrap_or_else(|| "WebGPU".to_owned()))
    }

    /// Whether WebGPU is open.
    #[wasm_bindgen(js_name = hasGpu)]
    pub fn has_gpu(&self) -> bool {
        self.gpu.is_some()
    }

    /// Repeats the drawing `times` times side by side. Returns the number of elements.
    ///
    /// # Errors
    /// Fails if there is no drawing, or the number of elements is too large.
    pub fn repeat(&mut self, times: usize) -> Outcome<usize> {
        let drawing = self.drawing.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let one = &drawing.scene.stream;
        let tags = one.tags().repeat(times);
        let rects: Vec<Rect> = one.rects().repeat(times);
        let stream = Stream::new(tags, rects, one.viewport())?;
        let elements = stream.len();
        self.stream = Some(stream);
        Ok(elements)
    }

    /// Computes with the reference in WebAssembly. Returns milliseconds.
    ///
    /// # Errors
    /// Fails if there is no drawing.
    #[wasm_bindgen(js_name = onCpu)]
    pub fn on_cpu(&mut self) -> Outcome<f64> {
        let stream = self.stream.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let mut bounds = std::mem::take(&mut self.on_cpu);
        let mut times = Vec::with_capacity(RUNS);
        while !is_enough(&times) {
            let start = now();
            reference::bounds_into(stream, &mut bounds);
            times.push(now() - start);
        }
        self.on_cpu = bounds;
        Ok(middle(times))
    }

    /// Computes on WebGPU. Returns the milliseconds for the kernels, including waiting, and for a run with upload and
    /// readback. Calls `is_wanted` between the runs, and returns nothing once it returns false.
    ///
    /// Borrows the desk until the promise resolves; no other method may be called before that.
    ///
    /// # Errors
    /// Fails if there is no drawing or no GPU, if the GPU cannot hold that many elements, or if it fails.
    #[wasm_bindgen(js_name = onGpu)]
    pub async fn on_gpu(&mut self, is_wanted: js_sys::Function) -> Outcome<Option<Vec<f64>>> {
        let is_wanted = || is_wanted.call0(&JsValue::NULL).is_ok_and(|answer| answer.is_truthy());
        let stream = self.stream.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let gpu = self.gpu.as_ref().ok_or_else(|| JsError::new("there is no GPU"))?;
        let stage = match self.stage.take() {
            Some(stage) => self.stage.insert(stage),
            None => {
                let descriptor =
                    StageDescriptor { few_markers: true, filter_depth: 16, ..Default::default() };
                self.stage.insert(Stage::new(&gpu.device, &descriptor)?)
            }
        };
        stage.compute_async(&gpu.queue, stream).await?;
        let ready = Ready::new(stage, gpu, stream)?;
        let mut times = Vec::with_capacity(RUNS);
        while !is_enough(&times) {
            if !is_wanted() {
                return Ok(None);
            }
            times.push(ready.time(gpu).await?);
        }
        if !is_wanted() {
            return Ok(None);
        }
        // The readback is last because it fails if the GPU was lost during an earlier run, which itself ends without an
        // error.
        let start = now();
        self.on_gpu = stage.compute_async(&gpu.queue, stream).await?;
        Ok(Some(vec![middle(times), now() - start]))
    }

    /// Whether both backends gave the same bits.
    pub fn agree(&self) -> bool {
        let bits = |bounds: &Bounds| {
            let boxes = [&bounds.boxes, &bounds.clips, &bounds.contents];
            boxes.map(|boxes| bytemuck::cast_slice::<Rect, u32>(boxes).to_vec())
        };
        bits(&self.on_cpu) == bits(&self.on_gpu) && self.on_cpu.links == self.on_gpu.links
    }

    /// Returns the report on the drawing itself, with the boxes from the GPU if `gpu` is its name, and those from the
    /// CPU if it is `None`.
    ///
    /// # Errors
    /// Fails if there is no drawing, or if it has not been computed.
    pub fn report(&self, source: &str, gpu: Option<String>) -> Outcome<String> {
        let drawing = self.drawing.as_ref().ok_or_else(|| JsError::new("there is no drawing"))?;
        let bounds = if gpu.is_some() { &self.on_gpu } else { &self.on_cpu };
        let findings = Findings::new(&drawing.scene, bounds)?.of(&drawing.document)?;
        let backend = gpu.map_or(Backend::Cpu, |adapter| Backend::Gpu { adapter });
        let mut json = Vec::new();
        Report::new(&findings, backend, source).write_json(&mut json)?;
        Ok(String::from_utf8(json)?)
    }

    /// Returns the GPU's device, which can be lost while the desk computes; `None` without a GPU.
    pub fn device(&self) -> Option<Device> {
        self.gpu.as_ref().map(|gpu| Device(gpu.device.clone()))
    }

    /// Stops using the GPU.
    #[wasm_bindgen(js_name = dropGpu)]
    pub fn drop_gpu(&mut self) {
        (self.gpu, self.stage) = (None, None);
    }
}

/// A GPU's device.
#[wasm_bindgen]
pub struct Device(wgpu::Device);

#[wasm_bindgen]
impl Device {
    /// Loses the device, as a driver may do, for tests.
    pub fn lose(&self) {
        self.0.destroy();
    }
}

/// A job with uploaded input.
struct Ready {
    job: Job,
    _buffers: (Inputs, Outputs, Scratch),
}

impl Ready {
    fn new(stage: &Stage, gpu: &Gpu, stream: &Stream) -> Outcome<Self> {
        let capacity = Capacity::of(stream);
        let inputs = Inputs::new(&gpu.device, capacity)?;
        let outputs = Outputs::new(&gpu.device, capacity)?;
        let scratch = stage.scratch(capacity)?;
        inputs.write(&gpu.queue, stream)?;
        let job = stage.bind(&inputs, &outputs, &scratch)?;
        Ok(Self { job, _buffers: (inputs, outputs, scratch) })
    }

    async fn time(&self, gpu: &Gpu) -> Outcome<f64> {
        let start = now();
        let mut encoder = gpu.device.create_command_encoder(&Default::default());
        self.job.record(&mut encoder);
        gpu.queue.submit([encoder.finish()]);
        let done = js_sys::Promise::new(&mut |resolve, _| {
            gpu.queue.on_submitted_work_done(move || {
                // `resolve` cannot fail: the promise is still pending.
                let _ = resolve.call0(&JsValue::NULL);
            });
        });
        wasm_bindgen_futures::JsFuture::from(done)
            .await
            .map_err(|_| JsError::new("the GPU was lost"))?;
        Ok(now() - start)
    }
}

/// Milliseconds since an arbitrary time.
#[wasm_bindgen]
extern "C" {
    #[wasm_bindgen(js_namespace = performance)]
    fn now() -> f64;
}

fn is_enough(times: &[f64]) -> bool {
    times.len() == RUNS || times.iter().sum::<f64>() > ENOUGH
}

fn middle(mut times: Vec<f64>) -> f64 {
    times.sort_by(f64::total_cmp);
    times.get(times.len() / 2).copied().unwrap_or(f64::NAN)
}
