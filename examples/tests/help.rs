//! Every example that takes a drawing says how before it does anything.

#![allow(clippy::unwrap_used, clippy::panic)]

mod program;

use program::Program;

#[test]
fn help_is_help_alone() {
    for name in ["canvas", "svg_clips", "svg_render", "json_tree"] {
        let program = Program::new(name);
        let run = program.run(&["--help"]);
        assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""), "{name}");
        for words in ["Usage: ", "--backend", "--quiet"] {
            assert!(run.stdout.contains(words), "{name} lacks {words}: {}", run.stdout);
        }
        let left = std::fs::read_dir(program.folder.path()).unwrap().count();
        assert_eq!(left, 0, "{name} wrote a file");
    }
}
