use std::future::Future;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use axum::Router;
use axum::extract::Request;
use game::{Match, Record};
use scene::Spot;
use serde_json::{Value, json};
use thirtyfour::WindowHandle;
use thirtyfour::prelude::*;
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::{Policy, Problem, browser};

/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(40);
/// Between two looks at what is waited for; what takes long is looked at less often.
const PAUSE: Duration = Duration::from_millis(25);
const LONGEST_PAUSE: Duration = Duration::from_millis(200);

/// Reads the record of the match at the table from the browser's own storage.
const READ_RECORD: &str = r#"
const done = arguments[arguments.length - 1], key = location.pathname.split("/")[2], open = indexedDB.open("fourfold");
open.onerror = () => done(null);
open.onsuccess = () => {
  const base = open.result;
  if (!base.objectStoreNames.contains("games")) { base.close(); done(null); return; }
  // A row with the record, and rows with what was added to it.
  const rows = IDBKeyRange.bound(key ?? "", `${key ?? ""}/\uffff`);
  const get = base.transaction("games").objectStore("games").getAll(rows);
  get.onsuccess = () => { base.close(); done(get.result.map((row) => row.record).join("\n") || null); };
  get.onerror = () => { base.close(); done(null); };
};"#;

/// Waits in the page for a while until an expression is true. To be asked again and again keeps the driver and the browser
/// busy besides the page.
const WATCH: &str = "
const done = arguments[arguments.length - 1], end = performance.now() + 2000;
const look = () => {
  let holds = false;
  try { holds = Boolean(EXPRESSION); } catch { done(false); return; }
  if (holds || performance.now() > end) done(holds); else setTimeout(look, 20);
};
look();";

/// A running server of the app's files, which can be stopped at once.
#[derive(Debug)]
pub struct Served {
    address: SocketAddr,
    answers: Arc<Mutex<Router>>,
    runtime: Option<Runtime>,
}

impl Served {
    /// Serves the app, with other answers at some addresses.
    pub fn start(instead: Router) -> Result<Served, Problem> {
        Served::start_at(SocketAddr::from(([127, 0, 0, 1], 0)), instead)
    }

    /// A server that runs elsewhere.
    pub(crate) fn elsewhere(address: SocketAddr) -> Served {
        Served { address, answers: Arc::default(), runtime: None }
    }

    /// Where it listens, to be followed by a path.
    pub fn address(&self) -> String {
        format!("http://{}/", self.address)
    }

    fn start_at(address: SocketAddr, instead: Router) -> Result<Served, Problem> {
        let listener = std::net::TcpListener::bind(address)?;
        listener.set_nonblocking(true)?;
        let address = listener.local_addr()?;
        let runtime = Runtime::new()?;
        let answers = Arc::new(Mutex::new(with_app(instead)));
        let current = answers.clone();
        let app = Router::new().fallback(move |request: Request| {
            let router = current.lock().unwrap_or_else(PoisonError::into_inner).clone();
            router.oneshot(request)
        });
        runtime.spawn(async move { axum::serve(tokio::net::TcpListener::from_std(listener)?, app).await });
        Ok(Served { address, answers, runtime: Some(runtime) })
    }

    /// Answers otherwise from now on; connections that are open stay open.
    fn answer(&self, instead: Router) {
        *self.answers.lock().unwrap_or_else(PoisonError::into_inner) = with_app(instead);
    }

    fn stop(&mut self) {
        if let Some(runtime) = self.runtime.take() {
            runtime.shutdown_background();
        }
    }
}

fn with_app(instead: Router) -> Router {
    server::embed_app(app_files::FILES);
    instead.fallback_service(server::app_files())
}

impl Drop for Served {
    fn drop(&mut self) {
        self.stop();
    }
}

/// A page in a browser, with the server behind it.
#[derive(Debug)]
pub struct Page {
    driver: WebDriver,
    served: Served,
    /// What Chromium calls the storage, permissions and windows of this visit.
    context: Option<String>,
}

impl Page {
    pub(crate) fn new(driver: WebDriver, served: Served) -> Page {
        Page { driver, served, context: None }
    }

    pub(crate) fn in_context(mut self, context: &str) -> Page {
        self.context = Some(context.to_owned());
        self
    }

    pub(crate) async fn close(self) -> Result<(), Problem> {
        Ok(self.driver.quit().await?)
    }

    /// The browser itself.
    pub fn driver(&self) -> &WebDriver {
        &self.driver
    }

    /// Stops the server at once, as a power cut would.
    pub fn cut_the_network(&mut self) {
        self.served.stop();
    }

