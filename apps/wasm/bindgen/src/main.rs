//! Writes the JavaScript and the declarations that belong to a program built for the browser.

use std::env;

use anyhow::{Context, Result};
use wasm_bindgen_cli_support::Bindgen;

fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let input = arguments.next().context("name the .wasm file")?;
    let folder = arguments.next().context("name the folder to write to")?;
    let mut bindgen = Bindgen::new();
    bindgen.input_path(&input).web(true)?.typescript(true);
    // Names of functions are for debuggers; a page has to be small.
    bindgen.remove_name_section(true).remove_producers_section(true);
    bindgen.generate(&folder).with_context(|| format!("cannot write {folder} for {input}"))
}
