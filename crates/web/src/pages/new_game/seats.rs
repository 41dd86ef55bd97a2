//! Who plays: an opponent for all other seats, or each seat by itself; and who begins.

use game::{MatchSettings, Player, Sitter};
use locale::Language;
use rules::Seat;
use search::Level;
use session::{FirstPlayer, words};
use ui::prelude::*;

use super::agreed::seat_piece;
use crate::app::settings;
use crate::views::{list, live, press, say};
use art::{self, Icon, icon};

/// Where the people of a match are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum People {
    /// At this device.
    Here,
    /// Each at their own.
    Elsewhere,
}

/// Who sits where: people or the computer at a level.
#[component]
pub fn Seats(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Where the people are.
    people: People,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let count = Memo::new(move |_| chosen.with(|setup| setup.sitters.len()));
    let seat = move |index: usize| {
        let player = move || chosen.with(|setup| setup.sitters.get(index).map(Sitter::player));
        let choose = move |event| {
            if let Ok(player) = event_target_value(&event).parse::<Player>() {
                chosen.update(|setup| setup.sitters[index] = Sitter::new(player, ""));
            }
        };
        let bots = Level::all()
            .map(|level| {
                view! {
                    <option value=format!("bot:{level}") selected=live(move || player() == Some(Player::Bot(level)))>
                        {live(move || format!("{level} · {}", words::level(lang(), level)))}
                    </option>
                }
            })
            .collect_view();
        // One person is oneself; the others sit at the same device.
        let person = live(move || {
            let earlier =
                chosen.with(|setup| setup.sitters.iter().take(index).any(|sitter| sitter.player() == Player::Person));
            match people {
                People::Here if earlier => lang().web_other_person(),
                People::Here => lang().web_me(),
                People::Elsewhere => lang().online_seat_person(),
            }
        });
        let about = move || match player() {
            Some(Player::Bot(level)) => locale::level_about(lang(), level.number()).unwrap_or_default(),
            _ => "",
        };
        view! {
            <label class="seat">
                <span>{live(move || lang().web_seat((index + 1).to_string()).to_string())}</span>
                <select on:change=choose>
                    <option value="person" selected=live(move || player() == Some(Player::Person))>{person}</option>
                    {bots}
                </select>
                <small>{about}</small>
            </label>
        }
    };
    view! { <div class="seats">{list(move || (0..count.get()).map(seat))}</div> }
}

/// Against whom: eight characters by strength, or a person at the same device.
#[component]
pub fn Opponent(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let now = Memo::new(move |_| chosen.with(opponent));
    let button = move |player: Player| {
        let (face, data) = match player {
            Player::Bot(level) => (art::face(level.number()), level.to_string()),
            Player::Person => (icon(Icon::People), "person".to_owned()),
        };
        let name = live(move || match player {
            Player::Bot(level) => words::level(lang(), level),
            Player::Person => lang().web_person(),
        });
        view! {
            <button type="button" class="character" data-opponent=data aria-pressed=live(move || now.get() == Some(player))
                on:click=press(move || chosen.update(|setup| set_opponent(setup, player)))>
                <span class="face" inner_html=face></span><span>{name}</span>
            </button>
        }
    };
    let level = move || if let Some(Player::Bot(level)) = now.get() { Some(level) } else { None };
    let about = live(move || match (now.get(), level()) {
        (_, Some(level)) => locale::level_about(lang(), level.number()).unwrap_or_default(),
        (Some(_), None) => lang().web_person_about(),
        (None, None) => lang().web_opponents_differ(),
    });
    let strength = live(move || level().map(|level| lang().level(level.to_string())));
    let scale = live(move || format!("--level: {}", level().map_or(0, Level::number)));
    let buttons = Level::all().map(Player::Bot).chain([Player::Person]).map(button).collect_view();
    view! {
        <div class="characters" role="group" aria-label=say(Language::web_opponent)>{buttons}</div>
        <p class="strength">
            <span class="scale" aria-hidden="true" style=scale></span><b>{strength}</b><span class="quiet">{about}</span>
        </p>
    }
}

