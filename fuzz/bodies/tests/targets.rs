//! Runs every target for a second or two, or for `TREEBOUNDS_FUZZ_SECONDS`, always from the same seed, so that a failure
//! is caused by the change under test. Long runs look for new failures.
#![allow(clippy::unwrap_used, clippy::panic)]

use std::process::Command;
use treebounds_fuzz::{Seeds, TARGETS, Target};

fn fuzz(target: &str) {
    let seconds = std::env::var("TREEBOUNDS_FUZZ_SECONDS").unwrap_or_else(|_| "1".into());
    let failures = concat!(env!("CARGO_TARGET_TMPDIR"), "/failures");
    let run = Command::new(env!("CARGO_BIN_EXE_treebounds_fuzz"))
        .args([target, "--seed", "1", "--seconds", &seconds, "--failures", failures])
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    println!("{said}");
    assert!(run.status.success(), "{said}{}", String::from_utf8_lossy(&run.stderr));
    assert!(!said.contains("; 0 read"), "{said}");
}

macro_rules! targets {
    ($($name:ident)*) => { $(
        #[test]
        #[ignore = "minutes: run with --include-ignored"]
        fn $name() {
            fuzz(stringify!($name));
        }
    )* };
}

targets! { stream canvas vello report svg svg_bombs }

/// Equal seeds and numbers give equal inputs, and others give different ones.
#[test]
fn inputs_are_functions_of_seed_and_number() {
    for target in TARGETS {
        let seeds = Seeds::of(target.name).unwrap();
        let first = seeds.0.len() as u64;
        let input = |seed, index| target.input(&seeds, seed, index);
        let same = (first..first + 50).filter(|at| input(1, *at) == input(2, *at)).count();
        assert!(same < 10, "{}: {same}", target.name);
        assert!((0..first + 50).all(|at| input(3, at) == input(3, at)), "{}", target.name);
    }
}

#[test]
fn unknown_targets_are_errors() {
    assert!(Target::named("no such").is_none());
    let run = Command::new(env!("CARGO_BIN_EXE_treebounds_fuzz")).arg("no such").output().unwrap();
    assert_eq!(run.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&run.stderr).contains("svg_bombs"));
}

/// If a worker panics, aborts or runs out of memory, its input is recorded and the run continues.
#[test]
#[cfg(target_os = "linux")]
fn the_runner_records_aborts_and_continues() {
    let folder = tempfile::tempdir().unwrap();
    let run = Command::new(env!("CARGO_BIN_EXE_treebounds_fuzz"))
        .args(["self_test", "--seed", "1", "--seconds", "2", "--failures"])
        .arg(folder.path())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&run.stdout);
    assert_eq!(run.status.code(), Some(1), "{said}");
    for what in ["panicked at", "more than 4 GiB", "the program crashed", "3 failed"] {
        assert!(said.contains(what), "{what:?} is not in: {said}");
    }
    let kept = std::fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().path());
    let mut kept: Vec<_> = kept.map(|path| std::fs::read(path).unwrap()).collect();
    kept.sort();
    assert_eq!(kept, [b"abort".to_vec(), b"memory".to_vec(), b"panic".to_vec()]);
}
