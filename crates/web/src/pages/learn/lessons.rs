//! What can be tried on a rules page: positions with something to do, and when it is done.

use game::{AnyPosition, Event, GameId, Match};
use locale::Language;
use rules::{Outcome, Reason, Seat, Viewer};
use scene::CounterKind;

/// What counts as done.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Goal {
    /// An action is played whose text contains this.
    Plays(&'static str),
    /// The own side wins.
    Win,
    /// The other side wins, as it was to be seen.
    Lose,
    /// Nobody wins.
    Draw,
    /// The turn is over.
    Turn,
    /// A stone is captured.
    Capture,
    /// The rules say no, for this reason.
    Refused(Reason),
    /// The first action is one of these, separated by blanks.
    Answer(&'static str),
}

/// How far one has come.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Progress {
    /// There is still something to try.
    Open,
    /// It is done.
    Done,
    /// Something else was done.
    Missed,
}

impl Goal {
    /// Looks at what was played so far. A refusal leaves no trace in a match, so `refused` is handed in.
    pub fn progress(self, game: &Match, seat: Seat, refused: Option<Reason>) -> Progress {
        let mut played = game.log().iter().filter_map(|entry| match &entry.event {
            Event::Action(action) => Some(&**action),
            _ => None,
        });
        let outcome = game.ending().and_then(|ending| ending.outcome);
        let mine = Outcome::Win(game.position().side(seat));
        let over = game.ending().is_some() || game.to_act().is_some_and(|actor| actor != seat);
        let (done, missed) = match self {
            Goal::Plays(part) => (played.any(|action| action.contains(part)), over),
            // One action is enough for each of these.
            Goal::Win => (outcome == Some(mine), played.next().is_some()),
            Goal::Lose => (outcome.is_some_and(|outcome| outcome != mine), played.next().is_some()),
            Goal::Draw => (outcome == Some(Outcome::Draw), played.next().is_some()),
            Goal::Turn => (over, false),
            Goal::Capture => (points(game.position(), seat) > starting_points(game, seat), over),
            Goal::Refused(reason) => (refused == Some(reason), played.next().is_some()),
            Goal::Answer(answers) => match played.next() {
                Some(first) => (answers.split(' ').any(|answer| answer == first), true),
                None => (false, false),
            },
        };
        match (done, missed) {
            (true, _) => Progress::Done,
            (false, true) => Progress::Missed,
            (false, false) => Progress::Open,
        }
    }
}

fn points(position: &dyn AnyPosition, seat: Seat) -> u16 {
    let counters = position.scene(Viewer::Seat(seat)).counters;
    let own = counters.iter().find(|counter| counter.kind == CounterKind::Points && counter.seat == Some(seat));
    own.map_or(0, |counter| counter.value)
}

fn starting_points(game: &Match, seat: Seat) -> u16 {
    game.settings().start_position().map_or(0, |start| points(start.as_ref(), seat))
}

/// Something to try beside a part of the rules.
#[derive(Clone, Copy)]
pub struct Lesson {
    /// The part of the rules page, by its id.
    pub section: &'static str,
    /// The game with its options.
    pub game: &'static str,
    /// The position's text.
    pub position: &'static str,
    /// What counts as done.
    pub goal: Goal,
    /// What to try.
    pub task: fn(Language) -> &'static str,
}

/// What there is to try of a game, in the order of the rules page.
pub fn lessons(game: GameId) -> Vec<Lesson> {
    let name = |lesson: &&Lesson| lesson.game.split('(').next() == Some(game.name());
    LESSONS.iter().filter(name).copied().collect()
}

const fn lesson(
    section: &'static str,
    game: &'static str,
    position: &'static str,
    goal: Goal,
    task: fn(Language) -> &'static str,
) -> Lesson {
    Lesson { section, game, position, goal, task }
}

const NINE: &str = "four(size=9)";

