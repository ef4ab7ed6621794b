//! `--watch`: does the work again when a file changes, and tells open pages that they have been written again.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{Arc, Mutex, PoisonError},
    thread,
    time::{Duration, SystemTime},
};
use treebounds_inspector::Watched;

/// How long the files rest before they are looked at again.
const REST: Duration = Duration::from_millis(300);
/// The longest wait for a browser that sends or takes nothing.
const PATIENCE: Duration = Duration::from_secs(1);
/// The longest request that is read.
const REQUEST_MAX: u64 = 1 << 14;

/// Does the work whenever one of the files has changed since the last time, for ever.
pub(crate) fn repeat(files: &[PathBuf], mut work: impl FnMut()) -> ! {
    let mut seen = None;
    loop {
        let now = Some(stamps(files));
        if now != seen {
            seen = now;
            work();
        }
        thread::sleep(REST);
    }
}

/// When each file was changed, and how long it is; `None` for a file that is missing, as between two states of an editor.
fn stamps(files: &[PathBuf]) -> Vec<Option<(SystemTime, u64)>> {
    let stamp = |file: &PathBuf| {
        let about = file.metadata().ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    files.iter().map(stamp).collect()
}

/// Tells open pages the version that was written last, as server-sent events on a port of this machine. It tells nothing
/// else, and only to pages that were opened from a file.
#[derive(Debug)]
pub(crate) struct Bell {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    version: u32,
    pages: Vec<TcpStream>,
}

impl Bell {
    /// Waits for pages on a free port.
    ///
    /// # Errors
    /// There is no free port.
    pub(crate) fn new() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        let address = format!("http://{}", listener.local_addr()?);
        let state = Arc::new(Mutex::new(State::default()));
        let pages = Arc::clone(&state);
        thread::spawn(move || {
            for page in listener.incoming().flatten() {
                // A browser that leaves early is not an error.
                let _ = greet(page, &pages);
            }
        });
        Ok(Self { address, state })
    }

    /// The address and the version for a page that is written now.
    pub(crate) fn watched(&self) -> Watched {
        Watched { address: self.address.clone(), version: locked(&self.state).version + 1 }
    }

    /// Tells that pages were written.
    pub(crate) fn ring(&self) {
        let State { version, pages } = &mut *locked(&self.state);
        *version += 1;
        pages.retain_mut(|page| tell(page, *version).is_ok());
    }
}

fn locked(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers a page, which is told of each version from then on. Pages from files have the origin `null`.
fn greet(mut page: TcpStream, state: &Mutex<State>) -> io::Result<()> {
    page.set_read_timeout(Some(PATIENCE))?;
    page.set_write_timeout(Some(PATIENCE))?;
    let mut request = BufReader::new((&page).take(REQUEST_MAX));
    let mut line = String::new();
    while line != "\r\n" {
        line.clear();
        if request.read_line(&mut line)? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
    }
    page.write_all(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nAccess-Control-Allow-Origin: null\r\n\r\n",
    )?;
    let state = &mut *locked(state);
    tell(&mut page, state.version)?;
    state.pages.push(page);
    Ok(())
}

fn tell(page: &mut TcpStream, version: u32) -> io::Result<()> {
    page.write_all(format!("data: {version}\n\n").as_bytes())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn a_page_is_told_each_version() {
        let bell = Bell::new().unwrap();
        let Watched { address, version } = bell.watched();
        assert_eq!(version, 1);
        let mut page = TcpStream::connect(address.strip_prefix("http://").unwrap()).unwrap();
        page.write_all(b"GET / HTTP/1.1\r\nOrigin: null\r\n\r\n").unwrap();
        let mut lines = BufReader::new(page).lines().map(Result::unwrap);
        assert_eq!(lines.next().unwrap(), "HTTP/1.1 200 OK");
        assert_eq!(lines.find(|line| line.starts_with("data")).unwrap(), "data: 0");
        bell.ring();
        assert_eq!(lines.find(|line| line.starts_with("data")).unwrap(), "data: 1");
        assert_eq!(bell.watched().version, 2);
    }
}
