use std::panic::AssertUnwindSafe;

use futures_util::FutureExt as _;
use game::{Event, Match, Record};
use rules::{Seat, Turn, Viewer};
use serde_json::Value;

use crate::browser::{judge, keep_if_fine, photograph, start_driver};
use crate::page::{Served, until};
use crate::private_window::PrivateWindow;
use crate::{Page, Policy, Problem, Proxy, TestServer};

/// Several people, each in a separate browser, at one server.
#[derive(Debug)]
pub struct Browsers {
    /// The server.
    pub server: TestServer,
    /// The page of each person.
    pub pages: Vec<Page>,
    /// Each page's proxy to the server.
    pub proxies: Vec<Proxy>,
}

/// Opens a server and so many browsers at it, takes the steps, and closes everything, whatever happened.
///
/// # Panics
///
/// If a step fails.
pub async fn with_browsers(name: &str, people: usize, steps: impl AsyncFnOnce(&mut Browsers) -> Result<(), Problem>) {
    let (mut driver, port) = start_driver().await.expect("chromedriver starts");
    let server = TestServer::open(2).expect("the server starts");
    let mut browsers = Browsers { server, pages: Vec::new(), proxies: Vec::new() };
    let mut windows = Vec::new();
    for _ in 0..people {
        let window = PrivateWindow::open().expect("the browser opens a window");
        let session = window.drive(port).await.expect("the driver finds the window");
        let proxy = browsers.server.proxy().await.expect("a port is free");
        browsers.pages.push(Page::new(session, Served::elsewhere(proxy.address)).in_context(window.context()));
        browsers.proxies.push(proxy);
        windows.push(window);
    }
    let done = AssertUnwindSafe(steps(&mut browsers)).catch_unwind().await;
    if !matches!(done, Ok(Ok(()))) {
        for (number, page) in browsers.pages.iter().enumerate() {
            photograph(page, &format!("{name}-{}", number + 1)).await;
        }
    }
    for page in browsers.pages.drain(..) {
        let _ = page.close().await;
    }
    let _ = driver.kill().await;
    for window in windows {
        keep_if_fine(window, &done);
    }
    judge(name, done);
}

impl Browsers {
    /// The first page makes a table by the form and the others open its link; the first `seats` sit down in order.
    ///
    /// Returns the table's name in addresses.
    pub async fn sit_down(&self, game: &str, seats: usize) -> Result<String, Problem> {
        let table = self.make(game).await?;
        for (number, page) in self.pages.iter().enumerate().take(seats).skip(1) {
            self.join(page, &table, number + 1).await?;
        }
        for page in &self.pages[..seats] {
            page.shows("main.table").await?;
        }
        Ok(table)
    }

    /// The first page makes a table by the form and has the first seat.
    pub async fn make(&self, game: &str) -> Result<String, Problem> {
        let id = game.split('(').next().unwrap_or(game);
        let options = game.replace('=', "%3D").replace('(', "%28").replace(')', "%29").replace(',', "%2C");
        let page = &self.pages[0];
        page.go(&format!("/online/new/{id}?game={options}")).await?;
        page.click(".start .button.main").await?;
        page.shows(".waiting-room .qr svg").await?;
        let Value::String(path) = page.script("return location.pathname;").await? else {
            return Err("no address".into());
        };
        Ok(path.trim_start_matches("/t/").to_owned())
    }

    /// A guest opens the link, enters a name and takes a seat.
    pub async fn join(&self, page: &Page, table: &str, seat: usize) -> Result<(), Problem> {
        page.go(&format!("/t/{table}")).await?;
        page.shows(".seats-list").await?;
        page.write(".waiting-room .field input", &format!("Guest {seat}")).await?;
        page.click(&format!("[data-sit='{seat}']")).await
    }

    /// The match as the server shows it to the person of a page.
    pub async fn game(&self, page: &Page, table: &str, seat: Option<Seat>) -> Result<Match, Problem> {
        let script = format!(
            "const done = arguments[0]; fetch('/api/tables/{table}/record').then((it) => it.ok ? it.text() : '').then(done, () => done(''));"
        );
        until("a record", async || {
            let Value::String(text) = page.script_later(&script).await? else { return Ok(None) };
            // A server that is just coming back may refuse the first request.
            if text.is_empty() {
                return Ok(None);
            }
            let Some(record) = Record::read_all(&text)?.pop() else { return Ok(None) };
            let viewer = seat.map_or(Viewer::Spectator, Viewer::Seat);
            let mut game = Match::seen_by(record.settings().clone(), viewer)?;
            for entry in record.entries() {
                game.replay(entry.clone())?;
            }
            Ok(Some(game))
        })
        .await
    }

    /// Plays until the match is over or so many actions are done. `at[0]` is the page of the first seat, and so on.
    pub async fn play(&self, table: &str, at: &[usize], policy: &mut Policy, most: usize) -> Result<usize, Problem> {
        for done in 0..most {
            let known = self.game(&self.pages[at[0]], table, Some(Seat::ONE)).await?;
            let Some(seat) = known.to_act() else {
                if known.ending().is_some() {
                    return Ok(done);
                }
                continue;
            };
            let page = &self.pages[at[seat.index()]];
            let game = self.game(page, table, Some(seat)).await?;
            let choice = policy.choose(&game).ok_or("nothing can be done")?;
            self.sees(page, &game).await?;
            page.holds("document.title.startsWith('●')").await?;
            for spot in &choice.touches {
                page.touch(*spot).await?;
            }
            let length = game.log().len();
            until(&format!("{} in {}", choice.action, game.position()), async || {
                let now = self.game(page, table, Some(seat)).await?;
                Ok((now.log().len() > length).then_some(()))
            })
            .await?;
        }
        Ok(most)
    }

    /// Waits until a page shows every move of a match.
    pub async fn sees(&self, page: &Page, game: &Match) -> Result<(), Problem> {
        let actions = game.log().iter().filter(|entry| matches!(entry.event, Event::Action(_))).count();
        let moves =
            game.positions().iter().take(actions).filter(|position| matches!(position.turn(), Turn::Seat(_))).count();
        page.holds(&format!("document.querySelectorAll('.moves .move').length === {moves}")).await
    }
}
