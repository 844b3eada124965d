//! Builds the server anew when the built page changes.

fn main() {
    // Whoever builds the page sets this, so that a page that appears for the first time is noticed too.
    println!("cargo:rerun-if-env-changed=KIEBITZ_PAGE");
    println!("cargo:rerun-if-changed=build.rs");
    if std::path::Path::new("../../web/dist").is_dir() {
        println!("cargo:rerun-if-changed=../../web/dist");
    }
}
