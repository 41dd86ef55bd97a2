//! Recovery codes: made with the password while it is known, used when it is forgotten.

use locale::Language;
use protocol::Json;
use protocol::json::quoted;
use ui::prelude::*;

use super::account::Door;
use super::http;
use super::me::{Fetched, Told, fetch, fetch_into, field, submit, told};
use crate::app::settings;
use crate::browser;
use crate::views::{live, press, say, showing};

/// Where the codes are.
const CODES: &str = "api/account/recovery-codes";

fn left(it: Json) -> u64 {
    it.number_of("left")
}

/// New codes for an account, and how many are left.
#[component]
pub fn RecoveryCodes(door: Door) -> impl IntoView {
    let settings = settings();
    let unused: Fetched<u64> = fetch(CODES.to_owned(), left);
    let password = RwSignal::new(String::new());
    let codes: RwSignal<Vec<String>> = RwSignal::new(Vec::new());
    let said: Told = RwSignal::new(None);
    let make = move || {
        let body = format!(r#"{{"password":{}}}"#, quoted(&password.get_untracked()));
        let work = async move {
            let made = http::post(CODES, &body).await?;
            password.set(String::new());
            codes.set(made.texts_of("codes"));
            fetch_into(unused, CODES.to_owned(), left);
            Ok(String::new())
        };
        door.change(work, said);
    };
    let save = move || browser::download("fourfold-recovery-codes.txt", &(codes.read_untracked().join("\n") + "\n"));
    let count = live(move || match unused.get() {
        Some(Ok(count)) => settings.lang().online_codes_left(count),
        _ => String::new(),
    });
    view! {
        <section>
            <h2>{say(Language::online_codes)}</h2>
            <p class="quiet">{say(Language::online_codes_about)}</p>
            <p class="quiet" data-codes-left>{count}</p>
            <form class="fields" on:submit=submit(make)>
                {door.login()}
                {field(Language::online_old_password, password, "password", "current-password")}
                <button type="submit" class="button" data-do="recovery-codes">{say(Language::online_make_codes)}</button>
            </form>
            {told(said)}
            {showing(move || !codes.read().is_empty(), move || view! {
                <p>{say(Language::online_codes_once)}</p>
                <code class="command" data-codes>{live(move || codes.read().join("  "))}</code>
                <p><button type="button" class="button" on:click=press(save)>{say(Language::online_codes_download)}</button></p>
            })}
        </section>
    }
}

/// The way back into an account whose password is forgotten.
#[component]
pub fn Forgotten(door: Door, name: RwSignal<String>) -> impl IntoView {
    let (code, password) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let recover = move || {
        let body = format!(
            r#"{{"name":{},"code":{},"password":{}}}"#,
            quoted(name.get_untracked().trim()),
            quoted(&code.get_untracked()),
            quoted(&password.get_untracked())
        );
        door.enter("api/account/recover", body);
    };
    view! {
        <details class="forgotten">
            <summary>{say(Language::online_forgotten)}</summary>
            <form class="fields" on:submit=submit(recover)>
                {field(Language::online_account_name, name, "text", "username")}
                {field(Language::online_code, code, "text", "one-time-code")}
                {field(Language::online_new_password, password, "password", "new-password")}
                <button type="submit" class="button" data-do="recover">{say(Language::online_recover)}</button>
            </form>
        </details>
    }
}
