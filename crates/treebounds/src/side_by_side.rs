//! Work that goes side by side where there are threads.

use wgpu::{WasmNotSend, WasmNotSync};

/// What `work` makes of each, in order: as many at a time as there are processors, in threads that end
/// with it. One after the other in a browser, which has no threads, and for OpenGL, whose context is one
/// thread's at a time. Error scopes of a device belong to a thread, so that `work` may use
/// [`scoped`](crate::device::scoped).
pub fn side_by_side<T: WasmNotSync, R: WasmNotSend>(
    device: &wgpu::Device,
    each: &[T],
    work: impl Fn(&T) -> R + WasmNotSync,
) -> Vec<R> {
    #[cfg(not(target_family = "wasm"))]
    if device.adapter_info().backend != wgpu::Backend::Gl {
        return in_threads(each, &work);
    }
    // In a browser nobody asks it.
    let _ = device;
    each.iter().map(work).collect()
}

/// The calling thread works too: where no other can be started, it does all.
#[cfg(not(target_family = "wasm"))]
fn in_threads<T: Sync, R: Send>(each: &[T], work: &(impl Fn(&T) -> R + Sync)) -> Vec<R> {
    use std::sync::atomic::{AtomicUsize, Ordering};
    use std::thread;
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut made = Vec::new();
        loop {
            let at = next.fetch_add(1, Ordering::Relaxed);
            let Some(one) = each.get(at) else { return made };
            made.push((at, work(one)));
        }
    };
    let processors = thread::available_parallelism().map_or(1, usize::from);
    let mut all = thread::scope(|scope| {
        let others = 1..processors.min(each.len());
        let start = |_| thread::Builder::new().spawn_scoped(scope, worker).ok();
        let others: Vec<_> = others.filter_map(start).collect();
        let mut all = worker();
        for other in others {
            // Whoever called would have met the same panic.
            all.extend(other.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)));
        }
        all
    });
    all.sort_unstable_by_key(|(at, _)| *at);
    all.into_iter().map(|(_, made)| made).collect()
}

#[cfg(test)]
mod tests {
    use super::in_threads;

    #[test]
    fn each_is_done_once_and_stays_in_its_place() {
        for n in [0, 1, 2, 100] {
            let each: Vec<usize> = (0..n).collect();
            let squares: Vec<usize> = each.iter().map(|one| one * one).collect();
            assert_eq!(in_threads(&each, &|one| one * one), squares);
        }
    }
}
