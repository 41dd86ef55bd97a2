//! The sentences that every shell says about a session.
//!
//! A [`SessionView`](crate::SessionView) is typed; a shell that wants other words, or pictures, writes its own from the same types.

use std::time::Duration;

use game::{Cause, ClockRule, Conferring, Departure, Event, Game, MatchError, MatchSettings, Player, Refused};
use locale::{Language, Names};
use rules::{OptionValues, Outcome, Seat};
use scene::Message;
use search::{Level, Mistake, Score, Value};

use crate::{FirstPlayer, OfferKind, OpenOffer, Over, Prompt, Standing, Subject, Told, What};

/// What the seats are called: by the players' names, else as the game calls them. Texts speak to the reader.
pub fn names(language: Language, settings: &MatchSettings, reader: Option<Seat>) -> Names {
    let mut names = Names::with_signs(language, settings.game.id(), settings.game.seats(), settings.signs());
    let bots = settings.sitters.iter().filter(|sitter| sitter.player() != Player::Person).count();
    for (index, sitter) in settings.sitters.iter().enumerate() {
        match sitter.player() {
            _ if !sitter.name().is_empty() => names.rename(Seat::from_index(index), sitter.name()),
            // Several are told apart by what they play with.
            Player::Bot(_) if bots == 1 => names.rename(Seat::from_index(index), language.web_computer()),
            _ => {}
        }
    }
    let Some(reader) = reader else { return names };
    // A person without a name in a game without colours or symbols would be a mere number.
    if let (2, []) = (settings.game.seats(), settings.game.id().signs()) {
        let opponent = reader.next(2);
        let sitter = settings.sitters.get(opponent.index());
        if sitter.is_none_or(|sitter| sitter.player() == Player::Person && sitter.name().is_empty()) {
            names.call_opponent(language, opponent);
        }
    }
    names.speaking_to(reader)
}

/// The status line.
pub fn prompt(language: Language, prompt: &Prompt, names: &Names) -> String {
    match prompt {
        // Another player's card is no task for the reader.
        Prompt::Chance(Message::Drawing { seat }) if names.you().is_some_and(|you| you != *seat) => {
            language.turn_of(names.seat(*seat))
        }
        Prompt::Act { what, .. } | Prompt::Chance(what) => locale::message(language, what, names),
        Prompt::Wait { by: Subject::Opponent(seat) | Subject::Seat(seat), .. } => language.turn_of(names.seat(*seat)),
        Prompt::Wait { by: Subject::Reader, .. } => language.your_turn().to_owned(),
        Prompt::Over(over) => ending(language, over, names),
    }
}

/// What happened, in a sentence.
pub fn told(language: Language, told: &Told, names: &Names) -> String {
    // Chance acts for a player too: the reader draws a card.
    let reader = names.you().filter(|_| told.by.is_none_or(|by| by == Subject::Reader));
    match (&told.what, reader) {
        (What::Action(happening), Some(reader)) => {
            let mut names = names.clone();
            names.rename(reader, language.you());
            locale::message(language, &happening.message, &names)
        }
        (What::Action(happening), None) => locale::message(language, &happening.message, names),
        (What::Table(Event::Action(action)), _) => action.to_string(),
        (What::Table(Event::Out(seat, departure)), _) => left(language, *departure, Some(*seat), names),
        (What::Table(Event::Agreed), _) => language.ended_agreement().to_owned(),
        (What::Table(Event::Abandoned), _) => language.ended_abandoned().to_owned(),
    }
}

/// How the match ended, for its reader.
pub fn ending(language: Language, over: &Over, names: &Names) -> String {
    let gone = over.gone.map(|gone| match gone {
        Subject::Reader => names.you().unwrap_or(Seat::ONE),
        Subject::Opponent(seat) | Subject::Seat(seat) => seat,
    });
    let because = match over.ending.cause {
        Cause::Rules => return locale::message(language, &over.status, names),
        Cause::Resignation => left(language, Departure::Resigned, gone, names),
        Cause::Time => left(language, Departure::TimeUp, gone, names),
        Cause::Departure => left(language, Departure::Left, gone, names),
        Cause::Agreement => language.ended_agreement().to_owned(),
        Cause::Repetition => language.ended_repetition().to_owned(),
        Cause::Abandonment => language.ended_abandoned().to_owned(),
    };
    match over.ending.outcome {
        Some(Outcome::Win(side)) if names.is_your_side(side) => format!("{because} {}", language.you_win()),
        Some(Outcome::Win(side)) => format!("{because} {}", language.wins(names.side(side), names.side_count(side))),
        Some(Outcome::Draw) | None => because,
    }
}

