//! Output in parts, as several commands offer it.

use clap::Args;
use kiebitz_dataset::{Format, PartFate, PartLimit};

/// How large parts are.
#[derive(Args)]
pub(super) struct PartArguments {
    /// Write several files of about so many megabytes instead of one: out-00000.kbz, out-00001.kbz …
    #[arg(long, value_name = "MB")]
    part_size: Option<u64>,
    /// Write several files of about so many samples.
    #[arg(long, value_name = "N")]
    part_samples: Option<u64>,
}

/// Bytes after which an output that will be one file is safe from interruptions.
const SAFE_BYTES: u64 = 16 << 20;

impl PartArguments {
    /// Whether parts are wanted.
    pub(super) fn wanted(&self) -> bool {
        self.part_size.is_some() || self.part_samples.is_some()
    }

    /// As the library has it.
    pub(super) fn limit(&self) -> PartLimit {
        if !self.wanted() {
            return PartLimit { bytes: SAFE_BYTES, samples: u64::MAX };
        }
        PartLimit {
            // A block may be added before anybody looks.
            bytes: self.part_size.map_or(u64::MAX, |megabytes| megabytes.max(1) * 1_000_000 - 300_000),
            samples: self.part_samples.unwrap_or(u64::MAX),
        }
    }

    /// What becomes of the parts of a format.
    pub(super) fn fate(&self, format: Format) -> PartFate {
        match (self.wanted(), format) {
            (true, _) => PartFate::Kept,
            (false, Format::Kiebitz) => PartFate::Joined,
            (false, _) => PartFate::Alone,
        }
    }
}
