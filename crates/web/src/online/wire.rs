//! The messages of `protocol`, from and to JSON.

use protocol::{
    Around, Ask, Claimed, Clocks, Code, Do, Event, LobbyTable, Offer, Person, Say, SeatInfo, Sitting, TableInfo, Tell,
    Wish,
};

use super::json::{Json, quoted};

/// Reads what a server tells; `None` for what this version does not know.
pub fn read_tell(text: &str) -> Option<Tell> {
    let Json::Object(fields) = Json::read(text)? else { return None };
    let (name, it) = fields.into_iter().next()?;
    Some(match name.as_str() {
        "welcome" => Tell::Welcome { version: small(&it, "version"), you: person(it.get("you")?) },
        "table" => Tell::Table(table(&it)),
        "event" => Tell::Event { seq: small(&it, "seq"), at: it.number_of("at"), what: event(it.get("what")?)? },
        "ack" => Tell::Ack { id: it.text_of("id"), seq: small(&it, "seq"), table: it.text_of("table") },
        "no" => Tell::No { id: it.text_of("id"), code: code(&it.text_of("code"))?, args: texts(&it, "args") },
        "clocks" => Tell::Clocks(Clocks {
            left: it.list_of("left").iter().map(Json::number).collect(),
            running: seat(&it, "running"),
        }),
        "around" => Tell::Around(Around {
            away: it.list_of("away").iter().map(|away| away.number() as u32).collect(),
            watching: small(&it, "watching"),
            grace: small(&it, "grace"),
        }),
        "lobby" => Tell::Lobby(it.list().iter().map(lobby_table).collect()),
        "bye" => Tell::Bye { code: code(&it.text_of("code"))? },
        _ => return None,
    })
}

fn event(it: &Json) -> Option<Event> {
    if let Json::Text(word) = it {
        return match word.as_str() {
            "began" => Some(Event::Began),
            "elsewhere" => Some(Event::Elsewhere),
            _ => None,
        };
    }
    let Json::Object(fields) = it else { return None };
    let (name, it) = fields.first()?;
    Some(match name.as_str() {
        "sat" => Event::Sat { seat: seat(it, "seat"), who: sitting(it.get("who")?)?, rating: rating(it) },
        "stood" => Event::Stood { seat: seat(it, "seat") },
        "did" => Event::Did { entry: it.text_of("entry"), spent: it.get("spent").map(|spent| spent.number() as u32) },
        "took_back" => Event::TookBack { to: small(it, "to") },
        "proposed" => Event::Proposed { what: offer(&it.text_of("what"))?, seat: seat(it, "seat") },
        "declined" => Event::Declined { what: offer(&it.text_of("what"))?, seat: seat(it, "seat") },
        "claimed" => {
            Event::Claimed { seat: seat(it, "seat"), away: seat(it, "away"), what: claimed(&it.text_of("what"))? }
        }
        "said" => Event::Said { seat: seat(it, "seat"), name: it.text_of("name"), what: said(it.get("what")?)? },
        "ended" => Event::Ended { result: it.text_of("result"), cause: it.text_of("cause"), log: texts(it, "log") },
        "again" => Event::Again { table: it.text_of("table") },
        _ => return None,
    })
}

/// Reads a table as it stands.
pub fn table(it: &Json) -> TableInfo {
    TableInfo {
        id: it.text_of("id"),
        game: it.text_of("game"),
        clock: it.text_of("clock"),
        access: it.text_of("access"),
        rated: it.holds("rated"),
        confer: it.holds("confer"),
        maker: it.text_of("maker"),
        state: it.text_of("state"),
        seats: it.list_of("seats").iter().map(seat_info).collect(),
        you: seat(it, "you"),
        seq: small(it, "seq"),
    }
}

fn seat_info(it: &Json) -> SeatInfo {
    SeatInfo { who: it.get("who").and_then(sitting), rating: rating(it) }
}

fn rating(it: &Json) -> Option<u32> {
    it.get("rating").map(|rating| rating.number() as u32)
}

fn sitting(it: &Json) -> Option<Sitting> {
    if let Some(level) = it.get("bot") {
        return Some(Sitting::Bot(level.number() as u8));
    }
    it.get("person").map(|it| Sitting::Person(person(it)))
}

/// Reads who somebody is.
pub fn person(it: &Json) -> Person {
    Person { id: it.text_of("id"), name: it.text_of("name"), kind: it.text_of("kind") }
}

/// Reads a table of the lobby.
pub fn lobby_table(it: &Json) -> LobbyTable {
    LobbyTable {
        id: it.text_of("id"),
        game: it.text_of("game"),
        clock: it.text_of("clock"),
        rated: it.holds("rated"),
        seats: texts(it, "seats"),
        free: seat(it, "free"),
    }
}

fn said(it: &Json) -> Option<Say> {
    let Json::Object(fields) = it else { return None };
    let (name, words) = fields.first()?;
    let words = words.text().to_owned();
    Some(match name.as_str() {
        "text" => Say::Text(words),
        "phrase" => Say::Phrase(words),
        "team" => Say::Team(words),
        _ => return None,
    })
}

fn offer(word: &str) -> Option<Offer> {
    [Offer::Draw, Offer::Takeback, Offer::Rematch].into_iter().find(|offer| offer_word(*offer) == word)
}

