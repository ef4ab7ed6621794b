//! `--watch`: repeats the work when a file changes, and notifies open pages of new versions.

use crate::{batch, failure::printable, options::Args, table::count};
use std::{
    collections::{BTreeMap, hash_map::RandomState},
    hash::{BuildHasher, Hasher},
    io::{self, Read, Write, stderr},
    net::{Ipv4Addr, TcpListener, TcpStream},
    path::PathBuf,
    sync::{
        Arc, Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
    time::{Duration, Instant, SystemTime},
};
use treebounds_inspector::Watched;

/// The interval between two checks of the files.
const REST: Duration = Duration::from_millis(300);
/// The maximum time for a browser to send its request.
const PATIENCE: Duration = Duration::from_secs(1);
/// The maximum length of a request in bytes.
const REQUEST_MAX: usize = 1 << 14;
/// The maximum numbers of subscribed pages and of pending requests.
const PAGES_MAX: usize = 64;
const ASKING_MAX: usize = 32;
/// The exit code of `--diff` if the drawings differ, which is not a failure while watching.
const DIFFERS: u8 = 4;

/// Runs `work` whenever a file has changed, forever. `work` returns an exit code.
pub(crate) fn repeat(
    args: &Args,
    bell: Option<Bell>,
    mut work: impl FnMut(&Args, Option<Watched>) -> u8,
) -> ! {
    let mut args = args.clone();
    let is_quiet = args.shown.quiet.quiet;
    let tell = |what: &str| {
        if !is_quiet {
            let _ = writeln!(stderr(), "{} {what}", clock());
        }
    };
    let mut seen = None;
    loop {
        let now = stamps(&args.files);
        if seen.as_ref() == Some(&now) {
            thread::sleep(REST);
            continue;
        }
        if let Some(before) = &seen {
            tell(&changed(before, &now));
        }
        seen = Some(now);
        let code = work(&args, bell.as_ref().map(Bell::watched));
        if let Some(bell) = &bell {
            bell.ring(code == 0 || code == DIFFERS);
        }
        tell("watching; Ctrl+C ends");
        args.shown.written.open = false;
    }
}

/// Formats the time of day in UTC, because the standard library has no local time.
fn clock() -> String {
    let seconds = SystemTime::UNIX_EPOCH.elapsed().map_or(0, |time| time.as_secs() % 86_400);
    format!("{:02}:{:02}:{:02} UTC", seconds / 3600, seconds / 60 % 60, seconds % 60)
}

/// The modification time and length of each drawing. `None` for a missing one: editors delete files briefly while saving.
type Stamps = BTreeMap<PathBuf, Option<(SystemTime, u64)>>;

fn stamps(files: &[PathBuf]) -> Stamps {
    let stamp = |file: &PathBuf| {
        let about = file.metadata().ok()?;
        Some((about.modified().ok()?, about.len()))
    };
    let found = batch::find(files).into_iter().flatten();
    found.map(|found| (found.path.clone(), stamp(&found.path))).collect()
}

/// Describes the changed files, for example `a.svg has changed, and 2 others`.
fn changed(before: &Stamps, now: &Stamps) -> String {
    let gone = before.keys().filter(|path| !now.contains_key(*path));
    let other = now.iter().filter(|(path, stamp)| before.get(*path) != Some(*stamp));
    let mut paths = other.map(|(path, _)| path).chain(gone);
    let name = paths.next().map_or(String::new(), |path| printable(&path.to_string_lossy()));
    match paths.count() {
        0 => format!("{name} has changed"),
        others => format!("{name} has changed, and {}", count(others, "other", "others")),
    }
}

/// Notifies open pages of the last written version, as server-sent events on a local port. Sends nothing else, and only to
/// pages that know the secret in its address.
#[derive(Debug)]
pub(crate) struct Bell {
    address: String,
    state: Arc<Mutex<State>>,
}

#[derive(Debug, Default)]
struct State {
    version: u32,
    /// Whether building the last version failed.
    is_stale: bool,
    pages: Vec<TcpStream>,
}

impl Bell {
    /// Waits for pages on a free port.
    ///
    /// # Errors
    /// Fails if there is no free port.
    pub(crate) fn new() -> io::Result<Self> {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?;
        // The seeds of hash maps are random.
        let secret = [(); 2].map(|()| RandomState::new().build_hasher().finish());
        let secret = format!("/{:016x}{:016x}", secret[0], secret[1]);
        let address = format!("http://{}{secret}", listener.local_addr()?);
        let state = Arc::new(Mutex::new(State::default()));
        let pages = Arc::clone(&state);
        thread::Builder::new()
            .name("treebounds pages".into())
            .spawn(move || listen(&listener, &secret, &pages))?;
        Ok(Self { address, state })
    }

    /// Returns the address and the version for the page being written.
    pub(crate) fn watched(&self) -> Watched {
        Watched { address: self.address.clone(), version: locked(&self.state).version + 1 }
    }

    /// Notifies all pages that a new version was written, or that writing it failed.
    pub(crate) fn ring(&self, is_written: bool) {
        let state = &mut *locked(&self.state);
        state.version += u32::from(is_written);
        state.is_stale = !is_written;
        let words = state.words();
        state.pages.retain_mut(|page| page.write_all(words.as_bytes()).is_ok());
    }
}

impl State {
    fn words(&self) -> String {
        let name = if self.is_stale { "event: stale\n" } else { "" };
        format!("{name}data: {}\n\n", self.version)
    }
}

fn locked(state: &Mutex<State>) -> std::sync::MutexGuard<'_, State> {
    state.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Answers each page on its own thread, so that a slow one does not delay the others.
fn listen(listener: &TcpListener, secret: &str, state: &Arc<Mutex<State>>) {
    let asking = Arc::new(AtomicUsize::new(0));
    loop {
        let Ok((page, _)) = listener.accept() else {
            thread::sleep(REST);
            continue;
        };
        if asking.fetch_add(1, Ordering::Relaxed) >= ASKING_MAX {
            asking.fetch_sub(1, Ordering::Relaxed);
            continue;
        }
        let (now, secret, state) = (Arc::clone(&asking), secret.to_owned(), Arc::clone(state));
        let answer = move || {
            // A browser that disconnects early is not an error.
            let _ = greet(page, &secret, &state);
            now.fetch_sub(1, Ordering::Relaxed);
        };
        if thread::Builder::new().spawn(answer).is_err() {
            asking.fetch_sub(1, Ordering::Relaxed);
        }
    }
}

/// Answers a page and subscribes it to new versions. Pages opened from files have the origin `null`.
fn greet(mut page: TcpStream, secret: &str, state: &Mutex<State>) -> io::Result<()> {
    let due = Instant::now() + PATIENCE;
    let mut request = Vec::new();
    while !request.ends_with(b"\r\n\r\n") {
        let left = due.saturating_duration_since(Instant::now());
        page.set_read_timeout(Some(left.max(Duration::from_millis(1))))?;
        let mut part = [0; 1024];
        let length = if left.is_zero() { 0 } else { page.read(&mut part)? };
        if length == 0 || request.len() > REQUEST_MAX {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        request.extend(part.iter().take(length));
    }
    if !request.starts_with(format!("GET {secret} ").as_bytes()) {
        return Err(io::ErrorKind::PermissionDenied.into());
    }
    // The messages fit into the system's buffers unless the page reads nothing.
    page.set_nonblocking(true)?;
    let state = &mut *locked(state);
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nCache-Control: no-store\r\nAccess-Control-Allow-Origin: null\r\n\r\n";
    page.write_all(format!("{head}{}", state.words()).as_bytes())?;
    if state.pages.len() >= PAGES_MAX {
        state.pages.remove(0);
    }
    state.pages.push(page);
    Ok(())
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use std::io::{BufRead, BufReader};

    /// Returns the first line of the answer and the lines of data.
    fn ask(bell: &Bell, request: &str) -> (String, impl Iterator<Item = String> + use<>) {
        let address = bell.watched().address;
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let mut page = TcpStream::connect(host).unwrap();
        page.write_all(request.as_bytes()).unwrap();
        let mut lines = BufReader::new(page).lines().map_while(Result::ok);
        let first = lines.next().unwrap_or_default();
        (first, lines.filter(|line| line.starts_with("data") || line.starts_with("event")))
    }

    #[test]
    fn only_pages_with_the_secret_receive_versions() {
        let bell = Bell::new().unwrap();
        let Watched { address, version } = bell.watched();
        assert_eq!(version, 1);
        let path = &address[address.rfind('/').unwrap()..];
        let request = format!("GET {path} HTTP/1.1\r\nOrigin: null\r\n\r\n");
        // Open more silent connections than the server answers at once.
        let host = address.strip_prefix("http://").unwrap().split('/').next().unwrap();
        let silent: Vec<_> = (0..20).map(|_| TcpStream::connect(host).unwrap()).collect();
        let (first, mut lines) = ask(&bell, &request);
        assert_eq!((&*first, lines.next().as_deref()), ("HTTP/1.1 200 OK", Some("data: 0")));
        bell.ring(true);
        assert_eq!(lines.next().unwrap(), "data: 1");
        assert_eq!(bell.watched().version, 2);
        bell.ring(false);
        assert_eq!(lines.next().unwrap(), "event: stale");
        assert_eq!(ask(&bell, &request.replace(path, "/")).0, "", "without the secret");
        drop(silent);
        let pages: Vec<_> = (0..2 * PAGES_MAX).map(|_| ask(&bell, &request)).collect();
        assert!(locked(&bell.state).pages.len() <= PAGES_MAX);
        drop(pages);
    }
}
