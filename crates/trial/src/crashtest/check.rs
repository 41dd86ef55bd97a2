use std::sync::PoisonError;
use std::time::{Duration, Instant};

use client::{Answer, Connection};
use game::Record;
use protocol::Command;
use session::Follower;

use super::Shared;
use super::pair::{BASE, Played};

/// What a server may fail to charge for each time it is killed: it writes a heartbeat every two seconds.
const UNNOTED: Duration = Duration::from_millis(2600);

/// Looks at every game anew and compares it with what was promised; a line that sums it up. `alive` says from when to when
/// the server lived; empty if that is not known.
pub(super) async fn all(shared: &Shared, server: &str, alive: &[(Instant, Option<Instant>)]) -> String {
    let games = std::mem::take(&mut *shared.games.lock().unwrap_or_else(PoisonError::into_inner));
    let (mut actions, mut entries) = (0, 0);
    for game in &games {
        match follow(server, game).await {
            Ok(follower) => {
                actions += game.acknowledged.len();
                entries += follower.game.as_ref().map_or(0, |play| play.log().len());
                compare(game, &follower, alive).into_iter().for_each(|what| shared.complain(what));
            }
            Err(problem) => shared.complain(format!("table {}: {problem}", game.table)),
        }
    }
    format!(
        "{} games with {actions} acknowledged actions, {entries} entries: each looked at again, replayed and compared",
        games.len()
    )
}

async fn follow(server: &str, game: &Played) -> Result<Follower, String> {
    let mut remote = Connection::connect(server, game.credential.clone()).await.map_err(|broken| broken.to_string())?;
    let watch = Command::Watch { table: game.table.clone(), seen: 0 };
    match remote.ask("look", watch).await.map_err(|broken| broken.to_string())? {
        Answer::Done { .. } => remote.follower.take().ok_or_else(|| "nothing was told".to_owned()),
        Answer::Refused(code) => Err(format!("refused: {code:?}")),
    }
}

/// What of a game is not as it was promised.
fn compare(game: &Played, found: &Follower, alive: &[(Instant, Option<Instant>)]) -> Vec<String> {
    let Some(play) = &found.game else { return vec![format!("table {}: it has not begun", game.table)] };
    let mut wrong = Vec::new();
    let mut complain = |what: String| wrong.push(format!("table {}: {what}", game.table));
    let log: Vec<String> = play.log().iter().map(|entry| entry.event.to_string()).collect();
    for (at, action) in &game.acknowledged {
        match log.get(*at as usize) {
            Some(entry) if entry == action => {}
            other => complain(format!("{action} was acknowledged at {at}, but there is {other:?}")),
        }
    }
    // Everything a seat did was asked for once: what is there beyond what was acknowledged can only be the last ask.
    let acted = log.iter().filter(|entry| !play.position().is_chance(entry)).count();
    let most = game.acknowledged.len() + usize::from(game.open.is_some());
    if acted < game.acknowledged.len() || acted > most {
        complain(format!(
            "{acted} actions of seats, but between {} and {most} were asked for",
            game.acknowledged.len()
        ));
    }
    let text = play.record().to_string();
    if let Err(problem) = Record::read_all(&text) {
        complain(format!("its record does not replay: {problem}"));
    }
    if found.ended.is_none() && !alive.is_empty() {
        clocks(game, found, alive).into_iter().for_each(complain);
    }
    wrong
}

/// Time is charged while the server lived, and not while it was dead.
fn clocks(game: &Played, found: &Follower, alive: &[(Instant, Option<Instant>)]) -> Option<String> {
    let left: u64 = found.clocks.as_ref()?.left.iter().sum();
    let charged = Duration::from_millis((2 * BASE.as_millis() as u64).checked_sub(left)?);
    let now = Instant::now();
    let since = alive.iter().filter(|(_, died)| died.is_none_or(|died| died > game.began));
    let lived = since.clone().map(|(born, died)| died.unwrap_or(now).duration_since((*born).max(game.began).min(now)));
    let (lived, lives): (Duration, u32) = (lived.sum(), since.count() as u32);
    // A server is up a moment before it prints so, and messages arrive a moment later.
    let most = lived + Duration::from_millis(600) * lives + Duration::from_secs(1);
    let least = lived.saturating_sub(UNNOTED * lives + Duration::from_secs(1));
    let sane = (least..=most).contains(&charged);
    (!sane).then(|| format!("clocks are charged {charged:?}, but the server lived for {lived:?} in {lives} lives"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use client::Credential;
    use protocol::{Access, Clocks, Event, Occupant, SeatInfo, ServerMessage, TableInfo, TableState};

    fn found(entries: &[&str], left: u64) -> Follower {
        let seats = vec![SeatInfo { occupant: Some(Occupant::Bot { level: 1 }), rating: None }; 2];
        let table = TableInfo {
            id: "t".into(),
            game: "quixo".into(),
            clock: "fischer=3600+0".into(),
            access: Access::Link,
            rated: false,
            confer: false,
            first: None,
            drawn: false,
            signs: None,
            maker: "m".into(),
            state: TableState::Playing,
            seats,
            you: None,
            seq: 0,
        };
        let mut follower = Follower::new(table, "me").unwrap();
        let events = entries.iter().map(|entry| Event::Entry { entry: (*entry).into(), spent: None });
        for (seq, event) in (1..).zip([Event::Began].into_iter().chain(events)) {
            follower.receive(&ServerMessage::Event { seq, at: 0, event }).unwrap();
        }
        follower.clocks = Some(Clocks { left: vec![left, 3_600_000], running: Some(rules::Seat::ONE) });
        follower
    }

    fn promised(actions: &[&str]) -> Played {
        let acknowledged = (0..).zip(actions.iter().map(|action| (*action).to_owned())).collect();
        Played { table: "t".into(), credential: Credential::New, acknowledged, open: None, began: Instant::now() }
    }

    /// A test of the test: each kind of damage to a log is found.
    #[test]
    fn broken_promises_are_found() {
        let alive = [(Instant::now(), None)];
        let check = |promise: &Played, found: &Follower| compare(promise, found, &alive);
        let promise = promised(&["a3e3", "a2e2", "a1e1"]);
        assert_eq!(check(&promise, &found(&["a3e3", "a2e2", "a1e1"], 3_600_000)), Vec::<String>::new());
        assert!(!check(&promise, &found(&["a3e3", "a2e2"], 3_600_000)).is_empty(), "one is missing");
        assert!(!check(&promise, &found(&["a3e3", "a1e1", "a2e2"], 3_600_000)).is_empty(), "two are swapped");
        assert!(!check(&promise, &found(&["a3e3", "a2e2", "a1e1", "b1b5"], 3_600_000)).is_empty(), "one is too many");
        assert!(!check(&promise, &found(&["a3e3", "a2e2", "a1e1"], 3_500_000)).is_empty(), "charged for nothing");
    }
}
