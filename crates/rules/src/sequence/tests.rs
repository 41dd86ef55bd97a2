//! One test or more per statement of the rules of Sequence, named by its number.

use super::*;
use crate::IllegalAction;

pub(super) const EMPTY_BOARD: &str = "*.....*/......./......./......./......./*.....*";

pub(super) fn options(text: &str) -> SequenceOptions {
    text.parse().unwrap()
}

pub(super) fn every_option() -> impl Iterator<Item = SequenceOptions> {
    let players = [Players::Two, Players::Three, Players::Four];
    players
        .into_iter()
        .flat_map(|players| [Board::Standard, Board::Shuffled].map(|board| SequenceOptions { players, board }))
}

pub(super) fn game(options: &str, text: &str) -> Sequence {
    let position = Sequence::parse(&self::options(options), text).unwrap();
    assert_eq!(position.to_string(), text, "position text must round-trip");
    position
}

pub(super) fn after(mut position: Sequence, actions: &str) -> Sequence {
    for action in actions.split_whitespace() {
        position.play(action.parse().unwrap()).unwrap();
    }
    position
}

fn refused(position: &Sequence, action: &str) -> Reason {
    let mut changed = *position;
    let IllegalAction { reason, .. } = changed.play(action.parse().unwrap()).unwrap_err();
    assert_eq!(changed, *position, "a refused action must change nothing");
    reason
}

fn legal(position: &Sequence) -> Vec<String> {
    let mut actions = ActionList::new();
    position.actions(&mut actions);
    actions.iter().map(Action::to_string).collect()
}

fn square(text: &str) -> Square {
    text.parse().unwrap()
}

/// A full board without a line: blocks of two ranks whose chips alternate.
const FULL_BOARD: &str = "*12121*/1212121/2121212/2121212/1212121/*12121*";

/// Numbers for random play in tests.
pub(super) struct Dice(pub(super) u64);

impl Dice {
    pub(super) fn below(&mut self, n: u32) -> u32 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (((self.0 >> 32) * u64::from(n)) >> 32) as u32
    }
}

/// Plays a random game and shows every position to `look`, the last one included.
pub(super) fn random_game(options: &SequenceOptions, seed: u64, mut look: impl FnMut(&Sequence)) {
    let (mut position, mut dice, mut actions) = (Sequence::start(options), Dice(seed), ActionList::new());
    loop {
        look(&position);
        position.actions(&mut actions);
        if actions.is_empty() {
            return;
        }
        position.play_unchecked(actions[dice.below(actions.len() as u32) as usize]);
    }
}

#[test]
fn sq1_deck_is_42_cards_and_board_has_38_pictures_and_four_corners() {
    let start = Sequence::start(&options(""));
    assert_eq!(start.stock_size(), 42);
    assert_eq!(Card::animals().count(), 19);
    assert!(Card::ALL.iter().all(|&card| start.stock(card) == 2));
    let all: Vec<Square> = (0..42).map(|index| Square::from_index(index, WIDTH)).collect();
    let blank: Vec<String> = all.iter().filter(|&&s| start.picture(s).is_none()).map(Square::to_string).collect();
    assert_eq!(blank, ["a1", "g1", "a6", "g6"]);
    for card in Card::animals() {
        assert_eq!(all.iter().filter(|&&square| start.picture(square) == Some(card)).count(), 2, "{card}");
        assert_eq!(start.homes(card).count_ones(), 2);
    }
    assert_eq!((start.homes(Card::Unicorn), start.homes(Card::Dragon)), (0, 0));
    assert!(Card::ALL.is_sorted_by_key(|card| card.name()), "hands are sorted by name");
}

#[test]
fn sq2_standard_layout_is_the_one_of_the_rules() {
    let table = "* cow kangaroo whale fox giraffe *
        tiger dog lion bear elephant camel turtle
        crocodile frog owl penguin hippo gorilla cat
        turtle gorilla hippo lion owl dog tiger
        cat camel penguin bear elephant frog crocodile
        * fox giraffe cow kangaroo whale *";
    let start = Sequence::start(&options("players=3"));
    for (rank, line) in table.lines().enumerate() {
        for (column, name) in line.split_whitespace().enumerate() {
            let shown = start.picture(Square::new(column as u8, 5 - rank as u8)).map_or("*", Card::name);
            assert_eq!(shown, name, "rank {}, column {column}", 6 - rank);
        }
    }
}

