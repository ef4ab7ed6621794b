//! What the tests share.

use std::sync::{Mutex, MutexGuard, OnceLock, PoisonError};
use treebounds::Gpu;

/// Fails where there is no GPU, and says what to install: it must never pass
/// unseen.
pub(crate) fn gpu() -> &'static Gpu {
    static GPU: OnceLock<Gpu> = OnceLock::new();
    GPU.get_or_init(|| match pollster::block_on(Gpu::request()) {
        Ok(gpu) => gpu,
        Err(error) => panic!("{error}"),
    })
}

/// Software drivers use every core for one test.
pub(crate) fn one_at_a_time() -> MutexGuard<'static, ()> {
    static TURN: Mutex<()> = Mutex::new(());
    TURN.lock().unwrap_or_else(PoisonError::into_inner)
}
