use locale::Language;

use crate::Code;

/// Why something was refused, as a sentence.
///
/// ```
/// use locale::Language;
/// use protocol::Code;
///
/// assert_eq!(protocol::sentence(Language::Ukrainian, Code::NotYourTurn, &[]), "Зараз не ваш хід.");
/// ```
pub fn sentence(language: Language, code: Code, args: &[String]) -> String {
    let argument = args.first().map_or("", String::as_str);
    match code {
        Code::Unreadable => language.refused_unreadable().to_owned(),
        Code::TooLong => language.refused_too_long().to_owned(),
        Code::TooFast => language.refused_too_fast().to_owned(),
        Code::Version => language.refused_version().to_owned(),
        Code::NoTable => language.refused_no_table().to_owned(),
        Code::NotWatching => language.refused_not_watching().to_owned(),
        Code::Private => language.refused_private().to_owned(),
        Code::NoSeat => language.refused_no_seat().to_owned(),
        Code::SeatTaken => language.refused_seat_taken().to_owned(),
        Code::NotSeated => language.refused_not_seated().to_owned(),
        Code::NotMaker => language.refused_not_maker().to_owned(),
        Code::SeatsFree => language.refused_seats_free().to_owned(),
        Code::NotBegun => language.refused_not_begun().to_owned(),
        Code::Begun => language.refused_begun().to_owned(),
        Code::Over => language.refused_over().to_owned(),
        Code::NotYourTurn => language.refused_not_your_turn().to_owned(),
        Code::Stale => language.refused_stale().to_owned(),
        Code::UnreadableAction => language.refused_unreadable_action(argument),
        Code::IllegalAction => language.refused_illegal_action(argument),
        Code::TimeUp => language.refused_time_up().to_owned(),
        Code::SeatIsOut => language.refused_seat_is_out().to_owned(),
        Code::NothingProposed => language.refused_nothing_proposed().to_owned(),
        Code::AnotherProposal => language.refused_another_proposal().to_owned(),
        Code::NothingToTakeBack => language.refused_nothing_to_take_back().to_owned(),
        Code::NotAway if args.is_empty() => language.refused_not_away_slow().to_owned(),
        Code::NotAway => language.refused_not_away(argument.parse().unwrap_or(1)),
        Code::BadWish => language.refused_bad_wish(argument),
        Code::NotRated => language.refused_not_rated().to_owned(),
        Code::BadText => language.refused_bad_text().to_owned(),
        Code::NoTeam => language.refused_no_team().to_owned(),
        // With a reason, in English and for the log, it is not the number of tables.
        Code::Full if !argument.is_empty() => language.refused_busy().to_owned(),
        Code::Full => language.refused_full().to_owned(),
        Code::Stopping => language.refused_stopping().to_owned(),
        Code::Storage => language.refused_storage().to_owned(),
        Code::NotKnown => language.refused_not_known().to_owned(),
        Code::BadName => language.refused_bad_name().to_owned(),
        // With an argument it is not wrong, but none.
        Code::BadPassword if !argument.is_empty() => language.refused_password_length().to_owned(),
        Code::BadPassword => language.refused_bad_password().to_owned(),
        Code::Forbidden => language.refused_forbidden().to_owned(),
        Code::NotFound => language.refused_not_found().to_owned(),
    }
}

/// A phrase in somebody's language; `None` if there is no such phrase.
pub fn phrase(language: Language, key: &str) -> Option<&'static str> {
    Some(match key {
        "hello" => language.phrase_hello(),
        "good_luck" => language.phrase_good_luck(),
        "well_played" => language.phrase_well_played(),
        "thanks" => language.phrase_thanks(),
        "oops" => language.phrase_oops(),
        "one_moment" => language.phrase_one_moment(),
        "again" => language.phrase_again(),
        "bye" => language.phrase_bye(),
        _ => return None,
    })
}
