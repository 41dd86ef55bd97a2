//! Making a table: the game with its options, who may come, the clock and what is at stake.

use game::{GameId, MatchSettings, Player, Sitter};
use locale::Language;
use protocol::{Access, TableSpec};
use rules::Seat;
use session::FirstPlayer;
use ui::prelude::*;

use super::lobby::{challenge, sit_down, usual_clock};
use super::me::{Told, ask_who, told};
use crate::app::{TopBar, settings};
use crate::fitting_game::fitting_game;
use crate::pages::new_game::agreed::SideSigns;
use crate::pages::new_game::{ClockChoice, OptionChoice, People, Presets, Seats};
use crate::parts::GamePicture;
use crate::route::{Route, read_query};
use crate::views::{list, live, press, say, showing};
use art::{Icon, icon, option};

/// The page.
#[component]
pub fn Arrange(
    /// Which game.
    game: GameId,
    /// `game=` with options from a link.
    query: String,
) -> impl IntoView {
    let settings = settings();
    let wanted = read_query(&query, "game").and_then(|text| text.parse::<game::Game>().ok());
    let wanted = wanted.filter(|wanted| wanted.id() == game).unwrap_or_else(|| fitting_game(game));
    let mut setup = MatchSettings::new(wanted);
    // A game whose sheet sets a time for competitions is offered with that.
    setup.clock = usual_clock(game).parse().unwrap_or_default();
    let chosen = RwSignal::new(setup);
    let (access, stakes) = (RwSignal::new("link"), RwSignal::new("friendly"));
    let (talk, first, seat) = (RwSignal::new("no"), RwSignal::new("seated"), RwSignal::new(1_u8));
    let said: Told = RwSignal::new(None);
    // The player to whom the table is offered.
    let challenged = StoredValue::new(read_query(&query, "to"));
    let who = ask_who();
    let account = Memo::new(move |_| who.with(|who| matches!(who, Some(Ok(known)) if known.has_account())));
    let may_rate = Memo::new(move |_| account.get() && chosen.with(is_for_two_people));
    let teams = Memo::new(move |_| chosen.with(|setup| setup.game.has_teams()));
    // A rated table begins with what the game describes as fair; it can still be changed.
    Effect::new(move || {
        let fair = chosen.with_untracked(|setup| setup.game.for_rating());
        if stakes.get() == "rated" && chosen.with_untracked(|setup| setup.game != fair) {
            chosen.update(|setup| setup.game = fair);
        }
    });
    let make = move || {
        let spec = TableSpec {
            access: Access::ALL.iter().copied().find(|it| it.word() == access.get_untracked()).unwrap_or_default(),
            rated: may_rate.get_untracked() && stakes.get_untracked() == "rated",
            confer: teams.get_untracked() && talk.get_untracked() == "yes",
            seat: Seat::all(4).find(|own| own.number() == seat.get_untracked()),
            first: FirstPlayer::ALL
                .into_iter()
                .find(|it| it.word() == first.get_untracked())
                .and_then(|it| it.to_wire()),
            ..table_spec(&chosen.get_untracked())
        };
        match challenged.get_value() {
            Some(person) => challenge(spec, person, said),
            None => sit_down("api/tables", spec, said),
        }
    };
    let options = game.options().iter().map(|spec| view! { <OptionChoice spec=*spec chosen /> }).collect_view();
    view! {
        <TopBar title=Signal::derive(move || locale::game_name(settings.lang(), game).to_owned()) />
        <main class="setup online">
            <div class="preview" aria-hidden="true"><GamePicture game /></div>
            <p class="lead">{say(Language::online_make_about)}</p>
            <section>
                <h2>{say(Language::menu_seats)}</h2>
                <Seats chosen people=People::Elsewhere />
                <OwnSeat chosen seat />
            </section>
            <section>
                {choice(Language::menu_first, "lot", first, &[
                    ("seated", Language::online_first_seated, Language::online_first_seated_about),
                    ("lot", Language::first_by_lot, Language::online_first_lot_about),
                    ("loser", Language::first_loser, Language::online_first_loser_about),
                ])}
            </section>
            <SideSigns chosen people=People::Elsewhere />
            <section>
                {choice(Language::online_access, "players", access, &[
                    ("open", Language::online_access_open, Language::online_access_open_about),
                    ("link", Language::online_access_link, Language::online_access_link_about),
                    ("private", Language::online_access_private, Language::online_access_private_about),
                ])}
            </section>
            <section><ClockChoice chosen slow=true /></section>
            <Presets chosen />
            <details class="advanced">
                <summary><h2>{say(Language::menu_options)}</h2></summary>
                {options}
            </details>
            {showing(move || may_rate.get(), move || view! {
                <section>{choice(Language::online_stakes, "target", stakes, &[
                    ("friendly", Language::online_friendly, Language::online_friendly_about),
                    ("rated", Language::online_rated, Language::online_rated_about),
                ])}</section>
            })}
            {showing(move || teams.get(), move || view! {
                <section>{choice(Language::online_confer, "call", talk, &[
                    ("no", Language::online_confer_no, Language::online_confer_no_about),
                    ("yes", Language::online_confer_yes, Language::online_confer_yes_about),
                ])}</section>
            })}
            {told(said)}
            <div class="start">
                <button type="button" class="button main large" on:click=press(make)>
                    <span inner_html=icon(Icon::Play)></span>{say(Language::online_make_table)}
                </button>
            </div>
            <p><a class="button" href=Route::Lobby.link()>{say(Language::online_lobby)}</a></p>
        </main>
    }
}

