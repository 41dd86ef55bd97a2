//! What every shell says about a match, in English: each sentence belongs to what it is said about.
#![allow(clippy::unwrap_used, reason = "a test may")]

use std::time::Duration;

use game::{Conferring, Departure, Event, Match, MatchError, MatchSettings, Player};
use locale::Language::English;
use rules::Seat;
use search::{Level, Mistake, Score, Value};
use session::words::{
    clock, conferring, first_player, hint, level, lot, mistake, names, offer, percent, player, prompt, refusal, time,
    title, told, value,
};
use session::{FirstPlayer, LocalSession, OfferKind, OpenOffer, Pace, Standing, Told, What};

const NOW: Duration = Duration::ZERO;

/// Olena plays crosses against a person without a name.
fn settings() -> MatchSettings {
    let mut settings = MatchSettings::new("quixo".parse().unwrap());
    settings.sitters[0] = "person Olena".parse().unwrap();
    settings
}

#[test]
fn an_offer_is_told_apart_by_its_kind_and_by_who_made_it() {
    let names = names(English, &settings(), Some(Seat::ONE));
    let said = |kind, standing| offer(English, &OpenOffer { kind, by: Seat::TWO, standing }, &names);
    for standing in [Standing::Asked(Seat::ONE), Standing::Watching] {
        assert_eq!(said(OfferKind::Draw, standing), "Noughts offer a draw. Accept?");
        assert_eq!(said(OfferKind::Takeback, standing), "Noughts would like to take a move back.");
        assert_eq!(said(OfferKind::Rematch, standing), "Noughts would like to play again.");
    }
    assert!(said(OfferKind::Draw, Standing::Agreed).starts_with("You have offered a draw."));
    assert!(said(OfferKind::Takeback, Standing::Agreed).starts_with("You have asked to take a move back."));
    assert!(said(OfferKind::Rematch, Standing::Agreed).starts_with("You have asked for another game."));
}

#[test]
fn each_refusal_says_what_is_wrong_with_what() {
    let names = names(English, &settings(), Some(Seat::ONE));
    let mut game = Match::new(settings()).unwrap();
    let unreadable = game.play("what", NOW).unwrap_err();
    let illegal = game.play("c3e3", NOW).unwrap_err();
    game.resign(Seat::ONE, NOW).unwrap();
    let over = game.play("a1e1", NOW).unwrap_err();
    let waits_for = |to_act| MatchError::NotYourTurn { seat: Seat::ONE, to_act };
    for (error, sentence) in [
        (unreadable, "“what” is not a move of this game. Write it like a1e1."),
        (illegal, "Only cubes on the edge can be taken."),
        (over, "This game is over."),
        (waits_for(Some(Seat::TWO)), "One moment: Noughts to move."),
        (waits_for(None), "One moment: a card is being drawn."),
        (MatchError::NothingToDraw, "One moment: a card is being drawn."),
        (MatchError::NoSuchSeat(Seat::THREE), "There is no seat 3"),
        (MatchError::NothingToUndo, "There is nothing to take back yet."),
        (MatchError::NothingToRedo, "There is nothing to play again."),
        (MatchError::NeedsConsent, "A card was seen,"),
        (MatchError::NothingProposed, "There is no offer"),
        (MatchError::AnotherProposal, "Another offer is still open."),
    ] {
        let said = refusal(English, &error, &names, Some("a1e1"));
        assert!(said.starts_with(sentence), "{said}");
    }
}

#[test]
fn advice_and_values_say_how_sure_they_are() {
    for (worth, advice, alone) in [
        (Value::Win(Some(3)), "a1e1 wins, in 3 actions.", "wins in 3 actions"),
        (Value::Win(None), "a1e1 wins, in an unknown number of moves.", "wins"),
        (Value::Draw, "a1e1 holds the draw.", "draw"),
        (Value::Loss(None), "It is lost against best play; a1e1 resists longest.", "loses"),
        (Value::Loss(Some(2)), "It is lost against best play; a1e1 resists longest.", "loses in 2 actions"),
        (Value::Estimate(Score::EVEN), "Try a1e1.", "about 50 %, estimate"),
    ] {
        assert_eq!(hint(English, "a1e1", worth), advice);
        assert_eq!(value(English, worth), alone);
    }
    assert_eq!([0.0, 0.004, 0.006, 0.666, 1.0].map(percent), [0, 0, 1, 67, 100]);
    assert_eq!(mistake(English, Mistake::WinToDraw), "gave away a win for a draw");
    assert_eq!(mistake(English, Mistake::Doubtful), "looks like a mistake");
}

#[test]
fn a_game_is_named_with_what_was_chosen_in_it() {
    let named = |game: &str| title(English, &game.parse().unwrap());
    assert_eq!(named("quixo"), "Quixo");
    assert_eq!(named("quixo(players=4)"), "Quixo · 4 players");
    assert_eq!(named("four(size=9,lead=3)"), "Four · 9×9 · Head start of the second: 3 points");
    assert_eq!(named("quarto(attributes=colour)"), "Quarto · Attributes: colour");
}

