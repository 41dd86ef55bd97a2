//! Which pages there are to look at.

use std::time::Duration;

use e2e::{Page, Policy, Problem, Proxy};
use game::{Game, Match, MatchSettings, Player, Sitter};

use crate::others::Tables;

/// A page to look at.
pub(crate) struct Place {
    pub(crate) name: String,
    /// Where it is.
    address: String,
    /// The elements that are clicked there, one after the other.
    press: &'static [&'static str],
    /// What is shown once the page is complete.
    shows: &'static str,
    /// Whether the network is cut before the page is opened.
    offline: bool,
}

impl Place {
    fn new(name: impl Into<String>, address: impl Into<String>) -> Place {
        Place { name: name.into(), address: address.into(), press: &[], shows: "main", offline: false }
    }

    /// Opens the page, as far as it is to be looked at.
    pub(crate) async fn open(&self, page: &Page, proxy: &Proxy, language: &str) -> Result<(), Problem> {
        if self.offline {
            page.go("/").await?;
            page.holds_later("navigator.serviceWorker.ready").await?;
            proxy.cut();
        }
        let is_document = ["/embed/", "/rules/"].iter().any(|start| self.address.starts_with(start));
        if is_document {
            page.open(&self.address.trim_start_matches('/').replace("LANGUAGE", language)).await?;
        } else {
            page.go(&self.address).await?;
        }
        for selector in self.press {
            // Not by the mouse: what is pressed may lie under a bar at the edge of a phone, or be there on phones alone.
            page.holds(&format!("document.querySelector({selector:?})")).await?;
            page.script(&format!("document.querySelector({selector:?}).click();")).await?;
        }
        page.shows(self.shows).await
    }
}

/// Pages that need nothing but their address.
const PLAIN: [(&str, &str); 23] = [
    ("home", "/"),
    ("learn", "/learn"),
    ("settings", "/settings"),
    ("lost", "/nowhere"),
    ("no-such-game", "/play/none"),
    ("no-such-table", "/t/nowhere"),
    ("analyse-nothing", "/analyse"),
    ("analyse-broken-link", "/analyse#record=nonsense"),
    ("new-broken-link", "/four?game=four(size=77)"),
    ("arrange", "/online/new/quixo?game=quixo(players=4)"),
    ("mine", "/mine"),
    ("friends", "/friends"),
    ("leaders", "/leaders/quixo"),
    ("account", "/account"),
    ("privacy", "/privacy"),
    ("puzzles-rated", "/puzzles?mode=rated&game=quixo"),
    ("puzzles-theme", "/puzzles?mode=theme&game=quarto"),
    ("puzzles-streak", "/puzzles?mode=streak&game=sequence"),
    ("puzzles-storm", "/puzzles?mode=storm&game=four"),
    ("puzzles-own", "/puzzles?mode=own&game=quixo"),
    ("embed-puzzle", "/embed/puzzle/quarto"),
    ("embed-nothing", "/embed/table/nowhere"),
    ("rules", "/rules/LANGUAGE/sequence.html"),
];

/// Matches that are put on the device: name, game, seats, seed, and how many actions of seats are played. Every other game has
/// one in its middle and one at its end.
const MATCHES: [(&str, &str, &str, u64, usize); 13] = [
    ("quarto", "quarto", "person,bot:3", 3, 11),
    ("quixo", "quixo", "person,bot:3", 4, 14),
    ("sequence", "sequence", "person,bot:3", 1, 16),
    ("four", "four(size=13)", "person,bot:3", 2, 60),
    ("quarto-end", "quarto(call=open)", "person,bot:3", 2, 400),
    ("quixo-end", "quixo", "person,person", 5, 400),
    ("sequence-end", "sequence(players=4)", "person,bot:2,bot:3,bot:4", 6, 400),
    ("four-end", "four(size=9,target=3)", "person,bot:3", 7, 900),
    ("quixo-team", "quixo(players=4)", "person,bot:3,bot:4,bot:5", 8, 24),
    ("four-moving", "four(size=9,reserve=20)", "person,bot:3", 3, 40),
    ("sequence-curtain", "sequence", "person,person", 1, 6),
    ("quarto-two", "quarto", "person,person", 3, 11),
    ("sequence-four", "sequence(players=4)", "person,bot:2,bot:3,bot:4", 6, 30),
];

