//! Threads with a large stack.

use crate::Error;
use crate::thread::{has_large_stack, on_new_stack};
use crate::words::one_line;
use std::any::Any;
use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind};

thread_local! {
    /// Whether the current work of this thread was passed to [`with_large_stack`].
    static IS_CAUGHT: Cell<bool> = const { Cell::new(false) };
}

/// Runs `work` on a stack of at least [`LARGE_STACK`](crate::LARGE_STACK) bytes, and waits for the result. Starts a
/// thread unless the current one has enough stack left.
///
/// Use this for everything that recurses over a drawing, such as painting with resvg. WebAssembly has no such threads,
/// so the work runs on the caller's stack: link with a stack of [`LARGE_STACK`](crate::LARGE_STACK) (`-C
/// link-arg=-zstack-size=67108864`), and expect a panic to end the instance.
///
/// # Errors
/// [`Error::NoStack`] if the thread cannot be started, and [`Error::Panicked`] if the work panics.
pub fn with_large_stack<T: Send>(work: impl FnOnce() -> T + Send) -> Result<T, Error> {
    if cfg!(target_family = "wasm") {
        return Ok(work());
    }
    let caught = || {
        let outer = IS_CAUGHT.replace(true);
        let done = catch_unwind(AssertUnwindSafe(work));
        IS_CAUGHT.set(outer);
        done
    };
    let done = match has_large_stack() {
        true => caught(),
        false => on_new_stack(caught)
            .map_err(|error| Error::NoStack(error.to_string()))?
            .unwrap_or_else(Err),
    };
    done.map_err(|panic| Error::Panicked(panic_message(&*panic)))
}

/// Whether the current work of this thread was passed to [`with_large_stack`]: a panic becomes an error, and a panic
/// hook need not print it.
pub fn is_caught() -> bool {
    IS_CAUGHT.get()
}

/// The message of a panic.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().copied();
    let text = text.or_else(|| panic.downcast_ref::<String>().map(String::as_str));
    one_line(text.unwrap_or("no message"))
}
