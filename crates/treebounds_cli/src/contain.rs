//! Stands in for `usvg_guard::contain`.
#![allow(unreachable_pub)]
#![allow(missing_docs, dead_code)]

use std::{
    ffi::OsString,
    fmt,
    io::{self, Read, Write},
    ops::ControlFlow,
    process::{Child, Command, Stdio},
    sync::mpsc::{RecvTimeoutError, sync_channel},
    time::{Duration, Instant},
};

const VARIABLE: &str = "SVG_CLIPS_STANDS_IN";

pub type Work<'a> = &'a mut dyn FnMut(&[u8], &mut Messages) -> Result<(), String>;
pub struct Messages;
impl Messages {
    pub fn send(&mut self, message: &[u8]) -> io::Result<()> {
        write(&mut io::stdout().lock(), message)
    }
}
fn write(to: &mut impl Write, message: &[u8]) -> io::Result<()> {
    to.write_all(&(message.len() as u64).to_le_bytes())?;
    to.write_all(message)?;
    to.flush()
}
fn read(from: &mut impl Read) -> io::Result<Vec<u8>> {
    let mut length = [0; 8];
    from.read_exact(&mut length)?;
    let mut bytes = Vec::new();
    from.take(u64::from_le_bytes(length)).read_to_end(&mut bytes)?;
    Ok(bytes)
}
pub fn worker_arguments() -> Option<Vec<OsString>> {
    std::env::var_os(VARIABLE).map(|_| std::env::args_os().collect())
}
pub fn serve(works: &mut [(&str, Work<'_>)]) {
    if std::env::var_os(VARIABLE).is_none() {
        return;
    }
    #[cfg(unix)]
    {
        let bytes: u64 = std::env::var(VARIABLE).unwrap_or_default().parse().unwrap_or(1 << 32);
        let _ = rlimit::Resource::DATA.set(bytes, bytes);
        let _ = rlimit::Resource::CORE.set(0, 0);
    }
    let (send, jobs) = sync_channel(0);
    std::thread::spawn(move || {
        while let Ok(job) = read(&mut io::stdin().lock()) {
            let _ = send.send(job);
        }
        std::process::exit(0)
    });
    for job in jobs {
        let _ = works[0].1(&job, &mut Messages);
        let _ = Messages.send(b"");
    }
    std::process::exit(0)
}
pub struct Limits {
    pub time: Duration,
    pub memory: u64,
    pub message_bytes: u64,
    pub answer_bytes: u64,
}
impl Default for Limits {
    fn default() -> Self {
        Self {
            time: Duration::from_secs(2),
            memory: 1 << 30,
            message_bytes: 1 << 20,
            answer_bytes: 1 << 28,
        }
    }
}
#[derive(Debug)]
pub enum Ended {
    Failed(String),
    Time { limit: Duration },
    Memory { limit: u64 },
    Stack,
    Panic(String),
    Crash(String),
    Bytes { limit: u64 },
    NotStarted(String),
    Stopped,
}
impl fmt::Display for Ended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{self:?}")
    }
}
pub struct Pool(Vec<OsString>, std::cell::RefCell<Option<Child>>);
impl Pool {
    pub fn new() -> Self {
        Self(vec![], Default::default())
    }
    pub fn arguments(self, arguments: impl IntoIterator<Item = OsString>) -> Self {
        Self(arguments.into_iter().collect(), self.1)
    }
    pub fn run(
        &self,
        _: &str,
        job: &[&[u8]],
        limits: &Limits,
        each: &mut dyn FnMut(&[u8]) -> ControlFlow<()>,
    ) -> Result<(), Ended> {
        let none = |error: io::Error| Ended::NotStarted(error.to_string());
        let mut child = Command::new(std::env::current_exe().map_err(none)?)
            .args(&self.0)
            .env(VARIABLE, limits.memory.to_string())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .map_err(none)?;
        let (mut stdin, mut stdout, mut stderr) = (
            child.stdin.take().unwrap(),
            child.stdout.take().unwrap(),
            child.stderr.take().unwrap(),
        );
        let (send, messages) = sync_channel(4);
        std::thread::spawn(move || {
            while let Ok(message) = read(&mut stdout) {
                if send.send(message).is_err() {
                    break;
                }
            }
        });
        let said = std::thread::spawn(move || {
            let mut said = String::new();
            let _ = stderr.read_to_string(&mut said);
            said
        });
        let _ = write(&mut stdin, &job.concat());
        let end = Instant::now() + limits.time;
        let ended = loop {
            match messages.recv_timeout(end.saturating_duration_since(Instant::now())) {
                Ok(message) if message.is_empty() => break Ok(()),
                Ok(message) => {
                    if each(&message).is_break() {
                        break Err(Ended::Stopped);
                    }
                }
                Err(RecvTimeoutError::Timeout) => break Err(Ended::Time { limit: limits.time }),
                Err(RecvTimeoutError::Disconnected) => break Err(Ended::Crash(String::new())),
            }
        };
        let _ = child.kill();
        let status = child.wait();
        let said = said.join().unwrap();
        match ended {
            Err(Ended::Crash(_)) if said.contains("overflowed its stack") => Err(Ended::Stack),
            Err(Ended::Crash(_)) if said.contains("memory") => Err(Ended::Memory { limit: 0 }),
            Err(Ended::Crash(_)) => match said.find("panicked at ") {
                Some(at) => Err(Ended::Panic(said[at..].to_owned())),
                None => {
                    Err(Ended::Crash(status.map_or(String::new(), |status| status.to_string())))
                }
            },
            other => other,
        }
    }
}
