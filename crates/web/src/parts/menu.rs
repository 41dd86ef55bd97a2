//! What a table offers besides its main tools, in a menu.

use locale::Language;
use ui::prelude::*;

use crate::views::{press, say};
use art::{Icon, icon};

/// The element that holds the menu; its items close it by this name.
const ID: &str = "table-menu";

/// The tool that opens the menu, and the menu.
#[component]
pub fn Menu(
    /// The items.
    children: AnyView,
) -> impl IntoView {
    view! {
        <button type="button" class="tool more" popovertarget=ID><span inner_html=icon(Icon::More)></span><span>{say(Language::web_more)}</span></button>
        <div id=ID class="menu" popover="auto">{children}</div>
    }
}

/// An item of the menu.
pub fn item(sign: Icon, name: fn(Language) -> &'static str, act: impl Fn() + 'static) -> AnyView {
    item_when(sign, say(name), AnyView::NOTHING, press(act))
}

/// An item whose name follows a signal, and which can be used only while it is not idle.
pub fn item_when(sign: Icon, name: AnyView, idle: AnyView, pressed: AnyView) -> AnyView {
    view! {
        <button type="button" class="item" popovertarget=ID popovertargetaction="hide" disabled=idle on:click=pressed>
            <span inner_html=icon(sign)></span>{name}
        </button>
    }
    .into_any()
}

/// An item that leads to another page.
pub fn item_link(sign: Icon, name: fn(Language) -> &'static str, address: String) -> AnyView {
    view! { <a class="item" href=address><span inner_html=icon(sign)></span>{say(name)}</a> }.into_any()
}
