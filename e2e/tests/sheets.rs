//! What the printed sheets have players agree on before a game, at the table and afterwards. `docs/sheets.md` lists it all.

use e2e::{Browsers, Page, Policy, visit, with_browsers};
use game::Conferring;

#[tokio::test]
#[ignore = "needs a browser"]
async fn symbols_and_conferring_are_agreed_and_four_sit_around_the_board() {
    visit("sheets-quixo", async |page: &mut Page| {
        page.set_up("quixo(players=4)", "person,person,person,person").await?;
        page.click("[data-side='1'] [data-sign=nought]").await?;
        page.holds("document.querySelector(\"[data-side='2'] [data-sign=cross]\").ariaPressed === 'true'").await?;
        page.click("[data-confer=yes]").await?;
        page.click("main.setup .start .button.main").await?;
        page.shows("main.table .around > [data-edge=far].partner").await?;
        let settings = page.game().await?.settings().clone();
        assert_eq!(settings.signs().text(settings.game.id(), 2), "nought cross");
        assert_eq!(settings.conferring(), Some(Conferring::Allowed));
        // In turn order clockwise: to the left, opposite, to the right, and the first below.
        for (edge, seat) in [("left", 2), ("far", 3), ("right", 4)] {
            page.shows(&format!(".around > [data-edge={edge}][data-place=plate-{seat}]")).await?;
        }
        page.shows(".mine [data-place=plate-1]").await?;
        // Seat 1 writes x and shows a nought.
        page.play(Policy::random(1), 1).await?;
        assert!(page.game_with(1).await?.position().to_string().contains(['x', 'X']));
        page.holds("document.querySelector('.board .piece circle') !== null").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn colours_are_picked_and_the_last_seat_deals() {
    visit("sheets-sequence", async |page: &mut Page| {
        page.set_up("sequence", "person,bot:1").await?;
        page.shows(".setup .dealer").await?;
        page.click("[data-side='1'] [data-sign=yellow]").await?;
        // Who sits elsewhere keeps the colour.
        page.click("[data-begins='2']").await?;
        page.holds("document.querySelector(\"[data-side='2'] [data-sign=yellow]\").ariaPressed === 'true'").await?;
        page.click("[data-begins='1']").await?;
        page.click("main.setup .start .button.main").await?;
        page.shows("main.table [data-place=plate-2] .dealer").await?;
        let settings = page.game().await?.settings().clone();
        assert_eq!(settings.signs().text(settings.game.id(), 2), "yellow blue");
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_call_out_of_turn_is_answered_and_costs_nothing() {
    with_browsers("sheets-call", 2, async |browsers: &mut Browsers| {
        let table = browsers.sit_down("quarto(call=open)", 2).await?;
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        // Ann gives the first piece; meanwhile Bob may try to call.
        bob.click("[data-spot='button:call']:not(:disabled)").await?;
        bob.says(".status .notice", "your own turn").await?;
        browsers.play(&table, &[0, 1], &mut Policy::random(1), 1).await?;
        ann.click("[data-spot='button:call']:not(:disabled)").await?;
        ann.says(".status .notice", "your own turn").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn signs_and_who_begins_are_settings_of_a_table() {
    with_browsers("sheets-table", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.go("/online/new/quixo").await?;
        ann.click("[data-side='1'] [data-sign=nought]").await?;
        ann.click("[data-choice=lot]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".waiting-room .qr svg").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        bob.go(&format!("/t/{table}")).await?;
        bob.says(".waiting-room header", "drawn by lot").await?;
        bob.holds("document.querySelector('.seats-list li .side-piece circle') !== null").await?;
        browsers.join(bob, &table, 2).await?;
        bob.shows(".lots").await?;
        bob.click(".lots").await?;
        for page in [ann, bob] {
            page.holds("document.querySelector('[data-place=plate-1] .sign circle') !== null").await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn where_the_loser_begins_the_first_game_is_drawn_before_their_eyes() {
    with_browsers("sheets-loser", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.go("/online/new/quixo").await?;
        ann.click("[data-choice=loser]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".waiting-room .qr svg").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        browsers.join(bob, &table, 2).await?;
        bob.shows(".lots").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_link_to_the_analysis_keeps_the_symbols() {
    visit("sheets-link", async |page: &mut Page| {
        page.set_up("quixo", "person,person").await?;
        page.click("[data-side='1'] [data-sign=nought]").await?;
        page.click("main.setup .start .button.main").await?;
        page.play(Policy::random(1), 1).await?;
        page.game_with(1).await?;
        page.click("[data-do=resign]").await?;
        page.click(".question .button.main").await?;
        page.click(".actions a[href^='/analyse']").await?;
        page.shows("main.study .board").await?;
        page.holds("document.querySelector('main.study .board .piece circle') !== null").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quarto_is_paired_at_a_minute_a_turn_unless_a_pace_is_chosen() {
    with_browsers("sheets-pair", 1, async |browsers: &mut Browsers| {
        let [ann] = &browsers.pages[..] else { return Err("one page".into()) };
        ann.go("/online").await?;
        ann.says("[data-pair=quarto]", "1 minute a turn").await?;
        ann.says("[data-pair=quixo]", "5+5").await?;
        ann.click(".pace").await?;
        ann.says("[data-pair=quarto]", "5+5").await
    })
    .await;
}