    /// Answers some addresses otherwise, also after the network was cut.
    pub async fn replace_server(&mut self, instead: Router) -> Result<(), Problem> {
        if self.served.runtime.is_some() {
            self.served.answer(instead);
            return Ok(());
        }
        let began = Instant::now();
        loop {
            match Served::start_at(self.served.address, instead.clone()) {
                Ok(served) => {
                    self.served = served;
                    return Ok(());
                }
                Err(problem) if began.elapsed() > PATIENCE => return Err(problem),
                Err(_) => tokio::time::sleep(PAUSE).await,
            }
        }
    }

    /// Sets the language before the app starts.
    pub async fn speak(&self, language: &str) -> Result<(), Problem> {
        self.keep("language", language).await
    }

    /// Stores a setting where the app reads it when it starts.
    pub async fn keep(&self, name: &str, value: &str) -> Result<(), Problem> {
        self.open("rules/en/quarto.html").await?;
        self.script(&format!("localStorage.setItem('fourfold.{name}', '{value}');")).await.map(drop)
    }

    /// Goes to a page of the app: by a link where the app is open, else by its address.
    pub async fn go(&self, place: &str) -> Result<(), Problem> {
        let here =
            format!("location.origin === 'http://{}' && document.querySelector('header.bar')", self.served.address);
        if self.is(&here).await? {
            self.follow(place).await?;
        } else {
            self.open(place.trim_start_matches('/')).await?;
        }
        // The old page stays until the chunk of the new one is loaded.
        self.holds("!document.documentElement.dataset.loading").await?;
        self.shows("main:not(.waiting)").await
    }

    /// Presses a link to a page of the app.
    pub async fn follow(&self, place: &str) -> Result<(), Problem> {
        let link = "const link = document.createElement('a'); document.body.append(link); link.href =";
        self.script(&format!("{link} {place:?}; link.click(); link.remove();")).await.map(drop)
    }

    /// Goes to an address at the server.
    pub async fn open(&self, path: &str) -> Result<(), Problem> {
        Ok(self.driver.goto(format!("http://{}/{path}", self.served.address)).await?)
    }

    /// The text of a file of the bundle.
    pub fn bundled(&self, name: &str) -> Result<String, Problem> {
        Ok(std::fs::read_to_string(self.bundle().join(name))?)
    }

    /// The address of a file of the build, which lies in a folder named by the build's content.
    pub fn build_file(&self, name: &str) -> Result<String, Problem> {
        let folders = std::fs::read_dir(self.bundle())?.flatten().map(|entry| entry.file_name());
        let builds = folders.filter_map(|name| name.into_string().ok()).filter(|name| name.starts_with("build-"));
        let build = builds.last().ok_or("the bundle has no build")?;
        Ok(format!("/{build}/{name}"))
    }

    /// The folder with the files of the app.
    pub fn bundle(&self) -> PathBuf {
        browser::root().join("target/web-bundle")
    }

    /// Runs a script on every page before the page's own scripts.
    pub async fn before_all(&self, script: &str) -> Result<(), Problem> {
        self.devtools("Page.addScriptToEvaluateOnNewDocument", json!({ "source": script })).await
    }

    /// Gives the page the size of a device, with or without touch.
    pub async fn resize(&self, width: u32, height: u32, touch: bool) -> Result<(), Problem> {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": touch });
        self.devtools("Emulation.setDeviceMetricsOverride", size).await?;
        self.devtools("Emulation.setTouchEmulationEnabled", json!({ "enabled": touch })).await
    }

    /// Sends a command of the browser's developer tools.
    pub async fn devtools(&self, command: &str, parameters: Value) -> Result<(), Problem> {
        Ok(self.driver.cdp().send_raw(command, parameters).await.map(drop)?)
    }

    /// Gives the page permissions, by the names that developer tools have for them.
    pub async fn allow(&self, permissions: &[&str]) -> Result<(), Problem> {
        let allowed = json!({ "permissions": permissions, "browserContextId": self.context });
        self.devtools("Browser.grantPermissions", allowed).await
    }

    /// Opens another window of the same visit. (The driver's own command would open it without what the visit has stored.)
    pub async fn another_window(&self) -> Result<WindowHandle, Problem> {
        let before = self.driver.windows().await?;
        self.script("window.open('about:blank', '_blank', 'noopener');").await?;
        until("another window", async || {
            Ok(self.driver.windows().await?.into_iter().find(|window| !before.contains(window)))
        })
        .await
    }

    /// The result of a script.
    pub async fn script(&self, script: &str) -> Result<Value, Problem> {
        Ok(self.driver.execute(script, Vec::new()).await?.json().clone())
    }

    /// The result of an asynchronous script, which calls its last argument when it is done.
    pub async fn script_later(&self, script: &str) -> Result<Value, Problem> {
        Ok(self.driver.execute_async(script, Vec::new()).await?.json().clone())
    }

