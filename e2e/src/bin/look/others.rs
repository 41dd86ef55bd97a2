//! What has happened on the server before its pages are looked at: two people with accounts, games, tables and puzzles.

use e2e::{Browsers, Page, Policy, Problem};
use puzzles::Day;
use rules::{GameId, Seat};
use serde_json::{Value, json};

/// What pages are looked at.
pub(crate) struct Tables {
    /// A table that waits for a player.
    pub(crate) waiting: String,
    /// A game in play, with chat.
    pub(crate) running: String,
    /// A rated game that is over.
    pub(crate) finished: String,
    /// The id of the second person.
    pub(crate) other: String,
}

/// Rated games that the two have played: the game, how many actions were played, and which of them then resigned, if not
/// played to the end.
const PLAYED: [(&str, usize, Option<usize>); 6] = [
    ("quixo", 14, Some(0)),
    ("quarto", 9, Some(1)),
    ("four(size=9)", 24, Some(0)),
    ("sequence", 16, Some(1)),
    ("quixo", 11, Some(1)),
    ("quarto", 400, None),
];

/// Others with a place in the list of leaders, and how often they win.
const RIVALS: [(&str, usize); 3] = [("Марія-Олександра", 9), ("Tim", 2), ("Всеволод Переяславский", 6)];
/// How many games each of them plays.
const RANKED: usize = 12;

/// Open tables of the second person: the game, its clock, and whether it is rated.
const OPEN: [(&str, &str, bool); 3] =
    [("quarto", "fischer=300+5", true), ("sequence(players=3)", "turn=60", false), ("four(size=13)", "none", false)];

/// Lets all that happen; the first person is the one who looks.
pub(crate) async fn meet(browsers: &Browsers) -> Result<Tables, Problem> {
    let [own, other] = &browsers.pages[..] else { return Err("two pages".into()) };
    let me = register(own, "Олена").await?;
    for (name, won) in RIVALS {
        register(other, name).await?;
        rank(browsers, won).await?;
    }
    let mut ids = vec![me, register(other, "Bohdan").await?];
    for page in [own, other] {
        solve(page).await?;
    }
    let mut finished = String::new();
    for (number, (game, actions, resigns)) in PLAYED.into_iter().enumerate() {
        let table = sit_down(browsers, game, true).await?;
        play(browsers, &table, number as u64, actions).await?;
        if let Some(loser) = resigns {
            send(&browsers.pages[loser], "POST", &format!("api/tables/{table}/resign"), json!({})).await?;
        }
        finished = table;
    }
    let running = sit_down(browsers, "quarto", false).await?;
    play(browsers, &running, 3, 9).await?;
    let lines = [
        (other, json!({ "type": "phrase", "phrase": "hello" })),
        (own, json!({ "type": "phrase", "phrase": "good_luck" })),
        (
            other,
            json!({ "type": "text", "text": "Have you ever seen a row of four hollow pieces lost like this one?" }),
        ),
    ];
    for (number, (page, line)) in lines.into_iter().enumerate() {
        let request = json!({ "id": format!("line-{number}"), "command": { "type": "say", "line": line } });
        send(page, "POST", &format!("api/tables/{running}/requests"), request).await?;
    }
    for (game, clock, rated) in OPEN {
        make(other, json!({ "game": game, "clock": clock, "access": "open", "rated": rated, "seat": 1 })).await?;
    }
    // A game to watch, and one to continue.
    make(other, json!({ "game": "quixo", "access": "open", "seat": 1, "bots": [null, 3] })).await?;
    let waiting = make(own, json!({ "game": "sequence(players=3)", "clock": "turn=60", "seat": 1 })).await?;
    send(own, "PUT", &format!("api/me/follows/{}", ids[1]), Value::Null).await?;
    Ok(Tables { waiting, running, finished, other: ids.swap_remove(1) })
}

