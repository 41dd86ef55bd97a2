//! The same app in Firefox, which shares no code with Chromium: whole games, and play without a network. Without Firefox
//! and its driver these tests say so and end.

use e2e::{Page, Policy, plan, visit_firefox};

use super::{KEPT, whole_match};

#[tokio::test]
#[ignore = "needs a browser"]
async fn all_four_games_are_played_to_their_end() {
    visit_firefox("firefox-games", async |page: &mut Page| {
        for (language, game) in [("en", "quarto"), ("uk", "quixo"), ("ru", "four(size=9,target=3)")] {
            page.speak(language).await?;
            whole_match(page, game, "person,person", plan(game)?).await?;
            page.holds(&format!("document.documentElement.lang === '{language}'")).await?;
        }
        whole_match(page, "sequence", "person,person", Policy::random(5)).await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn after_one_visit_it_plays_without_a_network() {
    visit_firefox("firefox-offline", async |page: &mut Page| {
        page.go("/").await?;
        page.script_later(KEPT).await?;
        page.cut_the_network();
        // WebDriver's own reload would bypass the service worker here.
        page.script("window.isOld = true; location.reload();").await?;
        page.holds("!window.isOld").await?;
        let games = rules::GameId::ALL.len();
        page.holds(&format!("document.querySelectorAll('article.game').length === {games}")).await?;
        page.begin("quixo", "person,bot:3").await?;
        page.play(Policy::random(2), 3).await?;
        let events = page.game().await?.log().len();
        assert!(events >= 6, "the computer plays offline too: {events} events");
        page.go("/learn/four").await?;
        page.shows("main.learn [role=grid]").await?;
        page.go("/analyse#game=quixo").await?;
        page.shows("main.study [role=grid]").await
    })
    .await;
}
