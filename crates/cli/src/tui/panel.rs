//! The column beside the board: who plays, what is counted, the stock, and the story so far.

use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};

use rules::Viewer;
use scene::{Counter, CounterKind, Edge, Hand, Spot, Tray};

use super::art::BoardArt;
use super::marks::Frame;
use super::palette::Tint;
use super::picture::{Picture, Places, SeatLine};
use super::text::{fit, put, width, wrap};

/// The room a piece of the stock takes.
pub(crate) const PLACE_WIDTH: u16 = 7;
const PLACE_HEIGHT: u16 = 3;
/// The lines that must be left for seats to be drawn around the board.
const ROOM_AROUND: u16 = 9;

/// Draws the panel and says where what can be touched is.
pub(crate) fn draw(picture: &Picture<'_>, buffer: &mut Buffer, area: Rect) -> Places {
    let mut pen = Pen { picture, buffer, area, y: area.y };
    let title = picture.look.palette.text(Tint::Brass).add_modifier(Modifier::BOLD);
    for line in wrap(picture.title, area.width) {
        pen.line(&line, title);
    }
    pen.gap();
    for seat in picture.seats {
        pen.seat(seat);
    }
    pen.around();
    pen.table_counters();
    let mut places = Vec::new();
    if let Some(tray) = &picture.scene.stock {
        pen.gap();
        places = pen.stock(tray);
    }
    pen.story();
    places
}

struct Pen<'a, 'b> {
    picture: &'a Picture<'a>,
    buffer: &'b mut Buffer,
    area: Rect,
    y: u16,
}

impl Pen<'_, '_> {
    fn left(&self) -> u16 {
        self.area.bottom().saturating_sub(self.y)
    }

    fn line(&mut self, text: &str, style: Style) {
        if self.left() > 0 {
            put(self.buffer, self.area.x, self.y, fit(text, self.area.width), style);
            self.y += 1;
        }
    }

    /// An empty line where there is room for one.
    fn gap(&mut self) {
        self.y += u16::from(self.area.height > 18);
    }

