//! Accounts and guests, the games a server keeps for them, and notifications when it is a player's turn. Run with
//! `cargo xtask test --only web --only e2e`.

use std::time::Duration;

use e2e::{Browsers, Page, Policy, Problem, with_browsers};
use serde_json::{Value, json};

type Done = Result<(), Problem>;

/// Keeps the text of every file that a page offers for download in `window.files`.
const KEEP_FILES: &str = "
window.files = [];
const make = URL.createObjectURL.bind(URL);
URL.createObjectURL = (file) => { file.text().then((text) => window.files.push(text)); return make(file); };";

/// Notifications as a browser with permission shows them on a hidden page.
const LOOK_ELSEWHERE: &str = "
window.told = [];
window.Notification = class { static permission = 'granted'; constructor(title, about) { window.told.push([title, about.body]); } };
Object.defineProperty(document, 'hidden', { get: () => true });";

async fn clipboard(page: &Page) -> Result<String, Problem> {
    let read = "const done = arguments[0]; navigator.clipboard.readText().then(done, (error) => done(String(error)));";
    Ok(page.script_later(read).await?.as_str().unwrap_or_default().to_owned())
}

async fn may_copy(page: &Page) -> Done {
    page.allow(&["clipboardReadWrite", "clipboardSanitizedWrite"]).await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn an_account_from_beginning_to_end() {
    with_browsers("account-whole", 2, async |browsers: &mut Browsers| {
        let [page, other] = &browsers.pages[..] else { return Err("two pages".into()) };
        page.before_all(KEEP_FILES).await?;
        page.enter("register", "Olena", "short").await?;
        page.says(".notice", "8 to 128").await?;
        page.register("Olena", "long enough").await?;
        page.click("[data-do=logout]").await?;
        page.says(".good", "logged out").await?;
        page.enter("login", "olena", "wrong password").await?;
        page.says(".notice", "is wrong").await?;
        page.log_in("olena", "long enough").await?;

        page.write("[autocomplete=new-password]", "even longer").await?;
        page.write("form:has([autocomplete=new-password]) [autocomplete=current-password]", "long enough").await?;
        page.click("form:has([autocomplete=new-password]) .button").await?;
        page.says(".good", "changed").await?;

        // After a logout everywhere the other browser shows a message, in its language.
        other.log_in("Olena", "even longer").await?;
        other.click("[data-do=logout-everywhere]").await?;
        other.shows("[data-do=login]").await?;
        page.write("[autocomplete=new-password]", "long enough").await?;
        page.write("form:has([autocomplete=new-password]) [autocomplete=current-password]", "even longer").await?;
        page.click("form:has([autocomplete=new-password]) .button").await?;
        page.says(".notice", "You are logged out").await?;
        page.speak("uk").await?;
        page.log_in("Olena", "even longer").await?;

        page.click("[data-do=export]").await?;
        page.holds("window.files.some((text) => JSON.parse(text).me.name === 'Olena')").await?;
        page.click("[data-do=delete]").await?;
        page.write(".question [autocomplete=current-password]", "not it").await?;
        page.click(".question .button.main").await?;
        page.says(".notice", "неправильні").await?;
        page.write(".question [autocomplete=current-password]", "even longer").await?;
        page.click(".question .button.main").await?;
        page.says(".good", "видалено").await?;
        page.enter("login", "Olena", "even longer").await?;
        page.says(".notice", "неправильні").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_recovery_code_replaces_a_forgotten_password() {
    with_browsers("account-recovery", 2, async |browsers: &mut Browsers| {
        let [page, other] = &browsers.pages[..] else { return Err("two pages".into()) };
        page.register("Olena", "long enough").await?;
        page.says("[data-codes-left]", "no codes").await?;
        page.write("form:has([data-do=recovery-codes]) [autocomplete=current-password]", "long enough").await?;
        page.click("[data-do=recovery-codes]").await?;
        page.says("[data-codes-left]", "8 codes").await?;
        let codes = page.script("return document.querySelector('[data-codes]').textContent;").await?;
        let code = codes.as_str().and_then(|codes| codes.split_whitespace().next()).ok_or("no code")?.to_owned();
        other.go("/account").await?;
        other.click(".forgotten summary").await?;
        for (field, text) in
            [("username", "olena"), ("one-time-code", code.as_str()), ("new-password", "quite new password")]
        {
            other.write(&format!(".forgotten [autocomplete={field}]"), text).await?;
        }
        other.click("[data-do=recover]").await?;
        other.says("[data-codes-left]", "7 codes").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_token_lets_a_program_in() {
    with_browsers("account-token", 1, async |browsers: &mut Browsers| {
        let page = &browsers.pages[0];
        page.register("Olena", "long enough").await?;
        may_copy(page).await?;
        page.write(".account [autocomplete=off]", "Deep Thought").await?;
        page.click("form.line .button").await?;
        page.click(".line:has([data-token]) .button").await?;
        page.says(".good", "copied").await?;
        let token = clipboard(page).await?;
        page.says(".command", &format!("--token {token} ")).await?;
        let ask =
            format!("fetch('/api/me', {{ credentials: 'omit', headers: {{ authorization: 'Bearer {token}' }} }})");
        page.holds_later(&format!(
            "{ask}.then((it) => it.json()).then((it) => it.name === 'Deep Thought' && it.kind === 'bot')"
        ))
        .await?;
        // The token is listed, and withdrawn after a second click confirms it.
        page.says(".bots", "Deep Thought").await?;
        page.click(".bots [data-do=withdraw]").await?;
        page.says(".bots .question", "Deep Thought").await?;
        page.click(".bots .question .main").await?;
        page.says(".good", "withdrawn").await?;
        page.holds("!document.querySelector('.bots li')").await?;
        page.holds_later(&format!("{ask}.then((it) => it.status === 401)")).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_rated_game_is_kept_with_its_talk_and_result() {
    with_browsers("account-rated", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.before_all(KEEP_FILES).await?;
        ann.register("Ann", "long enough").await?;
        may_copy(ann).await?;
        ann.go("/online/new/quixo").await?;
        ann.shows("[data-choice=rated]").await?;
        ann.script("document.querySelector('[data-choice=rated]').scrollIntoView({ block: 'center' });").await?;
        ann.click("[data-choice=rated]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".seats-list .rating").await?;
        ann.click(".share .button.main").await?;
        ann.says(".share .good", "copied").await?;
        let link = clipboard(ann).await?;
        let table = link.rsplit('/').next().unwrap_or_default().to_owned();
        assert!(ann.script("return location.href;").await?.as_str().is_some_and(|here| here == link), "{link}");
        // At a rated table a guest sees a link to make an account instead of a seat.
        bob.go(&format!("/t/{table}")).await?;
        bob.says(".stranger", "accounts").await?;
        bob.holds("!document.querySelector('[data-sit]')").await?;
        bob.register("Bob", "long enough").await?;
        bob.go(&format!("/t/{table}")).await?;
        bob.click("[data-sit='2']").await?;
        bob.says(".plate .level", "1500").await?;
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 2).await?;

        // A chat line can be reported and its author muted, also after a reload.
        ann.click("[data-tab=chat]").await?;
        ann.write(".talk form input", "<b>hm</b>").await?;
        ann.click(".talk form .button").await?;
        bob.click("[data-tab=chat]").await?;
        bob.says(".talk .lines", "<b>hm</b>").await?;
        bob.click("[data-do=report]").await?;
        bob.says(".talk .good", "Thank you").await?;
        bob.click("[data-do=mute]").await?;
        bob.holds("!document.querySelector('.talk .lines li')").await?;
        bob.driver().refresh().await?;
        bob.click("[data-tab=chat]").await?;
        bob.shows("[data-do=unmute]").await?;
        bob.holds("!document.querySelector('.talk .lines li')").await?;
        bob.click("[data-do=unmute]").await?;
        bob.shows(".talk .lines li").await?;

        // Bob resigns; the game can be replayed, analysed and downloaded, and the ratings change.
        bob.click("[data-do=resign]").await?;
        bob.click(".question .button.main").await?;
        ann.says_the_end().await?;
        ann.says(".end-card .rating", "1500 → 16").await?;
        bob.says(".end-card .rating", "1500 → 13").await?;
        // Also when the game is opened again, whatever was played in between.
        ann.driver().refresh().await?;
        ann.says(".end-card .rating", "1500 → 16").await?;
        ann.click(".others a.name").await?;
        ann.says(".title", "Bob").await?;
        ann.says(".ratings", "13").await?;
        ann.says(".board-tiles em", "lost").await?;
        ann.go("/mine").await?;
        ann.says(".rows em", "won").await?;
        ann.click(".rows .choices .button:last-child").await?;
        ann.holds("window.files.some((text) => text.includes('[Game \"quixo\"]') && text.includes('p1win'))").await?;
        ann.click(".rows .choices .button:nth-child(2)").await?;
        ann.shows("main.study [role=grid]").await?;
        ann.go("/mine").await?;
        ann.click(".rows .choices a").await?;
        ann.click(".moves li:first-child .move").await?;
        ann.shows(".moves .move[aria-current=step]").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn with_days_for_a_turn_absence_is_no_claim_and_a_turn_is_notified() {
    with_browsers("account-post", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.speak("ru").await?;
        ann.go("/online").await?;
        ann.click(".paces .pace:nth-child(3)").await?;
        ann.click("[data-pair=quixo]").await?;
        ann.shows(".waiting-room").await?;
        bob.go("/online").await?;
        // There is one seat left: he sits down at once.
        bob.click(".open-tables .button").await?;
        ann.shows("main.table").await?;
        ann.says(".mine .clock", "дня").await?;
        bob.shows("main.table").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        bob.script(LOOK_ELSEWHERE).await?;
        // Pairing gives out seats at random; in the end it is Bob's turn.
        let ann_begins =
            ann.script("return Boolean(document.querySelector(\"[data-place='plate-1']\").closest('.mine'));").await?;
        let (at, actions) = if ann_begins == Value::Bool(true) { ([0, 1], 1) } else { ([1, 0], 2) };
        browsers.play(&table, &at, &mut Policy::calm(3), actions).await?;
        bob.holds("window.told.length === 1 && document.title.startsWith('●')").await?;
        assert_eq!(bob.script("return window.told[0];").await?, json!(["Your turn", "Quixo"]));
        // Longer than the grace period of a table with a clock of minutes.
        browsers.proxies[1].cut();
        tokio::time::sleep(Duration::from_secs(4)).await;
        ann.holds("!document.querySelector('.absent p')").await?;
        browsers.proxies[1].restore();
        bob.go("/mine").await?;
        bob.says(".rows .turn em", "Your turn").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn who_is_too_fast_or_late_is_told_so() {
    with_browsers("account-fast", 3, async |browsers: &mut Browsers| {
        let [_, bob, cat] = &browsers.pages[..] else { return Err("three pages".into()) };
        // Two guests take the last seat at once: the second gets a message, and watches.
        let table = browsers.make("quixo").await?;
        for page in [bob, cat] {
            page.speak("ru").await?;
            page.go(&format!("/t/{table}")).await?;
            page.shows("[data-sit='2']").await?;
        }
        browsers.proxies[2].cut();
        cat.shows("[data-line=broken]").await?;
        cat.script("document.querySelector(\"[data-sit='2']\").click();").await?;
        bob.click("[data-sit='2']").await?;
        bob.shows("main.table").await?;
        browsers.proxies[2].restore();
        cat.shows("main.table .spectator").await?;
        cat.says(".notice", "началась").await?;

        // Out of turn the page offers no action, and the server refuses in the player's language.
        let act = format!(
            "const done = arguments[0]; fetch('/api/tables/{table}/act', {{ method: 'POST', body: '{{\"action\":\"a1e1\",\"at\":0}}',
             headers: {{ 'content-type': 'application/json', 'accept-language': 'ru' }} }}).then((it) => it.json()).then((it) => done(it.text));"
        );
        let said = bob.script_later(&act).await?;
        assert_eq!(said, Value::from("Сейчас не ваш ход."));

        browsers.server.slow_down(1)?;
        let ann = &browsers.pages[0];
        ann.go("/account").await?;
        ann.shows("form.line .button").await?;
        let hurry = "for (let n = 0; n < 15; n++) document.querySelector('form.line .button').click();";
        ann.script(hurry).await?;
        ann.says(".notice", "a little fast").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn settings_follow_an_account_to_another_device() {
    with_browsers("account-settings", 2, async |browsers: &mut Browsers| {
        let [phone, desk] = &browsers.pages[..] else { return Err("two pages".into()) };
        phone.speak("en").await?;
        desk.speak("en").await?;
        phone.register("Olena", "long enough").await?;
        phone.go("/settings").await?;
        phone.click("[data-value=dark]").await?;
        phone.click("[data-look-of=quixo] [data-value=slate]").await?;
        let kept = "fetch('/api/me/settings').then((it) => it.text()).then((it) => it.includes('slate') && it.includes('dark'))";
        phone.holds_later(kept).await?;
        // What was chosen there is here as soon as the same person is.
        desk.log_in("olena", "long enough").await?;
        desk.holds("document.documentElement.dataset.theme === 'dark'").await?;
        // What the system draws around the page, too.
        desk.holds("[...document.querySelectorAll('meta[name=theme-color]')].every((it) => it.content === '#221a14')").await?;
        desk.holds("document.documentElement.dataset.lookQuixo === 'slate'").await?;
        // The later choice counts, also for the device that chose before.
        desk.go("/settings").await?;
        desk.click("[data-value=light]").await?;
        desk.holds_later("fetch('/api/me/settings').then((it) => it.text()).then((it) => it.includes('light'))").await?;
        phone.driver().refresh().await?;
        phone.holds("document.documentElement.dataset.theme === 'light'").await?;
        // Without a network a choice is kept here, and sent later.
        browsers.proxies[1].cut();
        desk.click("[data-look-of=four] [data-value=contrast]").await?;
        desk.holds("document.documentElement.dataset.lookFour === 'contrast'").await?;
        browsers.proxies[1].restore();
        desk.click("[data-look-of=quixo] [data-value=wood]").await?;
        phone.holds_later("fetch('/api/me/settings').then((it) => it.text()).then((it) => it.includes('contrast'))").await
    })
    .await;
}
