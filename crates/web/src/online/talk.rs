//! What is said at a table: phrases that everybody reads in their own language, own words, and the team's.

use locale::Language;
use protocol::{ChatLine, Command, Phrase};
use rules::Seat;
use ui::prelude::*;

use super::http;
use super::me::{name_of, submit};
use super::table::OnlineTable;
use crate::app::settings;
use crate::browser;
use crate::parts::CHAT_LINES;
use crate::settings::{keep, kept};
use crate::views::{list, live, press, say, showing, spawn};
use art::{Icon, icon};

/// A line of talk: the event's number, seat, name and words.
type Spoken = (u32, Option<Seat>, String, ChatLine);

/// How many lines of the chat are shown.
const MOST_LINES: usize = 100;

/// The talk at a table.
#[component]
pub fn Talk(
    /// The table.
    table: OnlineTable,
) -> impl IntoView {
    let key = format!("muted.{}", table.id.get_value());
    let muted = RwSignal::new(kept(&key).unwrap_or_default());
    Effect::new(move || {
        muted.with(|muted| {
            if !muted.is_empty() {
                keep(&key, muted)
            }
        })
    });
    let silent = move |seat: Option<Seat>| muted.with(|muted| muted.contains(&mute_key(seat)));
    let count = Memo::new(move |_| table.known(|it| it.chat.len()));
    Effect::new(move || {
        count.track();
        browser::scroll_to_end(CHAT_LINES);
    });
    let said = RwSignal::new(None::<String>);
    let line = move |spoken: Spoken| view! { <TalkLine spoken table muted said /> };
    let shown = move || {
        let from = count.get().saturating_sub(MOST_LINES);
        let lines: Vec<Spoken> = untrack(|| table.known(|it| it.chat[from..].to_vec()));
        lines.into_iter().filter(|(_, seat, ..)| !silent(*seat)).collect::<Vec<_>>()
    };
    let silenced = move || muted.with(|muted| !muted.is_empty());
    view! {
        <section class="talk">
            <ol class="lines" aria-live="polite" tabindex="0" aria-label=say(Language::online_talk)>{list(move || shown().into_iter().map(line))}</ol>
            {showing(move || count.get() == 0, move || view! { <p class="quiet">{say(Language::online_talk_empty)}</p> })}
            <p class="good" role="status">{live(move || said.get())}</p>
            {showing(silenced, move || view! {
                <button type="button" class="button" data-do="unmute" on:click=press(move || muted.set(String::new()))>{say(Language::online_unmute)}</button>
            })}
            <Speaking table />
        </section>
    }
}

#[component]
fn TalkLine(
    spoken: Spoken,
    table: OnlineTable,
    muted: RwSignal<String>,
    said: RwSignal<Option<String>>,
) -> impl IntoView {
    let settings = settings();
    let (seq, seat, name, line) = spoken;
    let team = matches!(line, ChatLine::Team { .. });
    let words = live(move || match &line {
        ChatLine::Text { text } | ChatLine::Team { text } => text.clone(),
        ChatLine::Phrase { phrase } => phrase.text(settings.lang()).to_owned(),
    });
    let speaker = live(move || name_of(settings.lang(), &name));
    let report = move || {
        let (table, language) = (table.id.get_value(), settings.language.get_untracked());
        spawn(async move {
            let told = http::post(&format!("api/tables/{table}/report"), &format!(r#"{{"seq":{seq}}}"#)).await;
            said.set(Some(
                told.map_or_else(|error| error.sentence(language), |_| language.online_reported().to_owned()),
            ));
        });
    };
    let others = move || seat.is_none() || seat != table.seat();
    view! {
        <li class:team=team>
            <p><b>{speaker}</b>" "{team.then(|| view! { <small>{say(Language::online_team)}</small>" " })}<span>{words}</span></p>
            {showing(others, move || view! { <div class="about">
                <button type="button" class="button plain" data-do="mute" title=say(Language::online_mute)
                    on:click=press(move || muted.update(|muted| muted.push_str(&mute_key(seat)))) inner_html=icon(Icon::Mute)></button>
                <button type="button" class="button plain" data-do="report" title=say(Language::online_report)
                    on:click=press(report) inner_html=icon(Icon::Flag)></button>
            </div> })}
        </li>
    }
}

/// How a muted speaker is remembered; all spectators together are 0.
fn mute_key(seat: Option<Seat>) -> String {
    seat.map_or(0, Seat::number).to_string()
}

/// Phrases at a touch, a line for own words, and to whom they go.
#[component]
fn Speaking(table: OnlineTable) -> impl IntoView {
    let settings = settings();
    let words = RwSignal::new(String::new());
    let to_team = RwSignal::new(false);
    let confers = Memo::new(move |_| table.seat().is_some() && table.known(|it| it.table.confer && has_partner(it)));
    let speak = move || {
        let text = words.get_untracked().trim().to_owned();
        if text.is_empty() {
            return;
        }
        let to_team = to_team.get_untracked() && confers.get_untracked();
        let line = if to_team { ChatLine::Team { text } } else { ChatLine::Text { text } };
        table.ask_then(Command::Say { line }, move |done| {
            if done {
                words.set(String::new());
            }
        });
    };
    let phrases = Phrase::ALL.iter().copied().map(|phrase| {
        let say = move || table.ask(Command::Say { line: ChatLine::Phrase { phrase } });
        view! { <button type="button" class="button" data-phrase=phrase.word() on:click=press(say)>{live(move || phrase.text(settings.lang()))}</button> }
    });
    view! {
        <div class="phrases">{phrases.collect_view()}</div>
        {showing(move || confers.get(), move || view! {
            <div class="choices" role="group" aria-label=say(Language::online_to)>
                <button type="button" class="button" aria-pressed=live(move || !to_team.get()) on:click=press(move || to_team.set(false))>{say(Language::online_to_all)}</button>
                <button type="button" class="button" aria-pressed=to_team on:click=press(move || to_team.set(true))>{say(Language::online_to_team)}</button>
            </div>
        })}
        <form class="line" on:submit=submit(speak)>
            <input type="text" maxlength="300" autocomplete="off" aria-label=say(Language::online_say) prop:value=words on:input=move |event| words.set(event_target_value(&event)) />
            <button type="submit" class="button">{say(Language::online_send)}</button>
        </form>
    }
}

/// Whether another seat plays on the same side.
fn has_partner(follower: &session::Follower) -> bool {
    let Some((seat, game)) = follower.seat().zip(follower.table.game.parse::<game::Game>().ok()) else { return false };
    let start = game.start();
    rules::Seat::all(start.seats()).any(|other| other != seat && start.side(other) == start.side(seat))
}
