//! One open page: requests in, events out.
//!
//! **Invariants:** whatever arrives is answered or ends the connection, never the server; a page that reads slowly makes only
//! itself wait; when the connection ends, everything it asked for ends.

mod watch;

use std::collections::HashMap;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::extract::State;
use axum::extract::ws::{CloseFrame, Message, WebSocket, WebSocketUpgrade, close_code};
use axum::response::{IntoResponse, Response};
use kiebitz_messages::{Event, Fault, FaultCode, Request, Topic};
use kiebitz_onlooker::{Task, neuron_weights};
use tokio::sync::Notify;
use tokio::sync::mpsc::{UnboundedReceiver, UnboundedSender, unbounded_channel};
use tokio::task::JoinHandle;
use tokio::time::timeout;

use crate::fault::{Refusal, internal};
use crate::scheduler::{JobHandle, LastTurn, Outlet};
use crate::server::{Inner, MOST_BYTES, Shared};

/// Requests in flight besides the analysis.
const MOST_REQUESTS: usize = 8;
/// Things a page may watch at a time.
const MOST_WATCHES: usize = 8;
/// Updates of an analysis are at least so far apart.
const UPDATE_PAUSE: Duration = Duration::from_millis(50);
/// How often a silent connection is asked whether it is still there, and when it is given up.
const PING_PAUSE: Duration = Duration::from_secs(20);
const SILENCE: Duration = Duration::from_secs(90);
/// How long a page may take to read a message.
const LONGEST_WRITE: Duration = Duration::from_secs(10);
/// Messages that a page may send at once, and how many more each second.
const BURST: f64 = 200.0;
const PER_SECOND: f64 = 40.0;

/// Opens a session, unless there are too many.
pub(crate) async fn open(State(shared): State<Shared>, upgrade: WebSocketUpgrade) -> Response {
    let taken = Place::take(&shared);
    let Some(place) = taken else {
        let most = shared.settings.max_connections;
        return Refusal(Fault::new(FaultCode::Limit, format!("{most} pages are open already; close one.")))
            .into_response();
    };
    let upgrade = upgrade.max_message_size(MOST_BYTES).max_frame_size(MOST_BYTES);
    upgrade.on_upgrade(move |socket| async move {
        let mut session = Session::new(shared);
        session.run(socket).await;
        drop(place);
    })
}

/// A place among the open connections, given back when dropped.
struct Place {
    shared: Shared,
}

impl Place {
    fn take(shared: &Shared) -> Option<Self> {
        let most = shared.settings.max_connections;
        let taken = shared
            .connections
            .fetch_update(Ordering::AcqRel, Ordering::Acquire, |open| (open < most).then_some(open + 1));
        taken.ok().map(|_| Self { shared: Arc::clone(shared) })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        self.shared.connections.fetch_sub(1, Ordering::AcqRel);
    }
}

/// Events on their way to the page. Of updates of the analysis only the last one waits.
struct Outbox {
    events: UnboundedSender<Event>,
    update: Mutex<Option<Event>>,
    updated: Notify,
}

impl Outbox {
    fn send(&self, event: Event) {
        if matches!(event, Event::Analysis { .. }) {
            *self.update.lock().unwrap_or_else(PoisonError::into_inner) = Some(event);
            self.updated.notify_one();
        } else {
            // When nobody receives, the session has ended.
            let _ = self.events.send(event);
        }
    }

    fn take_update(&self) -> Option<Event> {
        self.update.lock().unwrap_or_else(PoisonError::into_inner).take()
    }
}

struct Session {
    shared: Shared,
    outbox: Arc<Outbox>,
    inbox: UnboundedReceiver<Event>,
    jobs: HashMap<u32, JobHandle>,
    analysis: Option<(u32, JobHandle)>,
    last_turn: LastTurn,
    watches: HashMap<u32, JoinHandle<()>>,
    /// Messages that the page may still send.
    allowance: (f64, Instant),
}

/// Whether a session goes on.
enum Next {
    GoOn,
    End,
}

impl Session {
    fn new(shared: Shared) -> Self {
        let (events, inbox) = unbounded_channel();
        let outbox = Arc::new(Outbox { events, update: Mutex::default(), updated: Notify::new() });
        Self {
            shared,
            outbox,
            inbox,
            jobs: HashMap::new(),
            analysis: None,
            last_turn: LastTurn::default(),
            watches: HashMap::new(),
            allowance: (BURST, Instant::now()),
        }
    }

