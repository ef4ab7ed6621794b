//! Deep trees need deep stacks.
//!
//! Reading, painting and freeing a drawing all recurse once and again for every
//! level of nesting, and a reference counts as a level: a pattern may be painted
//! with a pattern that is painted with a pattern. A main thread has 8 MiB of
//! stack, other threads 2 MiB; neither is enough.

use crate::Refused;
use std::any::Any;
use std::thread;

/// The stack that [`with_large_stack`] gives: address space, not memory; pages
/// are taken as they are reached.
pub const LARGE_STACK: usize = if usize::BITS < 64 { 64 << 20 } else { 1 << 30 };

/// Runs the work on a thread with a stack of [`LARGE_STACK`], and waits for it.
///
/// Whatever recurses over a drawing, such as painting it with resvg, belongs in
/// here. In WebAssembly, which has no such threads, the work is done at once: link with a stack of [`LARGE_STACK`]
/// (`-C link-arg=-zstack-size=67108864`), and expect a panic to end the instance.
///
/// # Errors
/// [`Refused::NoStack`] where there is no such thread to be had, and
/// [`Refused::Panicked`] where the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Refused> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("usvg guard".into()).stack_size(LARGE_STACK);
        let thread = builder
            .spawn_scoped(scope, work)
            .map_err(|error| Refused::NoStack { bytes: LARGE_STACK, reason: error.to_string() })?;
        thread.join().map_err(|panic| Refused::Panicked { reason: message(&*panic) })
    })
}

/// The first line of what was said at the panic.
fn message(panic: &(dyn Any + Send)) -> String {
    let text = panic
        .downcast_ref::<&str>()
        .copied()
        .or_else(|| panic.downcast_ref::<String>().map(String::as_str))
        .unwrap_or("no message");
    text.lines().next().unwrap_or("no message").to_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn sink_in(levels: u32) -> u32 {
        let ballast = std::hint::black_box([levels; 256]);
        if levels == 0 { 0 } else { 1 + sink_in(ballast[255] - 1) }
    }

    #[test]
    fn holds_what_no_ordinary_thread_does() {
        assert_eq!(with_large_stack(|| sink_in(100_000)).unwrap(), 100_000);
    }

    #[test]
    fn a_panic_is_an_error() {
        let error = with_large_stack(|| panic!("first line\nsecond line")).unwrap_err();
        assert!(error.to_string().ends_with("bug in it: first line"), "{error}");
    }
}
