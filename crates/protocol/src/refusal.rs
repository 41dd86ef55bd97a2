use locale::Language;
use rules::Seat;

use crate::declare::tagged;
use crate::words::optional_seat;
use crate::{Compact, Json};

tagged! {
    /// Why a request was refused.
    ///
    /// ```
    /// use locale::Language;
    /// use protocol::Refusal;
    /// use rules::Seat;
    ///
    /// let refusal = Refusal::NotYourTurn { to_act: Some(Seat::TWO) };
    /// assert_eq!(protocol::write(&refusal), r#"{"code":"not_your_turn","to_act":2}"#);
    /// assert_eq!(refusal.sentence(Language::Ukrainian), "Зараз не ваш хід.");
    /// ```
    #[derive(Hash)]
    pub enum Refusal by "code" {
        /// The text is no message of the protocol.
        Unreadable {
            /// What is wrong with it, in English.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            problem: Option<String>,
        } = "unreadable",
        /// The message is too long.
        TooLong = "too_long",
        /// Too many messages in too short a time.
        TooFast = "too_fast",
        /// The client speaks a version that the server does not.
        Version {
            /// The oldest version that the server speaks.
            oldest: u32,
            /// The newest version that the server speaks.
            newest: u32,
        } = "version",
        /// There is no such table.
        NoTable = "no_table",
        /// No table is being watched.
        NotWatching = "not_watching",
        /// The table is private.
        Private = "private",
        /// There is no such seat, or it cannot be used so.
        NoSeat = "no_seat",
        /// The seat, or every seat, is taken.
        SeatTaken = "seat_taken",
        /// The person has no seat at this table.
        NotSeated = "not_seated",
        /// Only the maker of the table may do this.
        NotMaker = "not_maker",
        /// Not all seats are taken yet.
        SeatsFree = "seats_free",
        /// The game has not begun.
        NotBegun = "not_begun",
        /// The game has begun already.
        Begun = "begun",
        /// The game is over.
        Over = "over",
        /// Another seat is to act.
        NotYourTurn {
            /// Which one; none if chance is to act.
            #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
            to_act: Option<Seat>,
        } = "not_your_turn",
        /// The action was meant for another position.
        Stale = "stale",
        /// The text is no action of this game.
        UnreadableAction {
            /// The beginning of the text.
            action: String,
        } = "unreadable_action",
        /// The rules refuse the action.
        IllegalAction {
            /// The action.
            action: String,
            /// The rule that forbids it, in English.
            problem: String,
        } = "illegal_action",
        /// The seat's time is up.
        TimeUp = "time_up",
        /// The seat is out of the game.
        SeatIsOut = "seat_is_out",
        /// No such offer is open.
        NothingProposed = "nothing_proposed",
        /// Another offer is open, or this one was declined in this position.
        AnotherProposal = "another_proposal",
        /// There is nothing to take back, or a card was seen by it.
        NothingToTakeBack = "nothing_to_take_back",
        /// The seat is not away, or not for long enough.
        NotAway {
            /// How many seconds to wait; none where a turn has days and the game can never be claimed.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            wait: Option<u32>,
        } = "not_away",
        /// There can be no such table.
        BadTable {
            /// Why, in English.
            problem: String,
        } = "bad_table",
        /// Rated games are for two people with accounts.
        NotRated = "not_rated",
        /// The line of chat is empty or too long.
        BadText = "bad_text",
        /// There is no team to talk to alone, or it was not agreed.
        NoTeam = "no_team",
        /// The server has as many tables or connections as it will hold.
        Full = "full",
        /// The server is too busy for new tables.
        Busy {
            /// What it waits for, in English.
            problem: String,
        } = "busy",
        /// The server is about to stop; try again soon.
        Stopping = "stopping",
        /// The database does not answer or cannot write.
        Storage = "storage",
        /// The credential is unknown or has expired.
        NotKnown = "not_known",
        /// The name is taken, or no name.
        BadName = "bad_name",
        /// The password is wrong.
        BadPassword = "bad_password",
        /// There is no such recovery code, or it was used.
        BadCode = "bad_code",
        /// The password is too short or too long.
        PasswordLength = "password_length",
        /// The operator has banned the person or the address.
        Banned = "banned",
        /// It is not allowed from here.
        Forbidden = "forbidden",
        /// There is no such thing.
        NotFound = "not_found",
    }
    else
    /// A reason that this program does not know: the server is newer. Never sent.
    Unknown
}

