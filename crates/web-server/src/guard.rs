//! Who may talk to the server.
//!
//! A page of some other site, opened in the same browser, can send requests to loopback addresses too. It is told apart by two
//! headers that such a page cannot choose: `Host` must name this server (so that no name that was pointed at us later works),
//! and `Origin`, where the browser sends it, must be ours. Beyond loopback a token is required as well.

use std::collections::HashMap;
use std::net::{IpAddr, SocketAddr};
use std::sync::{Mutex, PoisonError};
use std::time::Instant;

use axum::extract::{ConnectInfo, Request, State};
use axum::http::{HeaderMap, HeaderValue, Method, StatusCode, header};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use kiebitz_messages::{Fault, FaultCode};

use crate::fault::Refusal;
use crate::server::Shared;

/// The name of the cookie that carries the token.
const COOKIE: &str = "kiebitz_token";
/// The longest address that is read.
const LONGEST_PATH: usize = 2048;
/// Requests that a client may make at once, and how many more each second.
const BURST: f64 = 400.0;
const PER_SECOND: f64 = 100.0;
/// Clients that are remembered.
const MOST_CLIENTS: usize = 10_000;

/// How many requests every client has left.
#[derive(Default)]
pub(crate) struct Rates {
    clients: Mutex<HashMap<IpAddr, (f64, Instant)>>,
}

impl Rates {
    /// Counts a request; false if there were too many.
    pub(crate) fn admit(&self, client: IpAddr, now: Instant) -> bool {
        let mut clients = self.clients.lock().unwrap_or_else(PoisonError::into_inner);
        if clients.len() >= MOST_CLIENTS {
            clients.clear();
        }
        let (left, last) = clients.entry(client).or_insert((BURST, now));
        *left = (*left + now.saturating_duration_since(*last).as_secs_f64() * PER_SECOND).min(BURST);
        *last = now;
        if *left < 1.0 {
            return false;
        }
        *left -= 1.0;
        true
    }
}

/// Lets a request through or refuses it.
pub(crate) async fn guard(
    State(shared): State<Shared>,
    ConnectInfo(client): ConnectInfo<SocketAddr>,
    request: Request,
    next: Next,
) -> Response {
    if request.uri().path_and_query().is_some_and(|path| path.as_str().len() > LONGEST_PATH) {
        return refuse(StatusCode::URI_TOO_LONG, "The address is too long.");
    }
    if !shared.rates.admit(client.ip(), Instant::now()) {
        return refuse(StatusCode::TOO_MANY_REQUESTS, "Too many requests; wait a moment.");
    }
    if let Err(reason) = check_names(request.headers(), shared.settings.address, shared.settings.token.is_some()) {
        return refuse(StatusCode::FORBIDDEN, reason);
    }
    if let Some(token) = &shared.settings.token {
        match presented(&request) {
            Some((given, Carrier::Address)) if same(&given, token) && request.method() == Method::GET => {
                return welcome(token);
            }
            Some((given, _)) if same(&given, token) => {}
            _ => {
                return refuse(
                    StatusCode::UNAUTHORIZED,
                    "Open the address that the server printed; it holds the token.",
                );
            }
        }
    }
    let is_api = request.uri().path().starts_with("/api/");
    // Bodies that never come to their end are given up like work that does not.
    let answered = tokio::time::timeout(shared.settings.longest_request, next.run(request)).await;
    let Ok(mut response) = answered else {
        return refuse(StatusCode::REQUEST_TIMEOUT, "It took too long and was given up.");
    };
    protect(response.headers_mut(), is_api);
    response
}

/// `Host` must name this server, and `Origin`, if there is one, must be the same. With a token any name will do for the host.
fn check_names(headers: &HeaderMap, address: SocketAddr, has_token: bool) -> Result<(), &'static str> {
    let text = |name| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
    let host = text(header::HOST).ok_or("The request names no host.")?;
    let (name, port) = match host.rsplit_once(':') {
        Some((name, port)) if !port.ends_with(']') => (name, port.parse::<u16>().map_err(|_| "The host has no port.")?),
        _ => (host, 80),
    };
    let is_ours = matches!(name.to_ascii_lowercase().as_str(), "localhost" | "127.0.0.1" | "[::1]");
    if !has_token && (!is_ours || port != address.port()) {
        return Err("The request is for another host; open the address that the server printed.");
    }
    let origin = text(header::ORIGIN);
    let same_origin = |origin: &str| origin.split_once("://").is_some_and(|(_, rest)| rest.eq_ignore_ascii_case(host));
    if origin.is_some_and(|origin| !same_origin(origin)) {
        return Err("The request comes from another site.");
    }
    Ok(())
}

/// Where a token was found.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Carrier {
    Cookie,
    Header,
    Address,
}

