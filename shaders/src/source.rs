//! The WGSL files: the kernels, and the library that they import from.

use crate::layout;
use crate::wgsl::{Module, Token, tokens};
use std::borrow::Cow;
use std::sync::OnceLock;

/// A file of `wgsl/`.
struct Source {
    /// The path without the extension, such as `match_build` or `lib/bicyclic`.
    name: &'static str,
    /// The path in error messages.
    file: &'static str,
    text: &'static str,
    /// Kernels share files, so each file is tokenized once per process.
    tokens: OnceLock<Vec<Token>>,
}

macro_rules! sources {
    ($($name:literal,)*) => {
        /// Every file.
        static SOURCES: [Source; [$($name),*].len()] = [$(Source {
            name: $name,
            file: concat!($name, ".wgsl"),
            text: include_str!(concat!("../wgsl/", $name, ".wgsl")),
            tokens: OnceLock::new(),
        },)*];
    };
}

sources! {
    "bin_count",
    "bin_emit",
    "bin_pieces",
    "bin_scan",
    "bin_status",
    "bracket_finish",
    "bracket_reduce",
    "bracket_scan",
    "clip_bounds",
    "compact",
    "compact_markers",
    "count_markers",
    "damage_clear",
    "damage_mark",
    "filter_count",
    "filter_forward",
    "filter_gather",
    "filter_reverse",
    "filter_scan",
    "filter_scatter",
    "lib/adapter",
    "lib/answers_adapter",
    "lib/answers_few",
    "lib/answers_filtered",
    "lib/answers_in_place",
    "lib/answers_monoid",
    "lib/answers_scene",
    "lib/answers_shared",
    "lib/beyond",
    "lib/bicyclic",
    "lib/bin_batch",
    "lib/bin_grid",
    "lib/bin_level",
    "lib/bin_segment",
    "lib/bin_status",
    "lib/bits",
    "lib/bracket_rows",
    "lib/brackets",
    "lib/chunks",
    "lib/down_values",
    "lib/elements",
    "lib/filter_entries",
    "lib/filter_levels",
    "lib/gaps",
    "lib/incoming",
    "lib/lanes",
    "lib/marker_indices",
    "lib/match_elements",
    "lib/match_incoming",
    "lib/match_tiles",
    "lib/monoid",
    "lib/nearest_filters",
    "lib/posts",
    "lib/rect",
    "lib/role",
    "lib/roles",
    "lib/saturating",
    "lib/scan",
    "lib/scratch",
    "lib/shared",
    "lib/siblings",
    "lib/spread",
    "lib/stack",
    "lib/stack_open",
    "lib/sums",
    "lib/thread_tree",
    "lib/threads",
    "lib/tile_opens",
    "lib/tile_products",
    "lib/up_shared",
    "lib/value_filtered",
    "lib/value_monoid",
    "lib/value_rect",
    "landing",
    "landing_mark",
    "match_build",
    "match_reduce",
    "match_resolve",
    "overlay",
    "reduce_bundles",
    "reduce_groups",
    "reduce_tiles",
    "resolve",
    "scan_counts",
    "scan_groups",
    "span",
    "spine",
}

/// Finds a file by its name.
pub(crate) fn module(name: &str) -> Option<Module<'static>> {
    let found = SOURCES.iter().find(|source| source.name == name)?;
    let Source { file, text, tokens: cut, .. } = found;
    Some(Module { file, text, tokens: Cow::Borrowed(cut.get_or_init(|| tokens(text))) })
}

/// The monoid that counts the filters around each element. A module for [`Custom::monoid`](crate::Custom::monoid).
pub const FILTER_LEVELS: &str = include_str!("../wgsl/lib/filter_levels.wgsl");

/// The monoid that finds the two innermost filters around each element. A module for
/// [`Custom::monoid`](crate::Custom::monoid).
pub const NEAREST_FILTERS: &str = include_str!("../wgsl/lib/nearest_filters.wgsl");

/// The structs that Rust shares with the kernels.
pub(crate) fn layout() -> Module<'static> {
    static LAYOUT: OnceLock<(String, Vec<Token>)> = OnceLock::new();
    let (text, cut) = LAYOUT.get_or_init(|| {
        let text = layout::wgsl();
        let cut = tokens(&text);
        (text, cut)
    });
    Module { file: "", text, tokens: Cow::Borrowed(cut) }
}

#[cfg(test)]
mod tests {
    use super::SOURCES;
    use std::path::Path;

    #[test]
    fn only_chunks_and_lanes_use_subgroup_operations() {
        let calls = |text: &str| {
            let code = text.lines().map(|line| line.split("//").next().unwrap_or_default());
            code.flat_map(|line| line.split("subgroup").skip(1))
                .any(|rest| rest.starts_with(char::is_uppercase))
        };
        let with: Vec<_> =
            SOURCES.iter().filter(|one| calls(one.text)).map(|one| one.name).collect();
        assert_eq!(with, ["lib/chunks", "lib/lanes"]);
    }

    /// Unlisted files cannot be imported.
    #[test]
    fn every_wgsl_file_is_listed() {
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
