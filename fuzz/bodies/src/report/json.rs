//! JSON in the form of a report, or nearly.

use arbitrary::{Result, Unstructured};
use serde_json::{Map, Value, json};

/// A report with some of its values replaced by any.
pub(super) fn report(u: &mut Unstructured<'_>) -> Result<String> {
    let (mut elements, mut open) = (Vec::new(), Vec::new());
    while !u.is_empty() && elements.len() < 40 {
        let kind = kind(u, &mut open)?;
        elements.push(element(u, kind, elements.len())?);
    }
    let mut report = json!({
        "schema": "treebounds.report/1",
        "source": "a.svg",
        "width": 9.0,
        "height": 9.0,
        "viewport": edges(u)?,
        "elements": elements,
        "objects": [{"id": "a", "source": "g", "bounds": edges(u)?}],
    });
    if let (250.., Some(fields)) = (u.arbitrary::<u8>()?, report.as_object_mut()) {
        mangle(u, fields)?;
    }
    Ok(report.to_string())
}

const KINDS: [&str; 10] = [
    "draw",
    "begin_clip",
    "end_clip",
    "begin_blend",
    "end_blend",
    "begin_clip_blend",
    "end_clip_blend",
    "begin_",
    "end_no",
    "",
];

/// A kind, mostly one that nests.
fn kind(u: &mut Unstructured<'_>, open: &mut Vec<&'static str>) -> Result<&'static str> {
    Ok(match u.arbitrary::<u8>()? {
        253.. => KINDS[usize::from(u.arbitrary::<u8>()?) % KINDS.len()],
        begin @ 0..80 => {
            let which = 1 + 2 * usize::from(begin % 3);
            open.push(KINDS[which + 1]);
            KINDS[which]
        }
        80..160 => open.pop().unwrap_or("draw"),
        _ => "draw",
    })
}

fn element(u: &mut Unstructured<'_>, kind: &str, ix: usize) -> Result<Value> {
    let mut element = json!({
        "ix": ix,
        "kind": kind,
        "source": if u.arbitrary::<bool>()? { "path" } else { "g" },
        "rect": edges(u)?,
        "bounds": edges(u)?,
    });
    let options = u.arbitrary::<u8>()?;
    if let Some(fields) = element.as_object_mut() {
        if options & 1 != 0 {
            fields.insert("id".into(), ["a", "b", "</script>"][usize::from(options) % 3].into());
        }
        if options & 2 != 0 {
            fields.insert("path".into(), format!("svg/g[{}]", options % 4).into());
        }
        if options & 4 != 0 {
            fields.insert("own".into(), edges(u)?);
        }
        if options & 24 == 24 {
            fields.insert("non_local".into(), (options & 32 != 0).into());
        }
        if options == 255 {
            mangle(u, fields)?;
        }
    }
    Ok(element)
}

/// Four numbers, `null` or a word.
fn edges(u: &mut Unstructured<'_>) -> Result<Value> {
    Ok(match u.arbitrary::<u8>()? {
        0..20 => Value::Null,
        20..40 => "everything".into(),
        255 if u.arbitrary::<u8>()? < 32 => any(u, 0)?,
        _ => u.arbitrary::<[i8; 4]>()?.map(f64::from).to_vec().into(),
    })
}

/// Takes a field out, or gives it any value.
fn mangle(u: &mut Unstructured<'_>, fields: &mut Map<String, Value>) -> Result<()> {
    let which = usize::from(u.arbitrary::<u8>()?) % fields.len().max(1);
    let Some(name) = fields.keys().nth(which).cloned() else { return Ok(()) };
    if u.arbitrary()? {
        fields.remove(&name);
    } else {
        let value = any(u, 0)?;
        fields.insert(name, value);
    }
    Ok(())
}

/// Any JSON, a few levels deep.
fn any(u: &mut Unstructured<'_>, depth: u8) -> Result<Value> {
    Ok(match u.arbitrary::<u8>()? % 9 {
        0 => Value::Null,
        1 => u.arbitrary::<bool>()?.into(),
        2 => u.arbitrary::<i64>()?.into(),
        3 => f64::from_bits(u.arbitrary()?).into(),
        4 => 1e39.into(),
        5 => u.arbitrary::<&str>()?.into(),
        6 => [1, 2, 3, 4, 5][..usize::from(u.arbitrary::<u8>()? % 6)].to_vec().into(),
        7 if depth < 4 => Value::Array(vec![any(u, depth + 1)?; 3]),
        _ if depth < 4 => json!({ "x0": any(u, depth + 1)? }),
        _ => Value::Null,
    })
}
