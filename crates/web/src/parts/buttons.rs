//! What is done by pressing.

use locale::Names;
use scene::{Button, CounterKind, Scene, Spot};
use ui::prelude::*;

use super::plate::CounterView;
use super::value;
use crate::app::settings;
use crate::board::Marks;
use crate::match_view::MatchView;
use crate::views::{list, live, press};

/// What is done by pressing: call, pass, end, exchange, the dot; and the table's own counters.
#[component]
pub fn Buttons(
    /// The match.
    match_view: MatchView,
    /// What is shown.
    scene: Memo<Scene>,
    /// What everybody is called.
    names: Memo<Names>,
    /// What is marked.
    marks: Memo<Marks>,
) -> impl IntoView {
    let settings = settings();
    let buttons = Memo::new(move |_| scene.with(|scene| scene.buttons.clone()));
    let button = move |button: Button| {
        let spot = Spot::Button(button);
        let usable = Memo::new(move |_| {
            match spot.is_quiet() {
                // A call may be tried at any time; out of turn it is answered.
                true => match_view.may_try(),
                false => match_view.may_act() && marks.with(|marks| marks.next.contains(&spot)),
            }
        });
        let advised = Memo::new(move |_| marks.with(|marks| marks.advised.contains(&spot)));
        view! {
            <button type="button" class="button" class:main=usable class:advised=advised data-spot=spot.to_string() disabled=live(move || !usable.get()) on:click=press(move || match_view.touch(spot))>
                {live(move || names.with(|names| locale::button(settings.lang(), button, names)))}
                {value(marks, spot)}
            </button>
        }
    };
    let counters = move || {
        let own = scene
            .with(|scene| scene.counters.iter().filter(|counter| counter.seat.is_none()).copied().collect::<Vec<_>>());
        own.into_iter()
            .map(|counter| {
                let place = (counter.kind == CounterKind::Pile).then_some("pile");
                view! { <span data-place=place><CounterView counter /></span> }
            })
            .collect_view()
    };
    view! {
        <div class="buttons">{list(move || buttons.get().into_iter().map(button))}</div>
        <div class="counters">{counters}</div>
    }
}
