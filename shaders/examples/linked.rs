//! Prints a linked kernel: one WGSL module, without conditions.
//!
//! `cargo run -p treebounds_shaders --example linked -- resolve --near`

use std::io::Write;
use std::process::ExitCode;
use treebounds_shaders::{Kernel, Stream, Target, Task, Variant, link, link_overlay};

const HELP: &str = "\
Prints a linked kernel: one WGSL module, without conditions.

Usage: linked KERNEL [--CONDITION]... [--subgroups] [--browser] [--workgroup-size N] [--per-thread N]

Conditions choose among the kernels of one file. Those that you leave out are --near, --scene, --both, --tags and --fused,
where there are such. --subgroups: with subgroup operations. --browser: for a browser's compiler rather than naga.
Defaults: 256 threads per workgroup; 4 elements per thread for matching, 1 for everything else.

Kernels and their conditions, and `overlay`, which is a vertex and a fragment shader:
";

/// The default conditions.
const DEFAULTS: [&str; 5] = ["near", "scene", "both", "tags", "fused"];

fn main() -> ExitCode {
    match text(std::env::args().skip(1)) {
        // Readers such as `head` may close the pipe early, which is not an error.
        Ok(text) => std::io::stdout()
            .write_all(text.as_bytes())
            .map_or(ExitCode::SUCCESS, |()| ExitCode::SUCCESS),
        Err(message) => {
            eprintln!("error: {message}");
            ExitCode::FAILURE
        }
    }
}

/// Parses the arguments, and returns the text to print.
fn text(mut arguments: impl Iterator<Item = String>) -> Result<String, String> {
    let (mut file, mut conditions) = (None, Vec::new());
    let (mut threads, mut per_thread, mut subgroups, mut target) =
        (256, None, false, Target::Native);
    while let Some(argument) = arguments.next() {
        let mut number = || {
            let value = arguments.next().and_then(|value| value.parse().ok());
            value.ok_or_else(|| format!("{argument} needs a number"))
        };
        match argument.as_str() {
            "--help" | "-h" => return Ok(help()),
            "--workgroup-size" => threads = number()?,
            "--per-thread" => per_thread = Some(number()?),
            "--subgroups" => subgroups = true,
            "--browser" => target = Target::Browser,
            _ => match argument.strip_prefix("--") {
                Some(condition) => conditions.push(condition.to_owned()),
                None if file.is_none() => file = Some(argument),
                None => {
                    return Err(format!("`{argument}`: one kernel at a time; --help lists them"));
                }
            },
        }
    }
    let Some(file) = file else { return Ok(help()) };
    if file == "overlay" {
        return link_overlay()
            .map(|linked| linked.source().to_owned())
            .map_err(|error| error.to_string());
    }
    let kernel = find(&file, &conditions)?;
    let per_thread = per_thread.unwrap_or(if kernel.is_matching() { 4 } else { 1 });
    let variant = Variant::new(threads, per_thread).map_err(|error| error.to_string())?;
    let variant = variant.with_subgroups(subgroups).with_target(target);
    let linked = link(kernel, &variant).map_err(|error| error.to_string())?;
    Ok(linked.source().to_owned())
}

/// Finds a kernel that is in `file` and meets all conditions. If there are several, returns the one that meets most
/// defaults.
fn find(file: &str, wanted: &[String]) -> Result<Kernel, String> {
    let of_file: Vec<_> =
        Kernel::all().into_iter().filter(|kernel| kernel.file() == file).collect();
    if of_file.is_empty() {
        return Err(format!("there is no kernel `{file}`; --help lists all kernels"));
    }
    let meets = |kernel: &Kernel| {
        let conditions = conditions(*kernel);
        wanted.iter().all(|one| conditions.contains(one))
    };
    let defaults = |kernel: &Kernel| {
        conditions(*kernel).iter().filter(|one| DEFAULTS.contains(&one.as_str())).count()
    };
    // `max_by_key` returns the last of equal elements, which is the first kernel of the file.
    let found =
        of_file.iter().rev().filter(|kernel| meets(kernel)).max_by_key(|kernel| defaults(kernel));
    found.copied().ok_or_else(|| {
        let wanted = wanted.iter().map(|one| format!(" --{one}")).collect::<String>();
        let options: String = of_file.iter().map(|kernel| line(*kernel)).collect();
        format!("there is no{wanted} of `{file}`; there is\n{options}")
    })
}

/// Returns the conditions that distinguish a kernel from the others of its file.
fn conditions(kernel: Kernel) -> Vec<String> {
    match kernel {
        Kernel::Tree(tree) => {
            let Task { stream, flows, grows, filters } = tree.task;
            let direction = match (flows, grows) {
                (true, false) => "down",
                (false, true) => "up",
                _ if filters => "filters",
                _ => "both",
            };
            vec![dashed(tree.size), dashed(stream), direction.to_owned()]
        }
        Kernel::MatchReduce => vec!["tags".to_owned()],
        Kernel::MatchReduceBits => vec!["bits".to_owned()],
        Kernel::BinEmit(scan) => vec![dashed(scan)],
        Kernel::Filter { step, in_place } if step.stores() => {
            vec![dashed(if in_place { Stream::InPlace } else { Stream::Scene })]
        }
        _ => Vec::new(),
    }
}

/// Formats a variant name such as `InPlace` as `in-place`.
fn dashed(value: impl std::fmt::Debug) -> String {
    let mut text = String::new();
    for letter in format!("{value:?}").chars() {
        if letter.is_uppercase() && !text.is_empty() {
            text.push('-');
        }
        text.extend(letter.to_lowercase());
    }
    text
}

fn line(kernel: Kernel) -> String {
    let conditions = conditions(kernel).iter().map(|one| format!(" --{one}")).collect::<String>();
    format!("  {}{conditions}\n", kernel.file())
}

fn help() -> String {
    HELP.to_owned() + &Kernel::all().into_iter().map(line).collect::<String>()
}