    /// Scrolls past every small board: boards further down are drawn when they come near.
    pub async fn scroll_through(&self) -> Result<(), Problem> {
        self.script_later(SCROLL_THROUGH).await.map(drop)
    }

    /// Waits until an expression is true.
    pub async fn holds(&self, expression: &str) -> Result<(), Problem> {
        let watch = WATCH.replace("EXPRESSION", expression);
        until(expression, async || {
            if self.is(expression).await? {
                return Ok(Some(()));
            }
            // A page that is left meanwhile ends the script; what is wrong otherwise, the next question reports.
            Ok(matches!(self.script_later(&watch).await, Ok(Value::Bool(true))).then_some(()))
        })
        .await
    }

    /// Waits until what has just changed is drawn, with what the page does before the next frame. To be called before something
    /// is measured.
    pub async fn is_drawn(&self) -> Result<(), Problem> {
        let frames = "const done = arguments[0]; requestAnimationFrame(() => requestAnimationFrame(() => done(true)));";
        self.script_later(frames).await.map(drop)
    }

    /// Whether something holds now.
    pub async fn is(&self, expression: &str) -> Result<bool, Problem> {
        Ok(self.script(&format!("return Boolean({expression});")).await? == Value::Bool(true))
    }

    /// Waits until a promise resolves to true.
    pub async fn holds_later(&self, promise: &str) -> Result<(), Problem> {
        let script = format!("const done = arguments[0]; Promise.resolve({promise}).then((it) => done(Boolean(it)));");
        until(promise, async || Ok((self.script_later(&script).await? == Value::Bool(true)).then_some(()))).await
    }

    /// Waits until something that a selector finds can be seen.
    pub async fn shows(&self, selector: &str) -> Result<(), Problem> {
        self.holds(&format!("document.querySelector({selector:?})?.checkVisibility()")).await
    }

    /// Waits until the home page shows every game of the list.
    pub async fn shows_all_games(&self) -> Result<(), Problem> {
        let games = rules::GameId::ALL.len();
        self.holds(&format!("document.querySelectorAll('article.game').length === {games}")).await
    }

    /// The text of the first element that a selector finds.
    pub async fn text(&self, selector: &str) -> Result<String, Problem> {
        Ok(self.driver.find(By::Css(selector)).await?.text().await?)
    }

    /// Clicks an element as soon as it can be clicked.
    pub async fn click(&self, selector: &str) -> Result<(), Problem> {
        let what = format!("to press {selector}");
        until(&what, async || {
            let pressed = async { self.driver.find(By::Css(selector)).await?.click().await };
            // An element that is missing, moves or is covered by an animation is tried again; one that lies under the
            // toolbar at the lower edge of a phone is scrolled into view.
            let pressed = pressed.await.ok();
            if pressed.is_none() {
                self.script(&format!("document.querySelector({selector:?})?.scrollIntoView({{ block: 'center' }});"))
                    .await?;
            }
            Ok(pressed)
        })
        .await
    }

    /// Clicks until a condition holds: an element below boards that get their size only when they come near may move
    /// away from under the pointer.
    pub async fn click_until(&self, selector: &str, expression: &str) -> Result<(), Problem> {
        until(expression, async || {
            self.click(selector).await?;
            Ok(self.is(expression).await?.then_some(()))
        })
        .await
    }

    /// Writes into a field, in place of what stands there.
    pub async fn write(&self, selector: &str, text: &str) -> Result<(), Problem> {
        self.shows(selector).await?;
        let what = format!("to write into {selector}");
        until(&what, async || {
            let written = async {
                let field = self.driver.find(By::Css(selector)).await?;
                field.clear().await?;
                field.send_keys(text).await
            };
            // A part of the page that is rendered again loses what its fields held.
            Ok(written.await.ok())
        })
        .await
    }

    /// Waits until the element that a selector finds contains a text.
    pub async fn says(&self, selector: &str, text: &str) -> Result<(), Problem> {
        let all =
            format!("[...document.querySelectorAll({selector:?})].some((it) => it.textContent.includes({text:?}))");
        self.holds(&all).await.map_err(|problem| format!("{selector} does not say {text:?}: {problem}").into())
    }

    /// Makes an account and stays logged in.
    pub async fn register(&self, name: &str, password: &str) -> Result<(), Problem> {
        self.enter("register", name, password).await?;
        self.shows("[data-do=logout]").await
    }

    /// Logs in with an account that there is.
    pub async fn log_in(&self, name: &str, password: &str) -> Result<(), Problem> {
        self.enter("login", name, password).await?;
        self.shows("[data-do=logout]").await
    }

