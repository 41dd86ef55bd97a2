//! What to do and what happened, in words.

use game::{Match, Player};
use leptos::prelude::*;
use locale::{Language, Names};
use rules::Seat;

use crate::app::settings;
use crate::art::Icon;
use crate::lean::{live, showing, tool};
use crate::sight::Sight;
use crate::words;

/// What to do, what happened, and what there is to tell.
#[component]
pub fn Status(
    /// The match.
    sight: Sight,
    /// What everybody is called.
    names: Memo<Names>,
    /// What else belongs there, such as that somebody thinks.
    #[prop(optional)]
    children: Option<Children>,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let said = move || {
        if let (_, Some(number)) = sight.told() {
            return lang().web_move_shown(number);
        }
        let ended = sight.game.with(|game| {
            game.ending().and_then(|ending| names.with(|names| words::ending(lang(), ending, game, names)))
        });
        if let Some(bot) = sight.game.with(bot_to_act).filter(|_| ended.is_none()) {
            return names.with(|names| lang().turn_of(names.seat(bot)));
        }
        ended.unwrap_or_else(|| names.with(|names| locale::message(lang(), &sight.prompt(), names)))
    };
    let happened = move || {
        let happening = sight.told().0?;
        Some(names.with(|names| locale::message(lang(), &happening.message, names)))
    };
    let over = move || sight.game.with(|game| game.ending().is_some());
    view! {
        <div class="status" class:over=over>
            <p class="say" role="status" aria-live="polite">{said}</p>
            <p class="quiet" aria-live="polite">{happened}</p>
            {showing(move || !sight.touched().is_empty(), move || tool(Icon::Close, Language::web_take_back_choice, move || sight.back()))}
            {children.map(|children| children())}
            <p class="notice" class:advice=live(move || sight.hint.get().is_some()) role="status">{live(move || sight.notice.get())}</p>
        </div>
    }
}

/// The seat of a computer player that is to act: it needs not be told how.
fn bot_to_act(game: &Match) -> Option<Seat> {
    let seat = game.to_act()?;
    let sitter = game.settings().sitters.get(seat.index())?;
    (sitter.player() != Player::Person).then_some(seat)
}
