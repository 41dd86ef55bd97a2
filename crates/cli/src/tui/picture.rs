//! The picture of a game in progress: board, panel, rail of cards and buttons, and the lines below.

use ratatui::buffer::Buffer;
use ratatui::layout::{Position, Rect};
use ratatui::style::{Modifier, Style};

use locale::Names;
use rules::{Seat, Square, Viewer};
use scene::{CardState, Edge, Scene, Spot};

use super::art::Look;
use super::board::Plan;
use super::marks::{Frame, Marks};
use super::palette::Tint;
use super::panel;
use super::text::{fit, put, shortened, width, wrap};

/// Everything the picture shows.
pub(crate) struct Picture<'a> {
    pub(crate) look: Look,
    pub(crate) scene: &'a Scene,
    pub(crate) viewer: Viewer,
    pub(crate) marks: &'a Marks,
    pub(crate) names: &'a Names,
    /// The game and its options.
    pub(crate) title: &'a str,
    pub(crate) seats: &'a [SeatLine],
    /// What the game is about, shown until something has happened.
    pub(crate) about: &'a str,
    /// What happened, latest first.
    pub(crate) story: &'a [String],
    /// What to do, or how it ended.
    pub(crate) prompt: &'a str,
    /// A line about something else: a refusal, what is under the cursor.
    pub(crate) notice: &'a Notice,
    /// What is being typed, and what it could become.
    pub(crate) typed: &'a str,
    pub(crate) completions: &'a [String],
    /// The keys that matter now.
    pub(crate) keys: &'a [String],
    /// What a window that is too low for the whole board shows for certain.
    pub(crate) focus: Option<Square>,
    /// Whether a line is kept for cards and buttons, even while there are none.
    pub(crate) rail: bool,
}

/// A seat in the panel.
pub(crate) struct SeatLine {
    pub(crate) seat: Seat,
    pub(crate) sign: &'static str,
    pub(crate) name: String,
    /// Who that is, where there is room to say it.
    pub(crate) who: Option<String>,
    /// What the seat is besides: a partner, the dealer.
    pub(crate) roles: Vec<String>,
    pub(crate) clock: Option<String>,
    pub(crate) to_act: bool,
    pub(crate) out: bool,
    /// Where the seat is around the board, at a table for four.
    pub(crate) edge: Option<Edge>,
}

/// A line about something, and how it is meant.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub(crate) enum Notice {
    /// Nothing to say.
    #[default]
    None,
    /// Something by the way.
    Aside(String),
    /// Something that was done.
    Done(String),
    /// Something that cannot be done, and why.
    Refusal(String),
}

/// The terminal has less room than the smallest picture needs.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct TooSmall {
    pub(crate) width: u16,
    pub(crate) height: u16,
}

/// What the user can point at, and where it is.
pub(crate) type Places = Vec<(Rect, Spot)>;

/// Lines below the board: notice, prompt, input.
const BELOW: u16 = 3;

/// In a lower window the notice stands in the place of the prompt.
const LOW: u16 = 22;

/// The narrowest panels, roomy, fair and tight.
const PANELS: [u16; 3] = [34, 24, 14];

