//! Notes about ignored or approximated parts.

use crate::elements::Elements;
use std::borrow::Cow;

/// A part of the document that is left out, or read differently than in browsers.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The index of the ignored element, or of the element with the ignored property.
    pub element: u32,
    /// The ignored element or property: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Box<str>,
    /// The effect on the picture.
    pub effect: Cow<'static, str>,
}

impl Note {
    pub(crate) fn new(
        element: u32,
        what: impl Into<Box<str>>,
        effect: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self { element, what: what.into(), effect: effect.into() }
    }
}

/// The maximum number of elements named in a line.
const NAMES: usize = 3;

/// Returns the subject and the effect of one line per kind of note. Each line names the first elements.
pub(crate) fn lines(notes: &[Note], elements: &Elements) -> Vec<(String, String)> {
    let mut kinds: Vec<(Cow<str>, &str, Vec<u32>)> = Vec::new();
    for one in notes {
        let is_rule = one.what.starts_with('@') || one.what.starts_with("in an ");
        let word = one.what.split([':', ' ']).next().unwrap_or_default();
        let kind = if is_rule { &*one.what } else { word };
        match kinds.iter_mut().find(|(name, effect, _)| *name == kind && *effect == one.effect) {
            Some((.., all)) => all.push(one.element),
            None => kinds.push((kind.into(), &one.effect, vec![one.element])),
        }
    }
    kinds
        .into_iter()
        .map(|(kind, effect, mut all)| {
            all.dedup();
            let names: Vec<_> =
                all.iter().take(NAMES).map(|element| elements.name(*element)).collect();
            let more = all.len() - names.len();
            let more = if more > 0 { format!(" and {more} more") } else { String::new() };
            (format!("{kind} of {}{more}", names.join(", ")), effect.to_owned())
        })
        .collect()
}
