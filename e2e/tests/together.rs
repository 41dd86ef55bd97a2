//! People in several real browsers at one server. Run with `cargo xtask test --only web --only e2e`.

use e2e::{Page, Party, Policy, Problem, gather, plan, visit};
use thirtyfour::prelude::*;

type Done = Result<(), Problem>;

/// The talk is folded until somebody opens it.
async fn say(page: &Page, phrase: &str) -> Done {
    page.click(".talk h2 button[aria-expanded=false]").await?;
    page.click(&format!("[data-phrase={phrase}]")).await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn two_play_lose_the_network_and_play_again() {
    gather("together-two", 2, async |party: &mut Party| {
        let [ann, bob] = &party.pages[..] else { return Err("two pages".into()) };
        ann.speak("uk").await?;
        bob.speak("en").await?;
        let table = party.sit_down("quixo", 2).await?;
        let mut policy = plan("quixo")?;
        party.play(&table, &[0, 1], &mut policy, 3).await?;

        say(ann, "hello").await?;
        bob.click(".talk h2 button").await?;
        bob.says(".talk .lines", "Hello!").await?;
        ann.says(".talk .lines", "Вітаю").await?;

        // Bob's network goes: both see it; what he plays meanwhile arrives once it is back.
        party.cables[1].cut();
        bob.shows("[data-line=broken]").await?;
        ann.holds("document.querySelector('.absent p')?.textContent.length > 3").await?;
        let game = party.game(ann, &table, Some(rules::Seat::ONE)).await?;
        let choice = policy.choose(&game).ok_or("nothing can be done")?;
        for spot in &choice.touches {
            bob.touch(*spot).await?;
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(party.game(ann, &table, Some(rules::Seat::ONE)).await?.log().len(), game.log().len());
        party.cables[1].mend();
        bob.holds("document.querySelector('[data-line=open]')").await?;
        ann.holds("document.querySelectorAll('.moves .move').length === 4").await?;
        ann.holds("!document.querySelector('.absent p')").await?;

        party.play(&table, &[0, 1], &mut policy, 400).await?;
        ann.says_the_end().await?;
        bob.says_the_end().await?;

        // Once more, with the seats moved on.
        ann.click("[data-do=rematch]").await?;
        bob.click("[data-do=agree]").await?;
        ann.holds(&format!("location.pathname.startsWith('/t/') && location.pathname !== '/t/{table}'")).await?;
        bob.holds(&format!("location.pathname.startsWith('/t/') && location.pathname !== '/t/{table}'")).await?;
        let again = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        bob.shows("main.table").await?;
        party.play(&again, &[1, 0], &mut plan("quixo")?, 400).await?;
        bob.says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn two_play_quarto_and_four() {
    gather("together-others", 2, async |party: &mut Party| {
        for game in ["quarto", "four(size=9,target=3)"] {
            let table = party.sit_down(game, 2).await?;
            let actions = party.play(&table, &[0, 1], &mut plan(game)?, 400).await?;
            assert!(actions > 3, "{game} ended after {actions} actions");
            party.pages[0].says_the_end().await?;
            party.pages[1].says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn sequence_with_three_and_a_spectator() {
    gather("together-three", 4, async |party: &mut Party| {
        let table = party.sit_down("sequence(players=3)", 3).await?;
        let spectator = &party.pages[3];
        spectator.go(&format!("/t/{table}")).await?;
        spectator.shows("main.table .spectator").await?;
        for page in &party.pages[..3] {
            page.shows(".hand .card").await?;
            page.shows(".watching").await?;
            page.holds("!document.querySelector('.curtain')").await?;
        }
        party.play(&table, &[0, 1, 2], &mut Policy::random(5), 6).await?;
        spectator.holds("!document.querySelector('.hand .card')").await?;
        spectator.holds("document.querySelectorAll('.card-back').length === 9").await?;
        party.play(&table, &[0, 1, 2], &mut Policy::greedy(6), 400).await?;
        for page in &party.pages {
            page.says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_in_teams_of_two_that_confer() {
    gather("together-four", 4, async |party: &mut Party| {
        let ann = &party.pages[0];
        ann.go("/online/new/quixo?game=quixo%28players%3D4%29").await?;
        ann.shows("[data-choice=yes]").await?;
        ann.script("document.querySelector('[data-choice=yes]').scrollIntoView({ block: 'center' });").await?;
        ann.click("[data-choice=yes]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".waiting-room .qr svg").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        for (number, page) in party.pages.iter().enumerate().skip(1) {
            party.join(page, &table, number + 1).await?;
        }
        for page in &party.pages {
            page.shows("main.table").await?;
            page.click(".talk h2 button").await?;
        }
        ann.click(".talk .choices .button:last-child").await?;
        ann.driver().find(By::Css(".talk form input")).await?.send_keys("push the top").await?;
        ann.click(".talk form .button").await?;
        party.pages[2].says(".talk .lines", "push the top").await?;
        for other in [1, 3] {
            party.pages[other].holds("!document.querySelector('.talk .lines').textContent.includes('push')").await?;
        }
        party.play(&table, &[0, 1, 2, 3], &mut plan("quixo(players=4)")?, 400).await?;
        for page in &party.pages {
            page.says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn where_sockets_are_blocked_the_game_goes_on() {
    gather("together-blocked", 2, async |party: &mut Party| {
        for page in &party.pages {
            page.before_all("window.WebSocket = class { constructor() { throw new Error('blocked'); } };").await?;
        }
        let table = party.sit_down("quixo", 2).await?;
        party.play(&table, &[0, 1], &mut plan("quixo")?, 400).await?;
        party.pages[0].says_the_end().await?;
        party.pages[1].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_restarting_server_is_waited_for() {
    gather("together-restart", 2, async |party: &mut Party| {
        let table = party.sit_down("quixo", 2).await?;
        let mut policy = plan("quixo")?;
        party.play(&table, &[0, 1], &mut policy, 3).await?;
        party.house.close();
        for page in &party.pages {
            page.shows("[data-line=stopping], [data-line=broken]").await?;
        }
        party.house.reopen()?;
        for page in &party.pages {
            page.holds("document.querySelector('[data-line=open]')").await?;
        }
        party.play(&table, &[0, 1], &mut policy, 400).await?;
        party.pages[0].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn offers_are_made_declined_and_agreed_to() {
    gather("together-offers", 2, async |party: &mut Party| {
        let table = party.sit_down("quixo", 2).await?;
        let (ann, bob) = (&party.pages[0], &party.pages[1]);
        party.play(&table, &[0, 1], &mut Policy::calm(3), 2).await?;
        // The first three tools: take back, a draw, to give up.
        ann.click(".toolbox > :nth-child(1)").await?;
        bob.click("[data-do=agree]").await?;
        ann.holds("document.querySelectorAll('.moves .move').length === 0").await?;
        ann.click(".toolbox > :nth-child(2)").await?;
        bob.click("[data-do=decline]").await?;
        ann.holds("!document.querySelector('.offer')").await?;
        party.play(&table, &[0, 1], &mut Policy::calm(3), 1).await?;
        bob.click(".toolbox > :nth-child(2)").await?;
        ann.click("[data-do=agree]").await?;
        ann.says_the_end().await?;
        bob.says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn who_stays_away_loses_the_game() {
    gather("together-away", 2, async |party: &mut Party| {
        let table = party.sit_down("quixo", 2).await?;
        party.play(&table, &[0, 1], &mut Policy::calm(3), 1).await?;
        party.cables[1].cut();
        party.pages[0].click(".absent .choices .button").await?;
        party.pages[0].says_the_end().await?;
        party.cables[1].mend();
        party.pages[1].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn strangers_are_paired_and_tables_come_and_go() {
    gather("together-lobby", 3, async |party: &mut Party| {
        let [ann, bob, cat] = &party.pages[..] else { return Err("three pages".into()) };
        cat.go("/online").await?;
        cat.shows(".open-tables .quiet").await?;
        ann.go("/online").await?;
        ann.click("[data-pair=quixo]").await?;
        ann.shows(".waiting-room").await?;
        cat.shows(".open-tables .rows li").await?;
        bob.go("/online").await?;
        bob.click("[data-pair=quixo]").await?;
        bob.shows("main.table").await?;
        ann.shows("main.table").await?;
        cat.holds("!document.querySelector('.open-tables .rows li')").await?;
        // The game is in the list of both.
        ann.go("/mine").await?;
        ann.shows(".games .rows li").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn what_cannot_be_is_said_kindly() {
    gather("together-kindly", 3, async |party: &mut Party| {
        let page = &party.pages[0];
        page.speak("uk").await?;
        page.go("/t/nowhere").await?;
        page.says("main [role=alert]", "Такого стол").await?;
        page.go("/").await?;
        page.shows(".elsewhere a[href='/online']").await?;
        // Whoever comes to a full table watches.
        let table = party.sit_down("quixo", 2).await?;
        party.pages[2].go(&format!("/t/{table}")).await?;
        party.pages[2].shows(".spectator").await
    })
    .await;
    // Where there are only files, nobody could be met, and nobody is sent to look.
    visit("together-alone", async |page: &mut Page| {
        page.go("/").await?;
        page.shows(".elsewhere a").await?;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        page.holds("!document.querySelector(\".elsewhere a[href='/online']\")").await?;
        page.go("/online").await?;
        page.shows("main [role=alert]").await
    })
    .await;
}
