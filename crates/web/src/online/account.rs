//! The account: optional, and in one's own hands.

use std::pin::Pin;

use locale::Language;
use protocol::Refusal;
use protocol::json::quoted;
use ui::prelude::*;

use super::bots::Bots;
use super::http::{self, HttpError};
use super::me::{self, Fetched, Known, Told, ask_who, fetch_into, fetched, field, recognised, submit, told, ways};
use super::recovery::{Forgotten, RecoveryCodes};
use crate::app::{TopBar, settings};
use crate::browser;
use crate::route::Route;
use crate::settings::Settings;
use crate::views::{live, press, say, showing, spawn};

/// The page.
#[component]
pub fn Account() -> impl IntoView {
    let settings = settings();
    let door = Door { who: ask_who(), said: RwSignal::new(None), settings };
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_account().to_owned()) />
        <main class="online account">
            {ways(Route::Account)}
            {told(door.said)}
            {fetched(door.who, move |known| {
                if known.has_account() { view! { <Member door known /> }.into_any() } else { view! { <Stranger door known /> }.into_any() }
            })}
            <p class="quiet"><a href=Route::Privacy.link()>{say(Language::privacy_title)}</a></p>
        </main>
    }
}

/// The person who is logged in, and the messages after logging in or out.
#[derive(Clone, Copy)]
pub struct Door {
    who: Fetched<Known>,
    said: Told,
    settings: Settings,
}

impl Door {
    /// Comes in or goes out, and looks who one is then; `done` is told afterwards.
    fn pass(self, work: impl Future<Output = Result<(), HttpError>> + 'static, done: fn(Language) -> &'static str) {
        let language = self.settings.language.get_untracked();
        spawn(async move {
            let answer = work.await;
            let passed = answer.is_ok();
            self.said.set(Some(answer.map(|()| done(language).to_owned())));
            if passed {
                self.look();
            }
        });
    }

    /// Comes in.
    pub fn enter(self, path: &'static str, body: String) {
        self.pass(async move { http::post(path, &body).await.map(drop) }, |_| "");
    }

    /// Does something with the account and tells what came of it there; who is not known any more is shown the way in.
    pub fn change(self, work: impl Future<Output = Result<String, HttpError>> + 'static, there: Told) {
        self.said.set(None);
        let work: Pin<Box<dyn Future<Output = Result<String, HttpError>>>> = Box::pin(work);
        spawn(async move {
            let answer = work.await;
            if matches!(answer, Err(HttpError::Refused(Refusal::NotKnown))) {
                self.said.set(Some(answer));
                self.look();
            } else {
                there.set(Some(answer));
            }
        });
    }

    /// The name of the account, unseen in forms with a password: programs that keep passwords look for it.
    pub fn login(self) -> AnyView {
        let name = self.who.with_untracked(|who| match who {
            Some(Ok(known)) => known.person.name.clone(),
            _ => String::new(),
        });
        view! { <input type="text" autocomplete="username" value=name hidden /> }.into_any()
    }

    /// Asks who one is by now.
    fn look(self) {
        fetch_into(self.who, "api/me".to_owned(), recognised);
    }
}

/// For guests: a name, an account, or the way into one.
#[component]
fn Stranger(door: Door, known: Known) -> impl IntoView {
    let settings = settings();
    let name = RwSignal::new(known.person.name.clone());
    let (login, password) = (RwSignal::new(known.person.name), RwSignal::new(String::new()));
    let named: Told = RwSignal::new(None);
    let rename = move || {
        let wanted = name.get_untracked();
        let kept = settings.language.get_untracked().online_name_kept();
        door.change(async move { me::rename(wanted.trim()).await.map(|_| kept.to_owned()) }, named);
    };
    let enter = move |path: &'static str| {
        let body = format!(
            r#"{{"name":{},"password":{}}}"#,
            quoted(login.get_untracked().trim()),
            quoted(&password.get_untracked())
        );
        door.enter(path, body);
    };
    view! {
        <section>
            <h2>{say(Language::online_guest_title)}</h2>
            <p class="quiet">{say(Language::online_guest_about)}</p>
            <form class="line" on:submit=submit(rename)>
                {field(Language::online_name, name, "text", "nickname")}
                <button type="submit" class="button">{say(Language::online_keep)}</button>
            </form>
            {told(named)}
        </section>
        <section>
            <h2>{say(Language::online_account)}</h2>
            <p class="quiet">{say(Language::online_account_about)}</p>
            <form class="fields" on:submit=submit(move || enter("api/account/login"))>
                {field(Language::online_account_name, login, "text", "username")}
                {field(Language::online_password, password, "password", "current-password")}
                <div class="choices">
                    <button type="submit" class="button main" data-do="login">{say(Language::online_log_in)}</button>
                    <button type="button" class="button" data-do="register" on:click=press(move || enter("api/account/register"))>{say(Language::online_register)}</button>
                </div>
            </form>
            <Forgotten door name=login />
        </section>
    }
}

