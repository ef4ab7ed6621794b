//! ES modules as one script: imports go, exports stay as names.
//!
//! All modules then share one scope, so a top-level name is used by one module alone. A test holds the files to that.

/// The modules, one after another, those first that others need while they load.
pub(crate) fn joined(modules: &[(&str, &str)]) -> String {
    let mut script = String::new();
    for (name, source) in modules {
        script.push_str("// ");
        script.push_str(name);
        script.push('\n');
        script.push_str(&alone(source));
    }
    script
}

/// A module without its imports, and without the word `export`.
fn alone(source: &str) -> String {
    let mut out = String::with_capacity(source.len());
    let mut in_import = false;
    for line in source.lines() {
        in_import |= line.starts_with("import ");
        if in_import {
            in_import = !line.trim_end().ends_with("\";");
            continue;
        }
        out.push_str(line.strip_prefix("export ").unwrap_or(line));
        out.push('\n');
    }
    out
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::MODULES;
    use std::collections::HashMap;

    #[test]
    fn imports_of_one_line_and_of_more_are_left_out() {
        let module = "import { a } from \"./a.js\";\nimport {\n    b,\n} from \"./b.js\";\nexport const c = a + b;\n";
        assert_eq!(alone(module), "const c = a + b;\n");
    }

    /// The names that a module declares at its top level.
    fn names(source: &str) -> impl Iterator<Item = &str> {
        source.lines().filter_map(|line| {
            let line = line.strip_prefix("export ").unwrap_or(line);
            let line = line.strip_prefix("async ").unwrap_or(line);
            let rest = ["function ", "const ", "let ", "class "]
                .iter()
                .find_map(|word| line.strip_prefix(word))?;
            rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()
        })
    }

    #[test]
    fn no_two_modules_share_a_name() {
        let mut owners: HashMap<&str, &str> = HashMap::new();
        for (module, source) in MODULES {
            for name in names(source) {
                if let Some(other) = owners.insert(name, module) {
                    assert_eq!(other, *module, "`{name}` is a name of {other} and of {module}");
                }
            }
        }
        assert!(owners.len() > 100);
    }

    #[test]
    fn modules_import_what_is_there() {
        for (module, source) in MODULES {
            for import in source.split("import {").skip(1) {
                let (wanted, rest) = import.split_once('}').unwrap();
                let file = rest.split('"').nth(1).unwrap().trim_start_matches("./");
                let (_, exporter) = MODULES.iter().find(|(name, _)| *name == file).unwrap();
                for name in wanted.split(',').map(str::trim).filter(|name| !name.is_empty()) {
                    let has = ["function", "const", "class"]
                        .iter()
                        .any(|word| exporter.contains(&format!("export {word} {name}")));
                    assert!(has, "{module} imports {name}, which {file} lacks");
                    let uses = source.matches(name).count();
                    assert!(uses > 1, "{module} imports {name} and does not use it");
                }
            }
        }
    }
}
