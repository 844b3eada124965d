//! Requests in, events out, a slice at a time.

use std::collections::VecDeque;
use std::sync::Arc;
use std::time::Duration;

use kiebitz_messages::{AnalysisEnd, Event, Fault, FaultCode, PROTOCOL, Request, ServerLimits, ServerStatus};
use kiebitz_network::NetworkFile;
use kiebitz_onlooker::{Desk, Limits, LoadedNetwork, MAX_PLIES, Mind, Progress, Task, neuron_weights, opponents};
use kiebitz_search::{Clock, SearchSignal};

/// What a browser can bear.
const LIMITS: Limits = Limits { threads: 1, hash_mebibytes: 128, lines: 10, review_nodes: 1_000_000 };
/// Requests that wait at most, besides the analysis.
const MOST_WAITING: usize = 8;
/// The longest message, in bytes.
const MOST_BYTES: usize = 4 << 20;

/// An engine with the work that waits for it.
pub struct BrowserDesk {
    desk: Desk,
    networks: Vec<Arc<LoadedNetwork>>,
    waiting: VecDeque<Task>,
    analysis: Option<Task>,
}

impl BrowserDesk {
    /// An engine with the network that is built in.
    #[must_use]
    pub fn new(clock: Clock) -> Self {
        let networks = LoadedNetwork::built_in().map(Arc::new).into_iter().collect();
        Self { desk: Desk::new(clock), networks, waiting: VecDeque::new(), analysis: None }
    }

    /// Makes a network available under a name.
    ///
    /// # Errors
    /// Says what is wrong with the file.
    pub fn load_network(&mut self, id: &str, bytes: &[u8]) -> Result<(), String> {
        let file = NetworkFile::from_bytes(bytes).map_err(|error| error.to_string())?;
        let loaded = LoadedNetwork::new(id, file).map_err(|error| error.to_string())?;
        self.networks.retain(|known| known.id != id);
        self.networks.push(Arc::new(loaded));
        Ok(())
    }

    /// The first event, as a server would send it.
    #[must_use]
    pub fn hello(&self) -> Event {
        let count = |number: usize| u32::try_from(number).unwrap_or(u32::MAX);
        Event::Hello {
            status: ServerStatus {
                protocol: PROTOCOL,
                version: env!("CARGO_PKG_VERSION").to_owned(),
                documents: false,
                limits: ServerLimits {
                    max_threads: LIMITS.threads,
                    max_hash_mebibytes: LIMITS.hash_mebibytes,
                    max_lines: LIMITS.lines,
                    max_review_nodes: LIMITS.review_nodes,
                    max_plies: count(MAX_PLIES),
                    max_bytes: count(MOST_BYTES),
                    search_slots: 1,
                },
                running_searches: u32::from(self.is_busy()),
                waiting_searches: count(self.waiting.len()),
                connections: 1,
            },
        }
    }

    /// Whether [`Self::step`] has something to do.
    #[must_use]
    pub fn is_busy(&self) -> bool {
        !self.waiting.is_empty() || self.analysis.is_some()
    }

    /// Takes note of a request; answers at once what needs no search.
    pub fn request(&mut self, json: &str) -> Vec<Event> {
        if json.len() > MOST_BYTES {
            let fault = Fault::new(FaultCode::Limit, format!("A message has at most {MOST_BYTES} bytes."));
            return vec![Event::Fault { id: None, fault }];
        }
        match serde_json::from_str::<Request>(json) {
            Ok(request) => {
                let id = request.id();
                self.take(request).unwrap_or_else(|fault| vec![Event::Fault { id: Some(id), fault }])
            }
            Err(error) => {
                let fault = Fault::new(FaultCode::Malformed, format!("The message is not understood: {error}."));
                vec![Event::Fault { id: None, fault }]
            }
        }
    }

    fn take(&mut self, request: Request) -> Result<Vec<Event>, Fault> {
        let id = request.id();
        let opponent = match &request {
            Request::Ping { .. } => return Ok(vec![Event::Pong { id }]),
            Request::Stop { .. } => return Ok(self.stop(id)),
            Request::Watch { .. } => {
                return Err(Fault::new(FaultCode::Missing, "There is no server: nothing can be watched."));
            }
            Request::Opponents { .. } => {
                let known = self.networks.iter().map(|one| (one.id.as_str(), one.file.header.description.as_str()));
                return Ok(vec![Event::Opponents { id, opponents: opponents(known) }]);
            }
            Request::Neuron { network, neuron, king, .. } => {
                let weights = neuron_weights(&*self.network(network)?, *neuron, king)?;
                return Ok(vec![Event::Neuron { id, weights }]);
            }
            Request::Analyse { opponent, .. }
            | Request::Think { opponent, .. }
            | Request::OfferDraw { opponent, .. }
            | Request::Inspect { opponent, .. }
            | Request::Why { opponent, .. }
            | Request::Review { opponent, .. } => opponent,
        };
        let Some(task) = Task::new(&request, self.mind(opponent)?, &LIMITS)? else { return Ok(Vec::new()) };
        if task.is_analysis() {
            let replaced = self.analysis.replace(task);
            let end = AnalysisEnd::Replaced;
            return Ok(replaced.map(|old| Event::AnalysisEnded { id: old.id(), end }).into_iter().collect());
        }
        if self.waiting.len() >= MOST_WAITING {
            return Err(Fault::new(FaultCode::Limit, format!("{MOST_WAITING} requests wait already.")));
        }
        self.waiting.push_back(task);
        Ok(Vec::new())
    }

