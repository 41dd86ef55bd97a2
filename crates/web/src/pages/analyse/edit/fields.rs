//! What can be set beside the board, for whichever game: each kind of entry has its control.

use locale::Names;
use rules::{Field, Seat, SetupEntry, SetupField, SetupValue};
use scene::Piece;
use ui::prelude::*;

use super::Editing;
use crate::app::settings;
use crate::views::{list, live, press};
use art;

/// Neighbouring fields about the same thing of the same seat, each with its place among all.
type Group = Vec<(usize, SetupField<Piece>)>;

/// Everything that can be set beside the board.
#[component]
pub(super) fn Fields(editing: Editing, names: Memo<Names>) -> impl IntoView {
    let settings = settings();
    // The controls stay as long as nothing but their values changes.
    let groups = Memo::new(move |_| grouped(editing.read(|setup| setup.fields()).unwrap_or_default()));
    let group = move |group: Group| {
        let about = label(names, &group[0].1);
        if let [(at, field)] = group.as_slice() {
            return control(editing, names, *at, field, about);
        }
        let card = |number: usize| Signal::derive(move || settings.lang().study_edit_card(number));
        let one = |(place, (at, field)): (usize, &(usize, SetupField<Piece>))| {
            control(editing, names, *at, field, card(place + 1))
        };
        let controls = group.iter().enumerate().map(one).collect_view();
        view! { <fieldset><legend>{about}</legend>{controls}</fieldset> }.into_any()
    };
    view! { <div class="numbers-of">{list(move || groups.get().into_iter().map(group))}</div> }
}

fn grouped(fields: Vec<SetupField<Piece>>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (at, mut field) in fields.into_iter().enumerate() {
        match &mut field.entry {
            SetupEntry::Seat { value, .. } => *value = Seat::ONE,
            SetupEntry::Number { value, .. } => *value = 0,
            SetupEntry::Piece { value, .. } => *value = None,
        }
        match groups.last_mut() {
            Some(group) if group[0].1.field == field.field && group[0].1.seat == field.seat => group.push((at, field)),
            _ => groups.push(vec![(at, field)]),
        }
    }
    groups
}

/// What a field is about, and whose it is.
fn label(names: Memo<Names>, field: &SetupField<Piece>) -> Signal<String> {
    let (settings, field, seat) = (settings(), field.field, field.seat);
    Signal::derive(move || {
        let language = settings.lang();
        let whose = seat.map(|seat| names.with(|names| names.seat(seat).to_owned()));
        match (field, whose) {
            (Field::Seat, _) => language.study_edit_to_act().to_owned(),
            (Field::Points, Some(who)) => language.study_edit_points(who),
            (Field::Hands, Some(who)) => language.study_edit_hand(who),
            (_, Some(who)) => format!("{}: {who}", locale::field(language, field)),
            (_, None) => locale::field(language, field).to_owned(),
        }
    })
}

fn control(
    editing: Editing,
    names: Memo<Names>,
    at: usize,
    field: &SetupField<Piece>,
    label: Signal<String>,
) -> AnyView {
    let value = Signal::derive(move || editing.read(|setup| setup.fields().get(at).map(SetupField::value)).flatten());
    match &field.entry {
        SetupEntry::Seat { seats, .. } => seat_buttons(editing, names, at, *seats, label, value),
        SetupEntry::Number { most, .. } => number_input(editing, at, *most, label, value),
        SetupEntry::Piece { choices, .. } => {
            if editing.read(|setup| setup.pieces()).is_some_and(|pieces| pieces == *choices) {
                brush_button(editing, at, value)
            } else {
                piece_select(editing, names, at, choices, label, value)
            }
        }
    }
}

type Value = Signal<Option<SetupValue<Piece>>>;

fn seat_buttons(
    editing: Editing,
    names: Memo<Names>,
    at: usize,
    seats: u8,
    label: Signal<String>,
    value: Value,
) -> AnyView {
    let button = move |seat: Seat| {
        let pressed = live(move || value.get() == Some(SetupValue::Seat(seat)));
        view! {
            <button type="button" class="button" aria-pressed=pressed on:click=press(move || editing.set(at, SetupValue::Seat(seat)))>
                {live(move || names.with(|names| names.seat(seat).to_owned()))}
            </button>
        }
    };
    let buttons = Seat::all(seats).map(button).collect_view();
    view! { <div class="choices" role="group" aria-label=label><span class="quiet">{label}</span>{buttons}</div> }
        .into_any()
}

fn number_input(editing: Editing, at: usize, most: u8, label: Signal<String>, value: Value) -> AnyView {
    let change = move |event| {
        if let Ok(number) = event_target_value(&event).parse::<u8>() {
            editing.set(at, SetupValue::Number(number.min(most)));
        }
    };
    let number = live(move || match value.get() {
        Some(SetupValue::Number(number)) => number,
        _ => 0,
    });
    view! {
        <label><span>{label}</span><input type="number" min="0" max=most prop:value=number on:change=change /></label>
    }
    .into_any()
}

/// A place for one of the pieces that are put on the board: it takes what is chosen there.
fn brush_button(editing: Editing, at: usize, value: Value) -> AnyView {
    let held = Signal::derive(move || match value.get() {
        Some(SetupValue::Piece(piece)) => piece,
        _ => None,
    });
    let give = move || {
        let brush = editing.brush.get_untracked().filter(|piece| held.get_untracked() != Some(*piece));
        editing.set(at, SetupValue::Piece(brush));
    };
    let picture = live(move || held.get().map(art::piece).unwrap_or_default());
    let settings = settings();
    let does = move || match held.get() {
        Some(_) => settings.lang().study_edit_in_hand(),
        None => settings.lang().study_edit_give(),
    };
    view! {
        <button type="button" class="button in-hand" on:click=press(give)>
            <span class="piece" inner_html=picture></span>
            {does}
        </button>
    }
    .into_any()
}

fn piece_select(
    editing: Editing,
    names: Memo<Names>,
    at: usize,
    choices: &[Piece],
    label: Signal<String>,
    value: Value,
) -> AnyView {
    let settings = settings();
    let held = move |piece: Option<Piece>| live(move || value.get() == Some(SetupValue::Piece(piece)));
    let option = |(place, piece): (usize, &Piece)| {
        let piece = *piece;
        let name = live(move || names.with(|names| locale::piece(settings.lang(), piece, names)));
        view! { <option value=place selected=held(Some(piece))>{name}</option> }
    };
    let options = choices.iter().enumerate().map(option).collect_view();
    let choices = choices.to_vec();
    let choose = move |event| {
        let place = event_target_value(&event).parse::<usize>().ok();
        editing.set(at, SetupValue::Piece(place.and_then(|place| choices.get(place).copied())));
    };
    view! {
        <select on:change=choose aria-label=label><option value="" selected=held(None)>"–"</option>{options}</select>
    }
    .into_any()
}
