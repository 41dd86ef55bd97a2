//! What is shown of the match.

use ratatui::Frame;

use rules::{Seat, Square};
use scene::{Highlight, Scene, Spot, narrow};
use session::{Plate, Subject, Told, words};

use super::{GameScreen, Over, Question};
use crate::tui::art;
use crate::tui::marks::Marks;
use crate::tui::overlay::{draw_curtain, draw_question};
use crate::tui::picture::{Notice, Picture, SeatLine};

impl GameScreen {
    /// Draws everything.
    pub(crate) fn draw(&mut self, frame: &mut Frame<'_>) {
        if let (Some(seat), None) = (self.session.view().curtain, &self.lot) {
            self.draw_closed(frame, seat);
        } else {
            self.draw_open(frame);
        }
        let question = match &mut self.over {
            None => return,
            Some(Over::Sheet(sheet)) => {
                sheet.draw(frame, self.look, &format!("Esc {}", self.look.language.menu_back()));
                return;
            }
            Some(Over::Question(question)) => *question,
        };
        draw_question(frame, self.look, &self.asked(question));
    }

    fn asked(&self, question: Question) -> String {
        let language = self.look.language;
        match question {
            Question::Resign => language.resign_question().to_owned(),
            Question::Leave => language.quit_question().to_owned(),
            Question::Reopen => language.reopen_question(self.session.finished_file().unwrap_or_default()),
            Question::Undo | Question::Redo => language.consent_question().to_owned(),
            Question::Offer => {
                let offer = self.session.view().offer;
                offer.map(|offer| words::offer(language, &offer, &self.session.names())).unwrap_or_default()
            }
        }
    }

    fn draw_closed(&self, frame: &mut Frame<'_>, seat: Seat) {
        let language = self.look.language;
        let names = self.session.names();
        let mut lines = vec![language.curtain_pass_to(names.seat(seat)), language.curtain_ready(names.seat(seat))];
        // What everybody may know of the last turn.
        let last = self.session.view().story().rev().find(|told| told.by.is_some());
        lines.extend(last.map(|told| words::told(language, &told, &names)));
        draw_curtain(frame, self.look, &lines);
    }

    fn draw_open(&mut self, frame: &mut Frame<'_>) {
        let view = self.session.view();
        let (viewer, scene) = (view.viewer, view.scene_at(self.shown_length()));
        let marks = self.marks(&scene);
        let names = self.session.names();
        let seats = self.seat_lines(&scene);
        let story = self.story(frame.area().height.into());
        let notice = self.shown_notice(&scene);
        self.rail |= !scene.hands.is_empty() || !scene.buttons.is_empty();
        let game = &self.session.game().settings().game;
        let picture = Picture {
            look: self.look,
            scene: &scene,
            viewer,
            marks: &marks,
            names: &names,
            title: &words::title(self.look.language, game),
            about: locale::game_about(self.look.language, game.id()),
            focus: self.focus(),
            rail: self.rail,
            seats: &seats,
            story: &story,
            prompt: &self.prompt(),
            notice: &notice,
            typed: &self.typed,
            completions: &self.completions(),
            keys: &self.keys(),
        };
        let area = frame.area();
        match picture.draw(frame.buffer_mut(), area) {
            Ok(places) => {
                self.places = places;
                self.follow();
            }
            Err(needed) => {
                self.places.clear();
                let text = self.look.language.terminal_too_small(area.width, area.height, needed.width, needed.height);
                draw_curtain(frame, self.look, &[text]);
            }
        }
    }

    fn prompt(&self) -> String {
        if self.lit_seat().is_some() {
            let language = self.look.language;
            return format!("{}: {}", language.menu_first(), language.first_by_lot());
        }
        match (self.moment_told(), self.replay.is_looking_back()) {
            (Some(told), true) => told,
            (Some(told), false) => format!("{} {told}", self.session.prompt(&[])),
            (None, _) => self.session.prompt(self.picker.touched()),
        }
    }

    /// Where a low window looks: at the cursor, or where something happened last.
    fn focus(&self) -> Option<Square> {
        let pointed = [self.cursor, self.picker.touched().last().copied()];
        let view = self.session.view();
        let last = || {
            view.marks(self.shown_length()).into_iter().find_map(|mark| match mark {
                Highlight::Last(squares) => squares.first().copied(),
                _ => None,
            })
        };
        pointed.into_iter().flatten().find_map(Spot::square).or_else(last)
    }

