//! Says which network is built in: that of the repository, or the one that `EVALFILE` names, as test frameworks for engines do.

use std::env;
use std::path::PathBuf;

fn main() {
    let manifest = PathBuf::from(env::var_os("CARGO_MANIFEST_DIR").unwrap_or_default());
    let shipped = manifest.join("../../nets/kiebitz.net.gz");
    let network = match env::var_os("EVALFILE").filter(|name| !name.is_empty()) {
        Some(name) => PathBuf::from(name),
        None => shipped,
    };
    println!("cargo:rerun-if-env-changed=EVALFILE");
    println!("cargo:rerun-if-changed={}", network.display());
    println!("cargo:rustc-env=KIEBITZ_NETWORK={}", network.display());
}
