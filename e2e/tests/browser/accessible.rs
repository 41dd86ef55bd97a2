//! Whole games through the accessibility tree alone: what a screen reader is told, and what it can press. Nothing is
//! read from the document or from storage, and nothing is clicked at a place.

use std::time::{Duration, Instant};

use e2e::{Page, Problem, visit};
use search::Random;
use serde_json::{Value, json};

type Done = Result<(), Problem>;

/// How long anything may take on a slow machine.
const PATIENCE: Duration = Duration::from_secs(40);

/// The words by which a player knows what to press, in a language.
struct Words {
    language: &'static str,
    start: &'static str,
    /// Ends the name of whatever may be touched.
    may_touch: &'static str,
    /// What is pressed when nothing on the board may be touched.
    otherwise: [&'static str; 4],
    again: &'static str,
}

const ENGLISH: Words = Words {
    language: "en",
    start: "Start",
    may_touch: ", possible",
    otherwise: ["Pass", "Exchange card", "End turn", "Show my cards"],
    again: "Play again",
};
const UKRAINIAN: Words = Words {
    language: "uk",
    start: "Почати",
    may_touch: ", можна",
    otherwise: ["Пропустити хід", "Замінити карту", "Завершити хід", "Показати мої карти"],
    again: "Зіграти ще раз",
};
const RUSSIAN: Words = Words {
    language: "ru",
    start: "Начать",
    may_touch: ", можно",
    otherwise: ["Пропустить ход", "Заменить карту", "Завершить ход", "Показать мои карты"],
    again: "Сыграть ещё раз",
};

/// Something in the accessibility tree.
#[derive(Debug)]
struct Node {
    role: String,
    name: String,
    id: i64,
    disabled: bool,
}

/// Everything a screen reader is told of the page.
async fn tree(page: &Page) -> Result<Vec<Node>, Problem> {
    let answer = page.driver().cdp().send_raw("Accessibility.getFullAXTree", json!({})).await?;
    let text = |node: &Value, field: &str| node[field]["value"].as_str().unwrap_or_default().to_owned();
    let read = |node: &Value| {
        let properties = node["properties"].as_array().map(Vec::as_slice).unwrap_or_default();
        let disabled = properties.iter().any(|it| it["name"] == "disabled" && it["value"]["value"] == true);
        let id = node["backendDOMNodeId"].as_i64()?;
        (node["ignored"] != true).then(|| Node { role: text(node, "role"), name: text(node, "name"), id, disabled })
    };
    Ok(answer["nodes"].as_array().ok_or("no tree")?.iter().filter_map(read).collect())
}

/// Does what a screen reader does when its user presses something.
async fn press(page: &Page, node: &Node) -> Done {
    let cdp = page.driver().cdp();
    let found = cdp.send_raw("DOM.resolveNode", json!({ "backendNodeId": node.id })).await;
    // The page may have changed since the tree was read.
    let Ok(found) = found else { return Ok(()) };
    let call =
        json!({ "objectId": found["object"]["objectId"], "functionDeclaration": "function() { this.click(); }" });
    let _ = cdp.send_raw("Runtime.callFunctionOn", call).await;
    Ok(())
}

/// Waits for something with a role and a name, and presses it.
async fn press_named(page: &Page, role: &str, name: &str) -> Done {
    let began = Instant::now();
    loop {
        let nodes = tree(page).await?;
        if let Some(node) = nodes.iter().find(|node| node.role == role && node.name == name && !node.disabled) {
            return press(page, node).await;
        }
        if began.elapsed() > PATIENCE {
            return Err(format!("no {role} is called {name:?}").into());
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Plays a whole game by pressing whatever may be touched, until the page offers another one; how often was pressed.
async fn play_on(page: &Page, words: &Words, random: &mut Random) -> Result<usize, Problem> {
    let mut pressed = 0;
    let mut waiting_since = Instant::now();
    while pressed < 600 {
        let nodes = tree(page).await?;
        let is_button = |node: &&Node| matches!(node.role.as_str(), "button" | "gridcell") && !node.disabled;
        if nodes.iter().any(|node| is_button(&node) && node.name == words.again) {
            return Ok(pressed);
        }
        let possible: Vec<&Node> =
            nodes.iter().filter(is_button).filter(|node| node.name.ends_with(words.may_touch)).collect();
        let count = u32::try_from(possible.len())?;
        let other = nodes.iter().find(|node| is_button(node) && words.otherwise.contains(&node.name.as_str()));
        let chosen = if count > 0 { possible.get(random.below(count) as usize).copied() } else { other };
        let Some(node) = chosen else {
            if waiting_since.elapsed() > PATIENCE {
                let names: Vec<&str> = nodes.iter().filter(is_button).map(|node| node.name.as_str()).collect();
                return Err(format!("nothing can be done; there are {names:?}").into());
            }
            tokio::time::sleep(Duration::from_millis(60)).await;
            continue;
        };
        press(page, node).await?;
        pressed += 1;
        waiting_since = Instant::now();
    }
    Err("the game does not end".into())
}

/// A game in every language.
async fn in_every_language(name: &str, game: &str, seats: &str) {
    visit(name, async |page: &mut Page| {
        for (seed, words) in [ENGLISH, UKRAINIAN, RUSSIAN].iter().enumerate() {
            page.speak(words.language).await?;
            page.set_up(game, seats).await?;
            press_named(page, "button", words.start).await?;
            let pressed = play_on(page, words, &mut Random::new(seed as u64)).await?;
            assert!(pressed >= 5, "{game} in {} ended after {pressed}", words.language);
            // The end is told, not only shown.
            let told = tree(page).await?;
            assert!(told.iter().any(|node| node.role == "dialog" && !node.name.is_empty()), "{told:?}");
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quarto_can_be_played_by_what_is_told() {
    in_every_language("accessible-quarto", "quarto", "person,person").await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_can_be_played_by_what_is_told() {
    in_every_language("accessible-quixo", "quixo", "person,bot:4").await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn sequence_can_be_played_by_what_is_told() {
    in_every_language("accessible-sequence", "sequence", "person,bot:4").await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn four_can_be_played_by_what_is_told() {
    in_every_language("accessible-four", "four(size=9,target=3)", "person,bot:4").await;
}
