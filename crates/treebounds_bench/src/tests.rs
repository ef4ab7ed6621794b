//! What the tests share.

use std::cell::OnceCell;
use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use treebounds::Gpu;

/// Fails where there is no GPU, and says what to install: it must never pass
/// unseen.
pub(crate) fn gpu() -> &'static Gpu {
    take_turn();
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(own_gpu)
}

/// The same, of the caller's own.
pub(crate) fn own_gpu() -> Gpu {
    take_turn();
    pollster::block_on(Gpu::request()).unwrap_or_else(|error| panic!("{error}"))
}

/// Waits until no other test uses a GPU; the turn ends with the thread of the test. Software drivers use every core for
/// one test.
fn take_turn() {
    static TURN: Mutex<()> = Mutex::new(());
    thread_local! {
        static HELD: OnceCell<MutexGuard<'static, ()>> = const { OnceCell::new() };
    }
    HELD.with(|held| {
        held.get_or_init(|| TURN.lock().unwrap_or_else(PoisonError::into_inner));
    });
}