fn left(language: Language, departure: Departure, seat: Option<Seat>, names: &Names) -> String {
    let name = seat.map(|seat| names.seat(seat)).unwrap_or_default();
    let count = seat.map_or(1, |seat| names.seat_count(seat));
    match departure {
        Departure::Resigned if seat == names.you() => language.ended_you_resigned().to_owned(),
        Departure::TimeUp if seat == names.you() => language.ended_your_time().to_owned(),
        Departure::Resigned => language.ended_resignation(name, count),
        Departure::TimeUp => language.ended_time(name),
        Departure::Left => language.ended_departure(name, count),
    }
}

/// What is said about an offer, to a person who has agreed to it or is asked.
pub fn offer(language: Language, offer: &OpenOffer, names: &Names) -> String {
    let by = names.seat(offer.by);
    match (offer.standing, offer.kind) {
        (Standing::Agreed, OfferKind::Draw) => language.online_own_draw().to_owned(),
        (Standing::Agreed, OfferKind::Takeback) => language.online_own_takeback().to_owned(),
        (Standing::Agreed, OfferKind::Rematch) => language.online_own_rematch().to_owned(),
        (_, OfferKind::Draw) => language.draw_offered(by, names.seat_count(offer.by)),
        (_, OfferKind::Takeback) => language.online_takeback_offered(by),
        (_, OfferKind::Rematch) => language.online_rematch_offered(by),
    }
}

/// Why the match did not do what it was asked; `example` is an action that is possible.
pub fn refusal(language: Language, error: &MatchError, names: &Names, example: Option<&str>) -> String {
    match error {
        MatchError::Over(_) => language.match_over().to_owned(),
        MatchError::Refused(refused) => refused_action(language, refused, example),
        MatchError::NotYourTurn { to_act: Some(seat), .. } => language.match_not_your_turn(names.seat(*seat)),
        MatchError::NotYourTurn { to_act: None, .. } | MatchError::NothingToDraw => {
            language.match_chance_first().to_owned()
        }
        MatchError::NoSuchSeat(seat) => language.match_no_such_seat(seat),
        MatchError::SeatIsOut(seat) => language.match_seat_is_out(names.seat(*seat)),
        MatchError::TimeUp(seat) => language.match_time_up(names.seat(*seat)),
        MatchError::NothingToUndo => language.match_nothing_to_undo().to_owned(),
        MatchError::NothingToRedo => language.match_nothing_to_redo().to_owned(),
        MatchError::NeedsConsent => language.match_needs_consent().to_owned(),
        MatchError::NothingProposed => language.match_nothing_proposed().to_owned(),
        MatchError::AnotherProposal => language.match_another_proposal().to_owned(),
    }
}

/// Why an action cannot be played; `example` is one that can.
pub fn refused_action(language: Language, refused: &Refused, example: Option<&str>) -> String {
    match refused {
        Refused::Unreadable(unreadable) => language.not_readable(unreadable.text(), example.unwrap_or("?")),
        Refused::Illegal { reason, .. } => locale::reason(language, *reason).to_owned(),
    }
}

/// Advice; `action` is the advised action as the shell writes it.
pub fn hint(language: Language, action: &str, value: Value) -> String {
    match value {
        Value::Win(Some(plies)) => language.hint_wins(action, plies.into()),
        Value::Win(None) => language.hint_surely_wins(action),
        Value::Draw => language.hint_draws(action),
        Value::Loss(_) => language.hint_loses(action),
        Value::Estimate(Score::EVEN) => language.hint_is(action),
        Value::Estimate(score) => language.hint_estimate(action, percent(score.into())),
    }
}

/// The value of an action, in words.
pub fn value(language: Language, value: Value) -> String {
    match value {
        Value::Win(Some(plies)) => language.worth_win(plies.into()),
        Value::Win(None) => language.worth_sure_win().to_owned(),
        Value::Draw => language.worth_draw().to_owned(),
        Value::Loss(None) => language.worth_sure_loss().to_owned(),
        Value::Loss(Some(plies)) => language.worth_loss(plies.into()),
        Value::Estimate(score) => language.worth_estimate(percent(score.into())),
    }
}

/// What a mistake gave away.
pub fn mistake(language: Language, mistake: Mistake) -> &'static str {
    match mistake {
        Mistake::WinToDraw => language.mistake_win_to_draw(),
        Mistake::WinToLoss => language.mistake_win_to_loss(),
        Mistake::DrawToLoss => language.mistake_draw_to_loss(),
        Mistake::MissedWin => language.mistake_missed_win(),
        Mistake::Loses => language.mistake_loses(),
        Mistake::Doubtful => language.mistake_doubtful(),
    }
}

/// A share as whole percents, rounded.
pub fn percent(share: f32) -> u32 {
    (share * 100.0 + 0.5) as u32
}