/// For who has an account.
#[component]
fn Member(door: Door, known: Known) -> impl IntoView {
    let settings = settings();
    let name = known.person.name.clone();
    let id = known.person.id.clone();
    let leave = move |path: &'static str| {
        door.pass(async move { http::post(path, "").await.map(drop) }, Language::online_logged_out);
    };
    view! {
        <section>
            <h2>{live(move || settings.lang().online_hello(&name))}</h2>
            <div class="choices">
                <a class="button" href=Route::Person(id).link()>{say(Language::online_my_page)}</a>
                <button type="button" class="button" data-do="logout" on:click=press(move || leave("api/account/logout"))>{say(Language::online_log_out)}</button>
                <button type="button" class="button" data-do="logout-everywhere" on:click=press(move || leave("api/account/logout-everywhere"))>{say(Language::online_log_out_everywhere)}</button>
            </div>
        </section>
        <Password door />
        <RecoveryCodes door />
        <Bots door />
        <Data door />
    }
}

#[component]
fn Password(door: Door) -> impl IntoView {
    let settings = settings();
    let (old, new) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    let said: Told = RwSignal::new(None);
    let save = move || {
        let body = format!(r#"{{"old":{},"new":{}}}"#, quoted(&old.get_untracked()), quoted(&new.get_untracked()));
        let done = settings.language.get_untracked().online_password_changed();
        let work = async move {
            http::post("api/account/password", &body).await?;
            old.set(String::new());
            new.set(String::new());
            Ok(done.to_owned())
        };
        door.change(work, said);
    };
    view! {
        <section>
            <h2>{say(Language::online_change_password)}</h2>
            <form class="fields" on:submit=submit(save)>
                {door.login()}
                {field(Language::online_old_password, old, "password", "current-password")}
                {field(Language::online_new_password, new, "password", "new-password")}
                <button type="submit" class="button">{say(Language::online_change_password)}</button>
            </form>
            {told(said)}
        </section>
    }
}

/// Everything that is kept, to take along or to have forgotten.
#[component]
fn Data(door: Door) -> impl IntoView {
    let asking = RwSignal::new(false);
    let password = RwSignal::new(String::new());
    let said: Told = RwSignal::new(None);
    let export = move || {
        let work = async move {
            let all = http::text("GET", "api/me/export", None).await?;
            browser::download("fourfold.json", &all);
            Ok(String::new())
        };
        door.change(work, said);
    };
    let forget = move || {
        let body = format!(r#"{{"password":{}}}"#, quoted(&password.get_untracked()));
        let work = async move { http::post("api/account/delete", &body).await.map(drop) };
        door.pass(work, Language::online_deleted);
    };
    view! {
        <section>
            <h2>{say(Language::online_data)}</h2>
            <div class="choices">
                <button type="button" class="button" data-do="export" on:click=press(export)>{say(Language::online_export)}</button>
                <button type="button" class="button" data-do="delete" on:click=press(move || asking.set(true))>{say(Language::online_delete)}</button>
            </div>
            {showing(move || asking.get(), move || view! {
                <form class="question" role="alertdialog" aria-label=say(Language::online_delete) on:submit=submit(forget)>
                    <p>{say(Language::online_delete_question)}</p>
                    {door.login()}
                    {field(Language::online_old_password, password, "password", "current-password")}
                    <button type="submit" class="button main">{say(Language::online_delete)}</button>
                    <button type="button" class="button" on:click=press(move || asking.set(false))>{say(Language::action_no)}</button>
                </form>
            })}
            {told(said)}
        </section>
    }
}
