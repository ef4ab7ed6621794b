//! `json_tree` as a shell sees it, its table compared with what serde_json reads.

use crate::program::Program;
use serde_json::Value;
use std::fs;

const SHELF: &str = r#"{
  "books": [
    { "title": "Momo", "tags": ["time", "grey men"] },
    { "title": "Die \"unendliche\" Geschichte", "tags": [] }
  ],
  "shelf of": { "name": "B\u00e4\ud83d\udcda\n" },
  "open": true
}"#;

/// Runs with a file of this content and expects success; what it prints.
fn tree(json: &str, backend: &str) -> String {
    let program = Program::new("json_tree");
    fs::write(program.path_of("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", backend]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

/// The rows of the table, without its alignment.
fn rows(stdout: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    stdout.lines().skip(1).map(words).take_while(|line| !line.is_empty()).collect()
}

/// A tree without symmetry: node `n` holds `n - 1`, some text and a smaller tree.
fn uneven(n: usize) -> String {
    match n {
        0 => r#""leaf \u00fc\"""#.into(),
        _ => {
            let (left, right) = (uneven(n - 1), uneven(n / 2));
            if n.is_multiple_of(2) {
                format!(r#"[{left}, {n}, {{}}, "{}", {right}]"#, "x".repeat(n))
            } else {
                format!(r#"{{"a]": {left}, "b]": null, "[{n}": [{right}, -1.5e3]}}"#)
            }
        }
    }
}

const SHELF_ROWS: [&str; 7] = [
    "13 4 51 $",
    "9 3 43 $.books",
    "5 2 16 $.books[0]",
    "3 2 27 $.books[1]",
    "3 1 12 $.books[0].tags",
    r#"2 1 8 $["shelf of"]"#,
    "1 1 0 $.books[1].tags",
];

#[test]
fn the_table_says_what_is_inside() {
    let stdout = tree(SHELF, "cpu");
    assert_eq!(rows(&stdout), SHELF_ROWS, "{stdout}");
    assert!(stdout.contains("backend  CPU"), "{stdout}");
}

#[test]
fn the_gpu_says_the_same() {
    assert_eq!(rows(&tree(SHELF, "gpu")), SHELF_ROWS);
    let large = format!("[{}]", vec![uneven(14); 40].join(","));
    assert_eq!(rows(&tree(&large, "gpu")), rows(&tree(&large, "cpu")));
}

/// Counts the values, the depth and the text of a value. `rows` receives the counts of each array and object in it.
fn count(value: &Value, rows: &mut Vec<[usize; 3]>) -> [usize; 3] {
    let inside: Vec<&Value> = match value {
        Value::String(text) => return [1, 0, text.len()],
        Value::Array(items) => items.iter().collect(),
        Value::Object(items) => items.values().collect(),
        _ => return [1, 0, 0],
    };
    let mut all = [1, 1, 0];
    for item in inside {
        let [values, depth, text] = count(item, rows);
        all = [all[0] + values, all[1].max(depth + 1), all[2] + text];
    }
    rows.push(all);
    all
}

#[test]
fn every_row_is_what_serde_json_reads() {
    let programs = (0..16).map(uneven);
    let more = ["[]", "{}", " 7 ", "\"[\"", "null", r#"["\\", "\"]", "\u0000\u07ff\u0800"]"#];
    let program = Program::new("json_tree");
    for json in programs.chain(more.map(str::to_owned)) {
        fs::write(program.path_of("file.json"), &json).unwrap();
        let run = program.run(&["file.json", "--backend", "cpu", "--rows", "1000000"]);
        assert_eq!(run.code, Some(0), "{}", run.stderr);
        let numbers = |row: String| {
            let words: Vec<usize> = row.split(' ').take(3).map(|n| n.parse().unwrap()).collect();
            [words[0], words[1], words[2]]
        };
        let mut found: Vec<_> = rows(&run.stdout).into_iter().map(numbers).collect();
        let mut expected = Vec::new();
        count(&serde_json::from_str(&json).unwrap(), &mut expected);
        found.sort_unstable();
        expected.sort_unstable();
        assert_eq!(found, expected, "{json}");
    }
}

#[test]
fn depth_has_no_limit() {
    let nested = format!("{}\"text\"{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(rows(&tree(&nested, "cpu"))[0], "100001 100000 4 $");
}

#[test]
fn long_paths_lose_their_beginning_and_rows_their_end() {
    let program = Program::new("json_tree");
    let json = format!("{}1{}", r#"{"a key of some length":"#.repeat(20), "}".repeat(20));
    fs::write(program.path_of("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", "cpu", "--rows", "12"]);
    let rows = rows(&run.stdout);
    assert_eq!(rows.len(), 12, "{}", run.stdout);
    assert!(rows[11].contains(r#" ...["a key of some length"]["#), "{}", rows[11]);
}

#[test]
fn wrong_input_is_told_in_one_line_with_its_place() {
    let program = Program::new("json_tree");
    let cases: [(&[u8], &str); 13] = [
        (b"", "line 1 column 0"),
        (b"hello", "line 1 column 1"),
        (b"[1 2]", "line 1 column 4"),
        (b"[1]\n[2]", "line 2 column 1"),
        (b"{\"a\" 1}", "line 1 column 6"),
        (b"{\"a\": [1,\n2}", "line 2 column 2"),
        (b"[1]]", "line 1 column 4"),
        (b"[1,\n [2]", "line 2 column 4"),
        (b"[\"a", "line 1 column 3"),
        (b"[\"a\\\"]", "line 1 column 6"),
        (b"\"", "line 1 column 1"),
        (b"[\"\\u12\"]", "line 1"),
        (b"[\"\xff\"]", "not JSON"),
    ];
    for (json, words) in cases {
        fs::write(program.path_of("file.json"), json).unwrap();
        let args = ["file.json", "--backend", "cpu"];
        program.fails(&args, &["file.json: ", "not JSON", words]);
    }
    program.fails(&["missing.json"], &["missing.json", "no such file"]);
    assert_eq!(program.run(&[]).code, Some(2));
}

/// For every example that reads a drawing or a file.
#[test]
fn help_is_help_alone() {
    for name in ["canvas", "svg_render", "json_tree"] {
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
