//! The process that watches.

use super::progress::Progress;
use super::{Failure, Plan, Tally};
use crate::{Seeds, Target};
use std::fs::{self, File};
use std::io::{self, Read};
use std::process::{Child, Command, Stdio};
use std::thread::sleep;
use std::time::{Duration, Instant};

/// No input may take longer on a core.
const MOST_TIME: Duration = Duration::from_secs(20);
/// Nor longer than this by the clock: it waits for what does not come. A GPU's first frame waits for its kernels.
const MOST_WAIT: Duration = Duration::from_secs(300);
/// So many failures end the run of a target.
const MOST_FAILURES: usize = 10;
/// How often the child is looked at.
const TICK: Duration = Duration::from_millis(50);

/// Runs a target for as long as the plan says, in child processes, each of which goes on behind the input on which the one
/// before fell over.
///
/// # Errors
/// What starting processes and writing files says.
pub fn run_all(target: &Target, plan: &Plan) -> io::Result<Tally> {
    let end = Instant::now() + plan.time;
    let seeds = Seeds::of(target.name)?;
    let mut tally = Tally { next: plan.first, ..Tally::default() };
    while tally.failures.len() < MOST_FAILURES {
        let left = end.saturating_duration_since(Instant::now());
        let end = watch(target, (plan.seed, tally.next), left, Pace::blocks(target))?;
        add(&mut tally, &end.progress);
        let Some(what) = end.what else { return Ok(tally) };
        // Which of the block it was; where the child says so itself, its note is exact.
        let hour = Duration::from_secs(3600);
        let again = watch(target, (plan.seed, tally.next), hour, Pace::one_by_one(target))?;
        let what = match again {
            End { progress, what: Some(what) } => {
                add(&mut tally, &progress);
                what
            }
            _ => format!("{what} (not when run again)"),
        };
        let index = tally.next;
        fs::create_dir_all(&plan.failures)?;
        let file = plan.failures.join(format!("{}-{}-{index}", target.name, plan.seed));
        fs::write(&file, target.input(&seeds, plan.seed, index))?;
        tally.failures.push(Failure { index, what, file });
        tally.next += 1;
    }
    Ok(tally)
}

/// Inputs between two notes, and how many in all.
#[derive(Clone, Copy, Debug)]
struct Pace {
    block: u64,
    most: u64,
}

impl Pace {
    fn blocks(target: &Target) -> Self {
        Self { block: target.block, most: u64::MAX }
    }

    /// Of one block.
    fn one_by_one(target: &Target) -> Self {
        Self { block: 1, most: target.block }
    }
}

fn add(tally: &mut Tally, progress: &Progress) {
    tally.next = progress.next;
    tally.executions += progress.executions;
    tally.outcome += progress.outcome;
}

/// How a child ended: how far it was, and what did not hold.
struct End {
    progress: Progress,
    what: Option<String>,
}

/// Starts a child and waits for its end; kills it where it stands still.
fn watch(
    target: &Target,
    (seed, first): (u64, u64),
    time: Duration,
    pace: Pace,
) -> io::Result<End> {
    let mut note = tempfile::NamedTempFile::new()?;
    let mut child = Command::new(std::env::current_exe()?)
        .args([target.name, "--child"])
        .args(["--seconds", &time.as_secs_f64().to_string()])
        .args(["--seed", &seed.to_string(), "--from", &first.to_string()])
        .args(["--block", &pace.block.to_string(), "--most", &pace.most.to_string(), "--note"])
        .arg(note.path())
        .stdin(Stdio::null())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()?;
    let stood_still = wait(&mut child, note.as_file_mut(), target)?;
    let status = child.wait()?;
    let mut said = String::new();
    child.stdout.take().map_or(Ok(0), |mut stdout| stdout.read_to_string(&mut said))?;
    let progress = Progress::read(note.as_file_mut())?;
    let what = match (stood_still, status.success()) {
        (true, _) => Some(format!("took more than {} seconds", MOST_TIME.as_secs())),
        (false, true) => None,
        (false, false) if said.trim().is_empty() => Some(format!("the process ended: {status}")),
        (false, false) => Some(said.trim().to_owned()),
    };
    let unstarted = Progress { next: first, ..Progress::default() };
    Ok(End { progress: progress.unwrap_or(unstarted), what })
}

/// Waits until the child ends; true where it stood still and was killed. A block may take as long as an input.
fn wait(child: &mut Child, note: &mut File, target: &Target) -> io::Result<bool> {
    let mut last = None;
    let mut since = (Instant::now(), cpu_time(child));
    while child.try_wait()?.is_none() {
        let now = Progress::read(note)?;
        if now != last {
            last = now;
            since = (Instant::now(), cpu_time(child));
        }
        let is_first = now.is_none_or(|progress| progress.executions == 0);
        let compiles = is_first && target.memory.is_none();
        let worked = cpu_time(child).zip(since.1).map(|(now, then)| now.saturating_sub(then));
        if worked.is_some_and(|worked| worked > MOST_TIME && !compiles)
            || since.0.elapsed() > MOST_WAIT
        {
            child.kill()?;
            return Ok(true);
        }
        sleep(TICK);
    }
    Ok(false)
}

/// How long the cores have worked for the child, where the system says so: on a busy machine, less than the time that
/// went by. After proc(5): the 14th and 15th field, in hundredths of a second; the second may have spaces.
fn cpu_time(child: &Child) -> Option<Duration> {
    let stat = fs::read_to_string(format!("/proc/{}/stat", child.id())).ok()?;
    let fields = stat.rsplit_once(')')?.1.split_whitespace();
    let ticks: Option<u64> = fields.skip(11).take(2).map(|field| field.parse::<u64>().ok()).sum();
    ticks.map(|ticks| Duration::from_millis(10 * ticks))
}
