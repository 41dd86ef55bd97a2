//! The players whom a person follows, and those whom they have blocked.

use locale::Language;
use protocol::Json;
use ui::prelude::*;

use super::server_switch;
use crate::app::{TopBar, settings};
use crate::online::me::{Told, fetch, fetched, name_of, told, ways};
use crate::route::Route;
use crate::views::{live, say};

/// A player of the list.
#[derive(Clone)]
struct Listed {
    id: String,
    name: String,
    online: bool,
}

fn read(it: Json) -> Vec<Listed> {
    let listed = |it: &Json| Listed { id: it.text_of("id"), name: it.text_of("name"), online: it.holds("online") };
    // Those who can play now come first.
    let (mut all, away): (Vec<Listed>, Vec<Listed>) = it.list().iter().map(listed).partition(|listed| listed.online);
    all.extend(away);
    all
}

/// The page.
#[component]
pub fn Friends() -> impl IntoView {
    let settings = settings();
    let (followed, blocked) = (fetch("api/me/follows".to_owned(), read), fetch("api/me/blocks".to_owned(), read));
    let said: Told = RwSignal::new(None);
    let is_blocked = move || blocked.with(|it| matches!(it, Some(Ok(list)) if !list.is_empty()));
    view! {
        <TopBar title=Signal::derive(move || settings.lang().online_friends().to_owned()) />
        <main class="online friends">
            {ways(Route::Friends)}
            {told(said)}
            {fetched(followed, move |list| {
                if list.is_empty() {
                    return view! {
                        <p class="lead">{say(Language::online_no_friends)}</p>
                        <p><a class="button main" href=Route::Leaders(game::GameId::ALL[0]).link()>{say(Language::online_leaders)}</a></p>
                    }
                    .into_any();
                }
                let row = move |it: Listed| {
                    let page = Route::Person(it.id.clone()).link();
                    let challenge = view! { <a class="button" class:main=it.online href=page>{say(Language::online_challenge)}</a> };
                    row(it, "follows", [Language::online_follow, Language::online_unfollow], Some(challenge.into_any()), said)
                };
                view! { <ul class="rows">{list.into_iter().map(row).collect::<Vec<_>>()}</ul> }.into_any()
            })}
            {crate::views::showing(is_blocked, move || fetched(blocked, move |list| {
                let row = move |it| row(it, "blocks", [Language::online_block, Language::online_unblock], None, said);
                view! {
                    <section><h2>{say(Language::online_blocked)}</h2>
                    <ul class="rows">{list.into_iter().map(row).collect::<Vec<_>>()}</ul></section>
                }
                .into_any()
            }))}
        </main>
    }
}

/// A player with the switch that took them into the list.
fn row(
    listed: Listed,
    list: &str,
    names: [fn(Language) -> &'static str; 2],
    before: Option<AnyView>,
    said: Told,
) -> AnyView {
    let settings = settings();
    let Listed { id, name, online } = listed;
    let path = format!("api/me/{list}/{id}");
    view! {
        <li class:turn=online>
            <div>
                <b><a href=Route::Person(id).link()>{live(move || name_of(settings.lang(), &name))}</a></b>
                {online.then(|| view! { <span class="online-sign">{say(Language::online_is_online)}</span> })}
            </div>
            <div class="choices">{before}{server_switch(path, RwSignal::new(true), names, "list", said)}</div>
        </li>
    }
    .into_any()
}