#[test]
fn sq2_shuffled_halves_hold_every_animal_once() {
    for seed in 0..20 {
        let mut complete = None;
        random_game(&options("board=shuffled"), seed, |position| {
            if position.due != Due::Tile && complete.is_none() {
                complete = Some(*position);
            }
        });
        let lower = 0x7f_7f7f; // ranks 1 to 3
        for card in Card::animals() {
            let homes = complete.unwrap().homes(card);
            assert_eq!((homes & lower).count_ones(), 1, "{card} below");
            assert_eq!((homes & !lower).count_ones(), 1, "{card} above");
        }
    }
    let two_tiles = after(Sequence::start(&options("board=shuffled")), "tile:cat tile:dog");
    assert_eq!(refused(&two_tiles, "tile:cat"), Reason::NotInStock);
    assert_eq!(refused(&two_tiles, "tile:unicorn"), Reason::NotInStock);
    assert_eq!(legal(&two_tiles).len(), 17);
}

#[test]
fn sq3_three_cards_and_21_chips_each() {
    for options in every_option() {
        let mut dealt = false;
        random_game(&options, 7, |position| {
            if dealt || position.turn() == Turn::Chance {
                return;
            }
            dealt = true;
            let seats = position.seats();
            assert!(Seat::all(seats).all(|seat| position.hand(seat).len() == 3 && position.chips_left(seat) == 21));
            assert_eq!(position.stock_size(), 42 - 3 * seats);
            assert_eq!(position.turn(), Turn::Seat(Seat::ONE));
        });
    }
    let text = format!("{EMPTY_BOARD} 1 bear+camel+cat|cow+crocodile+dog -|- 0 0");
    let played = after(game("", &text), "cat@a2 draw:cow cow@b6 draw:fox bear@d2 draw:whale");
    assert_eq!(played.discards(Seat::ONE), [Card::Cat, Card::Bear], "the last on top");
    assert_eq!(played.discards(Seat::TWO), [Card::Cow]);
}

#[test]
fn sq4_plays_a_card_on_one_of_its_two_squares_then_draws() {
    let text = format!("{EMPTY_BOARD} 1 bear+camel+cat|cat+crocodile+dog -|- 0 0");
    let position = game("", &text);
    assert_eq!(legal(&position), ["bear@d2", "bear@d5", "camel@b2", "camel@f5", "cat@a2", "cat@g4"]);
    assert_eq!(refused(&position, "cat@a3"), Reason::WrongPicture);
    assert_eq!(refused(&position, "dog@f3"), Reason::NotInHand);
    assert_eq!(refused(&position, "cat@h2"), Reason::OffBoard);
    assert_eq!(refused(&position, "cat@a1"), Reason::CornerSquare);
    assert_eq!(refused(&position, "draw:fox"), Reason::NoChanceNow);
    let played = after(position, "cat@a2");
    assert_eq!(
        played.to_string(),
        "*.....*/......./......./......./1....../*.....* -2 bear+camel|cat+crocodile+dog cat|- 0 0"
    );
    assert_eq!(played.turn(), Turn::Chance);
    assert_eq!(refused(&played, "dog@f3"), Reason::ChanceFirst);
    let drawn = after(played, "draw:whale");
    assert_eq!(drawn.hand(Seat::ONE), [Card::Bear, Card::Camel, Card::Whale]);
    assert_eq!(drawn.turn(), Turn::Seat(Seat::TWO));
    assert_eq!(refused(&drawn, "cat@a2"), Reason::SquareTaken, "any colour blocks");
    assert_eq!(drawn.chip(square("a2")), Some(Seat::ONE));
}

#[test]
fn sq5_unicorn_goes_to_any_open_square_but_no_corner() {
    let text = "*.....*/......./......./......./1....../*.....* 2 bear+camel+dog|crocodile+dog+unicorn cat|- 0 0";
    let position = game("", text);
    assert_eq!(legal(&position).iter().filter(|action| action.starts_with("unicorn@")).count(), 37);
    assert_eq!(refused(&position, "unicorn@a2"), Reason::SquareTaken);
    assert_eq!(refused(&position, "unicorn@g6"), Reason::CornerSquare);
    let played = after(position, "unicorn@d3");
    assert_eq!(played.chip(square("d3")), Some(Seat::TWO));
    assert_eq!(after(played, "draw:fox").turn(), Turn::Seat(Seat::ONE), "a unicorn ends the turn with a draw");
}

