//! What is agreed before a match besides the rules: symbols or colours, who deals, whether partners confer.

use game::{Conferring, Game, MatchSettings, Player};
use locale::Language;
use rules::{Seat, Side, Sign, Signs, Viewer};
use scene::Seating;
use session::words;
use ui::prelude::*;

use super::seats::People;
use crate::app::settings;
use crate::views::{list, live, press, say, showing};

/// The symbol or colour of each side; nothing in a game whose pieces belong to no side.
#[component]
pub fn SideSigns(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Where the people are.
    people: People,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let id = chosen.with_untracked(|setup| setup.game.id());
    let count = Memo::new(move |_| chosen.with(|setup| setup.game.sides()));
    let signs = id.signs().len();
    let row = move |side: Side| {
        let name = Signal::derive(move || chosen.with(|setup| side_label(lang(), setup, side, people)));
        let button = move |sign: Sign| {
            let is_chosen = move || chosen.with(|setup| setup.signs().of(side) == sign);
            let piece = chosen.with_untracked(|setup| sign_piece(&setup.game, side, sign));
            let choose = move || {
                chosen.update(|setup| {
                    let mut signs = setup.signs();
                    signs.choose(side, sign);
                    setup.choose_signs(signs);
                });
            };
            view! {
                <button type="button" class="button" data-sign=id.signs()[sign.index()] aria-pressed=is_chosen
                    aria-label=live(move || locale::sign_name(lang(), id, sign)) on:click=press(choose)>
                    <span class="side-piece" inner_html=piece></span>
                </button>
            }
        };
        view! {
            <div class="sign-row" role="group" aria-label=name data-side=side.to_string()>
                <span>{name}</span>
                <span class="choices">{(0..signs).map(Sign::from_index).map(button).collect_view()}</span>
            </div>
        }
    };
    (signs > 0).then(|| {
        view! {
            <section class="signs">
                <h2>{live(move || locale::sign_title(lang(), id).0)}</h2>
                <p class="quiet">{live(move || locale::sign_title(lang(), id).1)}</p>
                {list(move || (0..count.get()).map(Side::from_index).map(row))}
            </section>
        }
    })
}

/// The seats of a side, and who plays them.
fn side_label(language: Language, setup: &MatchSettings, side: Side, people: People) -> String {
    let start = setup.game.start();
    let seats: Vec<Seat> = Seat::all(start.seats()).filter(|seat| start.side(*seat) == side).collect();
    let numbers: Vec<String> = seats.iter().map(Seat::to_string).collect();
    let seat = language.web_seat(numbers.join(" + "));
    match (people, &seats[..]) {
        (People::Here, [only]) => format!("{seat} · {}", player_label(language, setup, only.index())),
        _ => seat,
    }
}

/// Who sits there, in a word or two.
fn player_label(language: Language, setup: &MatchSettings, index: usize) -> String {
    let is_person = |sitter: &game::Sitter| sitter.player() == Player::Person;
    match setup.sitters.get(index).map(game::Sitter::player) {
        Some(Player::Bot(level)) => words::level(language, level).to_owned(),
        _ if setup.sitters.iter().take(index).any(is_person) => language.web_other_person().to_owned(),
        _ => language.web_me().to_owned(),
    }
}

/// The piece of a side that has this sign.
fn sign_piece(game: &Game, side: Side, sign: Sign) -> String {
    let mut signs = Signs::default();
    signs.choose(side, sign);
    let start = game.start();
    let seat = Seat::all(start.seats()).find(|seat| start.side(*seat) == side).unwrap_or(Seat::ONE);
    seat_piece(game, signs, seat)
}

/// What a seat plays with, where each has its own.
pub fn seat_piece(game: &Game, signs: Signs, seat: Seat) -> String {
    let seating = Seating { signs, near: Seat::ONE, seats: game.seats() };
    let scene = game.start().scene(Viewer::Spectator).arranged(&seating);
    scene.seat_piece(seat).map(art::piece).unwrap_or_default()
}

/// Who deals, in games with a dealer: the last seat, so that the player to the left begins.
#[component]
pub fn Dealer(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Whether the order of play is known already.
    known: Signal<bool>,
) -> impl IntoView {
    let settings = settings();
    let has_dealer = chosen.with_untracked(|setup| setup.game.id().has_dealer());
    let told = Signal::derive(move || {
        chosen.with(|setup| {
            let who = |index| player_label(settings.lang(), setup, index);
            settings.lang().web_dealer_about(who(setup.sitters.len().saturating_sub(1)), who(0))
        })
    });
    has_dealer.then(|| showing(move || known.get(), move || view! { <p class="quiet dealer">{told}</p> }))
}

/// Whether partners may confer (QX8); nothing where there are no teams.
#[component]
pub fn Confer(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
) -> impl IntoView {
    let settings = settings();
    let teams = Memo::new(move |_| chosen.with(|setup| setup.game.has_teams()));
    let agreed = move || chosen.with(|setup| setup.conferring()).unwrap_or(Conferring::Forbidden);
    let button = move |conferring: Conferring| {
        view! {
            <button type="button" class="button" data-confer=conferring.word() aria-pressed=live(move || agreed() == conferring)
                on:click=press(move || chosen.update(|setup| setup.agree_conferring(conferring)))>{live(move || words::conferring(settings.lang(), conferring))}</button>
        }
    };
    showing(
        move || teams.get(),
        move || {
            view! {
                <section>
                    <h2>{say(Language::menu_confer)}</h2>
                    <p class="quiet">{say(Language::confer_about)}</p>
                    <div class="choices" role="group" aria-label=say(Language::menu_confer)>
                        {Conferring::ALL.map(button).collect_view()}
                    </div>
                </section>
            }
        },
    )
}
