//! Notes about what is left out or approximated.

use crate::elements::Elements;
use std::borrow::Cow;

/// A part of the document that is left out, or read in another way than browsers read it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Note {
    /// The index of the element that it is, or that has it.
    pub element: u32,
    /// What it is: `foreignObject`, `animate`, `transform: rotateX(...)`, ...
    pub what: Box<str>,
    /// How that affects the picture.
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

/// The most elements that a line names.
const NAMES: usize = 3;

/// One line for each kind of thing that is left out, which names the first elements with it: what, and the effect.
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
