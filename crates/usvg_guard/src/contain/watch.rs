//! Ends workers that exceed their deadline. Each worker has one watching thread, so a job starts no
//! thread.

use super::io;
#[cfg(unix)]
use rustix::process::{Pid, Signal, kill_process_group};
use std::process::{Child, ExitStatus};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread::Builder;
use std::time::Instant;

/// A child process, ended when it is late or when its watch is dropped.
pub(super) struct Watch(Arc<Shared>);

struct Shared {
    state: Mutex<State>,
    /// Wakes the thread.
    changed: Condvar,
}

struct State {
    child: Child,
    /// The deadline of the child, if any.
    due: Option<Instant>,
    /// The time when the thread wakes by itself, if any.
    wakes: Option<Instant>,
    is_late: bool,
    is_dropped: bool,
}

impl Watch {
    /// Starts the thread. The child has no deadline until [`Self::set`] is called.
    pub(super) fn start(child: Child) -> io::Result<Self> {
        let state = State { child, due: None, wakes: None, is_late: false, is_dropped: false };
        let shared = Arc::new(Shared { state: Mutex::new(state), changed: Condvar::new() });
        let watch = Self(Arc::clone(&shared));
        Builder::new().name("usvg_guard watch".into()).spawn(move || shared.wait())?;
        Ok(watch)
    }

    /// Sets the deadline of the child. Returns whether the child was late already, and was ended.
    pub(super) fn set(&self, due: Option<Instant>) -> bool {
        let mut state = self.0.lock();
        state.due = due;
        // The thread must be woken only for a deadline before its next scheduled wake-up.
        if due.is_some_and(|due| state.wakes.is_none_or(|wakes| wakes > due)) {
            self.0.changed.notify_one();
        }
        state.is_late
    }

    pub(super) fn end(&self) {
        self.0.lock().end();
    }

    pub(super) fn is_running(&self) -> bool {
        matches!(self.0.lock().child.try_wait(), Ok(None))
    }

    /// Returns the exit status of an ended child.
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

    /// Waits until the child is late or the watch is dropped.
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
        // On Unix, this includes the processes that the child started: they may keep its pipes open.
        #[cfg(unix)]
        let _ = kill_process_group(Pid::from_child(&self.child), Signal::KILL);
        let _ = self.child.kill();
    }
}
