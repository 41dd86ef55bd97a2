use serde::{Deserialize, Serialize};

/// Why something was refused. The sentence for people comes from `locale`, in their language.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Code {
    /// The text is no message of the protocol.
    Unreadable,
    /// The message is too long.
    TooLong,
    /// Too many messages in too short a time.
    TooFast,
    /// The client speaks a version that the server does not.
    Version,
    /// There is no such table.
    NoTable,
    /// No table is being watched.
    NotWatching,
    /// The table is private.
    Private,
    /// There is no such seat, or it cannot be used so.
    NoSeat,
    /// The seat, or every seat, is taken.
    SeatTaken,
    /// Who asks has no seat at this table.
    NotSeated,
    /// Only the maker of the table may do this.
    NotMaker,
    /// Not all seats are taken yet.
    SeatsFree,
    /// The game has not begun.
    NotBegun,
    /// The game has begun already.
    Begun,
    /// The game is over.
    Over,
    /// Another seat is to act; argument: its number, 0 for chance.
    NotYourTurn,
    /// The action was meant for another position.
    Stale,
    /// The text is no action of this game; argument: the text.
    UnreadableAction,
    /// The rules refuse the action; arguments: the action, the rule's name.
    IllegalAction,
    /// The seat's time is up.
    TimeUp,
    /// The seat is out of the game.
    SeatIsOut,
    /// Nothing like it is proposed.
    NothingProposed,
    /// Another proposal is not answered yet, or this one was made a moment ago.
    AnotherProposal,
    /// There is nothing to take back, or a card was seen by it.
    NothingToTakeBack,
    /// The seat is not away, or not for long enough; argument: seconds to wait, none where a turn has days.
    NotAway,
    /// The wish for a table cannot be fulfilled; argument: why, in English.
    BadWish,
    /// Rated games are for two people with accounts.
    NotRated,
    /// The text is empty, too long, or no phrase.
    BadText,
    /// There is no team to talk to alone, or it was not agreed.
    NoTeam,
    /// The server has as many tables or connections as it will hold; with an argument it is too busy for new tables, and
    /// the argument says why, in English.
    Full,
    /// The server is about to stop; try again soon.
    Stopping,
    /// The database does not answer or cannot write.
    Storage,
    /// Not known who asks, or the token has expired.
    NotKnown,
    /// The name is taken, or no name.
    BadName,
    /// The password is wrong; with the argument `length` it is too short or too long.
    BadPassword,
    /// It is not allowed from here.
    Forbidden,
    /// There is no such thing.
    NotFound,
}