    fn stop(&mut self, id: u32) -> Vec<Event> {
        if self.analysis.take_if(|task| task.id() == id).is_some() {
            return vec![Event::AnalysisEnded { id, end: AnalysisEnd::Stopped }];
        }
        let before = self.waiting.len();
        self.waiting.retain(|task| task.id() != id);
        if self.waiting.len() < before { vec![Event::Stopped { id }] } else { Vec::new() }
    }

    fn mind(&self, opponent: &str) -> Result<Mind, Fault> {
        if Mind::is_handcrafted(opponent) {
            return Ok(Mind::Handcrafted);
        }
        let missing = || Fault::new(FaultCode::Missing, "There is no such opponent.").at("opponent");
        self.network(Mind::network_of(opponent).ok_or_else(missing)?).map(Mind::Network)
    }

    fn network(&self, id: &str) -> Result<Arc<LoadedNetwork>, Fault> {
        let found = self.networks.iter().find(|known| known.id == id).cloned();
        found.ok_or_else(|| Fault::new(FaultCode::Missing, "There is no such network.").at("opponent"))
    }

    /// Works for a while: an analysis for the slice, anything else for one search.
    pub fn step(&mut self, slice: Duration) -> Vec<Event> {
        let signal = SearchSignal::new();
        let mut events: Vec<Event> = Vec::new();
        let mut emit = |event: Event| {
            // Of several updates within a slice the last one tells all.
            if matches!((&event, events.last()), (Event::Analysis { .. }, Some(Event::Analysis { .. }))) {
                events.pop();
            }
            events.push(event);
        };
        if let Some(mut task) = self.waiting.pop_front() {
            if task.advance(&mut self.desk, &signal, None, &mut emit) == Progress::More {
                // Reviews are long: whoever came after them need not wait for their end.
                if task.is_long() { self.waiting.push_back(task) } else { self.waiting.push_front(task) }
            }
        } else if let Some(task) = &mut self.analysis
            && task.advance(&mut self.desk, &signal, Some(slice), &mut emit) == Progress::Done
        {
            self.analysis = None;
        }
        events
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = r#"{"start":"rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1","moves":["e2e4"]}"#;

    fn desk() -> BrowserDesk {
        BrowserDesk::new(Clock::system())
    }

    fn run(desk: &mut BrowserDesk, request: &str) -> Vec<Event> {
        let mut events = desk.request(request);
        while desk.is_busy() {
            events.extend(desk.step(Duration::from_millis(30)));
        }
        events
    }

    #[test]
    fn a_move_is_chosen_and_a_position_looked_into() {
        let mut desk = desk();
        let think = format!(r#"{{"kind":"think","id":3,"line":{START},"opponent":"handcrafted","time_ms":30}}"#);
        assert!(matches!(run(&mut desk, &think).as_slice(), [Event::Thought { id: 3, best: Some(_), .. }]));
        let inspect =
            format!(r#"{{"kind":"inspect","id":4,"line":{START},"opponent":"handcrafted","search_nodes":100}}"#);
        assert!(matches!(run(&mut desk, &inspect).as_slice(), [Event::Inspection { id: 4, .. }]));
        let review = format!(r#"{{"kind":"review","id":5,"line":{START},"opponent":"handcrafted","nodes":100}}"#);
        assert!(matches!(run(&mut desk, &review).last(), Some(Event::Review { id: 5, .. })));
    }

    #[test]
    fn an_analysis_grows_from_slice_to_slice_and_can_be_stopped() {
        let mut desk = desk();
        let analyse = format!(
            r#"{{"kind":"analyse","id":1,"line":{START},"opponent":"handcrafted","lines":2,"threads":1,"hash_mebibytes":8,"limit":{{}}}}"#
        );
        assert!(desk.request(&analyse).is_empty());
        let mut depths = Vec::new();
        for _ in 0..20 {
            for event in desk.step(Duration::from_millis(40)) {
                let Event::Analysis { update, .. } = event else { panic!("{event:?}") };
                assert_eq!(update.lines.len(), 2);
                depths.push(update.depth);
            }
        }
        assert!(depths.is_sorted() && depths.last() > depths.first(), "{depths:?}");
        assert_eq!(
            desk.request(r#"{"kind":"stop","id":1}"#),
            [Event::AnalysisEnded { id: 1, end: AnalysisEnd::Stopped }]
        );
        assert!(!desk.is_busy());
    }

    #[test]
    fn what_needs_a_server_and_nonsense_get_a_fault() {
        let mut desk = desk();
        for text in ["", "{}", r#"{"kind":"watch","id":1,"topic":{"kind":"runs"}}"#, r#"{"kind":"think","id":1}"#] {
            assert!(matches!(desk.request(text).as_slice(), [Event::Fault { .. }]), "{text}");
        }
        assert!(desk.load_network("small", b"nonsense").is_err());
        let asked = desk.request(r#"{"kind":"opponents","id":1}"#);
        let [Event::Opponents { opponents, .. }] = asked.as_slice() else { panic!("{asked:?}") };
        let ids: Vec<&str> = opponents.iter().map(|opponent| opponent.id.as_str()).collect();
        assert_eq!(ids, ["network:kiebitz", "handcrafted"]);
    }
}