#[test]
fn sq6_dragon_removes_an_opponents_chip_and_places_nothing() {
    let text = "*.....*/......./......./2....../1....../*.....* 1 bear+dog+dragon|crocodile+dog+unicorn cat|turtle 0 0";
    let position = game("", text);
    assert_eq!(refused(&position, "dragon@a2"), Reason::NotOpponentsChip);
    assert_eq!(refused(&position, "dragon@d3"), Reason::SquareEmpty);
    let removed = after(position, "dragon@a3");
    assert_eq!(
        removed.to_string(),
        "*.....*/......./......./......./1....../*.....* -2 bear+dog|crocodile+dog+unicorn cat+dragon|turtle 0 0"
    );
    assert_eq!(removed.chips_left(Seat::TWO), 21, "a removed chip goes back to its owner's stock");
    assert_eq!(after(removed, "draw:turtle").turn(), Turn::Seat(Seat::TWO), "a dragon ends the turn with a draw");
    // With several opponents the chips of each can be removed.
    let three = game(
        "players=3",
        "*....3*/......./......./2....../1....../*.....* 1 bear+dog+dragon|crocodile+dog+unicorn|bear+fox+fox cat|turtle|giraffe 0 0",
    );
    assert_eq!(legal(&three).iter().filter(|action| action.starts_with("dragon")).count(), 2);
}

#[test]
fn sq6_dragon_without_a_target_is_neither_playable_nor_dead() {
    let text = format!("{EMPTY_BOARD} 1 bear+camel+dragon|cat+crocodile+dog -|- 0 0");
    let position = game("", &text);
    assert!(legal(&position).iter().all(|action| !action.contains("dragon")));
    assert_eq!(refused(&position, "swap:dragon"), Reason::CardNotDead);
    // On a full board a unicorn cannot be played, but it is not dead either.
    let full = game("", &format!("{FULL_BOARD} 1 bear+cat+unicorn|dog+fox+frog -|- 0 0"));
    assert_eq!(legal(&full), ["swap:bear", "swap:cat"]);
}

const BOTH_CATS: &str = "*.....*/......./......2/......./1....../*1....* ";

#[test]
fn sq7_dead_cards_are_swapped_and_the_turn_goes_on() {
    let position = game("", &format!("{BOTH_CATS}2 bear+bear+dog|cow+crocodile+dog cat+fox|cat 0 0"));
    assert_eq!(refused(&position, "swap:cow"), Reason::CardNotDead);
    assert_eq!(refused(&position, "swap:bear"), Reason::NotInHand);
    let board = "*12121*/1.12121/2121212/2121212/1212121/*12121* ";
    let position = game("", &format!("{board}2 bear+bear+fox|cow+crocodile+dog fox|frog 0 0"));
    assert_eq!(legal(&position), ["swap:cow", "swap:crocodile", "dog@b5"]);
    assert_eq!(refused(&position, "pass"), Reason::NoPassNow);
    let swapped = after(position, "swap:cow");
    assert_eq!(swapped.to_string(), format!("{board}-2 bear+bear+fox|crocodile+dog fox|frog+cow 0 1"));
    let again = after(swapped, "draw:cow");
    assert_eq!(again.turn(), Turn::Seat(Seat::TWO), "the turn goes on");
    let thrice = after(again, "swap:cow draw:gorilla swap:gorilla draw:whale");
    assert_eq!(thrice.swaps(), 3);
    assert_eq!(refused(&thrice, "swap:whale"), Reason::NoSwapLeft);
    assert_eq!(legal(&thrice), ["dog@b5"]);
    assert_eq!(after(thrice, "dog@b5").swaps(), 0, "the next turn has its own swaps");
}

#[test]
fn sq8_only_a_dragon_removes_chips() {
    for options in every_option() {
        let mut before: Option<Sequence> = None;
        random_game(&options, 3, |position| {
            if let Some(before) = before.replace(*position) {
                for seat in Seat::all(position.seats()) {
                    let lost = before.chips(seat) & !position.chips(seat);
                    let dragon = |p: &Sequence| p.discards.all().iter().filter(|&&card| card == Card::Dragon).count();
                    let played = dragon(position) > dragon(&before) || position.discards.all().is_empty();
                    assert!(lost == 0 || (played && lost.count_ones() == 1));
                }
            }
        });
    }
}

