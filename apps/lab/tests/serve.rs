//! The server as a program: it says where it is, answers, and stops when it is asked to.
#![cfg(unix)]

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Command, Stdio};
use std::time::Duration;

#[test]
fn it_tells_its_address_and_ends_with_success() {
    let folder = std::env::temp_dir().join(format!("kiebitz-serve-{}", std::process::id()));
    let mut server = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .args(["serve", "--port", "0", "--json", "--threads", "1", "--workspace"])
        .arg(&folder)
        .stdout(Stdio::piped())
        .spawn()
        .expect("the program starts");
    let mut line = String::new();
    BufReader::new(server.stdout.take().expect("its output")).read_line(&mut line).expect("a line");
    let told: serde_json::Value = serde_json::from_str(&line).expect("JSON");
    let address =
        told["address"].as_str().and_then(|text| text.strip_prefix("http://")).expect("an address").to_owned();
    let mut stream = TcpStream::connect(&address).expect("it listens");
    stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
    write!(stream, "GET /api/status HTTP/1.1\r\nHost: {address}\r\nConnection: close\r\n\r\n").expect("a request");
    let mut answer = String::new();
    stream.read_to_string(&mut answer).expect("an answer");
    assert!(answer.starts_with("HTTP/1.1 200") && answer.contains("\"protocol\":1"), "{answer}");
    let interrupt = Command::new("kill").args(["-INT", &server.id().to_string()]).status().expect("kill");
    assert!(interrupt.success());
    assert!(server.wait().expect("an end").success());
    assert!(folder.join("games").is_dir());
    std::fs::remove_dir_all(&folder).expect("the folder goes");
}

#[test]
fn beyond_this_machine_a_token_is_asked_for() {
    let refused = Command::new(env!("CARGO_BIN_EXE_kiebitz-lab"))
        .args(["serve", "--address", "0.0.0.0", "--port", "0", "--workspace"])
        .arg(std::env::temp_dir().join("kiebitz-never"))
        .output()
        .expect("the program starts");
    assert_eq!(refused.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&refused.stderr).contains("token"));
    assert!(!String::from_utf8_lossy(&refused.stdout).contains("http://"));
}
