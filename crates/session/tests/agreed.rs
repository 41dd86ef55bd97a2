//! What the players agree on before a match is shown in every shell: signs, seats around the board, dealer, conferring.

use std::time::Duration;

use game::{Conferring, Match, MatchSettings};
use locale::Language;
use rules::{Seat, Signs, Turn};
use scene::Edge;
use session::{LocalSession, Pace, words};

const NOW: Duration = Duration::ZERO;

fn settings(game: &str, signs: &str) -> MatchSettings {
    let mut settings = MatchSettings::new(game.parse().expect("a game"));
    settings.choose_signs(Signs::read(settings.game.id(), settings.game.sides(), signs).expect("signs of the game"));
    settings
}

fn session(settings: MatchSettings) -> LocalSession {
    LocalSession::new(Match::new(settings).expect("settings of a match"), Pace::NONE, 1, NOW)
}

#[test]
fn noughts_may_begin_and_texts_still_name_seats() {
    let mut session = session(settings("quixo", "nought cross"));
    let prompt = |session: &LocalSession| {
        let names = words::names(Language::English, session.view().game.settings(), None);
        words::prompt(Language::English, &session.view().prompt(&[]), &names)
    };
    assert_eq!(prompt(&session), "Noughts: take a cube from the edge, blank or with a nought");
    session.act("a3e3", NOW).unwrap();
    assert_eq!(prompt(&session), "Crosses: take a cube from the edge, blank or with a cross");
    let view = session.view();
    let piece = |view: session::SessionView<'_>, length| {
        view.scene_at(length).board.cell("e3".parse().unwrap()).unwrap().piece.unwrap().name()
    };
    assert_eq!(piece(view, 1), "cube-o");
    let session::What::Action(happening) = view.told(0).unwrap().what else { panic!("an action") };
    assert_eq!(happening.motions[0].piece.name(), "cube-o");
    let names = words::names(Language::English, view.game.settings(), None);
    let told = words::told(Language::English, &view.told(0).unwrap(), &names);
    assert_eq!(told, "Noughts: cube with a nought, from a3 to e3.");
    assert_eq!(view.game.position().to_string(), "...../...../....x/...../..... 2", "texts know seats only");
}

#[test]
fn each_player_picks_a_colour_and_the_last_seat_deals() {
    let session = session(settings("sequence(players=3)", "yellow green red"));
    let view = session.view();
    let pieces: Vec<String> = view.scene().seat_pieces.iter().map(|piece| piece.name()).collect();
    assert_eq!(pieces, ["chip-4", "chip-1", "chip-3"]);
    let names = words::names(Language::English, view.game.settings(), None);
    assert_eq!(names.seat(Seat::ONE), "Yellow");
    let dealers: Vec<bool> = view.plates(NOW).iter().map(|plate| plate.is_dealer).collect();
    assert_eq!(dealers, [false, false, true], "the player to the left of the dealer begins");
}

#[test]
fn play_goes_round_clockwise_at_every_table() {
    for (game, signs, action) in
        [("quixo(players=4)", "cross nought", "a3e3:1"), ("sequence(players=4)", "red blue green yellow", "")]
    {
        let mut session = session(settings(game, signs));
        if !action.is_empty() {
            session.act(action, NOW).unwrap();
            assert_eq!(session.view().game.position().turn(), Turn::Seat(Seat::TWO));
        }
        for near in Seat::all(4) {
            let seating = session.view().game.settings().seating(near);
            let place = |seat: Seat| Edge::ALL.iter().position(|edge| *edge == seating.edge(seat)).unwrap();
            for seat in Seat::all(4) {
                let next = Seat::from_index((seat.index() + 1) % 4);
                assert_eq!(place(next), (place(seat) + 1) % 4, "{game}: seat {next} sits to the left of seat {seat}");
            }
        }
    }
    for (seats, around) in [(2, vec![Seat::ONE]), (3, vec![Seat::THREE, Seat::ONE])] {
        let settings = MatchSettings::new(format!("sequence(players={seats})").parse().unwrap());
        assert_eq!(settings.seating(Seat::TWO).others().collect::<Vec<_>>(), around, "the next player comes first");
    }
}

#[test]
fn four_sit_around_the_board_with_partners_opposite() {
    let mut four = settings("quixo(players=4)", "cross nought");
    four.agree_conferring(Conferring::Allowed);
    for seat in [0, 2, 3] {
        four.sitters[seat] = "bot:1".parse().unwrap();
    }
    let session = session(four);
    let view = session.view();
    assert_eq!(view.seating().near, Seat::TWO, "the only person sits below");
    assert_eq!(view.seating().others().collect::<Vec<_>>(), [Seat::THREE, Seat::FOUR, Seat::ONE]);
    let partners: Vec<bool> = view.plates(NOW).iter().map(|plate| plate.is_partner).collect();
    assert_eq!(partners, [false, false, false, true]);
    assert_eq!(view.game.settings().conferring(), Some(Conferring::Allowed));
}
