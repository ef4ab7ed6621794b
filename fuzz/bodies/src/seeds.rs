//! The kept inputs that others are made of.

use std::path::{Path, PathBuf};
use std::{fs, io};

/// The kept inputs of a target, in the order of their names.
#[derive(Clone, Debug, Default)]
pub struct Seeds {
    /// Their bytes.
    pub inputs: Vec<Vec<u8>>,
}

/// The longest drawing of `assets` that is worth mutating.
const MOST_BYTES: usize = 20_000;

impl Seeds {
    /// Those of the folder `fuzz/seeds/NAME`; of `svg`, the small drawings of `assets` too.
    ///
    /// # Errors
    /// What reading the folders says.
    pub fn of(target: &str) -> io::Result<Self> {
        let fuzz = Path::new(env!("CARGO_MANIFEST_DIR")).join("..");
        let mut inputs = read_all(&fuzz.join("seeds").join(target))?;
        if target == "svg" {
            let drawings = read_all(&fuzz.join("../assets"))?;
            let is_svg = |data: &Vec<u8>| data.len() < MOST_BYTES && !data.starts_with(b"\x89PNG");
            inputs.extend(drawings.into_iter().filter(is_svg));
        }
        Ok(Self { inputs })
    }
}

/// The files of a folder; none where there is no folder.
fn read_all(folder: &Path) -> io::Result<Vec<Vec<u8>>> {
    if !folder.is_dir() {
        return Ok(Vec::new());
    }
    let entries = fs::read_dir(folder)?.collect::<io::Result<Vec<_>>>()?;
    let mut paths: Vec<PathBuf> = entries.into_iter().map(|entry| entry.path()).collect();
    paths.retain(|path| path.is_file());
    paths.sort();
    paths.iter().map(fs::read).collect()
}