    fn seat(&mut self, line: &SeatLine) {
        let palette = self.picture.look.palette;
        let arrow = if line.to_act { "▶" } else { " " };
        let mut style = if line.to_act { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
        if line.out {
            style = palette.quiet().add_modifier(Modifier::CROSSED_OUT);
        }
        let narrow = self.area.width < 24;
        let clock = line.clock.as_deref().filter(|_| !narrow).unwrap_or("");
        let sign = if line.sign.is_empty() { String::new() } else { format!("{} ", line.sign) };
        let taken = 2 + width(&sign) + width(clock) + u16::from(!clock.is_empty());
        let room = self.area.width.saturating_sub(taken);
        let all: Vec<&str> = line.who.iter().chain(&line.roles).map(String::as_str).collect();
        let full = if all.is_empty() { line.name.clone() } else { format!("{} · {}", line.name, all.join(", ")) };
        let has_room = width(&full) <= room;
        let name = if has_room { full } else { fit(&line.name, room) };
        let y = self.y;
        self.line(&format!("{arrow} {sign}{name}"), style);
        if self.y > y && !clock.is_empty() {
            let x = self.area.right().saturating_sub(width(clock));
            put(self.buffer, x, y, clock, style);
        }
        let counters = self.picture.scene.counters.iter().filter(|counter| counter.seat == Some(line.seat));
        let mut facts: Vec<String> = counters.map(|counter| self.counted(counter)).collect();
        // Who deals and who plays together is told in every window.
        facts.extend(line.roles.iter().filter(|_| !has_room).cloned());
        let hand = self.picture.scene.hands.iter().find(|hand| hand.seat == line.seat);
        facts.extend(hand.into_iter().flat_map(|hand| self.hand_facts(hand)));
        facts.extend(line.clock.clone().filter(|_| narrow));
        let indent = if narrow { "  " } else { "    " };
        for row in packed(&facts, self.area.width.saturating_sub(width(indent))) {
            self.line(&format!("{indent}{row}"), palette.quiet());
        }
    }

    /// Four seats as they sit around the board: numbers and signs, the nearest below.
    fn around(&mut self) {
        let at = |edge: Edge| self.picture.seats.iter().find(|line| line.edge == Some(edge));
        let (Some(near), Some(left), Some(far), Some(right)) =
            (at(Edge::Near), at(Edge::Left), at(Edge::Far), at(Edge::Right))
        else {
            return;
        };
        if self.left() < ROOM_AROUND {
            return;
        }
        let label = |line: &SeatLine| format!("{}{} {}", if line.to_act { "▶" } else { " " }, line.sign, line.seat);
        let middle = 9;
        let alone = |line: &SeatLine| format!("{}{}", " ".repeat(middle - 2), label(line));
        let across = format!("{:<middle$}▦{:>middle$}", label(left), label(right));
        self.gap();
        let quiet = self.picture.look.palette.quiet();
        for line in [alone(far), across, alone(near)] {
            self.line(&line, quiet);
        }
    }

    /// What everybody sees of a hand: backs or open cards, and the discard on top.
    fn hand_facts(&self, hand: &Hand) -> Vec<String> {
        let language = self.picture.look.language;
        let others = self.picture.viewer != Viewer::Seat(hand.seat);
        let hidden = hand.cards.iter().filter(|card| card.card.is_none()).count();
        let open = hand.cards.iter().filter_map(|card| card.card).filter(|_| others);
        let mut facts: Vec<String> = open.map(|card| locale::piece_alone(language, card)).collect();
        facts.extend((hidden > 0).then(|| "▒".repeat(hidden)));
        facts.extend(hand.discards.last().map(|card| format!("↓ {}", locale::piece_alone(language, *card))));
        facts
    }

    fn counted(&self, counter: &Counter) -> String {
        let label = locale::counter(self.picture.look.language, counter.kind);
        match counter.of {
            Some(of) if !matches!(counter.kind, CounterKind::Movements | CounterKind::Chips) => {
                format!("{label} {}/{of}", counter.value)
            }
            _ => format!("{label} {}", counter.value),
        }
    }

    fn table_counters(&mut self) {
        let counters: Vec<Counter> =
            self.picture.scene.counters.iter().filter(|counter| counter.seat.is_none()).copied().collect();
        if counters.is_empty() {
            return;
        }
        self.gap();
        for counter in counters {
            let text = self.counted(&counter);
            let y = self.y;
            self.line(&text, Style::new());
            if counter.kind == CounterKind::Movements && self.y > y {
                self.movements(&counter, self.area.x + width(&text) + 1, y);
            }
        }
    }

    /// Movements left as small stones, bonus ones in brass.
    fn movements(&mut self, counter: &Counter, x: u16, y: u16) {
        let usual = counter.value.min(counter.of.unwrap_or(counter.value));
        let bonus = counter.value - usual;
        let room = usize::from(self.area.right().saturating_sub(x));
        let stones: String = "●".repeat(usual.into()).chars().take(room).collect();
        let more: String = "◆".repeat(bonus.into()).chars().take(room.saturating_sub(usual.into())).collect();
        put(self.buffer, x, y, &stones, Style::new());
        put(self.buffer, x + width(&stones), y, more, self.picture.look.palette.text(Tint::Brass));
    }

    fn stock(&mut self, tray: &Tray) -> Places {
        let look = self.picture.look;
        let columns = u16::from(tray.columns);
        let rows = (tray.places.len() as u16).div_ceil(columns.max(1));
        // A gap between the rows where there is room for it and for a little story.
        let step = if self.left() >= rows * (PLACE_HEIGHT + 1) + 6 { PLACE_HEIGHT + 1 } else { PLACE_HEIGHT };
        let mut places = Vec::new();
        let wood = look.ground(BoardArt::of(self.picture.scene.style));
        let height = (rows * step).min(self.left());
        let tray_area = Rect { y: self.y, width: columns * PLACE_WIDTH, height, ..self.area };
        self.buffer.set_style(tray_area, wood);
        let asked = tray.places.iter().any(|place| self.picture.marks.offers(place.spot));
        for (index, place) in tray.places.iter().enumerate() {
            let (column, row) = (index as u16 % columns, index as u16 / columns);
            let area = Rect {
                x: self.area.x + column * PLACE_WIDTH,
                y: self.y + row * step,
                width: PLACE_WIDTH,
                height: PLACE_HEIGHT,
            };
            if area.bottom() > self.area.bottom() {
                break;
            }
            if place.present {
                // The stock stands back while it is not asked for.
                let style = if asked { wood.add_modifier(Modifier::BOLD) } else { wood };
                look.piece(self.buffer, area, place.piece, style);
            } else {
                let middle = (area.x + PLACE_WIDTH / 2, area.y + PLACE_HEIGHT - 1);
                put(self.buffer, middle.0, middle.1, "·", look.lines(BoardArt::of(self.picture.scene.style)));
            }
            self.stock_frame(area, place.spot);
            places.push((area, place.spot));
        }
        self.held(columns * PLACE_WIDTH + 1);
        self.y += rows * step;
        places
    }

    fn stock_frame(&mut self, area: Rect, spot: Spot) {
        let Some(frame) = self.picture.marks.frame(spot) else { return };
        let (left, right) = frame.brackets();
        let style = self.picture.look.palette.text(Tint::Gleam).add_modifier(Modifier::BOLD);
        let style = if frame == Frame::Cursor { style.add_modifier(Modifier::REVERSED) } else { style };
        for y in area.y + 1..area.bottom() {
            put(self.buffer, area.x, y, left, style);
            put(self.buffer, area.right() - 1, y, right, style);
        }
    }

    /// The piece in hand, beside the stock.
    fn held(&mut self, from: u16) {
        let Some((seat, piece)) = self.picture.scene.held else { return };
        let area = Rect {
            x: self.area.x + from,
            y: self.y,
            width: self.area.width.saturating_sub(from).min(14),
            height: PLACE_HEIGHT,
        };
        if area.width < PLACE_WIDTH || area.bottom() > self.area.bottom() {
            return;
        }
        let look = self.picture.look;
        let palette = look.palette;
        buffer_line(self.buffer, area, 0, self.picture.names.seat(seat), palette.quiet());
        let below = Rect { y: area.y + 1, width: PLACE_WIDTH + 2, ..area };
        let wood = look.ground(BoardArt::of(self.picture.scene.style)).add_modifier(Modifier::BOLD);
        self.buffer.set_style(below, wood);
        look.piece(self.buffer, below, piece, wood);
        if let scene::Piece::Figure(figure) = piece {
            for (row, quality) in figure.qualities().into_iter().enumerate() {
                let text = locale::quality(look.language, quality);
                buffer_line(self.buffer, area, 5 + row as u16, text, Style::new());
            }
        }
    }

    /// As much of the end of the story as there is room for.
    fn story(&mut self) {
        self.gap();
        let room = usize::from(self.left());
        if self.picture.story.is_empty() {
            let lines = wrap(self.picture.about, self.area.width);
            for line in lines.iter().filter(|_| lines.len() <= room) {
                self.line(line, self.picture.look.palette.quiet());
            }
        }
        let mut lines: Vec<(String, bool)> = Vec::new();
        for (age, told) in self.picture.story.iter().enumerate() {
            let wrapped = wrap(told, self.area.width);
            if lines.len() + wrapped.len() > room {
                break;
            }
            lines.splice(0..0, wrapped.into_iter().map(|line| (line, age == 0)));
        }
        for (line, latest) in lines {
            let style = if latest { Style::new() } else { self.picture.look.palette.quiet() };
            self.line(&line, style);
        }
    }
}

fn buffer_line(buffer: &mut Buffer, area: Rect, down: u16, text: &str, style: Style) {
    put(buffer, area.x, area.y + down, fit(text, area.width), style);
}

/// Joins short facts into lines no wider than `most`.
fn packed(facts: &[String], most: u16) -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for fact in facts {
        match lines.last_mut() {
            Some(line) if width(line) + 3 + width(fact) <= most => {
                line.push_str(" · ");
                line.push_str(fact);
            }
            _ => lines.push(fact.clone()),
        }
    }
    lines
}
