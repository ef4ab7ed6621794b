//! How long a text becomes when its entities are expanded.

use crate::{Limits, Refused};
use std::collections::HashMap;

/// What an entity is, before and after its length is known.
enum Entity<'a> {
    Value(&'a str),
    Length(u64),
}

/// Refuses a text that is made too long by its entities.
///
/// Every reference counts as long as what it stands for, to the end, whether it
/// is in a place where it would be expanded or not.
pub(crate) fn check_entities(text: &str, limits: &Limits) -> Result<(), Refused> {
    let mut entities = declarations(text);
    if entities.is_empty() {
        return Ok(());
    }
    let references = text.bytes().filter(|byte| *byte == b'&').count() as u64;
    if references.saturating_mul(entities.len() as u64) > limits.entities {
        return Err(Refused::TooManyEntities { max: limits.entities });
    }
    let length = expanded(text, &mut entities, 0);
    if length > limits.expanded_bytes.max(2 * text.len() as u64) {
        let what = "the text with its entities expanded";
        return Err(Refused::TooLong { what, max: limits.expanded_bytes });
    }
    Ok(())
}

/// Every `<!ENTITY name "value">`.
fn declarations(text: &str) -> HashMap<&str, Entity<'_>> {
    let mut found = HashMap::new();
    for declaration in text.split("<!ENTITY").skip(1) {
        let declaration = declaration.trim_start();
        let Some((name, rest)) = declaration.split_once(char::is_whitespace) else {
            continue;
        };
        let rest = rest.trim_start();
        let Some(quote) = rest.chars().next().filter(|quote| matches!(quote, '"' | '\'')) else {
            continue;
        };
        if let Some((value, _)) = rest[1..].split_once(quote) {
            found.entry(name).or_insert(Entity::Value(value));
        }
    }
    found
}

/// The length of the text with what its references stand for. Recursion ends
/// where an entity is met inside itself, which the XML parser refuses anyway, and
/// at a depth that it refuses, too.
fn expanded<'a>(text: &'a str, entities: &mut HashMap<&'a str, Entity<'a>>, depth: u32) -> u64 {
    let mut length = text.len() as u64;
    for reference in text.split('&').skip(1) {
        let Some((name, _)) = reference.split_once(';') else {
            continue;
        };
        let one = match entities.get_mut(name) {
            None => 0,
            Some(Entity::Length(length)) => *length,
            Some(entity) => {
                let Entity::Value(value) = std::mem::replace(entity, Entity::Length(0)) else {
                    continue;
                };
                let length = if depth < 32 { expanded(value, entities, depth + 1) } else { 0 };
                entities.insert(name, Entity::Length(length));
                length
            }
        };
        length = length.saturating_add(one);
    }
    length
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_entities(text: &str) -> Result<(), Refused> {
        super::check_entities(text, &Limits::default())
    }

    fn bomb(levels: usize) -> String {
        let mut text = String::from("<!DOCTYPE svg [<!ENTITY e0 \"ha\">");
        for level in 1..=levels {
            let references = format!("&e{};", level - 1).repeat(10);
            text += &format!("<!ENTITY e{level} '{references}'>");
        }
        text + &format!("]><svg>&e{levels};</svg>")
    }

    #[test]
    fn tells_a_bomb_from_a_shorthand() {
        assert!(check_entities("<svg>&amp;</svg>").is_ok());
        assert!(check_entities(&bomb(3)).is_ok());
        assert!(matches!(check_entities(&bomb(8)), Err(Refused::TooLong { .. })));
        assert!(matches!(check_entities(&bomb(30)), Err(Refused::TooLong { .. })));
    }

    #[test]
    fn a_circle_ends() {
        let text = "<!ENTITY a '&b;'><!ENTITY b '&a;'>&a;";
        assert!(check_entities(text).is_ok());
    }
}
