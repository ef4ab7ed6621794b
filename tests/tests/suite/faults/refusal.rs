//! How a case ends: right, or refused with a typed error.

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