/// The game and what its options are set to, where that differs from the default.
///
/// ```
/// use locale::Language;
/// use session::words::title;
///
/// let game = "four(size=9,lead=3,bonus=three)".parse()?;
/// assert_eq!(
///     title(Language::English, &game),
///     "Four · 9×9 · Head start of the second: 3 points · captures by the first three movements"
/// );
/// assert_eq!(title(Language::Ukrainian, &"quarto(attributes=colour)".parse()?), "4 на лінії · Ознаки: колір");
/// # Ok::<(), game::BadGame>(())
/// ```
pub fn title(language: Language, game: &Game) -> String {
    let id = game.id();
    let mut parts = vec![locale::game_name(language, id).to_owned()];
    // The game's own text leaves out what is at its default, even where one default depends on another option.
    let text = game.to_string();
    let options = text.split_once('(').map_or("", |(_, options)| options.trim_end_matches(')'));
    for (name, value) in options.split(',').filter_map(|option| option.split_once('=')) {
        let named = locale::option_value(language, id, name, value);
        let values = id.options().iter().find(|spec| spec.name == name).map(|spec| spec.values);
        parts.push(match (values, locale::option_name(language, id, name)) {
            // A number does not say what it counts, and some of several words not what they are chosen from.
            (Some(OptionValues::Number { .. } | OptionValues::Subset(_)), Some(name)) => format!("{name}: {named}"),
            _ => named,
        });
    }
    parts.join(" · ")
}

/// What a level is called.
pub fn level(language: Language, level: Level) -> &'static str {
    locale::level_name(language, level.number()).unwrap_or_default()
}

/// Who plays a seat.
pub fn player(language: Language, player: Player) -> String {
    match player {
        Player::Person => language.seat_person().to_owned(),
        Player::Bot(bot) => format!("{} · {}", language.level(bot), level(language, bot)),
    }
}

/// Whether partners may confer.
pub fn conferring(language: Language, conferring: Conferring) -> &'static str {
    match conferring {
        Conferring::Allowed => language.confer_yes(),
        Conferring::Forbidden => language.confer_no(),
    }
}

/// How the first player is found.
pub fn first_player(language: Language, first: FirstPlayer) -> &'static str {
    match first {
        FirstPlayer::AsSeated => language.first_as_seated(),
        FirstPlayer::Lot => language.first_by_lot(),
        FirstPlayer::Loser => language.first_loser(),
    }
}

/// Who begins, where that was drawn by lot.
pub fn lot(language: Language, names: &Names) -> String {
    match names.is_you(Seat::ONE) {
        true => language.lot_falls_on_you().to_owned(),
        false => language.lot_falls(names.seat(Seat::ONE), names.seat_count(Seat::ONE)),
    }
}

const HOUR: u64 = 3600;
const DAY: u64 = 24 * HOUR;
/// From so many hours on seconds are not shown.
const LONG: u64 = 6 * HOUR;

/// How time is counted.
pub fn clock(language: Language, rule: ClockRule) -> String {
    match rule {
        ClockRule::None => language.clock_none().to_owned(),
        ClockRule::PerTurn(time) if rule.is_by_post() => language.clock_days(time.as_secs() / DAY),
        ClockRule::PerTurn(time) if time.as_secs() % 60 == 0 => language.clock_turn_minutes(time.as_secs() / 60),
        ClockRule::PerTurn(time) => language.clock_turn(time.as_secs()),
        ClockRule::Fischer { base, increment } => language.clock_fischer(whole_minutes(base), increment.as_secs()),
        ClockRule::Delay { base, delay } => language.clock_delay(whole_minutes(base), delay.as_secs()),
    }
}

/// The time left on a clock: tenths when there is little, days and hours when there is much.
pub fn time(language: Language, left: Duration) -> String {
    match left.as_secs() {
        seconds @ 0..10 => format!("0:0{seconds}.{}", left.subsec_millis() / 100),
        seconds @ LONG..DAY => language.clock_left_hours((seconds / HOUR).to_string(), (seconds / 60 % 60).to_string()),
        seconds @ DAY.. if seconds % DAY < HOUR => language.clock_left_whole_days(seconds / DAY),
        seconds @ DAY.. => language.clock_left_days(seconds / DAY, (seconds % DAY / HOUR).to_string()),
        _ => minutes(left),
    }
}

/// Minutes without seconds where there are none: `5`, `1:30`.
fn whole_minutes(time: Duration) -> String {
    if time.as_secs().is_multiple_of(60) { (time.as_secs() / 60).to_string() } else { minutes(time) }
}

