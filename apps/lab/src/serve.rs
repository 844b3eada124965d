//! `kiebitz-lab serve`: the page, on this machine.

use std::io::{self, Write};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, UdpSocket};
use std::path::PathBuf;
use std::process::ExitCode;
use std::time::Duration;

use anyhow::{Context, Result};
use clap::Args;
use kiebitz_web_server::{ServerSettings, serve};
use serde_json::json;
use tokio::net::TcpListener;
use tokio::sync::oneshot;

/// Long enough for the largest PGN over a slow line.
const LONGEST_REQUEST: Duration = Duration::from_secs(30);

/// Where the server listens, and what it works with.
#[derive(Args)]
#[command(after_help = EXAMPLES)]
pub(crate) struct Arguments {
    /// The address to listen on; anything but 127.0.0.1 and ::1 needs --token.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1")]
    address: IpAddr,
    /// The port; 0 takes a free one.
    #[arg(long, value_name = "PORT", default_value_t = 8170)]
    port: u16,
    /// What whoever opens the page has to know: letters, digits, hyphens, at least 12 of them.
    #[arg(long, value_name = "TOKEN", value_parser = token)]
    token: Option<String>,
    /// Where games are kept, and networks, runs and matches are found.
    #[arg(long, value_name = "FOLDER", default_value = "workspace")]
    workspace: PathBuf,
    /// Another folder with networks; may be repeated.
    #[arg(long = "networks", value_name = "FOLDER", default_value = "nets")]
    networks: Vec<PathBuf>,
    /// Threads that search at the same time; all pages share them. As many as there are processors, unless given.
    #[arg(long, value_name = "N", value_parser = clap::value_parser!(u32).range(1..=1024))]
    threads: Option<u32>,
    /// The largest table of an analysis, in mebibytes; every thread may have one.
    #[arg(long, value_name = "MIB", default_value_t = 256, value_parser = clap::value_parser!(u32).range(1..=65_536))]
    max_hash: u32,
    /// Pages that may be open at the same time.
    #[arg(long, value_name = "N", default_value_t = 200)]
    max_pages: usize,
    /// Tell the address as one JSON object.
    #[arg(long)]
    json: bool,
}

const EXAMPLES: &str = "\
The address is printed once the server listens; Ctrl-C stops it, and games are kept. Beyond this machine a token is required:
the printed address holds it, and whoever opens that address is let in.

Exit code: 0 after Ctrl-C, 1 if the server cannot start (address in use, folder not writable, no token).

Examples:
  kiebitz-lab serve
  kiebitz-lab serve --port 0 --json
  kiebitz-lab serve --workspace my-games --networks my-nets --threads 4
  kiebitz-lab serve --address 0.0.0.0 --token a-long-secret-word";

fn token(text: &str) -> Result<String, String> {
    let plain = text.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-');
    if plain && (12..=200).contains(&text.len()) {
        return Ok(text.to_owned());
    }
    Err("a token has 12 to 200 letters, digits and hyphens".to_owned())
}

/// Serves until Ctrl-C.
pub(crate) fn run(arguments: &Arguments, output: &mut impl Write) -> Result<ExitCode> {
    let (stop, stopped) = oneshot::channel();
    let mut stop = Some(stop);
    ctrlc::set_handler(move || {
        if let Some(stop) = stop.take() {
            // Nobody listens when the server has ended by itself.
            let _ = stop.send(());
        }
    })?;
    let processors = std::thread::available_parallelism().map_or(1, std::num::NonZero::get);
    let address = SocketAddr::new(arguments.address, arguments.port);
    let mut settings = ServerSettings {
        address,
        token: arguments.token.clone(),
        folder: arguments.workspace.clone(),
        network_folders: arguments.networks.clone(),
        search_threads: arguments.threads.unwrap_or_else(|| u32::try_from(processors).unwrap_or(1)),
        max_hash_mebibytes: arguments.max_hash,
        max_connections: arguments.max_pages,
        longest_request: LONGEST_REQUEST,
        version: env!("KIEBITZ_VERSION").to_owned(),
    };
    let runtime = tokio::runtime::Builder::new_multi_thread().enable_all().worker_threads(2).build()?;
    runtime.block_on(async move {
        let listener = TcpListener::bind(address).await.with_context(|| {
            format!("cannot listen on {address}; is another server running? Choose another --port, or 0 for a free one")
        })?;
        settings.address = listener.local_addr()?;
        settings.check()?;
        announce(arguments, &settings, output)?;
        let stop = async {
            let _ = stopped.await;
        };
        serve(settings, listener, stop).await?;
        if !arguments.json {
            writeln!(output, "stopped; games are kept in {}", arguments.workspace.join("games").display())?;
        }
        Ok(ExitCode::SUCCESS)
    })
}

/// Tells where the page is.
fn announce(arguments: &Arguments, settings: &ServerSettings, output: &mut impl Write) -> io::Result<()> {
    let token = settings.token.as_ref().map_or_else(String::new, |token| format!("?token={token}"));
    let address = format!("http://{}", reachable(settings.address));
    let url = format!("{address}/{token}");
    if arguments.json {
        writeln!(output, "{}", json!({"address": address, "url": url, "threads": settings.search_threads}))?;
    } else {
        writeln!(output, "Kiebitz is at {url} (Ctrl-C stops it)")?;
    }
    output.flush()
}

/// An address that can be opened. A server that listens everywhere is told by the address of this machine that leads outside.
fn reachable(address: SocketAddr) -> SocketAddr {
    if !address.ip().is_unspecified() {
        return address;
    }
    // Addresses of documentation: they only choose a way, for connecting a datagram socket sends nothing.
    let (outside, home): (IpAddr, IpAddr) = if address.is_ipv4() {
        (Ipv4Addr::new(192, 0, 2, 1).into(), Ipv4Addr::LOCALHOST.into())
    } else {
        (Ipv6Addr::new(0x2001, 0xdb8, 0, 0, 0, 0, 0, 1).into(), Ipv6Addr::LOCALHOST.into())
    };
    let way_out = || -> io::Result<IpAddr> {
        let socket = UdpSocket::bind((address.ip(), 0))?;
        socket.connect((outside, 9))?;
        Ok(socket.local_addr()?.ip())
    };
    SocketAddr::new(way_out().unwrap_or(home), address.port())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_address_that_is_told_can_be_opened() {
        for text in ["127.0.0.1:8170", "[::1]:8170", "192.0.2.7:80"] {
            assert_eq!(reachable(text.parse().unwrap()).to_string(), text);
        }
        for text in ["0.0.0.0:8170", "[::]:8170"] {
            let told = reachable(text.parse().unwrap());
            assert!(!told.ip().is_unspecified() && told.port() == 8170, "{told}");
        }
    }
}
