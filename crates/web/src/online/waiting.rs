//! Before the game: who sits where, and the link for those who are still to come.

use game::{Conferring, Game};
use locale::Language;
use protocol::{Command, Occupant, PersonKind, SeatInfo, TableInfo};
use rules::{Seat, Signs};
use search::Level;
use session::{FirstPlayer, words};
use ui::prelude::*;

use super::connection_note::ConnectionNote;
use super::me::{self, Told, clock_name, game_name, name_of, told};
use super::people::sent_challenges;
use super::share::Share;
use super::table::OnlineTable;
use super::talk::Talk;
use crate::app::{TopBar, settings};
use crate::chunks;
use crate::pages::new_game::agreed::seat_piece;
use crate::route::Route;
use crate::views::{list, live, press, say, showing, spawn};

/// The page until the game begins.
#[component]
pub fn WaitingRoom(
    /// The table.
    table: OnlineTable,
) -> impl IntoView {
    let settings = settings();
    let lang = move || settings.lang();
    let name = RwSignal::new(table.me.with_untracked(|me| me.name.clone()));
    let said: Told = RwSignal::new(None);
    let guest = Memo::new(move |_| table.me.with(|me| me.kind != PersonKind::Account));
    let rated = Memo::new(move |_| table.known(|it| it.table.rated));
    let may_sit = Memo::new(move |_| table.seat().is_none() && !(guest.get() && rated.get()));
    let seats = Memo::new(move |_| table.known(|it| it.table.seats.clone()));
    let free = move || seats.with(|seats| seats.iter().filter(|seat| seat.occupant.is_none()).count() as u64);
    let sit = move |seat: Seat| take_seat(table, seat, name, said);
    let about = move || {
        table.known(|it| {
            let language = settings.lang();
            let rated = if it.table.rated { language.online_rated() } else { language.online_friendly() };
            let first = FirstPlayer::of_table(&it.table);
            let first = format!("{}: {}", language.menu_first(), words::first_player(language, first));
            let mut parts = vec![clock_name(language, &it.table.clock), rated.to_owned(), first];
            if it.table.game.parse::<Game>().is_ok_and(|game| game.has_teams()) {
                let agreed = if it.table.confer { Conferring::Allowed } else { Conferring::Forbidden };
                parts.push(format!("{}: {}", language.menu_confer(), words::conferring(language, agreed)));
            }
            parts.join(" · ")
        })
    };
    let row = move |(index, seat): (usize, SeatInfo)| view! { <SeatRow own={Seat::from_index(index)} seat table may_sit sit=Callback::new(sit) /> };
    view! {
        <TopBar title=Signal::derive(move || table.known(|it| words_title(lang(), &it.table.game))) />
        <main class="online waiting-room">
            <ConnectionNote table />
            <header>
                <h2>{live(move || table.known(|it| game_name(lang(), &it.table.game)))}</h2>
                <p class="quiet">{live(about)}</p>
                <p class="lead" role="status">{live(move || lang().online_waiting_for(free()))}</p>
            </header>
            {showing(move || guest.get() && table.seat().is_none() && !rated.get(), move || view! {
                {me::field(Language::online_name, name, "text", "nickname")}
            })}
            {showing(move || guest.get() && rated.get(), move || view! {
                <p class="stranger">{say(Language::refused_not_rated)}</p>
                <p><a class="button main" href=Route::Account.link()>{say(Language::online_account)}</a></p>
            })}
            {told(said)}
            {sent_challenges(table.id.get_value())}
            <p class="notice" role="alert">{live(move || table.error.get().map(|error| error.sentence(lang())))}</p>
            <ol class="rows seats-list">{list(move || seats.get().into_iter().enumerate().map(row))}</ol>
            <div class="choices">
                {showing(move || free() == 0, move || view! {
                    <button type="button" class="button main" on:click=press(move || table.ask(Command::Start {}))>{say(Language::menu_start)}</button>
                })}
                {showing(move || table.seat().is_some(), move || view! {
                    <button type="button" class="button" on:click=press(move || table.ask(Command::Stand {}))>{say(Language::online_stand)}</button>
                })}
            </div>
            {chunks::waiting_tools(table, Signal::derive(move || free() > 0))}
            <p><a class="button" href=Route::Lobby.link()>{say(Language::online_lobby)}</a></p>
        </main>
    }
}

