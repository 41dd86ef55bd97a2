use axum::Json;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use protocol::{LONGEST_NAME, PersonKind, Refusal};
use serde::{Deserialize, Serialize};
use unicode_normalization::UnicodeNormalization as _;
use utoipa::ToSchema;

use super::people::{PlayedGame, Rating, played, ratings};
use super::{Body, Who, with_cookie};
use crate::app::App;
use crate::http_error::{HttpError, Problem};
use crate::store::{Store, StoreError};
use crate::tables::is_invisible;

/// You.
#[derive(Serialize, ToSchema)]
pub(crate) struct Me {
    /// Which person.
    id: String,
    /// What you are called; empty if you have not said.
    name: String,
    /// `guest`, `account` or `bot`.
    #[schema(value_type = String)]
    kind: PersonKind,
    /// How strong you are, by game.
    ratings: Vec<Rating>,
}

/// A name to be called by.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub(crate) struct Name {
    /// One to 24 characters.
    name: String,
}

/// Who you are; a guest gets a cookie by asking.
#[utoipa::path(get, path = "/api/me", operation_id = "show_me", responses(
    (status = 200, body = Me), (status = 401, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn show(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let me = me(&app.hub.store, &who).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(me)))
}

pub(super) async fn me(store: &Store, who: &Who) -> Result<Me, StoreError> {
    let person = who.person.clone();
    let ratings = ratings(store, &person.id).await?;
    Ok(Me { id: person.id, name: person.name, kind: person.kind, ratings })
}

/// Changes what you are called.
#[utoipa::path(patch, path = "/api/me", request_body = Name, responses(
    (status = 200, body = Me), (status = 400, body = Problem), (status = 401, body = Problem), (status = 403, body = Problem),
    (status = 413, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn rename(
    State(app): State<App>,
    mut who: Who,
    Body(name): Body<Name>,
) -> Result<Response, HttpError> {
    let name = tidy_name(&name.name).ok_or_else(|| who.refuse(Refusal::BadName))?;
    let store = &app.hub.store;
    let namesake = store.person_by_login(&name.to_lowercase()).await.map_err(|_| who.refuse(Refusal::Storage))?;
    if namesake.is_some_and(|account| account.id != who.person.id) {
        // A guest must not pass for a person with an account.
        return Err(who.refuse(Refusal::BadName));
    }
    who.person.name = name;
    let kept = match who.person.kind {
        PersonKind::Guest => store.name_guest(&who.person.id, &who.person.name, crate::runtime::wall()).await,
        // An account is known by its name; another one would be another login.
        PersonKind::Account => return Err(who.refuse(Refusal::Forbidden)),
        _ => store.rename(&who.person.id, &who.person.name).await,
    };
    kept.map_err(|_| who.refuse(Refusal::Storage))?;
    let me = me(store, &who).await.map_err(|_| who.refuse(Refusal::Storage))?;
    Ok(who.answer(Json(me)))
}

/// A name on one line, in one form, without letters that are not seen, if it is not empty and not too long.
pub(super) fn tidy_name(name: &str) -> Option<String> {
    // NFKC: letters that look alike because they are the same, such as full-width ones, become one.
    let seen = name.nfkc().map(|c| if c.is_whitespace() { ' ' } else { c });
    let plain: String = seen.filter(|c| !c.is_control() && !is_invisible(*c)).collect();
    let words: Vec<&str> = plain.split(' ').filter(|word| !word.is_empty()).collect();
    let plain = words.join(" ");
    // The server's own bots are shown as `bot:8`.
    let reserved = plain.to_lowercase().starts_with("bot:") || words.iter().any(|word| mixes_scripts(word));
    (!plain.is_empty() && !reserved && plain.chars().count() <= LONGEST_NAME).then_some(plain)
}

/// Whether a word has letters of two alphabets that look alike: one of them is there to be mistaken for the other.
fn mixes_scripts(word: &str) -> bool {
    let alphabet = |letter: char| match letter {
        'a'..='z' | 'A'..='Z' | '\u{c0}'..='\u{24f}' => Some('a'),
        '\u{370}'..='\u{3ff}' => Some('α'),
        '\u{400}'..='\u{52f}' => Some('а'),
        _ => None,
    };
    let mut found = word.chars().filter_map(alphabet);
    found.next().is_some_and(|first| found.any(|other| other != first))
}

/// Your games, the latest first.
#[utoipa::path(get, path = "/api/me/games", operation_id = "list_my_games", responses(
    (status = 200, body = [PlayedGame]), (status = 401, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn games(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    let games = app.hub.store.tables_of(&who.person.id, 200).await.map_err(|_| who.refuse(Refusal::Storage))?;
    let games = played(&app, &who.person.id, games).await;
    Ok(who.answer(Json(games)))
}

/// Forgets you, a guest or a bot: name, sessions and bots go. Games stay, for they are the others' too, without your name.
/// An account is deleted with its password, by `/api/account/delete`.
#[utoipa::path(delete, path = "/api/me", operation_id = "delete_me", responses(
    (status = 204), (status = 401, body = Problem), (status = 403, body = Problem), (status = 429, body = Problem), (status = 503, body = Problem)))]
pub(crate) async fn forget(State(app): State<App>, who: Who) -> Result<Response, HttpError> {
    if who.person.kind == PersonKind::Account {
        return Err(who.refuse(Refusal::Forbidden));
    }
    app.hub.forget(&who.person).await.map_err(|refusal| who.refuse(refusal))?;
    Ok(with_cookie(axum::http::StatusCode::NO_CONTENT.into_response(), app.identity.clear()))
}

#[cfg(test)]
mod tests {
    use super::tidy_name;

    #[test]
    fn names_that_look_like_others_are_refused_or_become_them() {
        assert_eq!(tidy_name("  Ａda\u{200b} Лавлейс ").as_deref(), Some("Ada Лавлейс"));
        for name in ["", "\u{202e}", "bot:8", "ＢＯＴ:1", "Оlena", "αda", "a name that is far too long to be one"]
        {
            assert_eq!(tidy_name(name), None, "{name}");
        }
        assert_eq!(tidy_name("Олена7").as_deref(), Some("Олена7"));
    }
}
