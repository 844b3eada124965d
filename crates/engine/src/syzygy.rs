//! Endgame tables as the options describe them.

use kiebitz_alphabeta::EndgameTables;

/// Where tables are, and when to ask them.
pub(crate) struct Syzygy {
    pub(crate) path: String,
    pub(crate) probe_depth: u32,
    pub(crate) probe_limit: usize,
    pub(crate) fifty_moves: bool,
    #[cfg(not(target_arch = "wasm32"))]
    opened: Option<std::sync::Arc<kiebitz_tablebase::SyzygyTables>>,
}

impl Default for Syzygy {
    fn default() -> Self {
        Self {
            path: String::new(),
            probe_depth: 1,
            probe_limit: 7,
            fifty_moves: true,
            #[cfg(not(target_arch = "wasm32"))]
            opened: None,
        }
    }
}

#[cfg(not(target_arch = "wasm32"))]
impl Syzygy {
    /// Opens the tables of the path; none if it is empty. Says what was found, or why nothing was.
    pub(crate) fn open(&mut self) -> Result<Option<String>, String> {
        self.opened = None;
        if self.path.is_empty() {
            return Ok(None);
        }
        let tables = kiebitz_tablebase::SyzygyTables::open(&self.path).map_err(|error| error.to_string())?;
        let files = tables.files();
        self.opened = Some(std::sync::Arc::new(tables));
        Ok(Some(format!("found {files} tablebase files")))
    }

    /// What the searcher gets.
    pub(crate) fn tables(&self) -> Option<EndgameTables> {
        use kiebitz_tablebase::FiftyMoveRule;
        Some(EndgameTables {
            tables: self.opened.clone()?,
            probe_depth: self.probe_depth,
            probe_limit: self.probe_limit,
            rule: if self.fifty_moves { FiftyMoveRule::Honoured } else { FiftyMoveRule::Ignored },
        })
    }
}

#[cfg(target_arch = "wasm32")]
impl Syzygy {
    pub(crate) fn open(&mut self) -> Result<Option<String>, String> {
        if self.path.is_empty() { Ok(None) } else { Err("a browser has no tablebase files".into()) }
    }

    pub(crate) fn tables(&self) -> Option<EndgameTables> {
        None
    }
}
