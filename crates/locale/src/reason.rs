use rules::Reason;

use crate::Language;
use crate::phrase::own_text;

/// Why an action is not allowed, in one warm sentence, and what to do instead.
///
/// ```
/// use locale::{Language, reason};
/// use rules::Reason;
///
/// assert_eq!(
///     reason(Language::Russian, Reason::OpponentsStone),
///     "Это камень соперника. Переместите один из своих.",
/// );
/// ```
pub fn reason(language: Language, reason: Reason) -> &'static str {
    match reason {
        Reason::OfGame(phrase) => own_text(language, *phrase, "reason_"),
        Reason::GameOver => language.reason_game_over(),
        Reason::ChanceFirst => language.reason_chance_first(),
        Reason::NoChanceNow => language.reason_no_chance_now(),
        Reason::OffBoard => language.reason_off_board(),
        Reason::SquareTaken => language.reason_square_taken(),
        Reason::SquareEmpty => language.reason_square_empty(),
        Reason::GiveFirst => language.reason_give_first(),
        Reason::PlaceFirst => language.reason_place_first(),
        Reason::PieceUsed => language.reason_piece_used(),
        Reason::NoRowToCall => language.reason_no_row_to_call(),
        Reason::NoPassNow => language.reason_no_pass_now(),
        Reason::NotOnBorder => language.reason_not_on_border(),
        Reason::OpponentsCube => language.reason_opponents_cube(),
        Reason::PartnersCube => language.reason_partners_cube(),
        Reason::WrongEntry => language.reason_wrong_entry(),
        Reason::DotMissing => language.reason_dot_missing(),
        Reason::DotNotUsed => language.reason_dot_not_used(),
        Reason::DotOnOpponent => language.reason_dot_on_opponent(),
        Reason::NotInHand => language.reason_not_in_hand(),
        Reason::WrongPicture => language.reason_wrong_picture(),
        Reason::CornerSquare => language.reason_corner_square(),
        Reason::NotOpponentsChip => language.reason_not_opponents_chip(),
        Reason::CardNotDead => language.reason_card_not_dead(),
        Reason::NoSwapLeft => language.reason_no_swap_left(),
        Reason::NoChipLeft => language.reason_no_chip_left(),
        Reason::NotInStock => language.reason_not_in_stock(),
        Reason::OpponentsStone => language.reason_opponents_stone(),
        Reason::NotStraight => language.reason_not_straight(),
        Reason::PathBlocked => language.reason_path_blocked(),
        Reason::NoMovementInOpening => language.reason_no_movement_in_opening(),
        Reason::MustPlace => language.reason_must_place(),
        Reason::TooManyStones => language.reason_too_many_stones(),
        Reason::ReserveEmpty => language.reason_reserve_empty(),
        Reason::PlacementAfterMovement => language.reason_placement_after_movement(),
        Reason::NothingToEnd => language.reason_nothing_to_end(),
        Reason::CaptureChoiceMissing => language.reason_capture_choice_missing(),
        Reason::WrongCapture => language.reason_wrong_capture(),
        Reason::NotPossibleNow => language.reason_not_possible_now(),
    }
}
