//! Playing with others: the table, which is the chunk `meet`, and the pages around it, the chunk `lobby`.
//!
//! [`connection`] carries the messages, [`table`] holds the session of a table; the match there is shown by the same parts
//! as one on this device.

// What a component is made of is public inside its module, whatever the component itself is.
#![allow(unreachable_pub)]

pub mod account;
pub mod arrange;
mod bots;
mod browser;
mod call;
pub mod connection;
pub mod connection_note;
pub mod games;
pub mod http;
pub mod lobby;
pub mod me;
pub mod offers;
pub mod people;
mod privacy;
pub mod qr;
mod recovery;
pub mod share;
pub mod table;
pub mod talk;
pub mod together;
pub mod waiting;

use ui::prelude::*;

use crate::route::Route;
use account::Account;
use arrange::Arrange;
use games::Mine;
use lobby::Lobby;
use people::{Challenges, DayBoard, Friends, Leaders, LiveGames, OwnGames, PersonPage};
use privacy::Privacy;
use together::Meet;

/// The page of the chunk `meet`: a table, and nothing that a player invited to it would have to wait for.
pub(crate) fn meeting(route: Route) -> AnyView {
    match route {
        Route::Meet(id) => view! { <Meet id /> }.into_any(),
        _ => crate::pages::waiting(),
    }
}

/// The pages of the chunk `people`: players, and the games played so far.
pub(crate) fn people(route: Route) -> AnyView {
    match route {
        Route::Mine => view! { <Mine /> }.into_any(),
        Route::Person(id) => view! { <PersonPage id /> }.into_any(),
        Route::Leaders(game) => view! { <Leaders game /> }.into_any(),
        Route::Friends => view! { <Friends /> }.into_any(),
        _ => crate::pages::waiting(),
    }
}

/// Games to watch, for pages of other chunks.
pub(crate) fn live_games(most: usize) -> AnyView {
    view! { <LiveGames most /> }.into_any()
}

/// The person's own running games, for the first page.
pub(crate) fn own_games() -> AnyView {
    view! { <OwnGames /> }.into_any()
}

/// A puzzle of the day as a board, for the first page.
pub(crate) fn day_board() -> AnyView {
    view! { <DayBoard /> }.into_any()
}

/// Challenges to answer, over every page.
pub(crate) fn challenges(count: RwSignal<usize>) -> AnyView {
    view! { <Challenges count /> }.into_any()
}

/// The page of the chunk `arrange`: making a table for others.
pub(crate) fn arranging(route: Route) -> AnyView {
    match route {
        Route::Arrange(game, query) => view! { <Arrange game query /> }.into_any(),
        _ => crate::pages::waiting(),
    }
}

/// The pages of the chunk `lobby`: how to come to a table, and the account.
pub(crate) fn gathering(route: Route) -> AnyView {
    match route {
        Route::Privacy => view! { <Privacy /> }.into_any(),
        Route::Account => view! { <Account /> }.into_any(),
        _ => view! { <Lobby /> }.into_any(),
    }
}