#[rustfmt::skip]
const LESSONS: &[Lesson] = &[
    lesson("setup", "quarto", "..../..../..../.... - 1 -", Goal::Plays(""), Language::quarto_try_setup),
    lesson("aim", "quarto", "..../..../..../cd8. e 1 c1", Goal::Win, Language::quarto_try_across),
    lesson("aim", "quarto", "..../3.../7.../b... f 1 a2", Goal::Win, Language::quarto_try_up),
    lesson("aim", "quarto", "6.../..8./.5../0..3 d 1 a1", Goal::Win, Language::quarto_try_diagonal),
    lesson("turn", "quarto", "..../..../.6../.... 9 1 b2", Goal::Turn, Language::quarto_try_turn),
    lesson("turn", "quarto", "..../..../.6../.... 9 1 b2", Goal::Refused(Reason::SquareTaken), Language::quarto_try_taken),
    lesson("winning", "quarto", "..6./13.9/...4/c.e. b 1 a1", Goal::Win, Language::quarto_try_winning),
    lesson("end", "quarto", "4bad/c360/1fe5/289. 7 1 c1", Goal::Draw, Language::quarto_try_end),
    lesson("calls", "quarto(call=lapse)", "..../..../..../cd8e - 1 d1", Goal::Win, Language::quarto_try_call),
    lesson("calls", "quarto(call=lapse)", "..../..../.1../cd8e 5 1 d1", Goal::Win, Language::quarto_try_overlooked),
    lesson("calls", "quarto(call=lapse)", "..../..../.6../.... 9 1 b2", Goal::Refused(Reason::NoRowToCall), Language::quarto_try_false_call),
    lesson("beginners", "quarto(attributes=colour)", "89a./.0../..../45c. f 1 b3", Goal::Win, Language::quarto_try_beginners),
    lesson("experienced", "quarto(squares=yes)", "..../.9../.17./.... b 1 b3", Goal::Win, Language::quarto_try_experienced),

    lesson("setup", "quixo", "...../...../...../...../..... 1", Goal::Refused(Reason::NotOnBorder), Language::quixo_try_setup),
    lesson("aim", "quixo", "..o../o..../xxxx./....o/..o.. 1", Goal::Win, Language::quixo_try_across),
    lesson("aim", "quixo", "...../...x./o.x../.x..o/x..o. 1", Goal::Win, Language::quixo_try_diagonal),
    lesson("turn", "quixo", "...../...../....o/...../..x.. 1", Goal::Turn, Language::quixo_try_turn),
    lesson("turn", "quixo", "...../...../....o/...../..x.. 1", Goal::Refused(Reason::OpponentsCube), Language::quixo_try_opponents),
    lesson("end", "quixo", "oxxxx/.oooo/...../..x../..... 1", Goal::Lose, Language::quixo_try_end),
    lesson("four_players", "quixo(players=4)", "...../...../...../...../..... 1 0", Goal::Turn, Language::quixo_try_dot),
    lesson("four_players", "quixo(players=4)", "X...O/...../...../...../x...o 1 0", Goal::Refused(Reason::PartnersCube), Language::quixo_try_partner),
    lesson("four_players", "quixo(players=4)", "XoXoX/o...o/X...X/o...X/oXoXo 1 0", Goal::Plays("pass"), Language::quixo_try_pass),

    lesson("aim", "sequence", "*.....*/2....../......2/..111../.2...../*.....* 1 cow+dog+whale|fox+frog+penguin hippo+lion+owl|tiger+camel+cat 0 0", Goal::Win, Language::sequence_try_across),
    lesson("aim", "sequence", "*.....*/22...../....1.2/...1.../..1..../*.....* 1 camel+cow+whale|fox+frog+turtle penguin+lion+hippo|tiger+cat+dog 0 0", Goal::Win, Language::sequence_try_diagonal),
    lesson("turn", "sequence", "*.....*/...2.../......./......./..1..../*.....* 1 cat+cow+lion|dog+fox+owl penguin|bear 0 0", Goal::Turn, Language::sequence_try_turn),
    lesson("turn", "sequence", "*.....*/...2.../......./......./..1..../*.....* 1 cat+cow+lion|dog+fox+owl penguin|bear 0 0", Goal::Refused(Reason::WrongPicture), Language::sequence_try_picture),
    lesson("unicorn", "sequence", "*.....*/22...../...1..2/...1.../...1.../*.....* 1 gorilla+unicorn+whale|fox+frog+turtle bear+lion+penguin|tiger+cat+dog 0 0", Goal::Win, Language::sequence_try_unicorn),
    lesson("dragon", "sequence", "*.....*/1....../..222../......./.1....1/*.....* 1 cow+dragon+whale|cat+fox+turtle tiger+camel+crocodile|owl+penguin+hippo 0 0", Goal::Plays("dragon@"), Language::sequence_try_dragon),
    lesson("corners", "sequence", "*.....*/22...../......./......./......./*11...* 1 cow+lion+whale|cat+frog+turtle fox+giraffe|tiger+dog 0 0", Goal::Win, Language::sequence_try_corner),
    lesson("corners", "sequence", "*.....*/...2.../......./......./..1..../*.....* 1 cow+lion+unicorn|dog+fox+owl penguin|bear 0 0", Goal::Refused(Reason::CornerSquare), Language::sequence_try_corner_taken),
    lesson("dead_cards", "sequence", "*.....*/......./......2/......./1....../*.....* 1 cat+cow+lion|dog+fox+owl cat|unicorn 0 0", Goal::Plays("swap:"), Language::sequence_try_dead),

    lesson("aim", NINE, "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 4 9,0 20,11 0 0 - -", Goal::Win, Language::four_try_aim),
    lesson("capture", NINE, "9/7o1/9/9/3xox3/4x4/9/1o7/9 1 opening 0,0 27,27 0 0 - -", Goal::Capture, Language::four_try_orthogonal),
    lesson("capture", NINE, "9/1o7/2x6/9/4o4/9/2x3x2/7o1/9 1 opening 0,0 27,27 0 0 - -", Goal::Capture, Language::four_try_diagonal),
    lesson("edge", NINE, "9/4o4/6x2/9/9/9/x8/9/o8 1 opening 0,0 28,28 0 0 - -", Goal::Capture, Language::four_try_corner),
    lesson("edge", NINE, "9/1x7/7o1/9/9/9/2x6/9/4o4 1 opening 0,0 28,28 0 0 - -", Goal::Capture, Language::four_try_side_diagonal),
    lesson("edge", NINE, "9/9/7o1/9/9/9/9/9/2x1o1x2 1 opening 0,0 28,28 0 0 - -", Goal::Capture, Language::four_try_side_orthogonal),
    lesson("opening", NINE, "9/1o5o1/9/3x1x3/2xo1ox2/3x1x3/9/1o5o1/9 1 opening 0,0 24,24 0 0 - -", Goal::Capture, Language::four_try_opening),
    lesson("main", NINE, "x7x/1o1o1o1o1/9/3x1x3/2xo1ox2/3x1x3/9/1o1o1o1o1/x7x 1 4 0,0 20,20 0 0 - -", Goal::Capture, Language::four_try_main),
    lesson("main", NINE, "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5x1 1 4 0,1 20,20 0 0 - -", Goal::Refused(Reason::MustPlace), Language::four_try_must_place),
    lesson("movement", NINE, "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 4 0,0 20,20 0 0 - -", Goal::Plays("-"), Language::four_try_move),
    lesson("movement", NINE, "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 3 0,0 20,20 0 0 moved -", Goal::Refused(Reason::NotStraight), Language::four_try_not_straight),
    lesson("bonus", NINE, "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 3 0,0 20,20 0 0 moved -", Goal::Capture, Language::four_try_bonus),
];

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use game::{Game, MatchSettings, Refused};
    use rules::Turn;

    use super::*;

    fn sit_down(lesson: &Lesson) -> Match {
        let mut setup = MatchSettings::new(lesson.game.parse::<Game>().unwrap());
        setup.start = Some(lesson.position.to_owned());
        Match::new(setup).unwrap_or_else(|bad| panic!("{}: {bad}", lesson.position))
    }

    /// Every touch of one or two spots, and whether the rules answer it with this reason.
    fn can_be_refused(game: &Match, seat: Seat, reason: Reason) -> bool {
        let position = game.position();
        let scene = position.scene(Viewer::Seat(seat));
        let mut spots: Vec<scene::Spot> = scene.board.cells.iter().map(|cell| cell.square.into()).collect();
        spots.extend(scene.buttons.iter().map(|&button| scene::Spot::from(button)));
        let cards = scene.hands.iter().flat_map(|hand| hand.cards.iter().filter_map(|card| card.card));
        spots.extend(cards.map(scene::Spot::Card));
        let choices = position.choices();
        let refused = |touches: &[scene::Spot]| {
            let mut picker = scene::Picker::new();
            touches.iter().any(|&spot| match picker.touch(&choices, spot) {
                scene::Touched::Nowhere(tried) => {
                    let meant = position.meant(Viewer::Seat(seat), &tried);
                    let answer = meant.and_then(|action| position.boxed().play(&action).err());
                    matches!(answer, Some(Refused::Illegal { reason: other, .. }) if other == reason)
                }
                _ => false,
            })
        };
        spots.iter().any(|&first| refused(&[first]) || spots.iter().any(|&second| refused(&[first, second])))
    }

    /// Looks for actions of one turn that reach the goal.
    fn can_be_done(game: &Match, goal: Goal, seat: Seat, depth: u32) -> bool {
        if goal.progress(game, seat, None) == Progress::Done {
            return true;
        }
        depth > 0
            && game.legal().iter().any(|action| {
                let mut next = game.clone();
                next.play(action, Duration::ZERO).is_ok() && can_be_done(&next, goal, seat, depth - 1)
            })
    }

    #[test]
    fn every_lesson_stands_beside_a_part_of_the_rules_and_can_be_done() {
        for id in GameId::ALL {
            let page = locale::rules_page(Language::English, id);
            assert!(!lessons(id).is_empty(), "{id}");
            for lesson in &lessons(id) {
                let name = format!("{id} {}: {}", lesson.section, lesson.position);
                assert!(page.iter().any(|section| section.id == lesson.section), "{name}");
                let game = sit_down(lesson);
                assert_eq!(game.settings().game.id(), id);
                let Turn::Seat(seat) = game.position().turn() else { panic!("{name}: nobody is to act") };
                assert_eq!(lesson.goal.progress(&game, seat, None), Progress::Open, "{name}");
                match lesson.goal {
                    Goal::Refused(reason) => assert!(can_be_refused(&game, seat, reason), "{name}"),
                    goal => assert!(can_be_done(&game, goal, seat, 2), "{name}"),
                }
            }
        }
    }

    #[test]
    fn something_else_is_missed() {
        let win = &lessons("quixo".parse().unwrap())[1];
        let mut game = sit_down(win);
        game.play("a1a5", Duration::ZERO).unwrap();
        assert_eq!(win.goal.progress(&game, Seat::ONE, None), Progress::Missed);
        assert_eq!(Goal::Answer("a1e1 a1a5").progress(&game, Seat::ONE, None), Progress::Done);
        assert_eq!(Goal::Answer("a1e1").progress(&game, Seat::ONE, None), Progress::Missed);
    }
}
