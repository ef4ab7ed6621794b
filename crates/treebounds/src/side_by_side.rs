//! Work that goes side by side where there are threads.

#[cfg(not(target_family = "wasm"))]
use rayon::iter::{IntoParallelIterator, ParallelIterator};
use wgpu::{WasmNotSend, WasmNotSync};

/// What `work` makes of each, in order: on native platforms of as many at a time as there are
/// processors, in a browser of one after the other. Error scopes of a device belong to a thread, so that
/// `work` may use [`scoped`](crate::device::scoped).
pub fn side_by_side<T: WasmNotSend, R: WasmNotSend>(
    each: Vec<T>,
    work: impl Fn(T) -> R + WasmNotSend + WasmNotSync,
) -> Vec<R> {
    #[cfg(not(target_family = "wasm"))]
    return each.into_par_iter().map(work).collect();
    #[cfg(target_family = "wasm")]
    return each.into_iter().map(work).collect();
}
