//! The link to a table: to copy, to send, or to photograph.

use locale::Language;
use ui::prelude::*;

use super::qr::Code;
use crate::app::settings;
use crate::browser;
use crate::route::{Route, full_address};
use crate::views::{live, press, say, spawn};
use art::{Icon, icon};

/// The link with a button to copy it and a picture to photograph.
#[component]
pub fn Share(
    /// The table's name in addresses.
    id: String,
    /// What a person with the link may do.
    about: fn(Language) -> &'static str,
) -> impl IntoView {
    let settings = settings();
    let address = full_address(&Route::Meet(id));
    let copied = RwSignal::new(None::<bool>);
    let copy = {
        let address = address.clone();
        move || {
            let address = address.clone();
            spawn(async move { copied.set(Some(browser::copy(&address).await)) });
        }
    };
    let said = {
        let address = address.clone();
        move || {
            copied.get().map(|copied| {
                let language = settings.lang();
                if copied { language.web_link_copied().to_owned() } else { language.web_copy_refused(&address) }
            })
        }
    };
    view! {
        <section class="share">
            <h2>{say(Language::online_invite)}</h2>
            <p class="quiet">{say(about)}</p>
            <div class="line">
                <input type="text" readonly aria-label=say(Language::online_link) value=address.clone() />
                <button type="button" class="button main" on:click=press(copy)>
                    <span inner_html=icon(Icon::Share)></span>{say(Language::online_copy)}
                </button>
            </div>
            <p class="good" role="status">{live(said)}</p>
            <div class="qr" role="img" aria-label=say(Language::online_qr) inner_html=picture(&address)></div>
        </section>
    }
}

/// The picture, dark on light with the quiet border it needs; nothing for an address too long for one.
fn picture(text: &str) -> String {
    let Some(code) = Code::new(text) else { return String::new() };
    let mut path = String::new();
    for y in 0..code.size {
        for x in (0..code.size).filter(|x| code.is_dark(*x, y)) {
            path.push_str(&format!("M{} {}h1v1h-1z", x + 4, y + 4));
        }
    }
    let side = code.size + 8;
    format!(
        r##"<svg viewBox="0 0 {side} {side}" shape-rendering="crispEdges" aria-hidden="true"><path fill="#fff" d="M0 0h{side}v{side}H0z"/><path fill="#1b130c" d="{path}"/></svg>"##
    )
}
