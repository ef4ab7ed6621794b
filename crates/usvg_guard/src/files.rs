//! The files that images are linked to, each read once and only so far.

use std::collections::HashMap;
use std::fs::{self, File};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use std::sync::Arc;

/// All linked files together may be as long as this many of the longest.
const FILES: u64 = 4;

/// The linked files of one drawing.
#[derive(Debug, Default)]
pub(super) struct Files {
    /// Those that were asked for, and what came of it.
    known: HashMap<PathBuf, Option<Arc<Vec<u8>>>>,
    /// How many bytes they have together.
    total: u64,
}

impl Files {
    /// The bytes of a file, and `None` if it is known that it cannot be had.
    ///
    /// # Errors
    /// Why it cannot be had, the first time it is asked for.
    pub(super) fn read(&mut self, path: &Path, max: u64) -> Result<Option<Arc<Vec<u8>>>, String> {
        if let Some(known) = self.known.get(path) {
            return Ok(known.clone());
        }
        let read = self.read_new(path, max).map(Arc::new);
        self.known.insert(path.to_owned(), read.as_ref().ok().cloned());
        read.map(Some)
    }

    fn read_new(&mut self, path: &Path, max: u64) -> Result<Vec<u8>, String> {
        let all = max.saturating_mul(FILES);
        let left = all - self.total.min(all);
        let data = regular(path, max.min(left)).map_err(|error| error.to_string())?;
        let Some(data) = data else {
            return Err(if left < max {
                format!("the linked images are more than {all} bytes long together")
            } else {
                format!("the file is more than {max} bytes long")
            });
        };
        self.total += data.len() as u64;
        Ok(data)
    }
}

/// The bytes of a regular file, and `None` if there are more than so many. A
/// pipe or a device might have no end, or make the reader wait for ever.
fn regular(path: &Path, max: u64) -> io::Result<Option<Vec<u8>>> {
    if !fs::metadata(path)?.is_file() {
        return Err(io::Error::other("this is no regular file"));
    }
    let file = File::open(path)?;
    if file.metadata()?.len() > max {
        return Ok(None);
    }
    let mut data = Vec::new();
    file.take(max.saturating_add(1)).read_to_end(&mut data)?;
    Ok((data.len() as u64 <= max).then_some(data))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_once_and_only_so_far() {
        let folder = std::env::temp_dir().join(format!("treebounds-files-{}", std::process::id()));
        fs::create_dir_all(&folder).unwrap();
        let file = |name: &str, length: usize| {
            let path = folder.join(name);
            fs::write(&path, vec![7; length]).unwrap();
            path
        };
        let mut files = Files::default();
        let whole = file("a", 10);
        assert_eq!(files.read(&whole, 10).unwrap().unwrap().len(), 10);
        fs::remove_file(&whole).unwrap();
        assert!(files.read(&whole, 10).unwrap().is_some(), "not read again");
        let long = file("b", 11);
        assert!(files.read(&long, 10).unwrap_err().contains("more than 10 bytes"));
        assert!(files.read(&long, 10).unwrap().is_none(), "said once");
        for name in ["c", "d", "e"] {
            assert!(files.read(&file(name, 10), 10).is_ok());
        }
        assert!(files.read(&file("f", 1), 10).unwrap_err().contains("40 bytes long together"));
        assert!(files.read(&folder, 10).unwrap_err().contains("no regular file"));
        fs::remove_dir_all(&folder).unwrap();
    }
}
