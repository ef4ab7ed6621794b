//! Ends a worker that is late. One thread for each worker waits for that, so a job starts no thread.

use super::io;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Instant;

/// A child that is ended when it is late, and when this is dropped.
pub(super) struct Watch(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// The thread should look again.
    changed: Condvar,
}

struct State {
    child: Child,
    /// When the child is late, if ever.
    due: Option<Instant>,
    /// When the thread wakes by itself, if ever.
    wakes: Option<Instant>,
    is_late: bool,
    is_dropped: bool,
}

impl Watch {
    /// Starts the thread. The child is never late until [`Self::set`] is called.
    pub(super) fn start(child: Child) -> io::Result<Self> {
        let state = State { child, due: None, wakes: None, is_late: false, is_dropped: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let watch = Self(Arc::clone(&shared));
        Builder::new().name("usvg_guard watch".into()).spawn(move || shared.wait())?;
        Ok(watch)
    }

    /// Sets when the child is late; whether it was late already, and was ended.
    pub(super) fn set(&self, due: Option<Instant>) -> bool {
        let mut state = self.0.lock();
        state.due = due;
        // The thread need not look again for a later time than that at which it wakes.
        if due.is_some_and(|due| state.wakes.is_none_or(|wakes| wakes > due)) {
            self.0.changed.notify_one();
        }
        state.is_late
    }

    /// Ends the child.
    pub(super) fn end(&self) {
        self.0.lock().end();
    }

    /// Whether the child still runs.
    pub(super) fn is_running(&self) -> bool {
        matches!(self.0.lock().child.try_wait(), Ok(None))
    }

    /// The status of a child that was ended.
    pub(super) fn status(&self) -> io::Result<ExitStatus> {
        self.0.lock().child.wait()
    }
}

impl Drop for Watch {
    fn drop(&mut self) {
        let mut state = self.0.lock();
        state.is_dropped = true;
        state.end();
        let _ = state.child.wait();
        self.0.changed.notify_one();
    }
}

impl Shared {
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Waits until the child is late or not needed any more.
    fn wait(&self) {
        let mut state = self.lock();
        while !state.is_dropped {
            let now = Instant::now();
            state.wakes = state.due;
            state = match state.due {
                Some(due) if due <= now => {
                    state.is_late = true;
                    return state.end();
                }
                Some(due) => {
                    let woken = self.changed.wait_timeout(state, due - now);
                    woken.unwrap_or_else(PoisonError::into_inner).0
                }
                None => self.changed.wait(state).unwrap_or_else(PoisonError::into_inner),
            };
        }
    }
}

impl State {
    fn end(&mut self) {
        // With it, on Unix, the processes that it started: they may keep its pipes open.
        #[cfg(unix)]
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
    }
}
