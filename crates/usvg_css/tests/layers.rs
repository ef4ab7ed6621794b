//! Checks that files import only lower layers, without cycles.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

/// The layers from the bottom up.
const LAYERS: [&str; 4] = ["cascade", "values", "measure", "rewrite"];

/// Collects the text of each file by its module, such as `values::lengths`.
fn modules(folder: &Path, around: &str, out: &mut BTreeMap<String, String>) {
    for entry in fs::read_dir(folder).expect("a folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_stem().and_then(|name| name.to_str()).expect("a name");
        let name = if around.is_empty() { name.to_owned() } else { format!("{around}::{name}") };
        if path.is_dir() {
            modules(&path, &name, out);
        } else if name != "lib" {
            let text = fs::read_to_string(&path).expect("a text");
            let text = text.split("#[cfg(test)]").next().unwrap_or_default();
            let lines = text.lines().filter(|line| !line.trim_start().starts_with("//"));
            out.insert(name, lines.collect::<Vec<_>>().join("\n"));
        }
    }
}

/// Returns the modules that a module imports through `crate` or `super`, and its child modules.
fn imports(module: &str, all: &BTreeMap<String, String>) -> Vec<String> {
    let mut found = Vec::new();
    let mut add = |base: &str, rest: &str| {
        // One path, or several in braces.
        let several = rest.strip_prefix('{').and_then(|rest| rest.split('}').next());
        for one in several.unwrap_or(rest).split(',').take(several.map_or(1, |_| usize::MAX)) {
            let is_end = |letter: char| !letter.is_alphanumeric() && !"_:".contains(letter);
            let mut path = format!("{base}{}", one.trim().split(is_end).next().unwrap_or_default());
            while !path.is_empty() && !all.contains_key(&path) {
                path.truncate(path.rfind("::").unwrap_or(0));
            }
            assert!(!path.is_empty(), "{module} imports {one:.40}");
            found.push(path);
        }
    };
    let text = &all[module];
    text.split("crate::").skip(1).for_each(|rest| add("", rest));
    let around =
        module.rsplit_once("::").map_or(String::new(), |(around, _)| format!("{around}::"));
    text.split("super::").skip(1).for_each(|rest| add(&around, rest));
    let children = all.keys().filter(|one| one.rsplit_once("::").is_some_and(|it| it.0 == module));
    found.extend(children.cloned());
    found.retain(|one| one != module);
    found
}

#[test]
fn imports_are_acyclic_and_point_down() {
    let mut all = BTreeMap::new();
    modules(&Path::new(env!("CARGO_MANIFEST_DIR")).join("src"), "", &mut all);
    let mut left: BTreeMap<_, _> =
        all.keys().map(|one| (one.clone(), imports(one, &all))).collect();
    let layer = |module: &str| LAYERS.iter().position(|one| module.split("::").next() == Some(one));
    for (module, imported) in &left {
        for one in imported {
            assert!(layer(module).is_none() || layer(one) <= layer(module), "{module} -> {one}");
        }
    }
    while !left.is_empty() {
        let free =
            left.iter().find(|(_, imported)| imported.iter().all(|one| !left.contains_key(one)));
        let free = free.map(|(module, _)| module.clone());
        left.remove(&free.unwrap_or_else(|| panic!("a circle among {:?}", left.keys())));
    }
}
