//! Collects the drawings of a command line, including those in folders, and decides where the outputs of each go.

use crate::{
    Failure,
    failure::{plain, printable},
};
use std::{
    collections::HashMap,
    ffi::OsString,
    io,
    path::{Component, Path, PathBuf},
};

#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Found {
    pub(crate) path: PathBuf,
    /// The stem of its output names. Includes the drawing's folders if file names alone are ambiguous.
    pub(crate) stem: OsString,
}

const ENDINGS: [&str; 3] = [".svg", ".svgz", ".scene.json"];

/// Lists the files of a command line and the drawings in its folders. Unreadable folders become errors.
pub(crate) fn find(files: &[PathBuf]) -> Vec<Result<Found, Failure>> {
    let mut all = Vec::new();
    for file in files {
        if !file.is_dir() {
            let stem = file.file_stem().unwrap_or_default().into();
            all.push(Ok(Found { path: file.clone(), stem }));
            continue;
        }
        let fail = |cause: &str| Failure::bad(cause).about(printable(&file.to_string_lossy()));
        match drawings_in(file) {
            Err(error) => all.push(Err(fail(&plain(&error)))),
            Ok(paths) if paths.is_empty() => {
                all.push(Err(fail(
                    "there is no drawing (.svg, .svgz) or scene (.scene.json) in this folder",
                )));
            }
            Ok(paths) => all.extend(paths.into_iter().map(|path| {
                let inner = path.strip_prefix(file).unwrap_or(&path).with_extension("");
                Ok(Found { stem: inner.into(), path })
            })),
        }
    }
    make_stems_unique(
        &mut all.iter_mut().filter_map(|found| found.as_mut().ok()).collect::<Vec<_>>(),
    );
    all
}

/// Lists the drawings in a folder and its subfolders, sorted. Does not follow links to folders.
fn drawings_in(folder: &Path) -> io::Result<Vec<PathBuf>> {
    let (mut found, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(folder) = folders.pop() {
        for entry in folder.read_dir()? {
            let entry = entry?;
            let path = entry.path();
            let name = entry.file_name().to_string_lossy().to_ascii_lowercase();
            let is_drawing = ENDINGS.iter().any(|ending| name.ends_with(ending));
            if entry.file_type()?.is_dir() {
                folders.push(path);
            } else if is_drawing && path.is_file() {
                found.push(path);
            }
        }
    }
    found.sort();
    Ok(found)
}

/// Makes the stems unique. First adds the folders below the common parent, then the extensions.
fn make_stems_unique(all: &mut [&mut Found]) {
    if have_repeated_stems(all).contains(&true) {
        let paths: Vec<_> = all.iter().map(|found| absolute(&found.path)).collect();
        let shared = shared_folder(&paths);
        for (found, path) in all.iter_mut().zip(&paths) {
            found.stem = path.strip_prefix(&shared).unwrap_or(path).with_extension("").into();
        }
    }
    let is_repeated = have_repeated_stems(all);
    for (found, _) in all.iter_mut().zip(is_repeated).filter(|(_, is_repeated)| *is_repeated) {
        if let Some(extension) = found.path.extension() {
            found.stem.push(".");
            found.stem.push(extension);
        }
    }
}

/// Returns, for each drawing, whether another drawing has the same stem.
fn have_repeated_stems(all: &[&mut Found]) -> Vec<bool> {
    let mut counts: HashMap<&OsString, usize> = HashMap::new();
    all.iter().for_each(|found| *counts.entry(&found.stem).or_default() += 1);
    all.iter().map(|found| counts.get(&found.stem) > Some(&1)).collect()
}

/// Returns the absolute path without `.` and `..`.
fn absolute(path: &Path) -> PathBuf {
    let path = path.canonicalize().or_else(|_| std::path::absolute(path));
    let path = path.unwrap_or_default();
    path.components().filter(|part| !matches!(part, Component::ParentDir)).collect()
}

/// Returns the innermost folder that contains all paths.
fn shared_folder(paths: &[PathBuf]) -> PathBuf {
    let mut folders = paths.iter().map(|path| path.parent().unwrap_or(path));
    let first = folders.next().unwrap_or(Path::new("")).to_owned();
    folders.fold(first, |shared, folder| {
        let both = shared.components().zip(folder.components());
        both.take_while(|(a, b)| a == b).map(|(part, _)| part).collect()
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn drawings_with_equal_names_keep_their_folders() {
        for (files, expected) in [
            (["a/x.svg", "b/y.svg"], ["x", "y"]),
            (["/a/x.svg", "/b/x.svg"], ["a/x", "b/x"]),
            (["/a/b/x.svg", "/a/x.svg"], ["b/x", "x"]),
            (["/a/x.svg", "/a/x.svgz"], ["x.svg", "x.svgz"]),
        ] {
            let found = find(&files.map(PathBuf::from));
            let stems: Vec<_> = found.iter().flatten().map(|found| &found.stem).collect();
            assert_eq!(stems, expected, "{files:?}");
        }
    }
}