/// The link for those who are still to come while a seat is free, and the chat.
pub(crate) fn talk_and_link(table: OnlineTable, free: Signal<bool>) -> AnyView {
    let about = move || match table.known(|it| it.table.rated) {
        true => Language::refused_not_rated,
        false => Language::online_invite_about,
    };
    view! {
        {showing(move || free.get(), move || view! { <Share id=table.id.get_value() about=about() /> })}
        <Talk table />
    }
}

fn words_title(language: Language, game: &str) -> String {
    game.parse::<game::Game>().map(|game| locale::game_name(language, game.id()).to_owned()).unwrap_or_default()
}

/// Sits down; a guest who has written another name is called so first.
fn take_seat(table: OnlineTable, seat: Seat, name: RwSignal<String>, said: Told) {
    let wanted = name.get_untracked().trim().to_owned();
    let me = table.me.get_untracked();
    if me.kind == PersonKind::Account || wanted == me.name || wanted.is_empty() {
        table.ask(Command::Sit { seat: Some(seat) });
        return;
    }
    spawn(async move {
        match me::rename(&wanted).await {
            Ok(_) => {
                // The line knows one by the old name; what is asked waits until it is open anew.
                table.start_over();
                table.ask(Command::Sit { seat: Some(seat) });
            }
            Err(error) => said.set(Some(Err(error))),
        }
    });
}

/// What a seat plays with, where each has its own.
fn seat_sign(table: &TableInfo, seat: Seat) -> String {
    let Ok(game) = table.game.parse::<Game>() else { return String::new() };
    let signs = table.signs.as_deref().and_then(|signs| Signs::read(game.id(), game.sides(), signs).ok());
    seat_piece(&game, signs.unwrap_or_default(), seat)
}

#[component]
fn SeatRow(own: Seat, seat: SeatInfo, table: OnlineTable, may_sit: Memo<bool>, sit: Callback<Seat>) -> impl IntoView {
    let number = own.number();
    let settings = settings();
    let sign = untrack(|| table.known(|it| seat_sign(&it.table, own)));
    let maker = move || table.known(|it| it.table.maker.clone()) == table.me.with(|me| me.id.clone());
    let who = seat.occupant.clone();
    let page = match &seat.occupant {
        Some(Occupant::Person(person)) if person.kind == PersonKind::Account => {
            Some(Route::Person(person.id.clone()).link())
        }
        _ => None,
    };
    let name = live(move || match &who {
        Some(Occupant::Person(person)) => name_of(settings.lang(), &person.name),
        Some(Occupant::Bot { level }) => {
            Level::new(*level).map(|level| words::level(settings.lang(), level).to_owned()).unwrap_or_default()
        }
        None => settings.lang().online_free_seat().to_owned(),
    });
    let (empty, bot) = (seat.occupant.is_none(), matches!(seat.occupant, Some(Occupant::Bot { .. })));
    let mine = move || table.seat() == Some(own);
    let choose = move |event| {
        if let Ok(level @ 1..=8) = event_target_value(&event).parse() {
            table.ask(Command::Bot { seat: own, level: Some(level) });
        }
    };
    let levels = move || {
        Level::all()
            .map(|level| view! { <option value=level.number().to_string()>{live(move || format!("{level} · {}", words::level(settings.lang(), level)))}</option> })
            .collect_view()
    };
    view! {
        <li class:free=empty>
            <span class="side-piece" inner_html=sign></span>
            <small>{live(move || settings.lang().web_seat(number.to_string()))}</small>
            <b>{match page {
                Some(page) => view! { <a href=page>{name}</a> }.into_any(),
                None => name.into_any(),
            }}</b>
            {seat.rating.map(|rating| view! { <span class="rating" title=say(Language::online_ratings)>{rating}</span> })}
            {showing(mine, move || view! { <span class="you">{say(Language::you)}</span> })}
            {showing(move || empty && maker(), move || view! {
                <select aria-label=say(Language::online_seat_computer) on:change=choose>
                    <option value="0">{say(Language::online_seat_computer)}</option>{levels()}
                </select>
            })}
            {showing(move || empty && may_sit.get(), move || view! {
                <button type="button" class="button main" data-sit=number.to_string() on:click=press(move || sit.run(own))>{say(Language::online_sit)}</button>
            })}
            {showing(move || bot && maker(), move || view! {
                <button type="button" class="button" on:click=press(move || table.ask(Command::Bot { seat: own, level: None }))>{say(Language::online_remove)}</button>
            })}
        </li>
    }
}
