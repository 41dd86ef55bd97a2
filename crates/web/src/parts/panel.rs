//! Moves and chat: beside the board, or on a small screen in a sheet from below.

use locale::Language;
use ui::prelude::*;

use super::Moves;
use crate::browser;
use crate::match_view::MatchView;
use crate::views::{live, press, say, showing, tool};
use art::{Icon, icon};

/// Where the chat stands, of which the latest lines are shown.
pub const CHAT_LINES: &str = ".talk .lines";

/// A tab of the panel.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Tab {
    /// The moves played.
    Moves,
    /// The chat.
    Chat,
}

/// What the panel shows, and whether a small screen shows the panel.
#[derive(Clone, Copy)]
pub struct PanelState {
    tab: RwSignal<Tab>,
    is_open: RwSignal<bool>,
    chat_lines: Option<Memo<usize>>,
    lines_read: RwSignal<usize>,
}

impl PanelState {
    /// A panel with the moves, and a chat if its number of lines is given.
    pub fn new(chat_lines: Option<Memo<usize>>) -> PanelState {
        let state = PanelState {
            tab: RwSignal::new(Tab::Moves),
            is_open: RwSignal::new(false),
            chat_lines,
            lines_read: RwSignal::new(chat_lines.map_or(0, |lines| lines.get_untracked())),
        };
        Effect::new(move || {
            let lines = chat_lines.map_or(0, |lines| lines.get());
            if state.tab.get() == Tab::Chat && (state.is_open.get() || !is_sheet()) {
                state.lines_read.set(lines);
                browser::scroll_to_end(CHAT_LINES);
            }
        });
        state
    }

    /// How many lines of the chat have not been seen.
    fn unread(self) -> usize {
        self.chat_lines.map_or(0, |lines| lines.get()).saturating_sub(self.lines_read.get())
    }

    fn toggle(self) {
        if untrack(|| self.unread()) > 0 {
            self.tab.set(Tab::Chat);
        }
        self.is_open.update(|open| *open = !*open);
    }
}

/// Whether the panel is a sheet; the style sheet has the same condition.
fn is_sheet() -> bool {
    let small = window().match_media("(orientation: portrait), (max-height: 35.99rem)");
    small.ok().flatten().is_some_and(|small| small.matches())
}

/// The tool that opens the panel on a small screen, with a sign for lines that have not been read.
#[component]
pub fn PanelTool(
    /// The panel.
    state: PanelState,
) -> impl IntoView {
    let (sign, word) = match state.chat_lines {
        Some(_) => (Icon::Chat, Language::online_talk as fn(Language) -> &'static str),
        None => (Icon::List, Language::moves_title as fn(Language) -> &'static str),
    };
    view! {
        <button type="button" class="tool panel-tool" aria-expanded=state.is_open on:click=press(move || state.toggle())>
            <span inner_html=icon(sign)></span><span>{say(word)}</span>{badge(state)}
        </button>
    }
}

fn badge(state: PanelState) -> impl IntoView {
    showing(
        move || state.unread() > 0,
        move || view! { <b class="badge">{live(move || state.unread().to_string())}</b> },
    )
}

/// The moves and, at a table with others, the chat.
#[component]
pub fn Panel(
    /// The match.
    match_view: MatchView,
    /// What it shows.
    state: PanelState,
    /// The chat.
    chat: Option<AnyView>,
) -> impl IntoView {
    let tab = move |tab: Tab, name: &'static str, word: fn(Language) -> &'static str| {
        let selected = live(move || state.tab.get() == tab);
        view! {
            <button type="button" role="tab" class="tab" id=format!("tab-{name}") data-tab=name aria-selected=selected
                aria-controls=format!("panel-{name}") on:click=press(move || state.tab.set(tab))>{say(word)}{(tab == Tab::Chat).then(|| badge(state))}</button>
        }
    };
    let is_hidden = move |tab: Tab| live(move || state.tab.get() != tab);
    let has_chat = chat.is_some();
    let chat = chat.map(|chat| view! {
        <div class="tab-body" role="tabpanel" id="panel-chat" aria-labelledby="tab-chat" hidden=is_hidden(Tab::Chat)>{chat}</div>
    });
    view! {
        <section class="panel" class:open=state.is_open>
            <header>
                <div role="tablist">
                    {tab(Tab::Moves, "moves", Language::moves_title)}
                    {has_chat.then(|| tab(Tab::Chat, "chat", Language::online_talk))}
                </div>
                <span class="panel-close">{tool(Icon::Close, Language::web_close, move || state.is_open.set(false))}</span>
            </header>
            <div class="tab-body" role="tabpanel" id="panel-moves" aria-labelledby="tab-moves" hidden=is_hidden(Tab::Moves)><Moves match_view /></div>
            {chat}
        </section>
    }
}
