//! Tests `json_tree` from a shell, and compares its table with serde_json.

use crate::program::{Program, Run};
use proptest::prelude::*;
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

/// Runs on a file with this content, expects success, and returns standard output.
fn tree(json: &str, backend: &str) -> String {
    let program = Program::new("json_tree");
    fs::write(program.path_of("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", backend]);
    assert_eq!(run.code, Some(0), "{}", run.stderr);
    run.stdout
}

/// Returns the rows of the table, without its alignment.
fn rows(stdout: &str) -> Vec<String> {
    let words = |line: &str| line.split_whitespace().collect::<Vec<_>>().join(" ");
    stdout.lines().skip(1).map(words).take_while(|line| !line.is_empty()).collect()
}

/// Returns an asymmetric tree: node `n` contains `n - 1`, some text and a smaller tree.
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
fn the_table_lists_the_contents() {
    let stdout = tree(SHELF, "cpu");
    assert_eq!(rows(&stdout), SHELF_ROWS, "{stdout}");
    assert!(stdout.contains("backend  CPU"), "{stdout}");
}

#[test]
fn the_gpu_gives_the_same_table() {
    assert_eq!(rows(&tree(SHELF, "gpu")), SHELF_ROWS);
    let large = format!("[{}]", vec![uneven(14); 40].join(","));
    assert_eq!(rows(&tree(&large, "gpu")), rows(&tree(&large, "cpu")));
}