    async fn run(&mut self, mut socket: WebSocket) {
        let hello = Event::Hello { status: self.shared.status() };
        if send(&mut socket, &hello).await.is_err() {
            return;
        }
        let outbox = Arc::clone(&self.outbox);
        let mut closing = self.shared.closing.clone();
        let mut pings = tokio::time::interval(PING_PAUSE);
        let mut last_heard = Instant::now();
        let mut next_update = tokio::time::Instant::now();
        let mut is_update_waiting = false;
        loop {
            let next = tokio::select! {
                received = socket.recv() => match received {
                    Some(Ok(message)) => {
                        last_heard = Instant::now();
                        self.receive(message).await
                    }
                    _ => Next::End,
                },
                Some(event) = self.inbox.recv() => self.deliver(&mut socket, event).await,
                () = outbox.updated.notified() => {
                    is_update_waiting = true;
                    Next::GoOn
                }
                () = tokio::time::sleep_until(next_update), if is_update_waiting => {
                    is_update_waiting = false;
                    next_update = tokio::time::Instant::now() + UPDATE_PAUSE;
                    match outbox.take_update() {
                        Some(update) => self.deliver(&mut socket, update).await,
                        None => Next::GoOn,
                    }
                }
                _ = pings.tick() => ping(&mut socket, last_heard).await,
                () = async { let _ = closing.wait_for(|closing| *closing).await; } => Next::End,
            };
            if matches!(next, Next::End) {
                break;
            }
        }
        let reason = CloseFrame { code: close_code::AWAY, reason: "the session ends".into() };
        // Whether the page hears it is its own affair.
        let _ = timeout(Duration::from_millis(500), socket.send(Message::Close(Some(reason)))).await;
    }

    async fn receive(&mut self, message: Message) -> Next {
        let text = match message {
            Message::Text(text) => text,
            Message::Binary(_) => {
                self.refuse(None, Fault::new(FaultCode::Malformed, "Messages are text, not binary."));
                return self.pay();
            }
            Message::Close(_) => return Next::End,
            Message::Ping(_) | Message::Pong(_) => return Next::GoOn,
        };
        match serde_json::from_str::<Request>(text.as_str()) {
            Ok(request) => self.take(request).await,
            Err(error) => {
                let fault = Fault::new(FaultCode::Malformed, format!("The message is not understood: {error}."));
                self.refuse(number_of(text.as_str()), fault);
            }
        }
        self.pay()
    }

    /// Counts a message; a page that floods is disconnected.
    fn pay(&mut self) -> Next {
        let (left, last) = self.allowance;
        let now = Instant::now();
        let left = (left + (now - last).as_secs_f64() * PER_SECOND).min(BURST) - 1.0;
        self.allowance = (left, now);
        if left >= 0.0 { Next::GoOn } else { Next::End }
    }

    fn refuse(&self, id: Option<u32>, fault: Fault) {
        self.outbox.send(Event::Fault { id, fault });
    }

    async fn take(&mut self, request: Request) {
        let id = request.id();
        match request {
            Request::Ping { .. } => self.outbox.send(Event::Pong { id }),
            Request::Stop { .. } => self.stop(id),
            Request::Watch { topic, .. } => self.watch(id, topic),
            Request::Opponents { .. } | Request::Neuron { .. } => self.answer(id, request),
            _ => self.search(id, request).await,
        }
    }

    fn is_taken(&self, id: u32) -> bool {
        let analysing = self.analysis.as_ref().is_some_and(|(known, _)| *known == id);
        analysing || self.jobs.contains_key(&id) || self.watches.contains_key(&id)
    }

    /// Hands a request that needs an engine to the scheduler. A network may have to be read first, on a thread that may block.
    async fn search(&mut self, id: u32, request: Request) {
        if self.is_taken(id) {
            return self.refuse(Some(id), Fault::new(FaultCode::Value, "This number is in use.").at("id"));
        }
        let is_analysis = matches!(request, Request::Analyse { .. });
        if !is_analysis && self.jobs.len() >= MOST_REQUESTS {
            let message = format!("{MOST_REQUESTS} requests are under way already; wait for one.");
            return self.refuse(Some(id), Fault::new(FaultCode::Limit, message));
        }
        let shared = Arc::clone(&self.shared);
        let made = tokio::task::spawn_blocking(move || task_of(&shared, &request)).await;
        let task = match made.unwrap_or_else(|error| Err(internal(error))) {
            Ok(Some(task)) => task,
            Ok(None) => return self.refuse(Some(id), internal("the request needs no engine")),
            Err(fault) => return self.refuse(Some(id), fault),
        };
        let outbox = Arc::clone(&self.outbox);
        let outlet: Outlet = Arc::new(move |event| outbox.send(event));
        if is_analysis && let Some((_, old)) = self.analysis.take() {
            old.replace();
        }
        let job = self.shared.scheduler.submit(task, outlet, &self.last_turn);
        if is_analysis {
            self.analysis = Some((id, job));
        } else {
            self.jobs.insert(id, job);
        }
    }

