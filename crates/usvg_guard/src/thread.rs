//! New threads with a large stack.

use std::cell::Cell;
use std::{io, ptr, thread};

/// The maximum number of levels of a drawing, where a reference counts as 16. A level takes at most 16 KiB of stack when it is
/// read or painted, and so little when it is freed that any thread can do that.
pub(crate) const LEVELS_MAX: u32 = 4096;

/// The size of the stack in [`with_large_stack`](crate::with_large_stack), in bytes. It reserves address space; only the pages that are used take memory.
pub const LARGE_STACK: usize = (LEVELS_MAX as usize) << 14;

/// The bytes of its stack that a thread may have used when it begins work.
const BEFORE: usize = 1 << 20;

/// The stack of a thread in bytes.
pub(crate) const STACK: usize = LARGE_STACK + BEFORE;

thread_local! {
    /// An address where the stack of this thread begins, if it is a large one.
    static START: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Whether as much of this thread's stack is left as [`LARGE_STACK`].
pub(crate) fn has_large_stack() -> bool {
    START.get().is_some_and(|start| start.abs_diff(here()) < BEFORE)
}

/// Runs the work on a new thread with a large stack. The inner error is a panic.
pub(crate) fn on_new_stack<T: Send>(
    work: impl FnOnce() -> T + Send,
) -> io::Result<thread::Result<T>> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("usvg guard".into()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || {
            START.set(Some(here()));
            work()
        })?;
        Ok(thread.join())
    })
}

/// An address on the stack of this thread, near its end.
#[inline(never)]
fn here() -> usize {
    let local = 0_u8;
    ptr::from_ref(&local).addr()
}