/// Every page; the matches are put on the device of `page`.
pub(crate) async fn all(page: &Page, tables: &Tables) -> Result<Vec<Place>, Problem> {
    // An open table is listed for a while only: its page is looked at first.
    let mut places = online(tables);
    places.extend(PLAIN.into_iter().map(|(name, address)| Place::new(name, address)));
    let games = rules::GameId::ALL.map(rules::GameId::name);
    let others = games.into_iter().filter(|game| MATCHES.iter().all(|(name, ..)| name != game));
    let others = others.flat_map(|game| {
        [(game.to_owned(), 14), (format!("{game}-end"), 2_000)]
            .map(|(name, actions)| (name, game, "person,bot:3", 3, actions))
    });
    let matches =
        MATCHES.into_iter().map(|(name, game, seats, seed, actions)| (name.to_owned(), game, seats, seed, actions));
    for (name, game, seats, seed, actions) in matches.chain(others) {
        let record = serde_json::to_string(&played(game, seats, seed, actions)?)?;
        // The app reads a match from all rows whose keys begin alike and go on with a sign up to the slash.
        let key = name.replace('-', "_");
        page.script_later(&KEEP.replace("KEY", &key).replace("RECORD", &record)).await?;
        places.push(Place::new(format!("table-{name}"), format!("/play/{key}")));
    }
    for game in puzzles::GAMES.map(rules::GameId::name) {
        places.push(Place::new(format!("puzzles-daily-{game}"), format!("/puzzles?mode=daily&game={game}")));
        let solution: &[&str] = &["[data-do=show]", "[data-do=why]"];
        let solved = Place::new(format!("puzzles-solution-{game}"), format!("/puzzles?mode=theme&game={game}"));
        places.push(Place { press: solution, shows: ".why li", ..solved });
    }
    for game in games {
        places.push(Place::new(format!("new-{game}"), format!("/{game}")));
        places.push(Place::new(format!("learn-{game}"), format!("/learn/{game}")));
        let analyse = format!("/analyse#record={}", percent(&played(game, "person,person", 4, 12)?));
        places.push(Place::new(format!("analyse-{game}"), &analyse));
        let review = Place::new(format!("review-{game}"), &analyse);
        places.push(Place { press: &["main.study .moves .choices .button"], shows: ".graph svg, .blunders", ..review });
        places.push(Place { press: &[".tools > .button"], ..Place::new(format!("edit-{game}"), analyse) });
    }
    places.push(Place { offline: true, ..Place::new("offline-lobby", "/online") });
    places.push(Place { offline: true, ..Place::new("offline-puzzles", "/puzzles") });
    Ok(places)
}

/// The pages for playing with others.
pub(crate) fn online(tables: &Tables) -> Vec<Place> {
    let mut places = Vec::new();
    let Tables { waiting, running, finished, other } = tables;
    let table = |name: &str, id: &str| Place::new(name, format!("/t/{id}"));
    places.push(Place { shows: ".open-tables li", ..Place::new("lobby", "/online") });
    places.push(Place { shows: ".waiting-room .qr svg", ..table("online-waiting", waiting) });
    places.push(Place { shows: "main.table", ..table("online-table", running) });
    let chat: &[&str] = &[".panel-tool", "[data-tab=chat]"];
    places.push(Place { press: chat, shows: ".talk .lines li", ..table("online-chat", running) });
    places.push(Place { shows: ".end-card", ..table("online-end", finished) });
    places.push(Place { shows: ".board-tiles li", ..Place::new("person", format!("/person/{other}")) });
    places.push(Place::new("embed-table", format!("/embed/table/{finished}")));
    places
}

const KEEP: &str = r#"
const done = arguments[0], open = indexedDB.open("fourfold", 1);
open.onupgradeneeded = () => open.result.createObjectStore("games", { keyPath: "key" });
open.onsuccess = () => {
  const put = open.result.transaction("games", "readwrite");
  put.objectStore("games").put({ key: "KEY", record: RECORD, over: false, changed: Date.now() });
  put.oncomplete = () => { open.result.close(); done(true); };
};"#;

/// The record of a match after some random actions, with a person to act.
fn played(game: &str, seats: &str, seed: u64, actions: usize) -> Result<String, Problem> {
    let mut setup = MatchSettings::new(game.parse::<Game>()?);
    for (sitter, player) in setup.sitters.iter_mut().zip(seats.split(',')) {
        *sitter = Sitter::new(player.parse()?, "");
    }
    let mut game = Match::new(setup)?;
    let mut policy = if actions < 100 { Policy::calm(seed) } else { Policy::random(seed) };
    let mut chance = search::Random::new(seed);
    for done in 0.. {
        game.draw(&mut |below| chance.below(below), Duration::ZERO)?;
        let Some(seat) = game.to_act().filter(|_| game.ending().is_none()) else { break };
        if done >= actions && game.settings().sitters[seat.index()].player() == Player::Person {
            break;
        }
        let choice = policy.choose(&game).ok_or("nothing can be done")?;
        game.play(&choice.action, Duration::ZERO)?;
    }
    Ok(game.record().to_string())
}

/// A text as it stands in an address.
fn percent(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
