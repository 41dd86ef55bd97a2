//! The table on screens of seven sizes: all that is needed to play is seen together, and nothing moves it.

use e2e::{Browsers, Page, Policy, Problem, visit, with_browsers};
use game::Game;
use rules::GameId;
use serde_json::Value;

const SIZES: [(u32, u32); 7] = [(320, 568), (360, 740), (390, 844), (844, 390), (768, 1024), (1280, 800), (1920, 1080)];

/// Every game with every number of seats, as a text and that number.
fn games() -> Vec<(String, usize)> {
    let with_seats = |id: GameId| {
        let texts = [format!("{id}"), format!("{id}(players=3)"), format!("{id}(players=4)")];
        texts.into_iter().filter_map(|text| Some((text.clone(), text.parse::<Game>().ok()?.seats().into())))
    };
    GameId::ALL.into_iter().flat_map(with_seats).collect()
}

/// What is outside the window, covered, overlapping or too small, each in a few words.
const FAULTS: &str = r#"
const seats = SEATS, faults = [];
const box = (it) => it.getBoundingClientRect();
const name = (it) => `${it.className} ${it.textContent.trim().slice(0, 16)}`;
const root = document.documentElement;
if (root.scrollHeight > innerHeight + 1) faults.push(`the page is ${root.scrollHeight - innerHeight} too high`);
if (root.scrollWidth > innerWidth) faults.push(`the page is ${root.scrollWidth - innerWidth} too wide`);
const found = (selector) => [...document.querySelectorAll(`main.table ${selector}`)].filter((it) => it.checkVisibility() && box(it).width > 0);
for (const [selector, wanted] of [['.board', 1], ['.status .say', 1], ['.plate', seats], ['.clock', seats], ['.mine .plate', 1]])
  if (found(selector).length !== wanted) faults.push(`${found(selector).length} × ${selector}`);
for (const [selector, least] of [['.actions .tool', 4], ['.cell', 16]])
  if (found(selector).length < least) faults.push(`only ${found(selector).length} × ${selector}`);
const parts = found('.board, .stock, .hand, .plate, .clock, .status, .pedestal, .buttons .button, .actions .tool');
for (const it of parts) {
  const { left, top, right, bottom } = box(it);
  if (left < -0.5 || top < -0.5 || right > innerWidth + 0.5 || bottom > innerHeight + 0.5) faults.push(`outside: ${name(it)}`);
  const at = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
  if (!at || !(it.contains(at) || at.contains(it))) faults.push(`covered: ${name(it)} by ${at && name(at)}`);
}
parts.forEach((one, number) => parts.slice(number + 1).forEach((other) => {
  const a = box(one), b = box(other);
  const wide = Math.min(a.right, b.right) - Math.max(a.left, b.left), high = Math.min(a.bottom, b.bottom) - Math.max(a.top, b.top);
  const inside = one.contains(other) || other.contains(one);
  if (!inside && wide > 1 && high > 1) faults.push(`${name(one)} overlaps ${name(other)}`);
  if (inside && high < Math.min(a.height, b.height) - 1) faults.push(`${name(one)} and ${name(other)} are cut`);
}));
// Moves in the list are large for fingers only: with a mouse, more of them are seen at once.
const finger = matchMedia('(pointer: coarse)').matches;
for (const it of document.querySelectorAll(`button:not(.cell)${finger ? '' : ':not(.move)'}, a, select, input`)) {
  const { width, height } = box(it);
  if (it.checkVisibility() && width > 0 && (width < 43.5 || height < 43.5)) faults.push(`small: ${name(it)} ${width.toFixed()}×${height.toFixed()}`);
}
const cell = box(found('.cell')[0]).width;
if (cell < 24 && !found('.stage > .button').length) faults.push(`squares of ${cell.toFixed()}`);
return faults;"#;

async fn faults(page: &Page, seats: usize, place: &str) -> Result<Vec<String>, Problem> {
    let found = page.script(&FAULTS.replace("SEATS", &seats.to_string())).await?;
    let found = found.as_array().ok_or("no list")?;
    Ok(found.iter().map(|fault| format!("{place}: {}", fault.as_str().unwrap_or_default())).collect())
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn every_table_fits_on_every_screen() {
    visit("layout", async |page: &mut Page| {
        // The longest words are Russian.
        page.speak("ru").await?;
        let mut found = Vec::new();
        for (game, seats) in games() {
            for (width, height) in SIZES {
                page.resize(width, height, width < 1000).await?;
                // A board for a narrow screen is chosen when the game begins.
                begin(page, &game, seats).await?;
                found.extend(faults(page, seats, &format!("{width}×{height} {game}")).await?);
            }
        }
        assert!(found.is_empty(), "{} faults:\n{}", found.len(), found.join("\n"));
        Ok(())
    })
    .await;
}

/// Begins a game with a clock, one person against bots, and takes one action.
async fn begin(page: &Page, game: &str, seats: usize) -> Result<(), Problem> {
    let id = game.split('(').next().unwrap_or(game);
    let bots = ",bot:1".repeat(seats - 1);
    let options = game.replace('=', "%3D").replace('(', "%28").replace(')', "%29");
    page.go("/").await?;
    page.go(&format!("/{id}/start?game={options}&seats=person{bots}&clock=fischer%3D3600%2B5")).await?;
    page.shows("main.table .board").await?;
    page.play(Policy::random(1), 1).await.map(drop)
}

/// Where the board lies, and whether the page scrolls.
async fn board(page: &Page) -> Result<Value, Problem> {
    page.script(
        "const { left, top, width } = document.querySelector('.board').getBoundingClientRect();
         return [left, top, width, document.documentElement.scrollHeight > innerHeight];",
    )
    .await
}

#[tokio::test]
#[ignore = "needs two browsers"]
async fn chat_and_offers_move_nothing_and_show_a_sign() {
    with_browsers("layout-together", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.resize(1280, 800, false).await?;
        bob.resize(390, 844, true).await?;
        let table = browsers.sit_down("quixo", 2).await?;
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 2).await?;
        let before = [board(ann).await?, board(bob).await?];
        ann.click("[data-tab=chat]").await?;
        ann.click("[data-phrase=hello]").await?;
        bob.shows(".panel-tool .badge").await?;
        ann.click("[data-do=draw]").await?;
        bob.shows(".floating .offer [data-do=agree]").await?;
        assert_eq!([board(ann).await?, board(bob).await?], before);
        assert_eq!((&before[0][3], &before[1][3]), (&Value::Bool(false), &Value::Bool(false)), "a page scrolls");
        bob.click("[data-do=decline]").await?;
        bob.click(".panel-tool").await?;
        bob.shows(".talk .lines li").await?;
        bob.holds("!document.querySelector('.panel-tool .badge')").await?;
        // The latest line is seen, however many there are, and also when the moves were looked at meanwhile.
        let is_at_end = "(() => { const it = document.querySelector('.talk .lines');
                         return it.scrollHeight > it.clientHeight && it.scrollTop + it.clientHeight > it.scrollHeight - 2; })()";
        for lines in 2..7 {
            ann.click("[data-phrase=hello]").await?;
            ann.holds(&format!("document.querySelectorAll('.talk .lines li').length === {lines}")).await?;
        }
        ann.holds(is_at_end).await?;
        ann.click("[data-tab=moves]").await?;
        bob.click("[data-phrase=hello]").await?;
        ann.click("[data-tab=chat]").await?;
        ann.holds(is_at_end).await
    })
    .await;
}