    /// Answers what needs files but no engine.
    fn answer(&self, id: u32, request: Request) {
        let (shared, outbox) = (Arc::clone(&self.shared), Arc::clone(&self.outbox));
        tokio::task::spawn_blocking(move || {
            let event = match request {
                Request::Neuron { network, neuron, king, .. } => {
                    let found = shared.networks.network(&network);
                    match found.and_then(|loaded| neuron_weights(&loaded, neuron, &king)) {
                        Ok(weights) => Event::Neuron { id, weights },
                        Err(fault) => Event::Fault { id: Some(id), fault },
                    }
                }
                _ => Event::Opponents { id, opponents: shared.networks.opponents() },
            };
            outbox.send(event);
        });
    }

    fn stop(&mut self, id: u32) {
        if let Some((_, job)) = self.analysis.take_if(|(known, _)| *known == id) {
            job.cancel();
        } else if let Some(job) = self.jobs.remove(&id) {
            job.cancel();
        } else if let Some(watch) = self.watches.remove(&id) {
            watch.abort();
        }
        // What has ended already needs no stopping.
    }

    fn watch(&mut self, id: u32, topic: Topic) {
        if self.is_taken(id) {
            return self.refuse(Some(id), Fault::new(FaultCode::Value, "This number is in use.").at("id"));
        }
        if self.watches.len() >= MOST_WATCHES {
            let message = format!("{MOST_WATCHES} things are watched already; stop one.");
            return self.refuse(Some(id), Fault::new(FaultCode::Limit, message));
        }
        let (shared, outbox) = (Arc::clone(&self.shared), Arc::clone(&self.outbox));
        self.watches.insert(id, tokio::spawn(watch::keep_told(shared, outbox, id, topic)));
    }

    /// Sends an event, and the update that belongs before it.
    async fn deliver(&mut self, socket: &mut WebSocket, event: Event) -> Next {
        if matches!(event, Event::AnalysisEnded { .. } | Event::Waiting { .. })
            && let Some(update) = self.outbox.take_update()
            && send(socket, &update).await.is_err()
        {
            return Next::End;
        }
        self.note_end(&event);
        match send(socket, &event).await {
            Ok(()) => Next::GoOn,
            Err(()) => Next::End,
        }
    }

    /// Forgets what has said its last word.
    fn note_end(&mut self, event: &Event) {
        if let Some(id) = event.ends() {
            self.jobs.remove(&id);
            self.watches.remove(&id);
            self.analysis.take_if(|(known, _)| *known == id);
        }
    }
}

impl Drop for Session {
    /// Nobody is left to hear anything.
    fn drop(&mut self) {
        self.jobs.values().for_each(JobHandle::cancel);
        if let Some((_, job)) = &self.analysis {
            job.cancel();
        }
        self.watches.values().for_each(JoinHandle::abort);
    }
}

async fn send(socket: &mut WebSocket, event: &Event) -> Result<(), ()> {
    let text = serde_json::to_string(event).map_err(|_| ())?;
    match timeout(LONGEST_WRITE, socket.send(Message::Text(text.into()))).await {
        Ok(Ok(())) => Ok(()),
        _ => Err(()),
    }
}

/// Asks whether the page is still there.
async fn ping(socket: &mut WebSocket, last_heard: Instant) -> Next {
    if last_heard.elapsed() > SILENCE {
        return Next::End;
    }
    match timeout(LONGEST_WRITE, socket.send(Message::Ping(Default::default()))).await {
        Ok(Ok(())) => Next::GoOn,
        _ => Next::End,
    }
}

fn task_of(shared: &Inner, request: &Request) -> Result<Option<Task>, Fault> {
    let opponent = match request {
        Request::Analyse { opponent, .. }
        | Request::Think { opponent, .. }
        | Request::OfferDraw { opponent, .. }
        | Request::Inspect { opponent, .. }
        | Request::Why { opponent, .. }
        | Request::Review { opponent, .. } => opponent,
        _ => return Ok(None),
    };
    Task::new(request, shared.networks.mind(opponent)?, &shared.limits())
}

/// The number in a message that is not understood, so that the page knows which one it was.
fn number_of(text: &str) -> Option<u32> {
    let value: serde_json::Value = serde_json::from_str(text).ok()?;
    value.get("id")?.as_u64().and_then(|id| u32::try_from(id).ok())
}
