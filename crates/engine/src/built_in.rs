//! The network that is part of the program.

use std::sync::OnceLock;

use kiebitz_inference::Network;
use kiebitz_network::NetworkFile;

/// The file as it lies in the program.
static BYTES: &[u8] = include_bytes!(env!("KIEBITZ_NETWORK"));

/// The network that is part of the program: what its file says, and the network ready to play.
#[derive(Debug)]
pub struct BuiltIn {
    /// Description, certificate, provenance and weights.
    pub file: NetworkFile,
    /// The same for play.
    pub network: Network,
}

impl BuiltIn {
    /// Unpacked when it is first asked for.
    ///
    /// # Errors
    ///
    /// When the program was built with a network that cannot be read or played.
    pub fn get() -> Result<&'static Self, &'static str> {
        static ONCE: OnceLock<Result<BuiltIn, String>> = OnceLock::new();
        let read = || {
            let file = NetworkFile::from_bytes(BYTES).map_err(|error| error.to_string())?;
            let network = Network::new(&file).map_err(|error| error.to_string())?;
            Ok(Self { file, network })
        };
        ONCE.get_or_init(read).as_ref().map_err(String::as_str)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_network_that_ships_can_be_played_and_is_proved() {
        let built_in = BuiltIn::get().expect("a network");
        assert!(built_in.file.header.certificate.is_some());
        assert_eq!(built_in.file.header.licence, "CC0-1.0");
        assert!(!built_in.file.header.manifest.is_null());
    }
}