    /// The last lines of what happened and was said, latest first: no screen has room for more, so no more are written.
    fn story(&self, most: usize) -> Vec<String> {
        let (view, names) = (self.session.view(), self.session.names());
        let shown = self.shown_length();
        let mut told = view.story().rev().filter(|told| told.length <= shown && !told.ended(view.game)).peekable();
        let mut said = self.notices.iter().rev().filter(|(length, _)| *length <= shown).peekable();
        let mut lines = Vec::new();
        while lines.len() < most {
            let later = |told: &Told| said.peek().is_none_or(|(length, _)| *length < told.length);
            match told.next_if(later) {
                Some(told) => lines.push(words::told(self.look.language, &told, &names)),
                None => match said.next() {
                    Some((_, text)) => lines.push(text.clone()),
                    None => break,
                },
            }
        }
        lines
    }

    fn marks(&self, scene: &Scene) -> Marks {
        let mut marks = Marks::default();
        marks.offer(self.picker.next(&self.choices()));
        if let (Some(card @ (Spot::Card(_) | Spot::Piece(_))), []) = (self.cursor, self.picker.touched()) {
            // A card under the finger lights its squares.
            marks.offer(narrow(&self.choices(), &[card]).next);
        }
        marks.pick(self.picker.touched());
        marks.point(self.cursor);
        let view = self.session.view();
        for highlight in view.marks(self.shown_length()).iter().chain(&scene.highlights) {
            marks.highlight(highlight);
        }
        marks
    }

    /// A refusal or a report if there is one, otherwise what lies under the cursor.
    fn shown_notice(&self, scene: &Scene) -> Notice {
        if self.notice != Notice::None {
            return self.notice.clone();
        }
        if let Some(call) = self.session.shout().filter(|_| !self.replay.is_looking_back()) {
            return Notice::Done(large(call));
        }
        let judged = self.judged();
        if judged != Notice::None {
            return judged;
        }
        let language = self.look.language;
        let names = self.session.names();
        let text = match self.cursor {
            Some(Spot::Square(square)) => {
                scene.board.cell(square).map(|cell| locale::message(language, &cell.description(), &names))
            }
            Some(Spot::Stock(figure)) => Some(format!("{figure}: {}", locale::figure(language, figure))),
            Some(spot @ (Spot::Card(_) | Spot::Piece(_))) => {
                let state = scene.hands.iter().flat_map(|hand| &hand.cards).find(|held| held.spot() == Some(spot));
                let about = state.and_then(|held| locale::card_state(language, held.state));
                let name = spot.piece().map(|piece| locale::capitalised(&locale::piece_alone(language, piece)));
                name.map(|name| about.map_or(name.clone(), |about| format!("{name}: {about}")))
            }
            Some(Spot::Button(_)) | None => None,
        };
        text.map_or(Notice::None, Notice::Aside)
    }

    fn seat_lines(&self, scene: &Scene) -> Vec<SeatLine> {
        let (language, names) = (self.look.language, self.session.names());
        let view = self.session.view();
        let (plates, seating) = (view.plates(self.session.now()), view.seating());
        let conferring = view.game.settings().conferring();
        let line = |plate: Plate<'_>| SeatLine {
            seat: plate.seat,
            sign: scene.seat_piece(plate.seat).map_or("", art::sign),
            name: names.seat(plate.seat).to_owned(),
            who: match plate.player {
                _ if plate.subject == Subject::Reader => Some(language.you().to_owned()),
                game::Player::Person => None,
                game::Player::Bot(level) => Some(language.level(level)),
            },
            roles: {
                let partner = plate.is_partner.then(|| match conferring {
                    Some(agreed) => format!("{} ({})", language.web_partner(), words::conferring(language, agreed)),
                    None => language.web_partner().to_owned(),
                });
                let dealer = plate.is_dealer.then(|| language.web_dealer().to_owned());
                partner.into_iter().chain(dealer).collect()
            },
            edge: (seating.seats == 4).then(|| seating.edge(plate.seat)),
            clock: plate.clock.map(|left| words::time(language, left)),
            to_act: self.lit_seat().map_or(plate.to_act, |lit| lit == plate.seat),
            out: plate.is_out,
        };
        plates.into_iter().map(line).collect()
    }

    fn keys(&self) -> Vec<String> {
        let language = self.look.language;
        let mut keys = Vec::new();
        if self.session.game().ending().is_some() {
            keys.push(format!("← → {}", language.keys_step()));
            keys.push(format!("^E {}", language.keys_analyse()));
            keys.push(format!("Enter {}", language.action_rematch()));
            keys.push(format!("Esc {}", language.menu_back()));
        } else {
            keys.push(format!("? {}", language.action_help()));
            keys.push(format!("^L {}", language.keys_moves()));
            keys.push(format!("^T {}", language.action_hint()));
        }
        keys.push(format!("^U {}", language.action_undo()));
        keys.push(format!("^S {}", language.action_save()));
        keys.push(format!("^Q {}", language.action_quit()));
        keys
    }
}

/// A call as large as a line allows.
fn large(call: &str) -> String {
    call.to_uppercase().chars().map(|letter| format!("{letter} ")).collect::<String>().trim_end().to_owned()
}