#[test]
fn sq9_a_corner_counts_for_everyone() {
    // Seat 1 uses a1 along rank 1; seat 2 uses the same corner along the a file.
    let text = "*.....*/......./......./2....../2....../*11...* 1 bear+cow+whale|crocodile+dog+unicorn fox+giraffe|cat+turtle 0 0";
    let won = after(game("", text), "cow@d1");
    assert_eq!(won.turn(), Turn::Over(Outcome::Win(Side::ONE)));
    let lines: Vec<_> = won.lines().collect();
    assert_eq!(lines, [(Side::ONE, ["a1", "b1", "c1", "d1"].map(square))]);
    let other = after(game("", text), "whale@f1 draw:fox unicorn@a4");
    assert_eq!(other.turn(), Turn::Over(Outcome::Win(Side::TWO)));
}

#[test]
fn sq10_four_in_a_row_column_or_diagonal_win_at_once_without_a_draw() {
    let won = |board: &str, action: &str| {
        // Chips straight from the picture: how they got there does not matter here.
        let mut position = game("", &format!("{EMPTY_BOARD} 1 bear+cat+unicorn|crocodile+dog+dog -|- 0 0"));
        for (row, rank) in board.split('/').rev().enumerate() {
            for (column, cell) in rank.bytes().enumerate().filter(|(_, cell)| cell.is_ascii_digit()) {
                position.chips[usize::from(cell - b'1')] |= board::bit(Square::new(column as u8, row as u8));
            }
        }
        after(position, action).turn()
    };
    let first = Turn::Over(Outcome::Win(Side::ONE));
    assert_eq!(won("*.....*/......./.111.../......./......./*.....*", "unicorn@e4"), first);
    assert_eq!(won("*.....*/......./.111.../......./......./*.....*", "unicorn@a4"), first);
    assert_eq!(won("*.....*/..1..../..1..../......./..1..../*.....*", "unicorn@c3"), first);
    assert_eq!(won("*.....*/....1../......./..1..../.1...../*.....*", "unicorn@d4"), first);
    assert_eq!(won("*.....*/.1...../..1..../...1.../......./*.....*", "unicorn@e2"), first);
    assert_eq!(won("*.....*/.....1./....1../......./......./*.....*", "unicorn@d3"), first, "with the corner g6");
    assert_eq!(won("*.....*/......./11.11../......./......./*.....*", "unicorn@c4"), first, "five count too");
    // Three are not four, lines do not bend, wrap around the edge or skip a square.
    assert_eq!(won("*.....*/......./.11..../......./......./*.....*", "unicorn@d4"), Turn::Chance);
    assert_eq!(won("*.....*/.....11/1....../......./......./*.....*", "unicorn@b4"), Turn::Chance);
    assert_eq!(won("*.....*/......./.11.1../......./......./*.....*", "unicorn@f4"), Turn::Chance);
    assert_eq!(won("*.....*/......./.112.../......./......./*.....*", "unicorn@e4"), Turn::Chance);
}

#[test]
fn sq10_all_69_lines_and_nothing_else_win() {
    assert_eq!(LINES.iter().collect::<std::collections::HashSet<_>>().len(), 69);
    assert!(LINES.iter().all(|&line| line.count_ones() == 4 && board::has_line(line)));
    let mut dice = Dice(1);
    for _ in 0..20_000 {
        let chips = (0..2 + dice.below(16))
            .fold(0u64, |bits, _| bits | board::bit(Square::from_index(dice.below(42) as usize, WIDTH)));
        assert_eq!(board::has_line(chips), LINES.iter().any(|line| line & !chips == 0));
    }
}

