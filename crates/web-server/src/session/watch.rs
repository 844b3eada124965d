//! Lists that a page wants to be told about: looked at every second, sent when they have changed.

use std::sync::Arc;
use std::time::Duration;

use kiebitz_messages::{Event, Fault, Listing, Topic};
use tokio::sync::Semaphore;

use super::Outbox;
use crate::fault::internal;
use crate::server::{Inner, Shared};

/// How often watched files are looked at.
const WATCH_PAUSE: Duration = Duration::from_millis(1000);
/// Threads on which files are looked at for watchers; more would only wait for the same disk.
static WATCHING: Semaphore = Semaphore::const_new(2);

/// Sends what is watched at once, and again whenever it has changed.
pub(super) async fn keep_told(shared: Shared, outbox: Arc<Outbox>, id: u32, topic: Topic) {
    let mut told: Option<Listing> = None;
    loop {
        let Ok(permit) = WATCHING.acquire().await else { return };
        let (inner, wanted) = (Arc::clone(&shared), topic.clone());
        let looked = tokio::task::spawn_blocking(move || listing(&inner, &wanted)).await;
        drop(permit);
        match looked {
            Ok(Ok(listing)) => {
                if told.as_ref() != Some(&listing) {
                    outbox.send(Event::Listing { id, listing: listing.clone() });
                    told = Some(listing);
                }
            }
            Ok(Err(fault)) => return outbox.send(Event::Fault { id: Some(id), fault }),
            Err(error) => return outbox.send(Event::Fault { id: Some(id), fault: internal(error) }),
        }
        tokio::time::sleep(WATCH_PAUSE).await;
    }
}

fn listing(shared: &Inner, topic: &Topic) -> Result<Listing, Fault> {
    Ok(match topic {
        Topic::Networks => Listing::Networks { networks: shared.networks.cards() },
        Topic::Runs => Listing::Runs { runs: shared.runs.list() },
        Topic::Matches => Listing::Matches { matches: shared.matches.list() },
        Topic::Run { name } => Listing::Run { run: shared.runs.get(name)? },
        Topic::Match { name } => Listing::Match { detail: shared.matches.get(name)? },
    })
}