fn offer_word(offer: Offer) -> &'static str {
    match offer {
        Offer::Draw => "draw",
        Offer::Takeback => "takeback",
        Offer::Rematch => "rematch",
    }
}

fn claimed(word: &str) -> Option<Claimed> {
    match word {
        "win" => Some(Claimed::Win),
        "draw" => Some(Claimed::Draw),
        _ => None,
    }
}

fn seat(it: &Json, name: &str) -> u8 {
    it.number_of(name) as u8
}

fn small(it: &Json, name: &str) -> u32 {
    it.number_of(name) as u32
}

/// The texts in a list.
pub fn texts(it: &Json, name: &str) -> Vec<String> {
    it.list_of(name).iter().map(|text| text.text().to_owned()).collect()
}

/// Every reason for a refusal, by its word.
const CODES: [(&str, Code); 37] = [
    ("unreadable", Code::Unreadable),
    ("too_long", Code::TooLong),
    ("too_fast", Code::TooFast),
    ("version", Code::Version),
    ("no_table", Code::NoTable),
    ("not_watching", Code::NotWatching),
    ("private", Code::Private),
    ("no_seat", Code::NoSeat),
    ("seat_taken", Code::SeatTaken),
    ("not_seated", Code::NotSeated),
    ("not_maker", Code::NotMaker),
    ("seats_free", Code::SeatsFree),
    ("not_begun", Code::NotBegun),
    ("begun", Code::Begun),
    ("over", Code::Over),
    ("not_your_turn", Code::NotYourTurn),
    ("stale", Code::Stale),
    ("unreadable_action", Code::UnreadableAction),
    ("illegal_action", Code::IllegalAction),
    ("time_up", Code::TimeUp),
    ("seat_is_out", Code::SeatIsOut),
    ("nothing_proposed", Code::NothingProposed),
    ("another_proposal", Code::AnotherProposal),
    ("nothing_to_take_back", Code::NothingToTakeBack),
    ("not_away", Code::NotAway),
    ("bad_wish", Code::BadWish),
    ("not_rated", Code::NotRated),
    ("bad_text", Code::BadText),
    ("no_team", Code::NoTeam),
    ("full", Code::Full),
    ("stopping", Code::Stopping),
    ("storage", Code::Storage),
    ("not_known", Code::NotKnown),
    ("bad_name", Code::BadName),
    ("bad_password", Code::BadPassword),
    ("forbidden", Code::Forbidden),
    ("not_found", Code::NotFound),
];

/// Reads why something was refused.
pub fn code(word: &str) -> Option<Code> {
    CODES.iter().find(|(name, _)| *name == word).map(|(_, code)| *code)
}

/// An ask as it is sent.
pub fn write_ask(ask: &Ask) -> String {
    format!(r#"{{"id":{},"do":{}}}"#, quoted(&ask.id), write_do(&ask.what))
}

fn write_do(what: &Do) -> String {
    match what {
        Do::Hello { version } => format!(r#"{{"hello":{{"version":{version}}}}}"#),
        Do::Watch { table, seen } => format!(r#"{{"watch":{{"table":{},"seen":{seen}}}}}"#, quoted(table)),
        Do::Lobby => r#""lobby""#.to_owned(),
        Do::Create(wish) => format!(r#"{{"create":{}}}"#, write_wish(wish)),
        Do::Pair(wish) => format!(r#"{{"pair":{}}}"#, write_wish(wish)),
        Do::Sit { seat } => format!(r#"{{"sit":{{"seat":{seat}}}}}"#),
        Do::Stand => r#""stand""#.to_owned(),
        Do::Bot { seat, level } => format!(r#"{{"bot":{{"seat":{seat},"level":{level}}}}}"#),
        Do::Start => r#""start""#.to_owned(),
        Do::Act { action, at } => format!(r#"{{"act":{{"action":{},"at":{at}}}}}"#, quoted(action)),
        Do::Resign => r#""resign""#.to_owned(),
        Do::Propose(offer) => format!(r#"{{"propose":"{}"}}"#, offer_word(*offer)),
        Do::Agree(offer) => format!(r#"{{"agree":"{}"}}"#, offer_word(*offer)),
        Do::Decline(offer) => format!(r#"{{"decline":"{}"}}"#, offer_word(*offer)),
        Do::Claim { seat, what } => {
            let what = if *what == Claimed::Win { "win" } else { "draw" };
            format!(r#"{{"claim":{{"seat":{seat},"what":"{what}"}}}}"#)
        }
        Do::Say(say) => {
            let (name, words) = match say {
                Say::Text(words) => ("text", words),
                Say::Phrase(words) => ("phrase", words),
                Say::Team(words) => ("team", words),
            };
            format!(r#"{{"say":{{"{name}":{}}}}}"#, quoted(words))
        }
        Do::Ping => r#""ping""#.to_owned(),
    }
}

/// A wish for a table as it is sent.
pub fn write_wish(wish: &Wish) -> String {
    let Wish { game, clock, access, rated, confer, seat, bots } = wish;
    let bots: Vec<String> = bots.iter().map(ToString::to_string).collect();
    format!(
        r#"{{"game":{},"clock":{},"access":{},"rated":{rated},"confer":{confer},"seat":{seat},"bots":[{}]}}"#,
        quoted(game),
        quoted(clock),
        quoted(access),
        bots.join(",")
    )
}

#[cfg(test)]
mod tests;