/// Counts the values, the depth and the text of a value. Adds the counts of each inner array and object to `rows`.
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
fn every_row_matches_serde_json() {
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
fn nesting_depth_is_unlimited() {
    let nested = format!("{}\"text\"{}", "[".repeat(100_000), "]".repeat(100_000));
    assert_eq!(rows(&tree(&nested, "cpu"))[0], "100001 100000 4 $");
}

#[test]
fn long_paths_and_tables_are_truncated() {
    let program = Program::new("json_tree");
    let json = format!("{}1{}", r#"{"a key of some length":"#.repeat(20), "}".repeat(20));
    fs::write(program.path_of("file.json"), json).unwrap();
    let run = program.run(&["file.json", "--backend", "cpu", "--rows", "12"]);
    let rows = rows(&run.stdout);
    assert_eq!(rows.len(), 12, "{}", run.stdout);
    assert!(rows[11].contains(r#" ...["a key of some length"]["#), "{}", rows[11]);
}

#[test]
fn invalid_input_is_reported_in_one_line_with_its_position() {
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
        program.check_failure(&args, &["file.json: ", "not JSON", words]);
    }
    program.check_failure(&["missing.json"], &["missing.json", "no such file"]);
    assert_eq!(program.run(&[]).code, Some(2));
}

/// Documents with the expected description of their bracket error.
const STRUCTURE: &[(&str, &str)] = &[
    // Valid documents.
    ("[]", ""),
    ("{}", ""),
    ("[[],{},[{}]]", ""),
    (r#"{"a":{"b":[{"c":[]}]}}"#, ""),
    ("  [ ]  ", ""),
    ("7", ""),
    ("null", ""),
    // Brackets, quotes and backslashes in strings.
    (r#""[""#, ""),
    (r#"["]","}","{[(","\\"]"#, ""),
    (r#"["\"]","\\\"]","\\\\"]"#, ""),
    (r#"{"}":"{","]":["["]}"#, ""),
    (r#"["\u005b","\u007d"]"#, ""),
    (r#"[""]"#, ""),
    (r#"["\\","]"]"#, ""),
    ("[\"ü[\",\"\u{10ffff}]\"]", ""),
    ("]", "column 1: ] closes nothing"),
    ("}", "column 1: } closes nothing"),
    ("[]]", "column 3: ] closes nothing"),
    ("[1]}", "column 4: } closes nothing"),
    ("{}}{", "column 3: } closes nothing"),
    (r#"["a]"]]"#, "column 7: ] closes nothing"),
    ("[}", "column 2: } closes the [ of"),
    ("{]", "column 2: ] closes the { of"),
    ("[[1}]", "column 4: } closes the [ of"),
    (r#"{"a":[1}"#, "column 8: } closes the [ of"),
    (r#"[{"a":1]}"#, "column 8: ] closes the { of"),
    ("[[[}]]", "column 4: } closes the [ of"),
    ("[}]", "column 2: } closes the [ of"),
    (r#"[{"]":"\"}"},{"a":0]"#, "column 20: ] closes the { of"),
    ("[", "column 1: the [ of"),
    ("{", "column 1: the { of"),
    ("[1,2", "column 4: the [ of"),
    (r#"{"a":{"b":2}"#, "column 12: the { of"),
    ("[[]", "column 3: the [ of"),
    ("[[", "column 2: the [ of"),
    (r#"["a]""#, "column 5: the [ of"),
    ("[{}  ", "column 5: the [ of"),
];

/// Returns the reported lines, each with its message.
fn reported(run: &Run) -> Vec<(usize, &str)> {
    run.stderr.lines().map(|line| report(line).unwrap()).collect()
}

fn report(line: &str) -> Option<(usize, &str)> {
    let rest = line.split_once("not JSON: line ")?.1;
    let (number, words) = rest.split_once(' ')?;
    Some((number.parse().ok()?, words))
}

fn run_lines(program: &Program, lines: &[impl AsRef<str>], backend: &str) -> Run {
    let lines: Vec<&str> = lines.iter().map(AsRef::as_ref).collect();
    fs::write(program.path_of("file.jsonl"), lines.join("\n")).unwrap();
    program.run(&["file.jsonl", "--backend", backend, "--rows", "1000000"])
}

fn is_json(line: &str) -> bool {
    serde_json::from_str::<serde::de::IgnoredAny>(line).is_ok()
}

/// Tests each line alone and all lines together, on both backends. Empty lines are not documents.
#[test]
fn broken_lines_are_reported_and_the_others_processed() {
    let deep = "[".repeat(100_000);
    let mut cases: Vec<(String, String)> =
        STRUCTURE.iter().map(|(line, words)| ((*line).to_owned(), (*words).to_owned())).collect();
    cases.push((String::new(), String::new()));
    cases.push((" \t\r".to_owned(), String::new()));
    cases.push((format!("{deep}{}", "]".repeat(100_000)), String::new()));
    cases.push((deep.clone(), "column 100000: the [ of".to_owned()));
    cases.push((deep + "}", "column 100001: } closes the [ of".to_owned()));
    cases.push(("[4]".to_owned(), String::new()));
    for (line, words) in cases.iter().filter(|(line, _)| !line.trim().is_empty()) {
        assert_eq!(is_json(line), words.is_empty(), "{:.60}", line);
    }
    let lines: Vec<&String> = cases.iter().map(|(line, _)| line).collect();
    let broken: Vec<_> = (1..).zip(&cases).filter(|(_, case)| !case.1.is_empty()).collect();
    let program = Program::new("json_tree");
    for backend in ["cpu", "gpu"] {
        let run = run_lines(&program, &lines, backend);
        assert_eq!(run.code, Some(1));
        let reported = reported(&run);
        assert_eq!(reported.len(), broken.len(), "{backend}: {}", run.stderr);
        for ((line, told), (number, (text, words))) in reported.iter().zip(&broken) {
            assert_eq!(line, number, "{backend}");
            assert!(told.contains(&**words), "{backend}: {text:.60}: {told}");
        }
        let last = format!("line {} $", cases.len());
        assert!(rows(&run.stdout).contains(&format!("2 1 0 {last}")), "{}", run.stdout);
    }
}

/// If the brackets match, serde_json finds the other errors.
#[test]
fn other_errors_of_a_line_are_reported_too() {
    let program = Program::new("json_tree");
    let lines = ["[1 2]", "{\"a\" 1}", "[]", "[\"a", "hello"];
    let run = run_lines(&program, &lines, "cpu");
    let places = reported(&run).into_iter().map(|(line, words)| {
        let place = words.split(':').next().unwrap_or_default();
        format!("{line} {place}")
    });
    let expected = ["1 column 4", "2 column 6", "4 column 3", "5 column 1"];
    assert_eq!(places.collect::<Vec<_>>(), expected, "{}", run.stderr);
    assert_eq!(rows(&run.stdout), ["1 1 0 line 3 $"]);
}

#[test]
fn lines_without_a_mistake_succeed() {
    let program = Program::new("json_tree");
    let run = run_lines(&program, &["[1]", "", "{\"a\":[2,3]}", ""], "cpu");
    assert_eq!((run.code, run.stderr.as_str()), (Some(0), ""));
    assert_eq!(rows(&run.stdout), ["4 2 0 line 3 $", "3 1 0 line 3 $.a", "2 1 0 line 1 $"]);
    // A file with another suffix needs `--lines`.
    fs::rename(program.path_of("file.jsonl"), program.path_of("file.log")).unwrap();
    let option = program.run(&["file.log", "--lines", "--backend", "cpu"]);
    assert_eq!(option.stdout, run.stdout);
    fs::write(program.path_of("empty.ndjson"), "").unwrap();
    assert_eq!(program.run(&["empty.ndjson", "--backend", "cpu"]).code, Some(0));
}

/// Generates JSON values with brackets, quotes and backslashes in keys and strings.
fn value() -> impl Strategy<Value = Value> {
    let text = prop::collection::vec(
        prop::sample::select(r#"[]{}"\ aü,:"#.chars().collect::<Vec<_>>()),
        0..5,
    );
    let text = text.prop_map(|characters| characters.into_iter().collect::<String>());
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i32>().prop_map(Value::from),
        text.clone().prop_map(Value::from),
    ];
    leaf.prop_recursive(5, 40, 4, move |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(Value::from),
            prop::collection::vec((text.clone(), inner), 0..4)
                .prop_map(|items| Value::Object(items.into_iter().collect())),
        ]
    })
}

/// Returns the positions of the brackets outside strings.
fn brackets_of(json: &str) -> Vec<usize> {
    let (mut found, mut in_string, mut escaped) = (Vec::new(), false, false);
    for (at, byte) in json.bytes().enumerate() {
        match byte {
            _ if escaped => escaped = false,
            b'\\' => escaped = true,
            b'"' => in_string = !in_string,
            b'[' | b']' | b'{' | b'}' if !in_string => found.push(at),
            _ => {}
        }
    }
    found
}

/// Generates a line of JSON, in which one bracket may be removed, replaced or inserted.
fn line() -> impl Strategy<Value = (String, bool)> {
    let bracket = prop::sample::select(vec!['[', ']', '{', '}']);
    (value(), any::<prop::sample::Index>(), 0..4, bracket).prop_map(
        |(value, at, change, bracket)| {
            let mut json = value.to_string();
            let all = brackets_of(&json);
            if change == 0 || all.is_empty() {
                return (json, true);
            }
            let at = all[at.index(all.len())];
            let old = json.remove(at);
            match change {
                1 => {}
                // A different bracket.
                2 if bracket == old => json.insert(at, if old == '[' { '{' } else { '[' }),
                2 => json.insert(at, bracket),
                _ => json.insert_str(at, &format!("{bracket}{old}")),
            }
            (json, false)
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 40, failure_persistence: None, ..ProptestConfig::default() })]

    /// A changed bracket is always found, and serde_json rejects the line too.
    #[test]
    fn a_changed_bracket_is_found(lines in prop::collection::vec(line(), 1..40)) {
        let program = Program::new("json_tree");
        let texts: Vec<&String> = lines.iter().map(|(text, _)| text).collect();
        let run = run_lines(&program, &texts, "cpu");
        let found: Vec<usize> = reported(&run).into_iter().map(|(line, _)| line).collect();
        let broken = (1..).zip(&lines).filter(|(_, (_, is_right))| !is_right);
        prop_assert_eq!(&found, &broken.map(|(line, _)| line).collect::<Vec<usize>>());
        let refused = (1..).zip(&texts).filter(|(_, text)| !is_json(text));
        prop_assert_eq!(&found, &refused.map(|(line, _)| line).collect::<Vec<usize>>());
        let about_brackets = |(_, words): &(usize, &str)| {
            ["closes nothing", "closes the", "is not closed"].iter().any(|end| words.contains(end))
        };
        prop_assert!(reported(&run).iter().all(about_brackets), "{}", run.stderr);
        prop_assert_eq!(run.code, Some(i32::from(!found.is_empty())));
    }
}

/// Checks every example that reads a drawing or a file.
#[test]
fn help_prints_nothing_else() {
    for name in ["canvas", "json_tree"] {
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

#[test]
fn usage_errors_do_not_repeat_control_characters() {
    for name in ["canvas", "json_tree", "skeleton", "vello_layers"] {
        let run = Program::new(name).run(&["--\u{1b}]0;x\u{7}"]);
        let is_odd = |letter: char| letter.is_control() && letter != '\n';
        assert!(run.code == Some(2) && !run.stderr.contains(is_odd), "{name}: {:?}", run.stderr);
    }
}