#[test]
fn sq11_an_empty_pile_is_renewed_from_all_discards_when_a_card_is_due() {
    // Everything but the hands lies in the discards: 42 − 6 = 36 cards.
    let (mut left, mut piles) = (Stock::DECK, [Vec::new(), Vec::new()]);
    for card in [Card::Bear, Card::Cat, Card::Dog, Card::Dog, Card::Fox, Card::Frog] {
        assert!(left.take(card));
    }
    for n in 0..36 {
        let card = left.cards().next().unwrap();
        left.take(card);
        piles[n % 2].push(card.name());
    }
    let board = "*12121*/1.12121/2121212/2121212/1212121/*12121*";
    let discards = piles.map(|pile| pile.join("+")).join("|");
    let position = game("", &format!("{board} 2 dog+fox+frog|bear+cat+dog {discards} 0 0"));
    assert_eq!(position.stock_size(), 0);
    let due = after(position, "dog@b5");
    assert_eq!(due.to_string(), format!("{FULL_BOARD} -1 dog+fox+frog|bear+cat -|- 0 0"));
    assert_eq!(due.stock_size(), 37, "the card just played is shuffled in too");
    assert_eq!((due.stock(Card::Dog), due.stock(Card::Bear), due.stock(Card::Whale)), (1, 1, 2));
    // The same after a swap.
    let swapped = after(position, "swap:bear");
    assert_eq!((swapped.stock_size(), swapped.stock(Card::Bear)), (37, 2));
    assert_eq!(after(swapped, "draw:bear").to_string(), format!("{board} 2 dog+fox+frog|bear+cat+dog -|- 0 1"));
    // While the pile has cards the discards stay.
    random_game(&options("players=4"), 5, |position| {
        let cards = position.stock_size() as usize + position.discards.all().len();
        assert_eq!(cards + position.hands.iter().map(Hand::len).sum::<usize>(), 42);
        assert!(position.due == Due::Nothing || position.stock_size() > 0);
    });
}

#[test]
fn sq12_passes_when_nothing_can_be_played_or_swapped_and_two_rounds_are_a_draw() {
    let stuck = game("", &format!("{FULL_BOARD} 1 bear+unicorn+unicorn|cat+dog+fox cow+cow+bear|- 0 3"));
    assert_eq!(legal(&stuck), ["pass"]);
    let passed = after(stuck, "pass");
    assert_eq!(passed.to_string(), format!("{FULL_BOARD} 2 bear+unicorn+unicorn|cat+dog+fox cow+cow+bear|- 1 0"));
    let swapping = after(passed, "swap:cat draw:elephant");
    assert_eq!(swapping.passes(), 1, "a swap does not break the row of passes");
    let second = after(swapping, "swap:dog draw:dog swap:dog draw:hippo pass");
    assert_eq!((second.passes(), second.turn()), (2, Turn::Seat(Seat::ONE)));
    let fourth = after(second, "swap:bear draw:fox swap:fox draw:frog swap:frog draw:frog pass");
    assert_eq!(fourth.turn(), Turn::Seat(Seat::TWO), "one round and a half is no draw yet");
    let drawn = after(fourth, "swap:hippo draw:hippo swap:hippo draw:lion swap:lion draw:lion pass");
    assert_eq!(drawn.passes(), 4);
    assert_eq!(drawn.turn(), Turn::Over(Outcome::Draw));
    assert_eq!(game("", &drawn.to_string()), drawn);
    assert_eq!(refused(&drawn, "pass"), Reason::GameOver);
}

#[test]
fn sq12_a_played_card_breaks_the_row_of_passes() {
    let position = game("", &format!("{FULL_BOARD} 2 bear+cat+unicorn|cat+dog+dragon cow+cow|- 1 0"));
    let played = after(position, "dragon@b6");
    assert_eq!(played.passes(), 0);
}

#[test]
fn g7_a_skipped_turn_keeps_cards_and_chips_and_counts_only_in_a_row_of_passes() {
    let hands = "bear+unicorn+unicorn|cat+dog+fox|frog+hippo+lion cow+cow+bear|-|-";
    let mut skipped = game("players=3", &format!("{FULL_BOARD} 1 {hands} 0 3"));
    assert!(skipped.skip_turn());
    assert_eq!(skipped.to_string(), format!("{FULL_BOARD} 2 {hands} 0 0"), "a skipped turn begins no row of passes");
    // Seat 2 could play its Unicorn, but it is away; the others exchange dead cards and pass.
    let hands = "bear+bear+fox|cat+dog+unicorn|frog+hippo+lion -|-|owl+tiger+tiger";
    let board = FULL_BOARD.replacen('1', ".", 1);
    let mut passed = after(game("players=3", &format!("{board} 3 {hands} 0 3")), "pass");
    while !matches!(passed.turn(), Turn::Over(_)) {
        assert_eq!(game("players=3", &passed.to_string()), passed, "the text reads back while a seat is away");
        if passed.turn() == Turn::Seat(Seat::TWO) {
            let turns = passed.passes();
            assert!(passed.skip_turn());
            assert_eq!(passed.passes(), turns + 1);
            assert!(!passed.has_passed(Seat::TWO), "it was passed over, whatever it holds");
            continue;
        }
        let useless = |action: &&String| !["draw:cow", "draw:dragon", "draw:unicorn"].contains(&action.as_str());
        let actions = legal(&passed);
        passed = after(passed, actions.iter().find(useless).unwrap());
    }
    assert_eq!((passed.turn(), passed.passes()), (Turn::Over(Outcome::Draw), 6), "two rounds are two rounds");
    assert!(!passed.skip_turn());
    assert!(!Sequence::start(&options("players=3")).skip_turn(), "no seat has a turn while chance is to act");
}

