use rules::Seat;

use crate::TableSpec;
use crate::declare::{object, tagged, words};
use crate::words::{optional_seat, seat};

object! {
    /// What a client sends.
    #[serde(deny_unknown_fields)]
    pub struct Request {
        /// Chosen by the client, different for every request at a table. A request that is sent again, because its
        /// acknowledgement got lost, is acknowledged again and performed once.
        pub id: String,
        /// What to do.
        pub command: Command,
    }
}

tagged! {
    /// What a client can request. All but the first five are about the table being watched.
    #[serde(deny_unknown_fields)]
    pub enum Command by "type" {
        /// The first message of a connection; answered by `welcome` instead of an acknowledgement.
        Hello {
            /// The newest version that the client speaks.
            version: u32,
        } = "hello",
        /// Watch a table: its events since number `seen`, which is 0 for all of them, and from now on.
        Watch {
            /// The id of the table.
            table: String,
            /// The last event number that the client has.
            #[serde(default)]
            seen: u32,
        } = "watch",
        /// Watch the lobby: the open tables, now and when they change.
        Lobby {} = "lobby",
        /// Make a table; the acknowledgement names it, and it is watched from then on.
        Create(TableSpec) = "create",
        /// Take a seat at any open table of this kind, or make one; the acknowledgement names it, and it is watched.
        Pair(TableSpec) = "pair",
        /// Sit down, on this seat or on any free one.
        Sit {
            /// The seat; any free one without it.
            #[serde(default, with = "optional_seat", skip_serializing_if = "Option::is_none")]
            seat: Option<Seat>,
        } = "sit",
        /// Stand up again, before the game begins.
        Stand {} = "stand",
        /// The maker of the table seats a bot on a free seat, or takes it away.
        Bot {
            /// The seat.
            #[serde(with = "seat")]
            seat: Seat,
            /// From 1 to 8; without it the bot is taken away.
            #[serde(default, skip_serializing_if = "Option::is_none")]
            level: Option<u8>,
        } = "bot",
        /// Begin, once all seats are taken.
        Start {} = "start",
        /// Act in the game.
        Act {
            /// The action's text.
            action: String,
            /// How many entries the client's log of the match has; if the server has another number, the action was
            /// meant for another position and is refused as stale.
            at: u32,
        } = "act",
        /// Resign.
        Resign {} = "resign",
        /// Offer something that every side must agree to; the same offer from another side is an agreement.
        Propose {
            /// What is offered.
            offer: Offer,
        } = "propose",
        /// Agree to an offer.
        Agree {
            /// The offer that is open.
            offer: Offer,
        } = "agree",
        /// Decline an offer, or withdraw it.
        Decline {
            /// The offer that is open.
            offer: Offer,
        } = "decline",
        /// Claim the game because a seat is away for too long. With more than two sides all who are present must claim.
        Claim {
            /// The seat that is away.
            #[serde(with = "seat")]
            seat: Seat,
            /// What is claimed.
            claim: Claim,
        } = "claim",
        /// Say something.
        Say {
            /// What.
            line: ChatLine,
        } = "say",
        /// Check that the server is there; acknowledged at once.
        Ping {} = "ping",
    }
}

words! {
    /// What all sides can agree to.
    pub enum Offer {
        /// To call the match a draw.
        Draw = "draw",
        /// To take back everything since the proposing seat last acted.
        Takeback = "takeback",
        /// To play once more with the seats moved on by one, after the match.
        Rematch = "rematch",
    }
}

words! {
    /// What can be claimed when a seat is away.
    pub enum Claim {
        /// That the seat is out.
        Win = "win",
        /// That the match is a draw.
        Draw = "draw",
    }
}

tagged! {
    /// A line of chat.
    #[serde(deny_unknown_fields)]
    pub enum ChatLine by "type" {
        /// Words for everyone at the table.
        Text {
            /// The words.
            text: String,
        } = "text",
        /// A phrase for everyone at the table, shown to each reader in their own language.
        Phrase {
            /// Which one.
            phrase: Phrase,
        } = "phrase",
        /// Words for the own team, at tables where that was agreed.
        Team {
            /// The words.
            text: String,
        } = "team",
    }
}

words! {
    /// The phrases that need no typing.
    #[allow(missing_docs)] // each is its own text
    pub enum Phrase {
        Hello = "hello",
        GoodLuck = "good_luck",
        WellPlayed = "well_played",
        Thanks = "thanks",
        Oops = "oops",
        OneMoment = "one_moment",
        Again = "again",
        Bye = "bye",
    }
}