/// Minutes and whole seconds, and hours where there are any.
fn minutes(time: Duration) -> String {
    let seconds = time.as_secs();
    if seconds >= HOUR {
        return format!("{}:{:02}:{:02}", seconds / HOUR, seconds / 60 % 60, seconds % 60);
    }
    format!("{}:{:02}", seconds / 60, seconds % 60)
}

#[cfg(test)]
mod tests {
    use game::Match;

    use super::*;
    use crate::{LocalSession, Pace};

    #[test]
    fn a_card_that_the_reader_draws_is_theirs() {
        let mut settings = MatchSettings::new("sequence".parse().unwrap());
        settings.sitters[1] = "bot:1".parse().unwrap();
        let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 1, Duration::ZERO);
        while session.poll(Duration::ZERO) {}
        let view = session.view();
        let told: Vec<String> = [view.reader, None]
            .map(|reader| {
                let names = names(Language::English, view.game.settings(), reader);
                told(Language::English, &view.told(0).unwrap(), &names)
            })
            .into();
        assert!(told[0].starts_with("You: new card, "), "{told:?}");
        assert!(told[1].starts_with("Green: new card, "), "{told:?}");
    }

    #[test]
    fn nobody_is_told_to_draw_the_opponents_card() {
        let settings = MatchSettings::new("sequence".parse().unwrap());
        let names = names(Language::English, &settings, Some(Seat::ONE));
        let told = |seat| prompt(Language::English, &Prompt::Chance(Message::Drawing { seat }), &names);
        assert_eq!([told(Seat::ONE), told(Seat::TWO)], ["Your turn: draw a card", "Blue to move"]);
    }

    #[test]
    fn the_status_line_speaks_to_its_reader() {
        let mut settings = MatchSettings::new("quixo".parse().unwrap());
        settings.sitters[1] = "bot:1".parse().unwrap();
        let mut session = LocalSession::new(Match::new(settings).unwrap(), Pace::NONE, 1, Duration::ZERO);
        let status = |session: &LocalSession, language| {
            let view = session.view();
            let names = names(language, view.game.settings(), view.reader);
            let last = view.last_told(view.game.log().len()).map(|last| told(language, &last, &names));
            (prompt(language, &view.prompt(&[]), &names), last)
        };
        for (language, turn, before, after) in [
            (Language::English, "Your turn: take a cube", "You: ", "Computer to move"),
            (Language::Ukrainian, "Ваш хід: зніміть", "Ви: ", "Хід: Комп’ютер"),
            (Language::Russian, "Ваш ход: снимите", "Вы: ", "Ход: Компьютер"),
        ] {
            let (own_turn, _) = status(&session, language);
            assert!(own_turn.starts_with(turn), "{own_turn}");
            let mut session = session.clone();
            session.act("a3e3", Duration::ZERO).unwrap();
            let (others_turn, happened) = status(&session, language);
            assert_eq!(others_turn, after, "the opponent's prompt is no instruction");
            assert!(happened.unwrap().starts_with(before));
        }
        session.resign(Duration::ZERO).unwrap();
        assert_eq!(status(&session, Language::English).0, "You have resigned. Computer wins!");
    }

    #[test]
    fn an_opponent_without_a_name_is_no_number() {
        let game = Match::new(MatchSettings::new("quarto".parse().unwrap())).unwrap();
        let mut session = LocalSession::practice(game, Seat::ONE, Pace::NONE, 1, Duration::ZERO);
        let told = |session: &LocalSession, language| {
            let view = session.view();
            let names = names(language, view.game.settings(), view.reader);
            prompt(language, &view.prompt(&[]), &names)
        };
        assert_eq!(told(&session, Language::English), "Your turn: choose a piece for your opponent");
        assert_eq!(told(&session, Language::Ukrainian), "Ваш хід: виберіть фігуру, яку поставить суперник");
        assert_eq!(told(&session, Language::Russian), "Ваш ход: выберите фигуру, которую поставит соперник");
        session.act("7", Duration::ZERO).unwrap();
        assert_eq!(told(&session, Language::English), "Your opponent to move");
    }

    #[test]
    fn time_is_told_as_finely_as_it_matters() {
        let said = |language, seconds: f64| time(language, Duration::from_secs_f64(seconds));
        assert_eq!(said(Language::English, 9.96), "0:09.9");
        assert_eq!(said(Language::English, 65.0), "1:05");
        assert_eq!(said(Language::English, 5400.0), "1:30:00");
        assert_eq!(said(Language::Russian, 7.5 * 3600.0), "7 ч 30 мин");
        assert_eq!(said(Language::Ukrainian, 2.5 * 86_400.0), "2 дні 12 год");
        assert_eq!(said(Language::English, 86_400.0), "1 day");
    }
}