/// The token that a request brings.
fn presented(request: &Request) -> Option<(String, Carrier)> {
    let query = request.uri().query().unwrap_or_default();
    if let Some(token) = query.split('&').find_map(|pair| pair.strip_prefix("token=")) {
        return Some((token.to_owned(), Carrier::Address));
    }
    let header = request.headers().get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
    if let Some(token) = header.and_then(|value| value.strip_prefix("Bearer ")) {
        return Some((token.to_owned(), Carrier::Header));
    }
    let cookies = request.headers().get_all(header::COOKIE).iter().filter_map(|value| value.to_str().ok());
    let mut pairs = cookies.flat_map(|value| value.split(';')).map(str::trim);
    let token = pairs.find_map(|pair| pair.strip_prefix(COOKIE)?.strip_prefix('='))?;
    Some((token.to_owned(), Carrier::Cookie))
}

/// Compares without telling by the time it takes how much was right.
fn same(given: &str, token: &str) -> bool {
    let difference = given.bytes().zip(token.bytes()).fold(0, |sum, (one, other)| sum | (one ^ other));
    given.len() == token.len() && difference == 0
}

/// Puts the token into a cookie and sends the browser to an address without it.
fn welcome(token: &str) -> Response {
    let cookie = format!("{COOKIE}={token}; Path=/; HttpOnly; SameSite=Strict");
    let mut response = (StatusCode::SEE_OTHER, [(header::LOCATION, "/")]).into_response();
    if let Ok(value) = HeaderValue::from_str(&cookie) {
        response.headers_mut().insert(header::SET_COOKIE, value);
    }
    response
}

fn refuse(status: StatusCode, message: &str) -> Response {
    let is_limit = matches!(status, StatusCode::TOO_MANY_REQUESTS | StatusCode::REQUEST_TIMEOUT);
    let code = if is_limit { FaultCode::Limit } else { FaultCode::Refused };
    let mut response = Refusal(Fault::new(code, message)).into_response();
    *response.status_mut() = status;
    protect(response.headers_mut(), true);
    response
}

/// Headers that keep a page to itself.
fn protect(headers: &mut HeaderMap, is_api: bool) {
    const POLICY: &str = "default-src 'self'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self' 'unsafe-inline'; \
                          img-src 'self' data:; worker-src 'self' blob:; object-src 'none'; base-uri 'none'; \
                          form-action 'none'; frame-ancestors 'none'";
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::REFERRER_POLICY, HeaderValue::from_static("no-referrer"));
    if is_api {
        headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("no-store"));
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::time::Duration;

    fn verdict(host: Option<&str>, origin: Option<&str>, has_token: bool) -> bool {
        let mut headers = HeaderMap::new();
        if let Some(host) = host {
            headers.insert(header::HOST, HeaderValue::from_str(host).unwrap());
        }
        if let Some(origin) = origin {
            headers.insert(header::ORIGIN, HeaderValue::from_str(origin).unwrap());
        }
        check_names(&headers, "127.0.0.1:8170".parse().unwrap(), has_token).is_ok()
    }

    #[test]
    fn names_must_be_ours() {
        assert!(verdict(Some("127.0.0.1:8170"), None, false));
        assert!(verdict(Some("localhost:8170"), Some("http://localhost:8170"), false));
        assert!(verdict(Some("[::1]:8170"), Some("http://[::1]:8170"), false));
        for (host, origin) in [
            (None, None),
            (Some("evil.example:8170"), None),
            (Some("127.0.0.1:80"), None),
            (Some("127.0.0.1"), None),
            (Some("127.0.0.1:8170"), Some("http://evil.example")),
            (Some("127.0.0.1:8170"), Some("null")),
            (Some("127.0.0.1:8170"), Some("http://127.0.0.1:8171")),
            (Some("127.0.0.1:x"), None),
        ] {
            assert!(!verdict(host, origin, false), "{host:?} {origin:?}");
        }
        assert!(verdict(Some("my-machine:8170"), Some("http://my-machine:8170"), true));
        assert!(!verdict(Some("my-machine:8170"), Some("http://evil.example"), true));
    }

    #[test]
    fn tokens_are_compared_whole() {
        assert!(same("abc", "abc"));
        assert!(!same("abd", "abc") && !same("ab", "abc") && !same("", "abc") && !same("abcd", "abc"));
    }

    #[test]
    fn a_burst_is_allowed_and_a_flood_is_not() {
        let (rates, now) = (Rates::default(), Instant::now());
        let client = IpAddr::from([10, 0, 0, 1]);
        let admitted = (0..1000).filter(|_| rates.admit(client, now)).count();
        assert_eq!(admitted, BURST as usize);
        assert!(rates.admit(IpAddr::from([10, 0, 0, 2]), now));
        let later = now + Duration::from_millis(100);
        assert_eq!((0..100).filter(|_| rates.admit(client, later)).count(), 10);
    }
}
