//! Playing on from a position against the computer.

use std::time::Duration;

use game::{ClockRule, Match, Player, Sitter};
use locale::Language;
use search::Level;
use session::words;
use ui::prelude::*;

use super::study::Study;
use crate::app::settings;
use crate::browser::store;
use crate::local_table::new_key;
use crate::pages::table::hand_over;
use crate::route::{self, Route};
use crate::views::{live, press, say, showing, spawn};
use art::{Icon, icon};

/// The level that is offered first.
const USUAL: u8 = 5;

/// A level, and the button that begins the game.
#[component]
pub(super) fn PlayOn(study: Study) -> impl IntoView {
    let settings = settings();
    let level = RwSignal::new(USUAL);
    let begin = move || {
        let Some(level) = Level::new(level.get_untracked()) else { return };
        if let Some(game) = study.match_view.game_untracked(|game| played_on(game, level)) {
            spawn(open(game));
        }
    };
    let option = move |one: Level| {
        let chosen = live(move || level.get() == one.number());
        view! { <option value=one.number() selected=chosen>{live(move || words::level(settings.lang(), one))}</option> }
    };
    let choose = move |event| level.set(event_target_value(&event).parse().unwrap_or(USUAL));
    let can_play = move || study.match_view.game(|game| game.to_act().is_some());
    view! {
        {showing(can_play, move || view! {
            <div class="play-on">
                <select class="pick" aria-label=say(Language::study_level) on:change=choose>{Level::all().map(option).collect_view()}</select>
                <button type="button" class="button" data-do="play-on" on:click=press(begin)><span inner_html=icon(Icon::Play)></span>{say(Language::study_play_on)}</button>
            </div>
        })}
    }
}

/// The match so far, with a person at the seat to act and the computer at all others.
fn played_on(game: &Match, level: Level) -> Option<Match> {
    let seat = game.to_act()?;
    let mut setup = game.settings().clone();
    for (index, sitter) in setup.sitters.iter_mut().enumerate() {
        let player = if index == seat.index() { Player::Person } else { Player::Bot(level) };
        *sitter = Sitter::new(player, "");
    }
    setup.clock = ClockRule::None;
    setup.keep_only_signs();
    let mut fresh = Match::new(setup).ok()?;
    for entry in game.log() {
        fresh.replay(game::Entry::new(entry.event.clone())).ok()?;
    }
    fresh.start_clock(Duration::ZERO);
    Some(fresh)
}

async fn open(game: Match) {
    let (key, record) = (new_key(), game.record().to_string());
    if store::put(&key, &record, false).await.is_err() {
        hand_over(&key, game);
    }
    route::go(&Route::Table(key));
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_person_plays_the_side_to_move_from_the_same_position() {
        let text = "[Game \"quixo\"]\n[Clock \"turn=60\"]\n[Signs \"nought cross\"]\n\n1. a3e3 2s\n";
        let game = game::Record::read_all(text).unwrap().pop().unwrap().replay().unwrap();
        let on = played_on(&game, Level::HIGHEST).unwrap();
        assert_eq!(on.position().to_string(), game.position().to_string());
        let players: Vec<Player> = on.settings().sitters.iter().map(Sitter::player).collect();
        assert_eq!(players, [Player::Bot(Level::HIGHEST), Player::Person]);
        assert_eq!(on.settings().clock, ClockRule::None);
        assert_eq!(on.settings().signs(), game.settings().signs());
    }
}
