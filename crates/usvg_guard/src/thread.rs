//! New threads with a large stack.

use std::cell::Cell;
use std::{io, ptr, thread};

/// The maximum number of levels of a drawing, where a reference counts as 16. Reading or painting takes at most 16 KiB
/// of stack per level. Freeing takes so little that any thread can do it.
pub(crate) const LEVELS_MAX: u32 = 4096;

/// The size of the stack in [`with_large_stack`](crate::with_large_stack), in bytes. It reserves address space; only
/// touched pages take memory.
pub const LARGE_STACK: usize = (LEVELS_MAX as usize) << 14;

/// The maximum number of stack bytes in use when a thread begins its work.
const BEFORE: usize = 1 << 20;

/// The total stack of a thread in bytes.
pub(crate) const STACK: usize = LARGE_STACK + BEFORE;

thread_local! {
    /// An address near the start of this thread's stack, if it is a large one.
    static START: Cell<Option<usize>> = const { Cell::new(None) };
}

/// Whether this thread has at least [`LARGE_STACK`] left.
pub(crate) fn has_large_stack() -> bool {
    START.get().is_some_and(|start| start.abs_diff(stack_address()) < BEFORE)
}

/// Runs the work on a new thread with a large stack. The inner error is a panic.
pub(crate) fn on_new_stack<T: Send>(
    work: impl FnOnce() -> T + Send,
) -> io::Result<thread::Result<T>> {
    thread::scope(|scope| {
        let builder = thread::Builder::new().name("usvg guard".into()).stack_size(STACK);
        let thread = builder.spawn_scoped(scope, || {
            START.set(Some(stack_address()));
            work()
        })?;
        Ok(thread.join())
    })
}

/// An address near the end of this thread's stack.
#[inline(never)]
fn stack_address() -> usize {
    let local = 0_u8;
    ptr::from_ref(&local).addr()
}
