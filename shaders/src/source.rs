//! The WGSL files of this crate: whole kernels, and the library that they import from.

use std::sync::OnceLock;
use wesl::syntax::{GlobalDeclaration, Ident, TranslationUnit};

/// A file of `wgsl/`, without its ending: `match_build`, `lib/bicyclic`.
pub(crate) struct Source {
    pub(crate) name: &'static str,
    /// The path that errors name.
    pub(crate) file: &'static str,
    pub(crate) text: &'static str,
    /// None where the text does not parse.
    tree: OnceLock<Option<TranslationUnit>>,
}

impl Source {
    /// A syntax tree of its own, if the text parses. The text is parsed once in a process, because kernels share files.
    pub(crate) fn tree(&self) -> Option<TranslationUnit> {
        let mut tree = self.tree.get_or_init(|| self.text.parse().ok()).clone()?;
        for declaration in &mut tree.global_declarations {
            // The linker renames declarations in place, and an identifier shares its name with its clones.
            if let Some(ident) = ident_of(declaration.node_mut()) {
                let name = ident.name().clone();
                *ident = Ident::new(name);
            }
        }
        Some(tree)
    }
}

fn ident_of(declaration: &mut GlobalDeclaration) -> Option<&mut Ident> {
    match declaration {
        GlobalDeclaration::Declaration(it) => Some(&mut it.ident),
        GlobalDeclaration::TypeAlias(it) => Some(&mut it.ident),
        GlobalDeclaration::Struct(it) => Some(&mut it.ident),
        GlobalDeclaration::Function(it) => Some(&mut it.ident),
        GlobalDeclaration::Void | GlobalDeclaration::ConstAssert(_) => None,
    }
}

macro_rules! sources {
    ($($name:literal,)*) => {
        /// Every file.
        pub(crate) static SOURCES: [Source; [$($name),*].len()] = [$(Source {
            name: $name,
            file: concat!($name, ".wgsl"),
            text: include_str!(concat!("../wgsl/", $name, ".wgsl")),
            tree: OnceLock::new(),
        },)*];
    };
}

sources! {
    "bin_count",
    "bin_emit",
    "bin_pieces",
    "bin_scan",
    "bin_status",
    "compact",
    "compact_markers",
    "count_markers",
    "lib/answers",
    "lib/answers_few",
    "lib/answers_host",
    "lib/answers_in_place",
    "lib/answers_monoid",
    "lib/answers_scene",
    "lib/bicyclic",
    "lib/bin_batch",
    "lib/bin_grid",
    "lib/bin_level",
    "lib/bin_segment",
    "lib/bin_status",
    "lib/bits",
    "lib/chunks",
    "lib/down_values",
    "lib/elements",
    "lib/posts",
    "lib/gaps",
    "lib/host",
    "lib/lanes",
    "lib/match_elements",
    "lib/match_incoming",
    "lib/match_tiles",
    "lib/monoid",
    "lib/marker_indices",
    "lib/rect",
    "lib/role",
    "lib/roles",
    "lib/saturating",
    "lib/scan",
    "lib/scratch",
    "lib/siblings",
    "lib/stack",
    "lib/incoming",
    "lib/stack_open",
    "lib/sums",
    "lib/thread_tree",
    "lib/threads",
    "lib/tile_opens",
    "lib/tile_products",
    "lib/value",
    "match_build",
    "match_reduce",
    "match_resolve",
    "reduce_bundles",
    "reduce_groups",
    "reduce_tiles",
    "resolve",
    "scan_counts",
    "scan_groups",
    "span",
    "spine",
}

/// The file of this name.
pub(crate) fn find(name: &str) -> Option<&'static Source> {
    SOURCES.iter().find(|source| source.name == name)
}

/// What a tag's role is where the caller does not say.
pub(crate) const ROLE: &str = include_str!("../wgsl/lib/role.wgsl");

/// The monoid, unless the caller brings another.
pub(crate) const MONOID: &str = include_str!("../wgsl/lib/monoid.wgsl");

/// The host, unless the caller brings another.
pub(crate) const HOST: &str = include_str!("../wgsl/lib/host.wgsl");

#[cfg(test)]
mod tests {
    use super::{SOURCES, ident_of};
    use std::path::Path;

    #[test]
    fn renaming_in_a_tree_changes_no_other_tree() {
        for source in &SOURCES {
            let text = || source.tree().map(|tree| tree.to_string());
            let before = text();
            let mut tree = source.tree().expect("every file parses");
            for declaration in &mut tree.global_declarations {
                ident_of(declaration.node_mut())
                    .into_iter()
                    .for_each(|it| it.rename("other".into()));
            }
            assert_eq!(text(), before, "{}", source.file);
        }
    }

    /// Subgroup operations of the stage and of matching are in a file each, as `STAGE.md` says.
    #[test]
    fn subgroup_operations_are_in_the_files_of_lane_operations() {
        let calls = |text: &str| {
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            code.flat_map(|line| line.split("subgroup").skip(1))
                .any(|rest| rest.starts_with(char::is_uppercase))
        };
        let with: Vec<_> =
            SOURCES.iter().filter(|one| calls(one.text)).map(|one| one.name).collect();
        assert_eq!(with, ["lib/chunks", "lib/lanes"]);
    }

    /// A file that is not listed would not be found, and nothing would say so before it is imported.
    #[test]
    fn every_file_is_listed() {
        let wgsl = Path::new(env!("CARGO_MANIFEST_DIR")).join("wgsl");
        for folder in ["", "lib"] {
            for entry in wgsl.join(folder).read_dir().into_iter().flatten().flatten() {
                let path = entry.path();
                let is_listed = SOURCES.iter().any(|source| wgsl.join(source.file) == path);
                assert!(is_listed || path.is_dir(), "{} is not in sources!", path.display());
            }
        }
    }
}
