//! The bots of a person: their tokens can be made, listed and withdrawn.

use locale::Language;
use protocol::Json;
use protocol::json::quoted;
use ui::prelude::*;
use wasm_bindgen::JsValue;

use super::account::Door;
use super::http;
use super::me::{Fetched, Told, fetch, fetch_into, fetched, field, submit, told};
use crate::app::settings;
use crate::browser;
use crate::views::{live, press, say, showing, spawn};

/// Where the tokens are.
const TOKENS: &str = "api/me/tokens";

/// A program with a token.
#[derive(Clone)]
struct Bot {
    id: String,
    name: String,
    made: u64,
    /// When its token was last used; nothing if never.
    used: Option<u64>,
}

fn read(it: Json) -> Vec<Bot> {
    let bot = |it: &Json| Bot {
        id: it.text_of("id"),
        name: it.text_of("name"),
        made: it.number_of("created_at"),
        used: Some(it.number_of("used_at")).filter(|used| *used > 0),
    };
    it.list().iter().map(bot).collect()
}

/// Tokens that let programs play.
#[component]
pub fn Bots(door: Door) -> impl IntoView {
    let settings = settings();
    let bots: Fetched<Vec<Bot>> = fetch(TOKENS.to_owned(), read);
    let name = RwSignal::new(String::new());
    let token = RwSignal::new(String::new());
    let said: Told = RwSignal::new(None);
    let make = move || {
        let body = format!(r#"{{"name":{}}}"#, quoted(name.get_untracked().trim()));
        let work = async move {
            let made = http::post(TOKENS, &body).await?;
            token.set(made.text_of("token"));
            fetch_into(bots, TOKENS.to_owned(), read);
            Ok(String::new())
        };
        door.change(work, said);
    };
    let copy = move || {
        let token = token.get_untracked();
        spawn(async move {
            let language = settings.language.get_untracked();
            if browser::copy(&token).await {
                said.set(Some(Ok(language.online_token_copied().to_owned())));
            }
        });
    };
    view! {
        <section>
            <h2>{say(Language::online_bots)}</h2>
            <p class="quiet">{say(Language::online_bots_about)}</p>
            <form class="line" on:submit=submit(make)>
                {field(Language::online_bot_name, name, "text", "off")}
                <button type="submit" class="button">{say(Language::online_make_token)}</button>
            </form>
            {told(said)}
            {showing(move || !token.read().is_empty(), move || view! {
                <p>{say(Language::online_token_about)}</p>
                <p class="line">
                    <input type="text" readonly aria-label=say(Language::online_token) data-token prop:value=token />
                    <button type="button" class="button" on:click=press(copy)>{say(Language::online_copy)}</button>
                </p>
                <p class="quiet">{say(Language::online_bot_command)}</p>
                <code class="command">{live(move || command(&token.read()))}</code>
            })}
            {fetched(bots, move |all| {
                let rows: Vec<AnyView> = all.into_iter().map(|bot| row(door, said, bots, bot)).collect();
                view! { <ul class="rows bots">{rows}</ul> }.into_any()
            })}
        </section>
    }
}

/// A program, and the way to stop it: asked twice, for it cannot be taken back.
fn row(door: Door, said: Told, bots: Fetched<Vec<Bot>>, bot: Bot) -> AnyView {
    let settings = settings();
    let asking = RwSignal::new(false);
    let (name, made, used) = (bot.name.clone(), bot.made, bot.used);
    let since = live(move || {
        let language = settings.lang();
        match used {
            Some(used) => language.online_bot_used(day(language, made), day(language, used)),
            None => language.online_bot_unused(day(language, made)),
        }
    });
    let withdraw = move || {
        asking.set(false);
        let Bot { id, name, .. } = bot.clone();
        let done = settings.language.get_untracked().online_bot_withdrawn(&name);
        let work = async move {
            http::send("DELETE", &format!("{TOKENS}/{id}"), None).await?;
            fetch_into(bots, TOKENS.to_owned(), read);
            Ok(done)
        };
        door.change(work, said);
    };
    let asked = name.clone();
    view! {
        <li>
            <div><b>{name}</b><small>{since}</small></div>
            <div class="choices">
                <button type="button" class="button" data-do="withdraw" on:click=press(move || asking.set(true))>{say(Language::online_bot_withdraw)}</button>
            </div>
            {showing(move || asking.get(), move || {
                let (asked, withdraw) = (asked.clone(), withdraw.clone());
                view! {
                    <div class="question" role="alertdialog" aria-label=say(Language::online_bot_withdraw)>
                        <p>{live(move || settings.lang().online_bot_withdraw_question(&asked))}</p>
                        <button type="button" class="button main" on:click=press(withdraw)>{say(Language::action_yes)}</button>
                        <button type="button" class="button" on:click=press(move || asking.set(false))>{say(Language::action_no)}</button>
                    </div>
                }
            })}
        </li>
    }
    .into_any()
}

/// A day, as people of a language write it.
fn day(language: Language, milliseconds: u64) -> String {
    // The day before the month, as everywhere but in America.
    let place = if language == Language::English { "en-GB" } else { language.code() };
    let date = js_sys::Date::new(&JsValue::from_f64(milliseconds as f64));
    date.to_locale_date_string(place, &JsValue::UNDEFINED).into()
}

/// What lets the program's own engine play with a token.
fn command(token: &str) -> String {
    let server = window().location().origin().unwrap_or_default();
    format!("fourfold bot --server {server} --token {token} --engine 'fourfold ugi' --game four")
}
