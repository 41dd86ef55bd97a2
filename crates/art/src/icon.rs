//! The icons of buttons: one line weight, round ends.

/// What an icon stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs)]
pub enum Icon {
    Back,
    Forward,
    First,
    Last,
    Undo,
    Redo,
    Hint,
    Flag,
    Hands,
    Again,
    Rotate,
    Full,
    New,
    Sun,
    Moon,
    Sound,
    Mute,
    Book,
    Lens,
    Share,
    Close,
    Play,
    Type,
    Grid,
    Save,
    Edit,
    Bell,
    People,
    More,
    List,
    Chat,
    Person,
    Gear,
    Puzzle,
}

/// The markup of an icon, in the colour of the text around it.
pub fn icon(icon: Icon) -> String {
    let path = match icon {
        Icon::Back => "M15 5 L8 12 L15 19",
        Icon::Forward => "M9 5 L16 12 L9 19",
        Icon::First => "M17 5 L10 12 L17 19 M6 5 V19",
        Icon::Last => "M7 5 L14 12 L7 19 M18 5 V19",
        Icon::Undo => "M9 7 L4 12 L9 17 M4 12 H14 a6 5 0 0 1 0 8 h-2",
        Icon::Redo => "M15 7 L20 12 L15 17 M20 12 H10 a6 5 0 0 0 0 8 h2",
        Icon::Hint => {
            "M9 18 h6 M10 21 h4 M12 3 a6 6 0 0 0 -3.5 10.9 c.9.7 1 1.3 1 2.1 h5 c0 -.8 .1 -1.4 1 -2.1 A6 6 0 0 0 12 3"
        }
        Icon::Flag => "M6 21 V4 M6 4 c4 -2 7 2 12 0 v9 c-5 2 -8 -2 -12 0",
        Icon::Hands => "M4 12 l4 -4 4 3 4 -3 4 4 M8 8 v7 l4 3 4 -3 V8",
        Icon::Again => "M19 12 a7 7 0 1 1 -2 -5 M17 3 v4 h-4",
        Icon::Rotate => "M5 12 a7 7 0 0 1 12 -5 M17 3 v4 h-4 M19 12 a7 7 0 0 1 -12 5 M7 21 v-4 h4",
        Icon::Full => "M4 9 V4 h5 M15 4 h5 v5 M20 15 v5 h-5 M9 20 H4 v-5",
        Icon::New => "M12 5 V19 M5 12 H19",
        Icon::Sun => {
            "M12 8 a4 4 0 1 0 .01 0 M12 2 v2 M12 20 v2 M2 12 h2 M20 12 h2 M5 5 l1.4 1.4 M17.6 17.6 L19 19 M5 19 l1.4 -1.4 M17.6 6.4 L19 5"
        }
        Icon::Moon => "M20 14 A8 8 0 1 1 10 4 a6.5 6.5 0 0 0 10 10",
        Icon::Sound => "M4 9 h4 l5 -4 v14 l-5 -4 H4 z M16 9 a4 4 0 0 1 0 6 M18.5 6.5 a8 8 0 0 1 0 11",
        Icon::Mute => "M4 9 h4 l5 -4 v14 l-5 -4 H4 z M16 9.5 l5 5 M21 9.5 l-5 5",
        Icon::Puzzle => "M5 8 h4 a2.5 2.5 0 1 1 5 0 h5 v5 a2.5 2.5 0 1 0 0 4 v3 H5 v-3 a2.5 2.5 0 1 0 0 -4 z",
        Icon::Book => "M12 6 C9 4 6 4 3 5 v14 c3 -1 6 -1 9 1 c3 -2 6 -2 9 -1 V5 c-3 -1 -6 -1 -9 1 v14",
        Icon::Lens => "M10.5 4 a6.5 6.5 0 1 0 .01 0 M15.5 15.5 L21 21",
        Icon::Share => "M12 15 V3 M8 6.5 L12 3 L16 6.5 M5 12 v8 h14 v-8",
        Icon::Close => "M6 6 L18 18 M18 6 L6 18",
        Icon::Play => "M8 5 L19 12 L8 19 z",
        Icon::Grid => "M4 4 H20 V20 H4 z M4 9.3 H20 M4 14.7 H20 M9.3 4 V20 M14.7 4 V20",
        Icon::Save => "M12 3 V15 M8 11.5 L12 15 L16 11.5 M5 15 v5 h14 v-5",
        Icon::Edit => "M4 20 l1 -5 L16 4 l4 4 L9 19 z M13.5 6.5 l4 4",
        Icon::Bell => "M6 17 h12 c-1.5 -1.5 -2 -3 -2 -6 a4 4 0 0 0 -8 0 c0 3 -.5 4.5 -2 6 M10.5 20 a1.7 1.7 0 0 0 3 0",
        Icon::People => {
            "M8.5 11 a3.2 3.2 0 1 0 -.01 0 M2.5 19.5 c0 -4 2.5 -6 6 -6 s6 2 6 6 M16 10.5 a2.8 2.8 0 1 0 -1.5 -5 M17 13.6 c2.8 .3 4.5 2.3 4.5 5.9"
        }
        Icon::More => "M5 12 h.01 M12 12 h.01 M19 12 h.01",
        Icon::List => "M9 6 H20 M9 12 H20 M9 18 H20 M4.5 6 h.01 M4.5 12 h.01 M4.5 18 h.01",
        Icon::Chat => "M4 5 H20 V16 H11 L6 20 V16 H4 z",
        Icon::Person => "M12 11.5 a4 4 0 1 0 -.01 0 M4.5 20.5 c0 -4.5 3 -6.5 7.5 -6.5 s7.5 2 7.5 6.5",
        Icon::Gear => {
            "M12 8.8 a3.2 3.2 0 1 0 .01 0 M10.6 3 h2.8 l.5 2.6 1.9 .8 2.2 -1.5 2 2 -1.5 2.2 .8 1.9 2.6 .5 v2.8 l-2.6 .5 -.8 1.9 1.5 2.2 -2 2 -2.2 -1.5 -1.9 .8 -.5 2.6 h-2.8 l-.5 -2.6 -1.9 -.8 -2.2 1.5 -2 -2 1.5 -2.2 -.8 -1.9 -2.6 -.5 v-2.8 l2.6 -.5 .8 -1.9 -1.5 -2.2 2 -2 2.2 1.5 1.9 -.8 z"
        }
        Icon::Type => "M4 6 H20 V18 H4 z M8 10 h.01 M12 10 h.01 M16 10 h.01 M8 14 h8",
    };
    format!(
        r##"<svg viewBox="0 0 24 24" class="icon" aria-hidden="true" focusable="false"><path d="{path}" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linecap="round" stroke-linejoin="round"/></svg>"##
    )
}
