//! The built page, which lies in the program itself.

use axum::http::{StatusCode, Uri, header};
use axum::response::{Html, IntoResponse, Response};
use rust_embed::RustEmbed;

#[derive(RustEmbed)]
#[folder = "../../web/dist"]
#[allow_missing = true]
struct Files;

/// What is said when the program was built without a page.
const NO_PAGE: &str = "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><title>Kiebitz</title>\
    <p>This program was built without its page. Run <code>make run</code>, which builds both, or \
    <code>npm ci &amp;&amp; npm run build</code> in <code>web/</code> and then the program again. The server itself works: \
    <a href=\"/api/status\">status</a>.</p></html>";

/// Files whose names change with their content may be kept for ever.
const FOR_EVER: &str = "public, max-age=31536000, immutable";

/// A file of the page; for addresses that the page itself understands, its first file.
pub(crate) async fn page(uri: Uri) -> Response {
    let path = uri.path().trim_start_matches('/');
    if let Some(response) = file(path) {
        return response;
    }
    // A name with a dot asks for a file that is not there; anything else is a place inside of the page.
    let is_place = !path.rsplit('/').next().unwrap_or_default().contains('.');
    if !is_place {
        return (StatusCode::NOT_FOUND, "There is no such file.").into_response();
    }
    file("index.html").unwrap_or_else(|| Html(NO_PAGE).into_response())
}

fn file(path: &str) -> Option<Response> {
    let file = Files::get(path)?;
    let kind = mime_guess::from_path(path).first_or_octet_stream();
    let caching = if path.starts_with("assets/") { FOR_EVER } else { "no-cache" };
    let headers = [(header::CONTENT_TYPE, kind.to_string()), (header::CACHE_CONTROL, caching.to_owned())];
    Some((headers, file.data.into_owned()).into_response())
}
