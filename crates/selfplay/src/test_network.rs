//! A network for tests: the small one that ships.

use std::path::Path;

use kiebitz_inference::Network;
use kiebitz_network::NetworkFile;

pub(crate) fn network() -> Network {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../nets/small.net.gz");
    Network::new(&NetworkFile::read(&path).unwrap()).unwrap()
}