/// The seat of the person who sets the match up: the first that a person has.
fn own_seat(setup: &MatchSettings) -> usize {
    setup.sitters.iter().position(|sitter| sitter.player() == Player::Person).unwrap_or(0)
}

/// Who plays all other seats; `None` if they differ.
fn opponent(setup: &MatchSettings) -> Option<Player> {
    let own = own_seat(setup);
    let mut others = setup.sitters.iter().enumerate().filter(|(index, _)| *index != own).map(|(_, it)| it.player());
    let first = others.next()?;
    (setup.sitters.get(own)?.player() == Player::Person && others.all(|other| other == first)).then_some(first)
}

fn set_opponent(setup: &mut MatchSettings, player: Player) {
    let own = own_seat(setup);
    for (index, sitter) in setup.sitters.iter_mut().enumerate() {
        *sitter = Sitter::new(if index == own { Player::Person } else { player }, "");
    }
}

/// Who begins: by hand, by lot, or the loser of the last match.
#[component]
pub fn Beginner(
    /// What is being set up.
    chosen: RwSignal<MatchSettings>,
    /// Who begins.
    first: RwSignal<FirstPlayer>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let count = Memo::new(move |_| chosen.with(|setup| setup.sitters.len()));
    let at = move |index: usize| {
        let name = live(move || match (index, count.get()) {
            (0, _) => lang().web_i_begin().to_owned(),
            (_, 2) => lang().web_opponent_begins().to_owned(),
            _ => lang().web_my_turn_is((index + 1).to_string()),
        });
        let is_so = move || first.get() == FirstPlayer::AsSeated && chosen.with(own_seat) == index;
        let choose = move || {
            first.set(FirstPlayer::AsSeated);
            chosen.update(|setup| {
                let own = own_seat(setup);
                setup.exchange(own, index);
            });
        };
        view! {
            <button type="button" class="button" data-begins=index + 1 aria-pressed=is_so on:click=press(choose)>
                <span class="side-piece" inner_html=live(move || chosen.with(|setup| own_piece(setup, index)))></span>
                {name}
            </button>
        }
        .into_any()
    };
    let otherwise = move |by: FirstPlayer, name: fn(Language) -> &'static str| {
        view! {
            <button type="button" class="button" aria-pressed=live(move || first.get() == by)
                on:click=press(move || first.set(by))>{live(move || locale::capitalised(name(lang())))}</button>
        }
    };
    let about = live(move || (first.get() == FirstPlayer::Loser).then(|| lang().web_first_loser_about()));
    view! {
        <div class="choices" role="group" aria-label=say(Language::menu_first)>
            {list(move || (0..count.get()).map(at))}
            {otherwise(FirstPlayer::Lot, Language::first_by_lot)}
            {otherwise(FirstPlayer::Loser, Language::first_loser)}
        </div>
        <p class="quiet">{about}</p>
    }
}

/// What the person who sets the match up would play with on a seat, where each has its own.
fn own_piece(setup: &MatchSettings, index: usize) -> String {
    let mut moved = setup.clone();
    moved.exchange(own_seat(setup), index);
    seat_piece(&moved.game, moved.signs(), Seat::from_index(index))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn seated(players: &[&str]) -> MatchSettings {
        let mut setup = MatchSettings::new("sequence(players=3)".parse().expect("a game"));
        setup.sitters = players.iter().map(|player| player.parse().expect("a player")).collect();
        setup
    }

    #[test]
    fn one_choice_sets_all_other_seats() {
        let mut setup = seated(&["bot:2", "person", "bot:5"]);
        assert_eq!(opponent(&setup), None);
        let owl = Player::Bot(Level::new(7).unwrap());
        set_opponent(&mut setup, owl);
        assert_eq!(opponent(&setup), Some(owl));
        assert_eq!(own_seat(&setup), 1);
        set_opponent(&mut setup, Player::Person);
        assert_eq!(opponent(&setup), Some(Player::Person));
    }
}