    /// Fills in name and password and clicks one of the buttons, without waiting for the answer.
    pub async fn enter(&self, button: &str, name: &str, password: &str) -> Result<(), Problem> {
        self.go("/account").await?;
        self.write("[autocomplete=username]", name).await?;
        self.write("[autocomplete=current-password]", password).await?;
        self.click(&format!("[data-do={button}]")).await
    }

    /// Touches a spot at the table with the mouse.
    pub async fn touch(&self, spot: Spot) -> Result<(), Problem> {
        self.click(&format!("main [data-spot='{spot}']")).await
    }

    /// Sends keys to whatever has the focus.
    pub async fn press(&self, key: Key) -> Result<(), Problem> {
        Ok(self.driver.action_chain().send_keys(key).perform().await?)
    }

    /// Presses Tab until an element that a selector finds has the focus.
    pub async fn tab_to(&self, selector: &str) -> Result<(), Problem> {
        for _ in 0..150 {
            let there = self.script(&format!("return document.activeElement.matches({selector:?});")).await?;
            if there == Value::Bool(true) {
                return Ok(());
            }
            self.press(Key::Tab).await?;
        }
        Err(format!("Tab never leads to {selector}").into())
    }

    /// Sets a game up by a link and begins it: `quixo(players=4)` with seats such as `person,bot:3`.
    pub async fn begin(&self, game: &str, seats: &str) -> Result<(), Problem> {
        self.set_up(game, seats).await?;
        self.click("main.setup .button.main").await?;
        self.shows("main.table").await
    }

    /// Goes to the page on which such a game is set up.
    pub async fn set_up(&self, game: &str, seats: &str) -> Result<(), Problem> {
        let id = game.split('(').next().unwrap_or(game);
        let options = game.replace('=', "%3D").replace('(', "%28").replace(')', "%29").replace(',', "%2C");
        self.go(&format!("/{id}?game={options}&seats={seats}&clock=none")).await
    }

    /// The match at the table as the browser keeps it, once people are to act or it is over.
    pub async fn game(&self) -> Result<Match, Problem> {
        self.game_with(0).await
    }

    /// Like [`Page::game`], once it has at least so many events.
    pub async fn game_with(&self, events: usize) -> Result<Match, Problem> {
        let what = format!("a match with {events} events and a person to act");
        until(&what, async || {
            let Value::String(record) = self.script_later(READ_RECORD).await? else { return Ok(None) };
            let game = Record::read_all(&record)?.pop().ok_or("an empty record")?.replay()?;
            let person = game.to_act().is_some_and(|seat| {
                game.settings().sitters.get(seat.index()).is_some_and(|it| it.player() == game::Player::Person)
            });
            let ready = game.ending().is_some() || (person && !game.chance_is_due());
            Ok((ready && game.log().len() >= events).then_some(game))
        })
        .await
    }

    /// Plays with the mouse until the match is over or a number of actions are done; gives how many it did.
    pub async fn play(&self, mut policy: Policy, most: usize) -> Result<usize, Problem> {
        let mut game = self.game().await?;
        for done in 0..most {
            if game.ending().is_some() {
                return Ok(done);
            }
            let choice = policy.choose(&game).ok_or("nothing can be done")?;
            self.take_the_device().await?;
            for spot in &choice.touches {
                self.touch(*spot).await?;
            }
            game = self
                .game_with(game.log().len() + 1)
                .await
                .map_err(|problem| format!("after {} in {}: {problem}", choice.action, game.position()))?;
        }
        Ok(most)
    }

    /// In games with hidden hands the next player first opens the curtain.
    async fn take_the_device(&self) -> Result<(), Problem> {
        if self.script("return Boolean(document.querySelector('.curtain'));").await? == Value::Bool(true) {
            self.click(".curtain .button").await?;
        }
        Ok(())
    }

    /// Fails unless the page says that the match is over.
    pub async fn says_the_end(&self) -> Result<(), Problem> {
        self.holds("document.querySelector('.status.over .say')?.textContent.trim().length > 3").await
    }
}

pub(crate) async fn until<T, F>(what: &str, mut look: impl FnMut() -> F) -> Result<T, Problem>
where
    F: Future<Output = Result<Option<T>, Problem>>,
{
    let began = Instant::now();
    loop {
        if let Some(found) = look().await? {
            return Ok(found);
        }
        if began.elapsed() > PATIENCE {
            return Err(format!("waited in vain for {what}").into());
        }
        tokio::time::sleep((PAUSE + began.elapsed() / 8).min(LONGEST_PAUSE)).await;
    }
}

const SCROLL_THROUGH: &str = "
const done = arguments[0], boards = [...document.querySelectorAll('.practice, .rows li')];
const step = () => {
  const next = boards.shift();
  if (!next) { scrollTo(0, 0); done(true); return; }
  next.scrollIntoView();
  setTimeout(step, 60);
};
step();";