/// Makes an account and stays logged in; gives its id.
async fn register(page: &Page, name: &str) -> Result<String, Problem> {
    // A page without the app, whose own requests would make a guest of the person.
    page.open("rules/en/quarto.html").await?;
    // An account is made of a guest.
    send(page, "POST", "api/account/logout", Value::Null).await?;
    let account = json!({ "name": name, "password": "long enough" });
    Ok(send(page, "POST", "api/account/register", account).await?["id"].as_str().unwrap_or("").to_owned())
}

/// Plays enough rated games for a place in the list of leaders, of which the first person loses the first so many.
async fn rank(browsers: &Browsers, won: usize) -> Result<(), Problem> {
    for number in 0..RANKED {
        let table = sit_down(browsers, "quixo", true).await?;
        play(browsers, &table, number as u64, 2).await?;
        let loser = &browsers.pages[usize::from(number >= won)];
        send(loser, "POST", &format!("api/tables/{table}/resign"), json!({})).await?;
    }
    Ok(())
}

/// The second person makes a table and both sit down, the first person on the first seat.
async fn sit_down(browsers: &Browsers, game: &str, rated: bool) -> Result<String, Problem> {
    let [own, other] = &browsers.pages[..] else { return Err("two pages".into()) };
    // The game in play lasts until it has been looked at.
    let clock = if rated { "fischer=300+5" } else { "fischer=5400+30" };
    let spec = json!({ "game": game, "clock": clock, "access": "open", "rated": rated, "seat": 2 });
    let table = make(other, spec).await?;
    send(own, "POST", &format!("api/tables/{table}/sit"), json!({ "seat": 1 })).await?;
    Ok(table)
}

async fn make(page: &Page, spec: Value) -> Result<String, Problem> {
    let made = send(page, "POST", "api/tables", spec).await?;
    Ok(made["table"].as_str().ok_or_else(|| format!("no table: {made}"))?.to_owned())
}

/// Plays so many actions, or to the end.
async fn play(browsers: &Browsers, table: &str, seed: u64, actions: usize) -> Result<(), Problem> {
    let mut policy = if actions < 100 { Policy::calm(seed) } else { Policy::random(seed) };
    for _ in 0..actions {
        let Some(seat) = browsers.game(&browsers.pages[0], table, Some(Seat::ONE)).await?.to_act() else { break };
        let page = &browsers.pages[seat.index()];
        let game = browsers.game(page, table, Some(seat)).await?;
        let choice = policy.choose(&game).ok_or("nothing can be done")?;
        let act = json!({ "action": choice.action, "at": game.log().len() });
        send(page, "POST", &format!("api/tables/{table}/act"), act).await?;
    }
    Ok(())
}

/// Solves the puzzles of the last three days.
async fn solve(page: &Page) -> Result<(), Problem> {
    let today = Day::at(std::time::SystemTime::UNIX_EPOCH.elapsed()?.as_millis() as u64);
    for day in std::iter::successors(Some(today), |day| Some(day.previous())).take(3) {
        for game in GameId::ALL {
            let Some(puzzle) = puzzle_sets::daily(day, game) else { continue };
            let own = puzzle.steps.iter().filter(|step| step.seat == puzzle.solver());
            let moves: Vec<&str> = own.map(|step| step.played.as_str()).collect();
            let attempt =
                json!({ "id": format!("{day}-{game}"), "moves": moves, "seconds": 41, "day": day.to_string() });
            send(page, "POST", &format!("api/puzzles/{}/attempts", puzzle.id()), attempt).await?;
        }
    }
    Ok(())
}

/// The answer to a request of the person at a page.
async fn send(page: &Page, method: &str, path: &str, body: Value) -> Result<Value, Problem> {
    let script = format!(
        "const done = arguments[0]; fetch('/{path}', {{ method: '{method}', headers: {{ 'content-type': 'application/json' }}, \
         body: JSON.stringify({body}) }}).then((it) => it.text().then((text) => it.ok ? text : Promise.reject(text))) \
         .then((it) => done(it ? JSON.parse(it) : null), (error) => done({{ failed: String(error) }}));"
    );
    let answer = page.script_later(&script).await?;
    match answer["failed"].as_str() {
        Some(failed) => Err(format!("{method} {path} {body}: {failed}").into()),
        None => Ok(answer),
    }
}