type Choices = &'static [(&'static str, fn(Language) -> &'static str, fn(Language) -> &'static str)];

/// One thing out of a few, with a sentence about the chosen one.
fn choice(name: fn(Language) -> &'static str, sign: &str, chosen: RwSignal<&'static str>, choices: Choices) -> AnyView {
    let settings = settings();
    let buttons = choices.iter().map(|(word, label, _)| {
        view! {
            <button type="button" class="button" data-choice=*word aria-pressed=live(move || chosen.get() == *word)
                on:click=press(move || chosen.set(word))>{say(*label)}</button>
        }
    });
    let about =
        move || choices.iter().find(|(word, ..)| *word == chosen.get()).map(|(_, _, about)| about(settings.lang()));
    view! {
        <div class="option" role="group" aria-label=say(name)>
            <span class="sign" inner_html=option(sign)></span>
            <h3>{say(name)}</h3>
            <p class="quiet">{live(about)}</p>
            <div class="choices">{buttons.collect_view()}</div>
        </div>
    }
    .into_any()
}

/// Where the maker sits; nowhere is possible too.
#[component]
fn OwnSeat(chosen: RwSignal<MatchSettings>, seat: RwSignal<u8>) -> impl IntoView {
    let settings = settings();
    let count = Memo::new(move |_| chosen.with(|setup| setup.sitters.len()));
    Effect::new(move || {
        if usize::from(seat.get()) > count.get() {
            seat.set(1);
        }
        // Where the maker sits there is no computer.
        let index = usize::from(seat.get()).wrapping_sub(1);
        if chosen.with(|setup| matches!(setup.sitters.get(index).map(Sitter::player), Some(Player::Bot(_)))) {
            chosen.update(|setup| setup.sitters[index] = Sitter::default());
        }
    });
    let button = move |number: u8| {
        let name = live(move || {
            if number == 0 {
                settings.lang().online_no_seat().to_owned()
            } else {
                settings.lang().web_seat(number.to_string())
            }
        });
        view! {
            <button type="button" class="button" aria-pressed=live(move || seat.get() == number)
                on:click=press(move || seat.set(number))>{name}</button>
        }
    };
    view! {
        <div class="choices" role="group" aria-label=say(Language::online_own_seat)>
            <span>{say(Language::online_own_seat)}</span>
            {list(move || (1..=count.get() as u8).chain([0]).map(button))}
        </div>
    }
}

fn is_for_two_people(setup: &MatchSettings) -> bool {
    setup.sitters.len() == 2 && setup.sitters.iter().all(|sitter| sitter.player() == Player::Person)
}

/// The game, the clock, the bots and the signs.
fn table_spec(setup: &MatchSettings) -> TableSpec {
    let bots = setup.sitters.iter().map(|sitter| match sitter.player() {
        Player::Bot(level) => Some(level.number()),
        Player::Person => None,
    });
    TableSpec {
        clock: setup.clock.to_string(),
        signs: setup.chosen_signs().map(|signs| signs.text(setup.game.id(), setup.game.sides())),
        bots: bots.collect(),
        ..TableSpec::new(setup.game.to_string())
    }
}
