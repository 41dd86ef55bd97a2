//! Setting up a game.

pub mod agreed;
pub mod link;
pub mod options;
pub mod preview;
pub mod seats;

use game::{GameId, Match};
use locale::Language;
use search::Random;
use session::FirstPlayer;
use ui::prelude::*;

use crate::app::{TopBar, settings};
use crate::browser::{self, store};
use crate::chunks;
use crate::local_table::{new_key, seed};
use crate::parts::Thumbnail;
use crate::route::{self, Route};
use crate::views::{live, press, say, spawn};
use agreed::{Confer, Dealer, SideSigns};
use art::{Icon, icon};
use link::Arrangement;
pub use options::{ClockChoice, OptionChoice, Presets};
pub use preview::preview;
use seats::{Beginner, Opponent};
pub use seats::{People, Seats};

/// The page on which a game is set up.
#[component]
pub fn NewGame(
    /// Which game.
    game: GameId,
    /// Settings from a link.
    query: String,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let linked = Arrangement::from_query(game, &query);
    let broken = linked.is_none() && !query.is_empty();
    let Arrangement { settings: setup, first } = linked.unwrap_or_else(|| Arrangement::last(game));
    let (chosen, first) = (RwSignal::new(setup), RwSignal::new(first));
    let arranged = move || Arrangement { settings: chosen.get_untracked(), first: first.get_untracked() };
    let said = RwSignal::new(None::<Result<(), String>>);
    let copy = move || {
        let link = route::full_address(&Route::New(game, arranged().to_query()));
        spawn(async move { said.set(Some(if browser::copy(&link).await { Ok(()) } else { Err(link) })) });
    };
    let told = move || {
        said.get().map(|said| match said {
            Ok(()) => lang().web_link_copied().to_owned(),
            Err(link) => lang().web_copy_refused(link),
        })
    };
    let picture = Memo::new(move |_| chosen.with(preview));
    // How many play changes the whole page; all other options are for those who look for them.
    let (seating, rest): (Vec<_>, Vec<_>) = game.options().iter().copied().partition(|spec| spec.name == "players");
    let options = |specs: Vec<rules::OptionSpec>| {
        specs.into_iter().map(|spec| view! { <OptionChoice spec chosen /> }).collect_view()
    };
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(lang(), game).to_owned()) />
        <main class=format!("setup {game}")>
            <div class="preview" aria-hidden="true"><Thumbnail picture=picture.into() /></div>
            <p class="lead">{live(move || locale::game_about(lang(), game))}</p>
            {broken.then(|| view! { <p class="notice" role="alert">{say(Language::web_broken_settings)}</p> })}
            {options(seating)}
            <section><h2>{say(Language::web_opponent)}</h2><Opponent chosen /></section>
            <section>
                <h2>{say(Language::menu_first)}</h2>
                <Beginner chosen first />
                <Dealer chosen known=Signal::derive(move || first.get() == FirstPlayer::AsSeated) />
            </section>
            <SideSigns chosen people=People::Here />
            <Confer chosen />
            <Presets chosen />
            <details class="advanced">
                <summary><h2>{say(Language::web_more_options)}</h2></summary>
                <ClockChoice chosen slow=false />
                {options(rest)}
                <h3>{say(Language::menu_seats)}</h3>
                <Seats chosen people=People::Here />
            </details>
            <div class="start">
                <button type="button" class="button main large" on:click=press(move || spawn(start(arranged())))>
                    <span inner_html=icon(Icon::Play)></span>{say(Language::menu_start)}
                </button>
            </div>
            <div class="choices">
                <button type="button" class="button" on:click=press(copy)>
                    <span inner_html=icon(Icon::Share)></span>{say(Language::web_copy_link)}
                </button>
                <a class="button" href=Route::Learn(game).link()><span inner_html=icon(Icon::Book)></span>{say(Language::web_learn)}</a>
            </div>
            <p class="notice" role="status">{live(told)}</p>
        </main>
    }
}

/// Begins a match on this device with the players as they are seated, and goes to its table.
pub async fn start_game(settings: game::MatchSettings) {
    Arrangement { first: FirstPlayer::of(&settings), settings: settings.clone() }.keep();
    go_to_table(Arrangement { settings, first: FirstPlayer::AsSeated }).await;
}

async fn start(arranged: Arrangement) {
    arranged.keep();
    go_to_table(arranged).await;
}

async fn go_to_table(arranged: Arrangement) {
    if let Some(key) = begin(arranged).await {
        route::go(&Route::Table(key));
    }
}

/// Begins a match as a link says, or as the last one of this game; the link itself is not gone back to.
pub async fn start_at_once(game: GameId, query: String) {
    let linked = Arrangement::from_query(game, &query);
    if linked.is_none() && !query.is_empty() {
        // What the link asks for cannot be had: the page on which one chooses says so.
        route::go_instead(&Route::New(game, query));
        return;
    }
    if let Some(key) = begin(linked.unwrap_or_else(|| Arrangement::last(game))).await {
        route::go_instead(&Route::Table(key));
    }
}

/// Sets a match up under a key of its own.
async fn begin(Arrangement { settings, first }: Arrangement) -> Option<String> {
    let records = if first == FirstPlayer::Loser { store::list(false).await.unwrap_or_default() } else { Vec::new() };
    let mut earlier = Vec::new();
    for (_, text) in records {
        earlier.extend(chunks::read_record(text).await.ok().flatten());
    }
    let settings = first.seat_after(settings, earlier, &mut Random::new(seed()));
    let game = Match::new(settings).ok()?;
    let key = new_key();
    let record = game.record().to_string();
    // In memory, so that the table need not read the record, and in case nothing can be kept.
    crate::pages::table::hand_over(&key, game);
    // The table does not wait for the storage: what is added to the record later is stored after it.
    let kept = key.clone();
    spawn(async move {
        let _ = store::put(&kept, &record, false).await;
    });
    Some(key)
}