/// The longest explanation that is sent, in characters: it may repeat what the client wrote.
const LONGEST_PROBLEM: usize = 300;

impl Refusal {
    /// A text that is no message, and what is wrong with it.
    pub fn unreadable(problem: &str) -> Refusal {
        Refusal::Unreadable { problem: Some(problem.chars().take(LONGEST_PROBLEM).collect()) }
    }

    /// The word that stands for it in a message.
    pub fn code(&self) -> String {
        let mut text = String::new();
        self.write(&mut text);
        Json::read(&text).map(|json| json.text_of("code")).unwrap_or_default()
    }

    /// The reason as a sentence for people.
    pub fn sentence(&self, language: Language) -> String {
        let l = language;
        match self {
            Refusal::UnreadableAction { action } => l.refused_unreadable_action(action),
            Refusal::IllegalAction { action, .. } => l.refused_illegal_action(action),
            Refusal::NotAway { wait: Some(seconds) } => l.refused_not_away(u64::from(*seconds)),
            Refusal::BadTable { problem } => l.refused_bad_wish(problem),
            other => other.plain_sentence(l).to_owned(),
        }
    }

    /// The sentence, where it needs no data.
    fn plain_sentence(&self, l: Language) -> &'static str {
        match self {
            Refusal::Unreadable { .. } => l.refused_unreadable(),
            Refusal::TooLong => l.refused_too_long(),
            Refusal::TooFast => l.refused_too_fast(),
            Refusal::NoTable => l.refused_no_table(),
            Refusal::NotWatching => l.refused_not_watching(),
            Refusal::Private => l.refused_private(),
            Refusal::NoSeat => l.refused_no_seat(),
            Refusal::SeatTaken => l.refused_seat_taken(),
            Refusal::NotSeated => l.refused_not_seated(),
            Refusal::NotMaker => l.refused_not_maker(),
            Refusal::SeatsFree => l.refused_seats_free(),
            Refusal::NotBegun => l.refused_not_begun(),
            Refusal::Begun => l.refused_begun(),
            Refusal::Over => l.refused_over(),
            Refusal::NotYourTurn { .. } => l.refused_not_your_turn(),
            Refusal::Stale => l.refused_stale(),
            Refusal::TimeUp => l.refused_time_up(),
            Refusal::SeatIsOut => l.refused_seat_is_out(),
            Refusal::NothingProposed => l.refused_nothing_proposed(),
            Refusal::AnotherProposal => l.refused_another_proposal(),
            Refusal::NothingToTakeBack => l.refused_nothing_to_take_back(),
            Refusal::NotAway { .. } => l.refused_not_away_slow(),
            Refusal::NotRated => l.refused_not_rated(),
            Refusal::BadText => l.refused_bad_text(),
            Refusal::NoTeam => l.refused_no_team(),
            Refusal::Full => l.refused_full(),
            Refusal::Busy { .. } => l.refused_busy(),
            Refusal::Stopping => l.refused_stopping(),
            Refusal::Storage => l.refused_storage(),
            Refusal::NotKnown => l.refused_not_known(),
            Refusal::BadName => l.refused_bad_name(),
            Refusal::BadPassword => l.refused_bad_password(),
            Refusal::BadCode => l.refused_bad_code(),
            Refusal::PasswordLength => l.refused_password_length(),
            Refusal::Banned => l.refused_banned(),
            Refusal::Forbidden => l.refused_forbidden(),
            Refusal::NotFound => l.refused_not_found(),
            // A newer server may refuse for reasons of which this program has no sentence.
            Refusal::Version { .. }
            | Refusal::UnreadableAction { .. }
            | Refusal::IllegalAction { .. }
            | Refusal::BadTable { .. }
            | Refusal::Unknown => l.refused_version(),
        }
    }
}