impl Picture<'_> {
    /// Draws everything and says where each spot is.
    pub(crate) fn draw(&self, buffer: &mut Buffer, area: Rect) -> Result<Places, TooSmall> {
        let plan = self.plan(area)?;
        let (below, low) = (self.below(area), area.height < LOW);
        let (board_width, board_height) = plan.size();
        let corner = Position::new(area.x, area.y);
        let mut places = plan.draw(buffer, corner, &self.scene.board, self.marks, self.look);
        // Above the prompt there is the line of notices, or in a low window an empty rail or what board and panel leave.
        let free_rail = self.rail && !self.has_rail();
        let spare = match low {
            false => *self.notice == Notice::None,
            true => free_rail || board_height + below < area.height,
        };
        let prompt = wrap(self.prompt, area.width);
        let is_long = spare && prompt.len() == 2;
        let lifted = u16::from(low && is_long && !free_rail);
        let panel = Rect {
            x: area.x + board_width + 2,
            y: area.y,
            width: area.width - board_width - 2,
            height: area.height - below - lifted,
        };
        places.extend(panel::draw(self, buffer, panel));
        let line = |from_bottom: u16| Rect { y: area.bottom() - from_bottom, height: 1, ..area };
        let mut beside = line(below);
        if self.rail {
            let rail = self.rail(buffer, line(below + lifted));
            let end = rail.iter().map(|(place, _)| place.right() + 2).max().unwrap_or(area.x);
            (beside.x, beside.width) = (end, area.right().saturating_sub(end));
            places.extend(rail);
        }
        let bold = Style::new().add_modifier(Modifier::BOLD);
        let is_cut = low && *self.notice == Notice::None && prompt.len() > 1;
        match (&prompt[..], self.begun_beside(beside.width, area.width)) {
            ([first, second], _) if is_long => {
                put(buffer, area.x, line(3).y, first, bold);
                put(buffer, area.x, line(2).y, second, bold);
            }
            (_, Some((first, second))) if is_cut => {
                put(buffer, beside.x, beside.y, first, bold);
                put(buffer, area.x, line(2).y, second, bold);
            }
            _ => put(buffer, area.x, line(2).y, shortened(self.prompt, area.width), bold),
        }
        self.draw_notice(buffer, line(if low { 2 } else { 3 }), if low { 1 } else { 2 });
        self.draw_input(buffer, line(1));
        Ok(places)
    }

    /// Whether there is a card or a button to show.
    fn has_rail(&self) -> bool {
        let own = |seat: Seat| self.viewer == Viewer::Seat(seat);
        !self.scene.buttons.is_empty() || self.scene.hands.iter().any(|hand| own(hand.seat) && !hand.cards.is_empty())
    }

    /// The prompt in two parts: the first as long as fits beside the rail, the second in a line of its own.
    fn begun_beside(&self, room: u16, most: u16) -> Option<(&str, &str)> {
        let first = wrap(self.prompt, room).into_iter().next()?;
        let (first, second) = self.prompt.split_at_checked(first.len()).filter(|(begin, _)| *begin == first)?;
        Some((first, second.trim_start())).filter(|(_, second)| width(second) <= most)
    }

    fn below(&self, area: Rect) -> u16 {
        BELOW + u16::from(self.rail) - u16::from(area.height < LOW)
    }

    fn plan(&self, area: Rect) -> Result<Plan, TooSmall> {
        self.roomiest(area).ok_or_else(|| self.least())
    }

    /// The roomiest board that leaves the panel enough.
    fn roomiest(&self, area: Rect) -> Option<Plan> {
        let (mut plans, compact) = (Plan::all(self.scene), Plan::compact(self.scene));
        let fits = |plan: &&Plan, panel: u16| {
            let (width, height) = plan.size();
            width + 2 + panel.max(self.stock_width()) <= area.width && height + self.below(area) <= area.height
        };
        let best =
            |plans: &[Plan]| PANELS.iter().find_map(|&panel| plans.iter().find(|plan| fits(plan, panel)).copied());
        let found = best(&plans).or_else(|| best(&compact));
        plans.extend(compact);
        let low = || {
            let most = area.height.saturating_sub(self.below(area));
            let cut: Vec<Plan> = plans.iter().filter_map(|plan| plan.cut_to(most, self.focus)).collect();
            cut.into_iter().find(|plan| fits(&plan, PANELS[2]))
        };
        found.or_else(low)
    }

    /// The lowest of the narrowest windows that have room for a board.
    fn least(&self) -> TooSmall {
        let plans: Vec<Plan> = Plan::all(self.scene).into_iter().chain(Plan::compact(self.scene)).collect();
        let sizes = || plans.iter().map(Plan::size);
        let width = sizes().map(|(width, _)| width).min().unwrap_or(0) + 2 + PANELS[2].max(self.stock_width());
        let most = sizes().map(|(_, height)| height).max().unwrap_or(0) + BELOW + 1;
        let height = (1..most).find(|&height| self.roomiest(Rect::new(0, 0, width, height)).is_some());
        TooSmall { width, height: height.unwrap_or(most) }
    }

    /// What the tray of pieces needs beside the board.
    fn stock_width(&self) -> u16 {
        self.scene.stock.as_ref().map_or(0, |tray| u16::from(tray.columns) * panel::PLACE_WIDTH)
    }

    /// The viewer's cards and the buttons, in one line.
    fn rail(&self, buffer: &mut Buffer, area: Rect) -> Places {
        let mut places = Vec::new();
        let mut x = area.x;
        let own = |seat: Seat| self.viewer == Viewer::Seat(seat);
        let cards = self.scene.hands.iter().filter(|hand| own(hand.seat)).flat_map(|hand| &hand.cards);
        for card in cards {
            let (Some(known), Some(spot)) = (card.card, card.spot()) else { continue };
            let name = locale::piece_alone(self.look.language, known);
            let label = match card.state {
                CardState::Usable => name,
                CardState::Dead => format!("{name} ✗"),
                CardState::Waiting => format!("{name} …"),
            };
            x = self.key_cap(buffer, area, x, &label, spot, Tint::Paper, &mut places);
        }
        if !places.is_empty() {
            x += 2;
        }
        for &button in &self.scene.buttons {
            let label = locale::button(self.look.language, button, self.names);
            let tint = if Spot::Button(button).is_quiet() { Tint::Brass } else { Tint::Cube };
            x = self.key_cap(buffer, area, x, &label, Spot::Button(button), tint, &mut places);
        }
        places
    }

    /// A card or button; its brackets say whether it may be touched, is touched, or has the cursor.
    #[allow(clippy::too_many_arguments)]
    fn key_cap(
        &self,
        buffer: &mut Buffer,
        area: Rect,
        x: u16,
        label: &str,
        spot: Spot,
        ground: Tint,
        places: &mut Places,
    ) -> u16 {
        let offered = self.marks.offers(spot);
        let frame = self.marks.frame(spot);
        let (left, right) = match frame {
            Some(frame) => frame.brackets(),
            None if offered => ("‹", "›"),
            None => (" ", " "),
        };
        let mut style = self.look.palette.on(Tint::Ink, if offered || spot.is_quiet() { ground } else { Tint::Quiet });
        if frame.is_some() {
            style = style.add_modifier(Modifier::BOLD | Modifier::UNDERLINED);
        }
        if frame == Some(Frame::Cursor) && !self.look.palette.has_colours() {
            style = style.add_modifier(Modifier::REVERSED);
        }
        let text = fit(&format!("{left} {label} {right}"), area.right().saturating_sub(x));
        if text.is_empty() {
            return x;
        }
        put(buffer, x, area.y, &text, style);
        places.push((Rect { x, y: area.y, width: width(&text), height: 1 }, spot));
        x + width(&text) + 1
    }

    /// A notice may be longer than a line; then it stands over the prompt as well until the next key.
    fn draw_notice(&self, buffer: &mut Buffer, area: Rect, most: u16) {
        let palette = self.look.palette;
        let (text, style) = match self.notice {
            Notice::None => return,
            Notice::Aside(text) => (text, palette.quiet()),
            Notice::Done(text) => (text, palette.text(Tint::Green)),
            Notice::Refusal(text) => (text, palette.text(Tint::Red).add_modifier(Modifier::BOLD)),
        };
        for (line, y) in wrap(text, area.width).into_iter().zip(area.y..area.y + most) {
            buffer.set_style(Rect { y, ..area }, Style::reset());
            put(buffer, area.x, y, format!("{line:<0$}", usize::from(area.width)), style);
        }
    }

    fn draw_input(&self, buffer: &mut Buffer, area: Rect) {
        if self.typed.is_empty() {
            put(buffer, area.x, area.y, one_line(self.keys, area.width), self.look.palette.quiet());
            return;
        }
        let typed = format!("› {}", self.typed);
        put(buffer, area.x, area.y, fit(&typed, area.width), Style::new().add_modifier(Modifier::BOLD));
        let x = (area.x + width(&typed)).min(area.right() - 1);
        put(buffer, x, area.y, " ", Style::new().add_modifier(Modifier::REVERSED));
        let rest = area.right().saturating_sub(x + 3);
        put(buffer, x + 3, area.y, fit(&self.completions.join("  "), rest), self.look.palette.quiet());
    }
}

/// Hints in one line; where there is no room for all, those before the last, which leads out, are left out.
fn one_line(hints: &[String], most: u16) -> String {
    let mut hints = hints.to_vec();
    while hints.len() > 2 && width(&hints.join("  ")) > most {
        hints.remove(hints.len() - 2);
    }
    fit(&hints.join("  "), most)
}
