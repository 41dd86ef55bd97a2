use rules::{BadPosition, Field};

use crate::Language;
use crate::phrase::own_text;
use crate::pieces::card;

/// Why a text is no position, as the end of a sentence.
///
/// ```
/// use locale::{Language, bad_position};
/// use rules::{Position, quixo::Quixo};
///
/// let problem = Quixo::parse(&Default::default(), "...../...../...../...../..... 3").unwrap_err();
/// assert_eq!(bad_position(Language::Ukrainian, &problem), "чий хід: можна вказати 1…2");
/// ```
pub fn bad_position(language: Language, problem: &BadPosition) -> String {
    let l = language;
    match problem {
        BadPosition::OfGame(phrase) => own_text(l, *phrase, "bad_").to_owned(),
        BadPosition::Fields { expected, found } => {
            let names: Vec<&str> = expected.iter().map(|&name| field(l, name)).collect();
            l.bad_fields(expected.len() as u64, names.join(", "), found)
        }
        BadPosition::Value { field: name, possible } => l.bad_value(field(l, *name), possible),
        BadPosition::Ranks { field: name, ranks, cells } => l.bad_ranks(field(l, *name), ranks, cells),
        BadPosition::CouldAct(seat) => l.bad_could_act(seat),
        BadPosition::AfterTheEnd => l.bad_after_the_end().to_owned(),

        BadPosition::PieceTwice(piece) => l.bad_piece_twice(piece),
        BadPosition::LastSquareMissing => l.bad_last_square_missing().to_owned(),
        BadPosition::LastSquareEmpty(square) => l.bad_last_square_empty(square),
        BadPosition::NobodyCalls => l.bad_nobody_calls().to_owned(),
        BadPosition::PassedTooSoon => l.bad_passed_too_soon().to_owned(),
        BadPosition::TurnOf(seat) => l.bad_turn_of(seat),
        BadPosition::OlderRow => l.bad_older_row().to_owned(),
        BadPosition::GivenAfterRow => l.bad_given_after_row().to_owned(),
        BadPosition::NoRowCalled => l.bad_no_row_called().to_owned(),

        BadPosition::Marks { x, o, seat } => l.bad_marks(x, o, seat),

        BadPosition::TwoWinners(one, other) => l.bad_two_winners(one, other),
        BadPosition::ChanceAfterTheEnd => l.bad_chance_after_the_end().to_owned(),
        BadPosition::ActedBeforeDeal => l.bad_acted_before_deal().to_owned(),
        BadPosition::LayoutIncomplete => l.bad_layout_incomplete().to_owned(),
        BadPosition::DealtBeforeLayout => l.bad_dealt_before_layout().to_owned(),
        BadPosition::HandsFull => l.bad_hands_full().to_owned(),
        BadPosition::DealOrder => l.bad_deal_order().to_owned(),
        BadPosition::HandSize { seat, found, expected } => l.bad_hand_size(seat, found, expected),
        BadPosition::HandTooLarge { most } => l.bad_hand_too_large(most),
        BadPosition::HandOrder => l.bad_hand_order().to_owned(),
        BadPosition::WinnerNotLast(seat) => l.bad_winner_not_last(seat),
        BadPosition::NothingDiscarded(seat) => l.bad_nothing_discarded(seat),
        BadPosition::LineNotCompleted { seat, card: last } => l.bad_line_not_completed(seat, card(l, *last)),
        BadPosition::EmptyPile => l.bad_empty_pile().to_owned(),
        BadPosition::DrawWithoutSwap(seat) => l.bad_draw_without_swap(seat),
        BadPosition::WrongDrawer { drawer, turn } => l.bad_wrong_drawer(drawer, turn),
        BadPosition::CountAfterCard => l.bad_count_after_card().to_owned(),
        BadPosition::MoreSwapsThanDiscards(seat) => l.bad_more_swaps_than_discards(seat),
        BadPosition::SwappedAlive(alive) => l.bad_swapped_alive(card(l, *alive)),
        BadPosition::UnexplainedChips(seat) => l.bad_unexplained_chips(seat),
        BadPosition::TooFewDiscards => l.bad_too_few_discards().to_owned(),
        BadPosition::TooManyDiscards => l.bad_too_many_discards().to_owned(),
        BadPosition::DiscardsAndTurn(seat) => l.bad_discards_and_turn(seat),
        BadPosition::Corner(square) => l.bad_corner(square),
        BadPosition::TooManyChips { seat, most } => l.bad_too_many_chips(seat, most),
        BadPosition::Piles { field: name, seats, found } => l.bad_piles(field(l, *name), seats, found),
        BadPosition::NoSuchCard(name) => l.bad_no_such_card(name),
        BadPosition::ThirdCard(third) => l.bad_third_card(card(l, *third)),
        BadPosition::LaidTooSoon(square) => l.bad_laid_too_soon(square),
        BadPosition::LaidTwice(square) => l.bad_laid_twice(square),

        BadPosition::StonesLost { seat, start, found } => l.bad_stones_lost(seat, start, found),
        BadPosition::PointsBelowLead { lead } => l.bad_points_below_lead(lead),
        BadPosition::TooManyStones { seat, most } => l.bad_too_many_stones(seat, most),
        BadPosition::RankWidth { rank, cells } => l.bad_rank_width(rank, cells),
        BadPosition::OpeningIsPlain => l.bad_opening_is_plain().to_owned(),
        BadPosition::SkippedInOpening(seat) => l.bad_skipped_in_opening(seat),
        BadPosition::OpeningCaptures(seat) => l.bad_opening_captures(seat),
        BadPosition::OpeningTurn { seat, placed: [one, two] } => l.bad_opening_turn(seat, one, two),
        BadPosition::MainTooSoon { stones } => l.bad_main_too_soon(stones),
        BadPosition::TooQuiet { most } => l.bad_too_quiet(most),
        BadPosition::HadToPlace { stones } => l.bad_had_to_place(stones),
        BadPosition::NoStoneLeft(seat) => l.bad_no_stone_left(seat),
        BadPosition::TurnNotBegun { movements } => l.bad_turn_not_begun(movements),
        BadPosition::HitWithoutMovement => l.bad_hit_without_movement().to_owned(),
        BadPosition::CouldNotMove { seat, stones } => l.bad_could_not_move(seat, stones),
        BadPosition::NoMovementLeft => l.bad_no_movement_left().to_owned(),
        BadPosition::TooManyMovements => l.bad_too_many_movements().to_owned(),
        BadPosition::HitWithoutPoints => l.bad_hit_without_points().to_owned(),
        BadPosition::TooManyPasses { most } => l.bad_too_many_passes(most),
        BadPosition::PassesAndQuiet => l.bad_passes_and_quiet().to_owned(),
        BadPosition::TargetReached { seat, target } => l.bad_target_reached(seat, target),
    }
}

/// What a field of a position is called.
pub fn field(language: Language, field: Field) -> &'static str {
    match field {
        Field::Board => language.field_board(),
        Field::Hand => language.field_hand(),
        Field::Seat => language.field_seat(),
        Field::LastSquare => language.field_last_square(),
        Field::Passes => language.field_passes(),
        Field::Hands => language.field_hands(),
        Field::Discards => language.field_discards(),
        Field::Swaps => language.field_swaps(),
        Field::Layout => language.field_layout(),
        Field::Movements => language.field_movements(),
        Field::Points => language.field_points(),
        Field::Reserves => language.field_reserves(),
        Field::QuietTurns => language.field_quiet_turns(),
        Field::Moved => language.field_moved(),
        Field::Hit => language.field_hit(),
        Field::OfGame(phrase) => own_text(language, phrase, "field_"),
    }
}
