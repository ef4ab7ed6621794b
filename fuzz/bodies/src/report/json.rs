//! The JSON of a report with some of its values changed.

use arbitrary::{Result, Unstructured};
use serde_json::{Value, json};

/// Changes up to three values anywhere in the report, or takes them out.
pub(super) fn mangle(u: &mut Unstructured<'_>, report: &mut Value) -> Result<()> {
    for _ in 0..u.arbitrary::<u8>()? % 4 {
        place(u, report)?;
    }
    Ok(())
}

/// Goes down to a random value, and changes it.
fn place(u: &mut Unstructured<'_>, value: &mut Value) -> Result<()> {
    let stay = u.arbitrary::<u8>()? < 32;
    match value {
        Value::Array(items) if !stay && !items.is_empty() => {
            let at = u.choose_index(items.len())?;
            place(u, &mut items[at])
        }
        Value::Object(fields) if !stay && !fields.is_empty() => {
            let at = u.choose_index(fields.len())?;
            let Some(name) = fields.keys().nth(at).cloned() else { return Ok(()) };
            if u.arbitrary::<u8>()? < 32 {
                fields.remove(&name);
                return Ok(());
            }
            fields.get_mut(&name).map_or(Ok(()), |field| place(u, field))
        }
        _ => {
            *value = any(u, 0)?;
            Ok(())
        }
    }
}

/// Any JSON, a few levels deep; among it the words that reports are made of.
fn any(u: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    const WORDS: [&str; 8] =
        ["draw", "begin_clip", "end_blend", "begin_", "everything", "svg/g[2]", "</script>", ""];
    Ok(match u.arbitrary::<u8>()? % 10 {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i64>()?.into(),
        3 => f64::from_bits(u.arbitrary()?).into(),
        4 => 1e39.into(),
        5 => u.arbitrary::<&str>()?.into(),
        6 => (*u.choose(&WORDS)?).into(),
        7 => [1, 2, 3, 4, 5][..usize::from(u.arbitrary::<u8>()? % 6)].to_vec().into(),
        8 if depth < 4 => Value::Array(vec![any(u, depth + 1)?; 3]),
        _ if depth < 4 => json!({ "x0": any(u, depth + 1)? }),
        _ => Value::Null,
    })
}
