//! Hashes the looks of a drawing's draws: their paint, and the paint of the groups around them. Colours and gradients
//! count, ids do not.

use std::{
    collections::HashMap,
    hash::{DefaultHasher, Hash, Hasher},
};

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Look {
    /// Its paint, independent of its place.
    pub(crate) paint: u64,
    /// Its paint, outline and place.
    pub(crate) whole: u64,
}

/// Attributes that depend on the place of an element.
const PLACES: [&str; 18] = [
    "d",
    "transform",
    "gradientTransform",
    "patternTransform",
    "x",
    "y",
    "width",
    "height",
    "x1",
    "y1",
    "x2",
    "y2",
    "cx",
    "cy",
    "r",
    "fx",
    "fy",
    "points",
];

/// Returns the looks of the draws of a drawing, in paint order. The drawing must be written by usvg: there is no text
/// between elements, and each draw is a path or an image.
pub(crate) fn looks(drawing: &str) -> Vec<Look> {
    let tags: Vec<_> = drawing.split('<').skip(1).map(Tag::of).collect();
    let definitions = Definitions::of(&tags);
    let (mut found, mut open, mut depth_of_definitions) = (Vec::new(), Vec::new(), 0_usize);
    for tag in &tags {
        match (tag.name, tag.is_end) {
            ("defs", false) if !tag.is_empty => depth_of_definitions += 1,
            ("defs", true) => depth_of_definitions = depth_of_definitions.saturating_sub(1),
            _ if depth_of_definitions > 0 => {}
            ("path" | "image", false) => {
                let all = open.iter().chain([tag]);
                let look = |with_place| definitions.hash(all.clone(), with_place, DEPTH);
                found.push(Look { paint: look(false), whole: look(true) });
            }
            ("g", true) => drop(open.pop()),
            ("g", false) if !tag.is_empty => open.push(*tag),
            _ => {}
        }
    }
    found
}

#[derive(Clone, Copy)]
struct Tag<'a> {
    name: &'a str,
    attributes: &'a str,
    is_end: bool,
    is_empty: bool,
}

impl<'a> Tag<'a> {
    fn of(text: &'a str) -> Self {
        let text = text.rsplit_once('>').map_or(text, |(tag, _)| tag);
        let (is_end, is_empty) = (text.starts_with('/'), text.ends_with('/'));
        let text = text.trim_matches('/');
        let (name, attributes) = text.split_once(' ').unwrap_or((text, ""));
        Self { name, attributes, is_end, is_empty }
    }

    fn attributes(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        let mut parts = self.attributes.split('"');
        std::iter::from_fn(move || {
            let name = parts.next()?.trim().strip_suffix('=')?;
            Some((name, parts.next()?))
        })
    }

    fn id(&self) -> Option<&'a str> {
        self.attributes().find(|(name, _)| *name == "id").map(|(_, id)| id)
    }
}

/// The maximum depth of references between definitions.
const DEPTH: u32 = 16;

/// The definitions of a drawing by id, each with all its tags.
struct Definitions<'a>(HashMap<&'a str, &'a [Tag<'a>]>);

impl<'a> Definitions<'a> {
    fn of(tags: &'a [Tag<'a>]) -> Self {
        let mut found = HashMap::new();
        let mut open: Vec<usize> = Vec::new();
        for (at, tag) in tags.iter().enumerate() {
            let start = match (tag.is_end, tag.is_empty) {
                (true, _) => open.pop(),
                (false, true) => Some(at),
                (false, false) => {
                    open.push(at);
                    None
                }
            };
            if let Some(start) = start
                && tag.name != "g"
                && let Some(id) = tags.get(start).and_then(Tag::id)
            {
                found.insert(id, tags.get(start..=at).unwrap_or_default());
            }
        }
        Self(found)
    }

    /// Hashes tags and the definitions they refer to.
    fn hash<'t>(&self, tags: impl Iterator<Item = &'t Tag<'a>>, with_place: bool, depth: u32) -> u64
    where
        'a: 't,
    {
        let mut hash = DefaultHasher::new();
        for tag in tags {
            // A group without attributes has no effect.
            let all = tag.attributes().filter(|(name, _)| *name != "id");
            let mut all = all.filter(|(name, _)| with_place || !PLACES.contains(name)).peekable();
            if tag.name != "g" || all.peek().is_some() {
                tag.name.hash(&mut hash);
            }
            for (name, value) in all {
                name.hash(&mut hash);
                let id = value.strip_prefix("url(#").and_then(|rest| rest.split(')').next());
                match id.and_then(|id| self.0.get(id)).filter(|_| depth > 0) {
                    Some(tags) => self.hash(tags.iter(), with_place, depth - 1).hash(&mut hash),
                    None => value.hash(&mut hash),
                }
            }
        }
        hash.finish()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paint_and_place_are_hashed_separately() {
        let one = |fill: &str, d: &str, stop: &str, opacity: &str| {
            let text = format!(
                r#"<svg><defs><linearGradient id="7" x1="{d}"><stop stop-color="{stop}"/></linearGradient></defs><g id="a" opacity="{opacity}"><g><path id="b" fill="{fill}" d="{d}"/></g></g></svg>"#
            );
            looks(&text)
        };
        let old = one("url(#7)", "M0 0", "red", ".5");
        assert_eq!(old.len(), 1);
        assert_eq!(one("url(#7)", "M0 0", "red", ".5"), old);
        let moved = one("url(#7)", "M1 1", "red", ".5");
        assert_eq!((moved[0].paint, moved[0].whole == old[0].whole), (old[0].paint, false));
        for other in [
            one("blue", "M0 0", "red", ".5"),
            one("url(#7)", "M0 0", "blue", ".5"),
            one("url(#7)", "M0 0", "red", ".6"),
        ] {
            assert_ne!(other[0].paint, old[0].paint);
        }
    }
}