#[test]
fn g7_a_game_needs_two_seats_to_go_on_without_the_others() {
    let mut two = game("", &format!("{EMPTY_BOARD} 1 bear+cat+cow|dog+fox+owl -|- 0 0"));
    assert!(!two.skip_turn(), "with two seats the one that is left has won");
    let mut four =
        game("players=4", &format!("{EMPTY_BOARD} 1 bear+cat+cow|dog+fox+owl|lion+lion+tiger|cat+cow+dog -|-|-|- 0 0"));
    assert!(four.skip_turn() && four.skip_turn());
    assert!(!four.skip_turn(), "the last two play on");
    assert_eq!(four.turn(), Turn::Seat(Seat::THREE));
    // Who is away stays away.
    let hands = "bear+cat+cow|dog+fox+owl|lion+lion+tiger -|-|-";
    let mut three = game("players=3", &format!("{EMPTY_BOARD} 1 {hands} 0 0"));
    assert!(three.skip_turn());
    three = after(three, "dog@b5 draw:whale lion@c5 draw:whale");
    assert!(three.skip_turn());
    assert!(!three.skip_turn(), "{three}");
}

#[test]
fn g7_positions_after_seats_have_left_read_back() {
    for (players, seats) in [("players=3", 3), ("players=4", 4)] {
        for number in 0..200u64 {
            let mut dice = Dice(number);
            let mut position = Sequence::start(&options(players));
            let mut gone: Vec<Seat> = Vec::new();
            while !matches!(position.turn(), Turn::Over(_)) {
                let leaves = dice.below(12) == 0 && gone.len() + 2 < seats;
                match position.turn() {
                    Turn::Seat(seat) if gone.contains(&seat) || leaves => {
                        assert!(position.skip_turn(), "{position}");
                        if !gone.contains(&seat) {
                            gone.push(seat);
                        }
                    }
                    _ => {
                        let actions = legal(&position);
                        position = after(position, &actions[dice.below(actions.len() as u32) as usize]);
                    }
                }
                assert_eq!(game(players, &position.to_string()), position);
            }
        }
    }
}

#[test]
fn sq12_without_chips_only_dragons_can_be_played() {
    let all_placed = "*1.112*/2212111/121222./1121121/2111211/*21.12*";
    let position = game("", &format!("{all_placed} 1 cow+dragon+unicorn|cat+dog+fox -|- 0 0"));
    assert_eq!(position.chips_left(Seat::ONE), 0);
    assert!(legal(&position).iter().all(|action| action.starts_with("dragon@")), "{:?}", legal(&position));
    assert_eq!(refused(&position, "unicorn@g4"), Reason::NoChipLeft);
    assert_eq!(refused(&position, "cow@d1"), Reason::NoChipLeft);
    assert_eq!(refused(&position, "swap:cow"), Reason::CardNotDead);
    let passing = game("", &format!("{all_placed} 1 cow+cow+unicorn|cat+dog+fox -|- 0 0"));
    assert_eq!(legal(&passing), ["pass"]);
}

#[test]
fn sq13_draws_are_chance_with_the_odds_of_the_copies_left() {
    let position = after(Sequence::start(&options("")), "draw:cat");
    assert_eq!(position.weight(Action::Draw(Card::Cat)), 1);
    assert_eq!(position.weight(Action::Draw(Card::Dragon)), 2);
    let gone = after(position, "draw:cat");
    assert_eq!(refused(&gone, "draw:cat"), Reason::NotInStock);
    assert_eq!(refused(&gone, "tile:cat"), Reason::NoChanceNow);
    assert_eq!(legal(&gone).len(), 20);
}

