//! People in several real browsers at one server. Run with `cargo xtask test --only web --only e2e`.

use e2e::{Browsers, Page, Policy, Problem, plan, visit, with_browsers};
use thirtyfour::prelude::*;

type Done = Result<(), Problem>;

/// The chat lies behind its tab.
async fn say(page: &Page, phrase: &str) -> Done {
    page.click("[data-tab=chat]").await?;
    page.click(&format!("[data-phrase={phrase}]")).await
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn two_play_lose_the_network_and_play_again() {
    with_browsers("together-two", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.speak("uk").await?;
        bob.speak("en").await?;
        let table = browsers.sit_down("quixo", 2).await?;
        let mut policy = plan("quixo")?;
        browsers.play(&table, &[0, 1], &mut policy, 3).await?;

        say(ann, "hello").await?;
        bob.click("[data-tab=chat]").await?;
        bob.says(".talk .lines", "Hello!").await?;
        ann.says(".talk .lines", "Вітаю").await?;

        // Bob's network fails: both pages show it; his move arrives once the network is back.
        browsers.proxies[1].cut();
        bob.shows("[data-line=broken]").await?;
        ann.holds("document.querySelector('.absent p')?.textContent.length > 3").await?;
        let game = browsers.game(ann, &table, Some(rules::Seat::ONE)).await?;
        let choice = policy.choose(&game).ok_or("nothing can be done")?;
        for spot in &choice.touches {
            bob.touch(*spot).await?;
        }
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        assert_eq!(browsers.game(ann, &table, Some(rules::Seat::ONE)).await?.log().len(), game.log().len());
        browsers.proxies[1].restore();
        bob.holds("document.querySelector('[data-line=open]')").await?;
        ann.holds("document.querySelectorAll('.moves .move').length === 4").await?;
        ann.holds("!document.querySelector('.absent p')").await?;

        browsers.play(&table, &[0, 1], &mut policy, 400).await?;
        ann.says_the_end().await?;
        bob.says_the_end().await?;

        // A rematch, with the seats rotated.
        ann.click("[data-do=rematch]").await?;
        bob.click("[data-do=agree]").await?;
        ann.holds(&format!("location.pathname.startsWith('/t/') && location.pathname !== '/t/{table}'")).await?;
        bob.holds(&format!("location.pathname.startsWith('/t/') && location.pathname !== '/t/{table}'")).await?;
        let again = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        bob.shows("main.table").await?;
        browsers.play(&again, &[1, 0], &mut plan("quixo")?, 400).await?;
        bob.says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn two_play_quarto_and_four() {
    with_browsers("together-others", 2, async |browsers: &mut Browsers| {
        for game in ["quarto", "four(size=9,target=3)"] {
            let table = browsers.sit_down(game, 2).await?;
            let actions = browsers.play(&table, &[0, 1], &mut plan(game)?, 400).await?;
            assert!(actions > 3, "{game} ended after {actions} actions");
            browsers.pages[0].says_the_end().await?;
            browsers.pages[1].says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn sequence_with_three_and_a_spectator() {
    with_browsers("together-three", 4, async |browsers: &mut Browsers| {
        let table = browsers.sit_down("sequence(players=3)", 3).await?;
        let spectator = &browsers.pages[3];
        spectator.go(&format!("/t/{table}")).await?;
        spectator.shows("main.table .spectator").await?;
        for page in &browsers.pages[..3] {
            page.shows(".hand .card").await?;
            page.shows(".watching").await?;
            page.holds("!document.querySelector('.curtain')").await?;
        }
        browsers.play(&table, &[0, 1, 2], &mut Policy::random(5), 6).await?;
        spectator.holds("!document.querySelector('.hand .card')").await?;
        spectator.holds("document.querySelectorAll('.card-back:not(.gone)').length === 9").await?;
        browsers.play(&table, &[0, 1, 2], &mut Policy::greedy(6), 400).await?;
        for page in &browsers.pages {
            page.says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn quixo_in_teams_of_two_that_confer() {
    with_browsers("together-four", 4, async |browsers: &mut Browsers| {
        let ann = &browsers.pages[0];
        ann.go("/online/new/quixo?game=quixo%28players%3D4%29").await?;
        ann.shows("[data-choice=yes]").await?;
        ann.script("document.querySelector('[data-choice=yes]').scrollIntoView({ block: 'center' });").await?;
        ann.click("[data-choice=yes]").await?;
        ann.click(".start .button.main").await?;
        ann.shows(".waiting-room .qr svg").await?;
        let table = ann.script("return location.pathname.slice(3);").await?.as_str().unwrap_or_default().to_owned();
        for (number, page) in browsers.pages.iter().enumerate().skip(1) {
            browsers.join(page, &table, number + 1).await?;
        }
        for page in &browsers.pages {
            page.shows("main.table").await?;
            page.click("[data-tab=chat]").await?;
        }
        ann.click(".talk .choices .button:last-child").await?;
        ann.write(".talk form input", "push the top").await?;
        ann.click(".talk form .button").await?;
        browsers.pages[2].says(".talk .lines", "push the top").await?;
        for other in [1, 3] {
            browsers.pages[other].holds("!document.querySelector('.talk .lines').textContent.includes('push')").await?;
        }
        browsers.play(&table, &[0, 1, 2, 3], &mut plan("quixo(players=4)")?, 400).await?;
        for page in &browsers.pages {
            page.says_the_end().await?;
        }
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn where_sockets_are_blocked_the_game_goes_on() {
    with_browsers("together-blocked", 2, async |browsers: &mut Browsers| {
        for page in &browsers.pages {
            page.before_all("window.WebSocket = class { constructor() { throw new Error('blocked'); } };").await?;
        }
        let table = browsers.sit_down("quixo", 2).await?;
        browsers.play(&table, &[0, 1], &mut plan("quixo")?, 400).await?;
        browsers.pages[0].says_the_end().await?;
        browsers.pages[1].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_restarting_server_is_waited_for() {
    with_browsers("together-restart", 2, async |browsers: &mut Browsers| {
        let table = browsers.sit_down("quixo", 2).await?;
        let mut policy = plan("quixo")?;
        browsers.play(&table, &[0, 1], &mut policy, 3).await?;
        browsers.server.close();
        for page in &browsers.pages {
            page.shows("[data-line=stopping], [data-line=broken]").await?;
        }
        browsers.server.reopen()?;
        for page in &browsers.pages {
            page.holds("document.querySelector('[data-line=open]')").await?;
        }
        browsers.play(&table, &[0, 1], &mut policy, 400).await?;
        browsers.pages[0].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn offers_are_made_declined_and_agreed_to() {
    with_browsers("together-offers", 2, async |browsers: &mut Browsers| {
        let table = browsers.sit_down("quixo", 2).await?;
        let (ann, bob) = (&browsers.pages[0], &browsers.pages[1]);
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 2).await?;
        ann.click("[data-do=takeback]").await?;
        bob.click("[data-do=agree]").await?;
        ann.holds("document.querySelectorAll('.moves .move').length === 0").await?;
        ann.click("[data-do=draw]").await?;
        bob.click("[data-do=decline]").await?;
        ann.holds("!document.querySelector('.offer')").await?;
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 1).await?;
        bob.click("[data-do=draw]").await?;
        ann.click("[data-do=agree]").await?;
        ann.says_the_end().await?;
        bob.says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn who_stays_away_loses_the_game() {
    with_browsers("together-away", 2, async |browsers: &mut Browsers| {
        let table = browsers.sit_down("quixo", 2).await?;
        browsers.play(&table, &[0, 1], &mut Policy::calm(3), 1).await?;
        browsers.proxies[1].cut();
        browsers.pages[0].click(".absent .choices .button").await?;
        browsers.pages[0].says_the_end().await?;
        browsers.proxies[1].restore();
        browsers.pages[1].says_the_end().await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn strangers_are_paired_and_tables_come_and_go() {
    with_browsers("together-lobby", 3, async |browsers: &mut Browsers| {
        let [ann, bob, cat] = &browsers.pages[..] else { return Err("three pages".into()) };
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
        ann.shows(".own-list .rows li").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn what_cannot_be_is_said_kindly() {
    with_browsers("together-kindly", 3, async |browsers: &mut Browsers| {
        let page = &browsers.pages[0];
        page.speak("uk").await?;
        page.go("/t/nowhere").await?;
        page.says("main [role=alert]", "Такого стол").await?;
        page.go("/").await?;
        page.shows(".quick-online a[href='/online']").await?;
        // A guest who opens a full table watches.
        let table = browsers.sit_down("quixo", 2).await?;
        browsers.pages[2].go(&format!("/t/{table}")).await?;
        browsers.pages[2].shows(".spectator").await
    })
    .await;
    // Where only files are served there are no opponents, so the home page offers no game with them.
    visit("together-alone", async |page: &mut Page| {
        page.go("/").await?;
        page.shows(".games a").await?;
        tokio::time::sleep(std::time::Duration::from_secs(1)).await;
        page.holds("!document.querySelector('.quick-online')").await?;
        page.go("/online").await?;
        page.shows("main [role=alert]").await
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_move_is_chosen_before_the_turn_cancelled_and_played() {
    with_browsers("together-premove", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.speak("en").await?;
        bob.speak("ru").await?;
        let table = browsers.sit_down("quixo", 2).await?;
        // It is Ann's turn: Bob chooses, is told so and sees an arrow; Escape cancels.
        let choose = async |page: &Page| {
            page.click("main [data-spot='a1']").await?;
            page.click("main [data-spot='a5'].next").await?;
            page.holds("document.querySelector('.status .notice').textContent.includes('a1a5')").await?;
            page.shows(".board .over svg").await
        };
        choose(bob).await?;
        bob.press(Key::Escape).await?;
        bob.holds("!document.querySelector('.status .notice').textContent").await?;
        choose(bob).await?;
        // A touch of the board cancels as well.
        bob.click("main [data-spot='a1']").await?;
        bob.holds("!document.querySelector('.status .notice').textContent").await?;
        choose(bob).await?;
        ann.click("main [data-spot='c1']").await?;
        ann.click("main [data-spot='c5'].next").await?;
        // The answer comes by itself.
        ann.holds("document.querySelectorAll('.moves .move').length === 2").await?;
        ann.says(".moves", "a1a5").await?;
        ann.holds("document.title.startsWith('●')").await?;
        // A move that the opponent's makes impossible is dropped, and that is said.
        bob.click("main [data-spot='e3']").await?;
        bob.click("main [data-spot='a3'].next").await?;
        bob.says(".status .notice", "e3a3").await?;
        ann.click("main [data-spot='a3']").await?;
        ann.click("main [data-spot='e3'].next").await?;
        bob.says(".status .notice", "уже невозможен").await?;
        let game = browsers.game(bob, &table, Some(rules::Seat::TWO)).await?;
        assert_eq!((game.log().len(), game.to_act()), (3, Some(rules::Seat::TWO)));
        Ok(())
    })
    .await;
}

#[tokio::test]
#[ignore = "needs a browser"]
async fn a_challenge_reaches_the_other_player_on_any_page() {
    with_browsers("together-challenge", 2, async |browsers: &mut Browsers| {
        let [ann, bob] = &browsers.pages[..] else { return Err("two pages".into()) };
        ann.speak("en").await?;
        bob.speak("uk").await?;
        ann.register("Ann", "correct horse").await?;
        bob.register("Bob", "correct horse").await?;
        let script = "const done = arguments[0]; fetch('/api/me').then((it) => it.json()).then((it) => done(it.id));";
        let id = bob.script_later(script).await?.as_str().ok_or("no id")?.to_owned();
        // Bob is elsewhere: on the page of a game.
        bob.go("/learn/quixo").await?;
        let challenge = async |game: &str| {
            ann.go(&format!("/person/{id}")).await?;
            ann.click(".challenge summary").await?;
            ann.click(&format!(".challenge a[href*='/{game}']")).await?;
            ann.click(".start .button.main").await?;
            ann.shows(".waiting-room").await
        };
        challenge("quixo").await?;
        ann.says(".waiting-room", "Bob was challenged").await?;
        bob.says(".challenges", "Ann").await?;
        bob.click(".challenges [data-do=decline]").await?;
        bob.holds("!document.querySelector('.challenges')").await?;
        ann.says(".waiting-room", "Bob declined").await?;
        challenge("four").await?;
        bob.click(".challenges [data-do=accept]").await?;
        bob.shows("main.table").await?;
        ann.shows("main.table").await
    })
    .await;
}
