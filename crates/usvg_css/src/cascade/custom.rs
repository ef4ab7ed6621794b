//! Custom properties.

use super::sheets::Declaration;
use std::borrow::Cow;
use std::collections::HashMap;
use std::rc::Rc;

/// The values of custom properties, with all references substituted.
pub(crate) type Custom = HashMap<Box<str>, Rc<str>>;

/// Adds the custom properties that an element declares to the inherited ones.
pub(crate) fn declare(declared: &[Declaration], custom: &mut Rc<Custom>) {
    let own = || declared.iter().filter(|one| one.name.starts_with("--"));
    if own().next().is_none() {
        return;
    }
    let outer = Rc::clone(custom);
    let custom = Rc::make_mut(custom);
    for (at, one) in declared.iter().enumerate().filter(|(_, one)| one.name.starts_with("--")) {
        let mut before = declared[..at].iter().rev();
        let value = match &*one.value.to_ascii_lowercase() {
            "revert-layer" => before
                .find(|below| below.name == one.name && below.layer != one.layer)
                .map_or("inherit", |below| &below.value),
            _ => &one.value,
        };
        let value = match &*value.to_ascii_lowercase() {
            "initial" => None,
            "inherit" | "unset" | "revert" => outer.get(&one.name).cloned(),
            _ => Some(value.into()),
        };
        match value {
            Some(value) => drop(custom.insert(one.name.clone(), value)),
            None => drop(custom.remove(&one.name)),
        }
    }
    // References between custom properties are resolved here, not where they are used.
    for one in own() {
        let Some(value) = custom.get(&one.name).cloned() else { continue };
        match substitute(&value, custom) {
            Some(Cow::Owned(value)) => drop(custom.insert(one.name.clone(), value.into())),
            Some(_) => {}
            None => drop(custom.remove(&one.name)),
        }
    }
}

/// The maximum depth of references between custom properties, and the maximum length of a value.
const CUSTOM_DEPTH: u32 = 16;
const CUSTOM_LENGTH: usize = 1 << 14;

/// Substitutes the custom properties in a value; `None` if one has no value.
pub(crate) fn substitute<'v>(value: &'v str, custom: &Custom) -> Option<Cow<'v, str>> {
    if !value.contains('(') || next_reference(value).is_none() {
        return Some(Cow::Borrowed(value));
    }
    let mut left = CUSTOM_LENGTH;
    fill_in(value, custom, CUSTOM_DEPTH, &mut left).map(Cow::Owned)
}

/// Returns the position of the next reference to a property.
fn next_reference(value: &str) -> Option<usize> {
    let lower = value.to_ascii_lowercase();
    // `env()` supports only safe areas, which are 0 on a screen; otherwise, its fallback applies.
    lower.find("var(").into_iter().chain(lower.find("env(")).min()
}

fn fill_in(value: &str, custom: &Custom, depth: u32, left: &mut usize) -> Option<String> {
    let depth = depth.checked_sub(1)?;
    *left = left.checked_sub(value.len())?;
    let Some(at) = next_reference(value) else { return Some(value.to_owned()) };
    let (before, rest) = (&value[..at], &value[at + "var(".len()..]);
    let mut open = 1_u32;
    let end = rest.find(|letter| {
        match letter {
            '(' => open += 1,
            ')' => open -= 1,
            _ => {}
        }
        open == 0
    });
    // CSS closes open parentheses at the end.
    let end = end.unwrap_or(rest.len());
    let (inner, after) = (&rest[..end], rest.get(end + 1..).unwrap_or_default());
    let (name, fallback) = inner.split_once(',').map_or((inner, None), |(a, b)| (a, Some(b)));
    let found = custom.get(name.trim()).map(|found| fill_in(found.trim(), custom, depth, left));
    let found = match found.flatten() {
        Some(found) => found,
        None if name.trim().starts_with("safe-area-inset-") => "0px".to_owned(),
        None => fill_in(fallback?.trim(), custom, depth, left)?,
    };
    let mut out = before.to_owned() + &found;
    if after.starts_with(|next: char| next.is_alphanumeric() || "%_-".contains(next)) {
        // Prevents a number from merging with a following unit.
        out += "/**/";
    }
    // Several references in one value are not nested.
    out += &fill_in(after, custom, depth.max(1), left)?;
    Some(out)
}
