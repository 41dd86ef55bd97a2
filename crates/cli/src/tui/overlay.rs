use ratatui::Frame;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;
use ratatui::style::{Modifier, Style};
use ratatui::widgets::{Clear, Widget};

use super::art::Look;
use super::board::draw_box;
use super::palette::Tint;
use super::text::{centre, fit, put, width, wrap};

/// A sheet of text laid over the picture, which can be scrolled.
pub(crate) struct Sheet {
    title: String,
    /// Writes the text for a width.
    write: Box<dyn Fn(u16) -> String>,
    /// The lines for the width that was drawn last.
    lines: (u16, Vec<String>),
    scroll: u16,
    /// How far it can be scrolled, known once it was drawn.
    end: u16,
    page: u16,
}

impl Sheet {
    /// A sheet with this title and text.
    pub(crate) fn new(title: impl Into<String>, text: impl Into<String>) -> Sheet {
        let text = text.into();
        Sheet::fitted(title, move |_| text.clone())
    }

    /// A sheet whose text depends on how wide it is.
    pub(crate) fn fitted(title: impl Into<String>, write: impl Fn(u16) -> String + 'static) -> Sheet {
        Sheet { title: title.into(), write: Box::new(write), lines: (0, Vec::new()), scroll: 0, end: 0, page: 1 }
    }

    /// Scrolls by so many lines.
    pub(crate) fn scroll(&mut self, lines: i32) {
        let to = i32::from(self.scroll) + lines;
        self.scroll = u16::try_from(to.clamp(0, i32::from(self.end))).unwrap_or(0);
    }

    /// The lines of one page.
    pub(crate) fn page(&self) -> i32 {
        i32::from(self.page)
    }

    /// Draws it over the middle of the screen.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>, look: Look, footer: &str) {
        let screen = frame.area();
        let outside = middle(screen, 78.min(screen.width), screen.height.saturating_sub(2).max(3));
        let inside = outside.width.saturating_sub(4);
        if self.lines.0 != inside {
            self.lines = (inside, wrap(&(self.write)(inside), inside));
        }
        let lines = &self.lines.1;
        let wanted = (lines.len() as u16).saturating_add(2);
        let outside = middle(screen, outside.width, wanted.min(outside.height));
        self.page = outside.height.saturating_sub(2).max(1);
        self.end = (lines.len() as u16).saturating_sub(self.page);
        self.scroll = self.scroll.min(self.end);
        paper(frame, outside, &self.title, look);
        let buffer = frame.buffer_mut();
        let shown = lines.iter().skip(usize::from(self.scroll)).take(usize::from(self.page));
        for (line, y) in shown.zip(outside.y + 1..) {
            let head = line.starts_with("## ");
            let style = if head { Style::new().add_modifier(Modifier::BOLD) } else { Style::new() };
            put(buffer, outside.x + 2, y, line.trim_start_matches("## "), style);
        }
        let more = if self.end == 0 {
            footer.to_owned()
        } else {
            format!("{footer} · {}/{}", self.scroll + self.page.min(lines.len() as u16), lines.len())
        };
        label(buffer, outside, &more, look);
    }
}

/// Asks something that is answered by yes or no.
pub(crate) fn draw_question(frame: &mut Frame<'_>, look: Look, question: &str) {
    let language = look.language;
    let answers = format!("Enter {} · Esc {}", language.action_yes(), language.action_no());
    let screen = frame.area();
    let inside = 60.min(screen.width.saturating_sub(4));
    let lines = wrap(question, inside);
    let outside = middle(screen, inside + 4, lines.len() as u16 + 4);
    paper(frame, outside, "", look);
    let buffer = frame.buffer_mut();
    for (line, y) in lines.iter().zip(outside.y + 2..) {
        let style = Style::new().add_modifier(Modifier::BOLD);
        centre(buffer, Rect { y, height: 1, ..outside }, line, style);
    }
    label(buffer, outside, &answers, look);
}

/// Fills the whole screen and says only one thing, in the middle.
pub(crate) fn draw_curtain(frame: &mut Frame<'_>, look: Look, lines: &[String]) {
    let screen = frame.area();
    Clear.render(screen, frame.buffer_mut());
    let buffer = frame.buffer_mut();
    let top = screen.y + screen.height.saturating_sub(lines.len() as u16 * 2) / 2;
    for (index, line) in lines.iter().enumerate() {
        let y = top + index as u16 * 2;
        if y >= screen.bottom() {
            break;
        }
        let style = if index == 0 { Style::new().add_modifier(Modifier::BOLD) } else { look.palette.quiet() };
        for (part, y) in wrap(line, screen.width).iter().zip(y..screen.bottom()) {
            centre(buffer, Rect { y, height: 1, ..screen }, part, style);
        }
    }
}

fn paper(frame: &mut Frame<'_>, outside: Rect, title: &str, look: Look) {
    Clear.render(outside, frame.buffer_mut());
    let style = look.palette.text(Tint::Brass);
    draw_box(frame.buffer_mut(), outside, ["─", "│", "╭", "╮", "╯", "╰"], style);
    if !title.is_empty() {
        let title = fit(&format!(" {title} "), outside.width.saturating_sub(4));
        let style = style.add_modifier(Modifier::BOLD);
        put(frame.buffer_mut(), outside.x + 2, outside.y, title, style);
    }
}

fn label(buffer: &mut Buffer, outside: Rect, text: &str, look: Look) {
    let text = fit(&format!(" {text} "), outside.width.saturating_sub(4));
    let x = outside.right().saturating_sub(width(&text) + 2);
    put(buffer, x, outside.bottom() - 1, text, look.palette.quiet());
}

fn middle(screen: Rect, width: u16, height: u16) -> Rect {
    let (width, height) = (width.min(screen.width), height.min(screen.height));
    Rect { x: screen.x + (screen.width - width) / 2, y: screen.y + (screen.height - height) / 2, width, height }
}
