//! Players: a page for each, the ones a person follows, the strongest of a game, and games to watch.

mod challenges;
mod chart;
mod day_board;
mod friends;
mod leaders;
mod live;
mod page;
mod running;

pub use challenges::{Challenges, sent as sent_challenges};
pub use day_board::DayBoard;
pub use friends::Friends;
pub use leaders::Leaders;
pub use live::LiveGames;
pub use page::PersonPage;
pub use running::OwnGames;

use locale::Language;
use ui::prelude::*;

use super::http;
use super::me::Told;
use crate::app::settings;
use crate::views::{live as follow, press, spawn};

/// A switch that the server keeps: it is sent when pressed, and shown as the server has it.
fn server_switch(
    path: String,
    is_on: RwSignal<bool>,
    names: [fn(Language) -> &'static str; 2],
    does: &'static str,
    said: Told,
) -> AnyView {
    let change = move || {
        let (path, on) = (path.clone(), is_on.get_untracked());
        spawn(async move {
            match http::send(if on { "DELETE" } else { "PUT" }, &path, None).await {
                Ok(_) => {
                    let _ = is_on.try_set(!on);
                }
                Err(error) => drop(said.try_set(Some(Err(error)))),
            }
        });
    };
    let (settings, [turn_on, turn_off]) = (settings(), names);
    let name = follow(move || if is_on.get() { turn_off } else { turn_on }(settings.lang()));
    view! { <button type="button" class="button" data-do=does on:click=press(change)>{name}</button> }.into_any()
}
