//! The table of cases: runs each, judges and prints its ending, and checks that a healthy device still works.

use crate::faults::lab::Lab;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Right, or why not.
pub(crate) type Ending = Result<(), Refusal>;

/// A typed error, as a table shows it.
#[derive(Clone, Debug)]
pub(crate) struct Refusal {
    /// The name of its variant.
    pub(crate) kind: String,
    /// What it says.
    pub(crate) text: String,
}

impl Refusal {
    /// The kind of an answer that is not the reference's.
    pub(crate) const WRONG: &'static str = "Wrong";
    /// The kind of an error that wgpu gave to a call of the test's own.
    pub(crate) const WGPU: &'static str = "wgpu";

    fn new(kind: &str, text: impl Into<String>) -> Self {
        Self { kind: kind.to_owned(), text: text.into() }
    }

    /// An answer that is not the reference's.
    pub(crate) fn wrong(text: impl Into<String>) -> Self {
        Self::new(Self::WRONG, text)
    }

    /// An error of wgpu.
    pub(crate) fn wgpu(text: impl Into<String>) -> Self {
        Self::new(Self::WGPU, text)
    }
}

/// The name of an enum's variant.
fn variant(error: &impl std::fmt::Debug) -> String {
    let debug = format!("{error:?}");
    debug.split(|c: char| !c.is_alphanumeric()).next().unwrap_or_default().to_owned()
}

impl From<treebounds::Error> for Refusal {
    fn from(error: treebounds::Error) -> Self {
        Self::new(&variant(&error), error.to_string())
    }
}

impl From<treebounds_vello::Error> for Refusal {
    fn from(error: treebounds_vello::Error) -> Self {
        match error {
            treebounds_vello::Error::Stage(error) => error.into(),
            error => Self::new(&variant(&error), error.to_string()),
        }
    }
}

/// The ending of something that is made.
pub(crate) fn made<T>(made: Result<T, impl Into<Refusal>>) -> Ending {
    made.map(|_| ()).map_err(Into::into)
}

/// How a case must end.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Expect<'a> {
    /// With the reference's answer.
    Right,
    /// With an error of one of these kinds that mentions this word.
    Refused(&'a [&'a str], &'a str),
    /// With any typed error.
    AnyError,
    /// With the reference's answer or with a typed error.
    Either,
}

/// Cases on the devices of a lab.
pub(crate) struct Table<'a> {
    lab: &'a Lab,
    filter: &'a str,
    pub(crate) tally: Tally,
}

/// How many cases ran, and those that failed.
#[derive(Default)]
pub(crate) struct Tally {
    cases: usize,
    failures: Vec<String>,
}

impl<'a> Table<'a> {
    /// An empty table, for cases whose names begin so.
    pub(crate) fn new(lab: &'a Lab, filter: &'a str) -> Self {
        Self { lab, filter, tally: Tally::default() }
    }

    /// Whether a name that begins so may be wanted.
    pub(crate) fn wants(&self, start: &str) -> bool {
        wants(self.filter, start)
    }

    /// Runs a case, if it is wanted.
    pub(crate) fn case(&mut self, name: &str, expect: Expect<'_>, run: impl FnOnce() -> Ending) {
        if !name.starts_with(self.filter) {
            return;
        }
        let ending = catch_unwind(AssertUnwindSafe(run)).map_err(|panic| message(&*panic));
        let unseen = self.lab.errors();
        let problem = match &ending {
            Err(panic) => Some(format!("panicked: {panic}")),
            Ok(_) if !unseen.is_empty() => {
                Some(format!("reached the device's handler: {unseen:?}"))
            }
            Ok(ending) => problem(ending, expect),
        };
        let next = match catch_unwind(AssertUnwindSafe(|| self.lab.next_frame())) {
            Ok(Ok(())) => None,
            Ok(Err(why)) => Some(format!("the next frame: {why}")),
            Err(panic) => Some(format!("the next frame panicked: {}", message(&*panic))),
        };
        let ended = match &ending {
            Ok(Ok(())) => "right".to_owned(),
            Ok(Err(Refusal { kind, text })) => format!("{kind}: {text}"),
            Err(_) => "panicked".to_owned(),
        };
        println!("{name:<52} {ended}");
        self.tally.cases += 1;
        for problem in problem.into_iter().chain(next) {
            println!("FAILED {name}: {problem}");
            self.tally.failures.push(format!("{name}: {problem}"));
        }
    }
}

impl Tally {
    /// These and those.
    pub(crate) fn and(mut self, others: Self) -> Self {
        self.cases += others.cases;
        self.failures.extend(others.failures);
        self
    }

    /// Fails where a case failed, or where there were too few of all.
    pub(crate) fn finish(self, filter: &str, least: usize) {
        println!("{} cases, {} failures", self.cases, self.failures.len());
        assert!(self.failures.is_empty(), "\n{}\n", self.failures.join("\n"));
        assert!(!filter.is_empty() || self.cases >= least, "{} cases ran", self.cases);
        assert!(self.cases > 0, "no case begins with {filter}");
    }
}

/// Whether a filter wants cases whose names begin so.
pub(crate) fn wants(filter: &str, start: &str) -> bool {
    filter.starts_with(start) || start.starts_with(filter)
}

fn message(panic: &(dyn std::any::Any + Send)) -> String {
    let text = panic.downcast_ref::<String>().cloned();
    let text = text.or_else(|| panic.downcast_ref::<&str>().map(|text| (*text).to_owned()));
    text.unwrap_or_else(|| "with no text".to_owned())
}

/// What is wrong with an ending.
fn problem(ending: &Ending, expect: Expect<'_>) -> Option<String> {
    let refusal = match (ending, expect) {
        (Ok(()), Expect::Right | Expect::Either) => return None,
        (Ok(()), _) => return Some(format!("ended right, expected {expect:?}")),
        (Err(refusal), _) => refusal,
    };
    let Refusal { kind, text } = refusal;
    let is_expected = match expect {
        Expect::Right => false,
        Expect::Refused(kinds, word) => kinds.contains(&&**kind) && text.contains(word),
        Expect::AnyError | Expect::Either => kind != Refusal::WRONG,
    };
    if !is_expected {
        return Some(format!("{kind}: {text}; expected {expect:?}"));
    }
    let has_words = text.split_whitespace().count() >= 3 && !text.contains('\n');
    (!has_words).then(|| format!("an error is one line of words, not {text:?}"))
}
