//! What the tests of this crate share.

use std::path::PathBuf;

/// A file or folder of the larger data, if it is there; else one line says that the test is skipped.
pub(crate) fn data(path: &str) -> Option<PathBuf> {
    let Some(root) = std::env::var_os("KIEBITZ_DATA").filter(|root| !root.is_empty()) else {
        eprintln!("skipped: KIEBITZ_DATA is not set");
        return None;
    };
    let found = PathBuf::from(root).join(path);
    if !found.exists() {
        eprintln!("skipped: KIEBITZ_DATA has no {path}");
        return None;
    }
    Some(found)
}
