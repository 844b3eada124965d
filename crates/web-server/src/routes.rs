//! What is asked over HTTP: documents and lists.
//!
//! Files are read and written on threads that may block; the guard gives up what takes too long.

use std::sync::Arc;

use axum::Json;
use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{Path, State};
use axum::http::{StatusCode, header};
use axum::response::{IntoResponse, Response};
use kiebitz_messages::{
    Fault, FaultCode, GameDocument, GameSummary, ImportedGames, MatchDetail, MatchSummary, NetworkCard, Opponent,
    PgnText, RunDetail, RunSummary, ServerStatus,
};
use serde::de::DeserializeOwned;

use crate::fault::{Refusal, internal, missing};
use crate::games::{check, read_pgn, write_pgn};
use crate::server::{Inner, MOST_BYTES, Shared};

type Answer<T> = Result<Json<T>, Refusal>;

/// Does work that may block.
async fn blocking<T: Send + 'static>(
    shared: Shared,
    work: impl FnOnce(&Inner) -> Result<T, Fault> + Send + 'static,
) -> Result<T, Refusal> {
    match tokio::task::spawn_blocking(move || work(&shared)).await {
        Ok(outcome) => Ok(outcome?),
        Err(error) => Err(internal(error).into()),
    }
}

/// The message in a body.
fn read<T: DeserializeOwned>(body: Result<Bytes, BytesRejection>) -> Result<T, Refusal> {
    let body = body.map_err(|_| {
        Fault::new(FaultCode::Limit, format!("The body cannot be read, or is longer than {MOST_BYTES} bytes."))
    })?;
    serde_json::from_slice(&body)
        .map_err(|error| Fault::new(FaultCode::Malformed, format!("The body is not understood: {error}.")).into())
}

pub(crate) async fn status(State(shared): State<Shared>) -> Json<ServerStatus> {
    Json(shared.status())
}

pub(crate) async fn opponents(State(shared): State<Shared>) -> Answer<Vec<Opponent>> {
    blocking(shared, |inner| Ok(inner.networks.opponents())).await.map(Json)
}

pub(crate) async fn list_games(State(shared): State<Shared>) -> Json<Vec<GameSummary>> {
    Json(shared.games.list())
}

pub(crate) async fn create_game(
    State(shared): State<Shared>,
    body: Result<Bytes, BytesRejection>,
) -> Result<(StatusCode, Json<GameDocument>), Refusal> {
    let document: GameDocument = read(body)?;
    let created = blocking(shared, move |inner| inner.games.create(document)).await?;
    Ok((StatusCode::CREATED, Json(created)))
}

pub(crate) async fn get_game(State(shared): State<Shared>, Path(id): Path<String>) -> Answer<GameDocument> {
    blocking(shared, move |inner| inner.games.get(&id)).await.map(Json)
}

pub(crate) async fn replace_game(
    State(shared): State<Shared>,
    Path(id): Path<String>,
    body: Result<Bytes, BytesRejection>,
) -> Answer<GameDocument> {
    let document: GameDocument = read(body)?;
    blocking(shared, move |inner| inner.games.replace(&id, document)).await.map(Json)
}

pub(crate) async fn delete_game(State(shared): State<Shared>, Path(id): Path<String>) -> Result<StatusCode, Refusal> {
    blocking(shared, move |inner| inner.games.delete(&id)).await?;
    Ok(StatusCode::NO_CONTENT)
}

pub(crate) async fn game_pgn(State(shared): State<Shared>, Path(id): Path<String>) -> Result<Response, Refusal> {
    // The name is a known one by now, so it may stand in a header.
    let name = id.clone();
    let pgn = blocking(shared, move |inner| write_pgn(&inner.games.get(&id)?)).await?;
    let headers = [
        (header::CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8".to_owned()),
        (header::CONTENT_DISPOSITION, format!("attachment; filename=\"kiebitz-{name}.pgn\"")),
    ];
    Ok((headers, pgn).into_response())
}

pub(crate) async fn pgn_of(State(shared): State<Shared>, body: Result<Bytes, BytesRejection>) -> Answer<PgnText> {
    let mut document: GameDocument = read(body)?;
    let write = move |_: &Inner| {
        check(&mut document)?;
        Ok(PgnText { pgn: write_pgn(&document)? })
    };
    blocking(shared, write).await.map(Json)
}

pub(crate) async fn import_games(
    State(shared): State<Shared>,
    body: Result<Bytes, BytesRejection>,
) -> Answer<ImportedGames> {
    let text: PgnText = read(body)?;
    let import = move |inner: &Inner| {
        let (found, broken) = read_pgn(&text.pgn);
        if found.is_empty() {
            let reason = broken.first().map_or("it holds no game", String::as_str);
            return Err(Fault::new(FaultCode::Chess, format!("The PGN cannot be read: {reason}.")).at("pgn"));
        }
        let games = found.into_iter().map(|game| inner.games.create(game)).collect::<Result<_, _>>()?;
        Ok(ImportedGames { games, broken })
    };
    blocking(shared, import).await.map(Json)
}

pub(crate) async fn networks(State(shared): State<Shared>) -> Answer<Vec<NetworkCard>> {
    blocking(shared, |inner| Ok(inner.networks.cards())).await.map(Json)
}

pub(crate) async fn runs(State(shared): State<Shared>) -> Answer<Vec<RunSummary>> {
    blocking(shared, |inner| Ok(inner.runs.list())).await.map(Json)
}

pub(crate) async fn run(State(shared): State<Shared>, Path(id): Path<String>) -> Answer<RunDetail> {
    blocking(shared, move |inner| inner.runs.get(&id)).await.map(Json)
}

pub(crate) async fn matches(State(shared): State<Shared>) -> Answer<Vec<MatchSummary>> {
    blocking(shared, |inner| Ok(inner.matches.list())).await.map(Json)
}

pub(crate) async fn one_match(State(shared): State<Shared>, Path(id): Path<String>) -> Answer<MatchDetail> {
    blocking(shared, move |inner| inner.matches.get(&id)).await.map(Json)
}

pub(crate) async fn nothing(State(_): State<Arc<Inner>>) -> Refusal {
    Refusal(missing("address", "here"))
}