#[test]
fn players_and_their_agreements_have_names() {
    assert_eq!(level(English, Level::LOWEST), "Chick");
    assert_eq!(player(English, Player::Person), "person");
    assert_eq!(player(English, Player::Bot(Level::LOWEST)), "Level 1 · Chick");
    assert_eq!(conferring(English, Conferring::Allowed), "may confer");
    assert_eq!(conferring(English, Conferring::Forbidden), "may not confer");
    let firsts = FirstPlayer::ALL.map(|first| first_player(English, first));
    assert_eq!(firsts, ["the first player", "drawn by lot", "the loser of the last game"]);
    let drawn = |reader| lot(English, &names(English, &settings(), Some(reader)));
    assert_eq!(drawn(Seat::ONE), "The lot falls to you: you begin.");
    assert_eq!(drawn(Seat::TWO), "The lot is drawn: Olena begins.");
}

/// One bot is the computer; several are told apart by what they play with.
#[test]
fn only_a_single_bot_is_called_the_computer() {
    let mut settings = MatchSettings::new("quixo(players=4)".parse().unwrap());
    settings.sitters[1] = "bot:1".parse().unwrap();
    let computer = |settings: &MatchSettings| names(English, settings, None).seat(Seat::TWO).to_owned();
    assert_eq!(computer(&settings), "Computer");
    settings.sitters[3] = "bot:2".parse().unwrap();
    assert_eq!(computer(&settings), "Player 2");
    settings.sitters[1] = "bot:1 Deep Thought".parse().unwrap();
    assert_eq!(computer(&settings), "Deep Thought");
}

/// In Quarto the pieces belong to no side: an opponent without a name is the opponent, one with a name has it.
#[test]
fn an_opponent_is_called_so_only_without_a_name() {
    let opponent = |sitter: &str| {
        let mut settings = MatchSettings::new("quarto".parse().unwrap());
        settings.sitters[1] = sitter.parse().unwrap();
        names(English, &settings, Some(Seat::ONE)).seat(Seat::TWO).to_owned()
    };
    assert_eq!(opponent("person Taras"), "Taras");
    assert_eq!(opponent("bot:1"), "Computer");
    assert_eq!(opponent("person"), "Your opponent");
}

#[test]
fn clocks_are_told_in_the_unit_that_fits() {
    for (rule, said) in [
        ("none", "no clock"),
        ("turn=60", "1 minute a turn"),
        ("turn=90", "90 seconds a turn"),
        ("turn=120", "2 minutes a turn"),
        ("turn=172800", "2 days a turn"),
        ("fischer=300+5", "5 min + 5 s"),
        ("fischer=90+2", "1:30 min + 2 s"),
        ("delay=300+3", "5 min, 3 s delay"),
        ("delay=3601+3", "1:00:01 min, 3 s delay"),
    ] {
        assert_eq!(clock(English, rule.parse().unwrap()), said, "{rule}");
    }
    let left = |seconds| time(English, Duration::from_secs(seconds));
    assert_eq!([left(10), left(86_400), left(90_000)], ["0:10", "1 day", "1 day 1 h"]);
}

#[test]
fn the_end_is_told_as_it_concerns_the_reader() {
    let said = |loser: Seat| {
        let mut settings = settings();
        settings.sitters[1] = "bot:1".parse().unwrap();
        let mut game = Match::new(settings).unwrap();
        game.resign(loser, NOW).unwrap();
        let session = LocalSession::new(game, Pace::NONE, 1, NOW);
        let view = session.view();
        prompt(English, &view.prompt(&[]), &names(English, view.game.settings(), view.reader))
    };
    assert_eq!(said(Seat::ONE), "You have resigned. Computer wins!");
    assert_eq!(said(Seat::TWO), "Computer resigns. You win!");
}

#[test]
fn who_has_gone_and_why_is_told_as_it_concerns_the_reader() {
    let mut settings = settings();
    settings.sitters[1] = "person Taras".parse().unwrap();
    let names = names(English, &settings, Some(Seat::ONE));
    let said = |seat, departure| {
        let what = What::Table(Event::Out(seat, departure));
        told(English, &Told { length: 1, by: None, what }, &names)
    };
    let (mine, theirs) = (said(Seat::ONE, Departure::TimeUp), said(Seat::TWO, Departure::TimeUp));
    assert!(theirs.contains("Taras") && !mine.contains("Olena"), "{mine} {theirs}");
    assert!(mine.contains("our time"), "{mine}");
    let (mine, theirs) = (said(Seat::ONE, Departure::Resigned), said(Seat::TWO, Departure::Resigned));
    assert_eq!((mine.as_str(), theirs.as_str()), ("You have resigned.", "Taras resigns."));
}
