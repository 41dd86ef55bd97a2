//! The parts of a table, for whatever match is shown there: each follows a [`crate::match_view::MatchView`].

pub mod buttons;
pub mod day_puzzle;
pub mod end_card;
pub mod frame;
pub mod menu;
pub mod moves;
pub mod panel;
pub mod pieces;
pub mod plate;
pub mod question;
pub mod status;
pub mod thumbnail;
pub mod tools;
pub mod try_board;
pub mod typing;

pub use buttons::Buttons;
pub use day_puzzle::DayPuzzle;
pub use end_card::{EndCard, end_card};
pub use frame::TableFrame;
pub use menu::Menu;
pub use moves::Moves;
pub use panel::{CHAT_LINES, Panel, PanelState, PanelTool};
pub use pieces::{Cards, Held, Stock};
pub use plate::{CounterView, Plate};
pub use question::yes_or_no;
pub use status::Status;
pub use thumbnail::{GamePicture, Thumbnail};
pub use tools::ViewTools;
pub use try_board::TryBoard;
pub use typing::Typing;

use scene::Spot;
use ui::prelude::*;

use crate::board::Marks;
use crate::views::live;

/// What a spot beside the board is worth, where that is known.
fn value(marks: Memo<Marks>, spot: Spot) -> impl IntoView {
    let class = live(move || marks.with(|marks| marks.value(spot).map(|value| format!("value {}", value.class))));
    view! { <span class=class>{live(move || marks.with(|marks| marks.value(spot).map(|value| value.text.clone())))}</span> }
}