#[test]
fn sq13_views_and_records_show_each_seat_only_what_it_may_know() {
    let draw = Action::Draw(Card::Cat);
    let start = Sequence::start(&options(""));
    assert_eq!(start.seen_action(draw, Viewer::Seat(Seat::ONE)), "draw:cat");
    assert_eq!(start.seen_action(draw, Viewer::Seat(Seat::TWO)), "draw:?");
    assert_eq!(start.seen_action(draw, Viewer::Spectator), "draw:?");
    let text = format!("{EMPTY_BOARD} 1 bear+camel+cat|cat+crocodile+dog -|- 0 0");
    let position = game("", &text);
    let shown = |position: &Sequence, viewer| position.view(viewer).to_string();
    assert_eq!(shown(&position, Viewer::Seat(Seat::TWO)), format!("{EMPTY_BOARD} 1 ?+?+?|cat+crocodile+dog -|- 0 0"));
    assert_eq!(shown(&position, Viewer::Spectator), format!("{EMPTY_BOARD} 1 ?+?+?|?+?+? -|- 0 0"));
    let played = after(position, "cat@a2");
    let seen = played.seen_action(Action::Draw(Card::Fox), Viewer::Seat(Seat::TWO));
    assert_eq!(seen, "draw:?", "seat 1 draws though seat 2 acts next");
    // Two deals that differ only in what a seat cannot see look the same to it.
    let other = game("", &format!("{EMPTY_BOARD} 1 elephant+unicorn+whale|cat+crocodile+dog -|- 0 0"));
    assert_eq!(other.view(Viewer::Seat(Seat::TWO)), position.view(Viewer::Seat(Seat::TWO)));
    assert_ne!(other.view(Viewer::Seat(Seat::ONE)), position.view(Viewer::Seat(Seat::ONE)));
    let view = played.view(Viewer::Seat(Seat::TWO));
    assert_eq!((view.stock_size(), view.hand_size(Seat::ONE), view.hand(Seat::ONE)), (36, 2, None));
    assert_eq!((view.unseen(Card::Cat), view.unseen(Card::Camel), view.unseen(Card::Dog)), (0, 2, 1));
}

#[test]
fn sq13_when_the_game_is_over_everything_is_shown() {
    let text = "*.....*/......./......./2....../2....../*11...* 1 bear+cow+whale|crocodile+dog+unicorn fox+giraffe|cat+turtle 0 0";
    let won = after(game("", text), "cow@d1");
    assert_eq!(won.view(Viewer::Spectator).to_string(), won.to_string());
    assert_eq!(won.view(Viewer::Seat(Seat::ONE)).hand(Seat::TWO), Some(won.hand(Seat::TWO)));
}

#[test]
fn sq14_chance_lays_the_board_then_deals_round_by_round_then_seat_1_begins() {
    let mut position = Sequence::start(&options("players=3,board=shuffled"));
    let mut order = Vec::new();
    while position.due == Due::Tile {
        let card = Card::animals().find(|&card| position.is_legal(Action::Tile(card))).unwrap();
        let before = position;
        position.play(Action::Tile(card)).unwrap();
        let laid = |s: &Square| before.picture(*s).is_none() && position.picture(*s).is_some();
        order.push((0..42).map(|n| Square::from_index(n, WIDTH)).find(laid).unwrap().to_string());
    }
    assert_eq!(order.len(), 38);
    assert_eq!(order[..7], ["b1", "c1", "d1", "e1", "f1", "a2", "b2"]);
    assert_eq!(order[33..], ["b6", "c6", "d6", "e6", "f6"]);
    let dealt: Vec<usize> = (0..9)
        .map(|_| {
            let drawer = position.drawer().unwrap();
            assert_eq!((position.turn(), position.seat()), (Turn::Chance, Seat::ONE));
            position = after(position, legal(&position)[0].as_str());
            drawer.index()
        })
        .collect();
    assert_eq!(dealt, [0, 1, 2, 0, 1, 2, 0, 1, 2]);
    assert_eq!(position.turn(), Turn::Seat(Seat::ONE));
    assert_eq!(refused(&Sequence::start(&options("board=shuffled")), "draw:cat"), Reason::NoChanceNow);
}

#[test]
fn a_live_game_always_has_an_action_and_plays_on_to_an_end() {
    for options in every_option() {
        for seed in 0..50 {
            let mut last = None;
            random_game(&options, seed, |position| {
                assert_eq!(legal(position).is_empty(), matches!(position.turn(), Turn::Over(_)));
                last = Some(*position);
            });
            assert!(matches!(last.unwrap().turn(), Turn::Over(_)));
        }
    }
}
