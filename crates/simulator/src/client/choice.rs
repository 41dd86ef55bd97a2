//! What a client does when it does something: it acts, talks, leaves, or goes elsewhere.

use std::time::Duration;

use protocol::{Access, ChatLine, Claim, Command, Offer, TableSpec};
use rules::Seat;

use super::{Client, Style};

/// A table where nothing happens for so long is left.
const BORED: Duration = Duration::from_secs(400);

const GAMES: [&str; 6] =
    ["quixo", "quarto", "sequence", "quixo(players=4)", "sequence(players=3)", "quarto(call=open)"];
const CLOCKS: [&str; 4] = ["none", "turn=60", "fischer=300+5", "turn=90"];

impl Client {
    /// Goes elsewhere, in one of the ways of the network.
    pub(super) async fn wanders(&mut self) -> bool {
        if self.chance(if self.style == Style::Restless { 12 } else { 2 }) {
            if self.chance(50)
                && let Some(lost) = self.connection.take()
            {
                self.narrate(|| "loses the network; the server does not notice".to_owned());
                self.half_open.push_back(lost);
                self.half_open.truncate(3);
            }
            self.disconnect();
            let longest = if self.chance(20) { 90_000 } else { 3_000 };
            let away = self.random.below(longest);
            self.cluster.travel(away + 1).await;
            return true;
        }
        let bored = self.now().saturating_sub(self.since) > BORED;
        let over = self.follower.as_ref().is_some_and(|follower| follower.ended.is_some());
        if self.table.is_some() && ((over && self.chance(60)) || (bored && self.chance(5))) {
            self.narrate(|| "leaves the table".to_owned());
            self.leave();
        }
        false
    }

    pub(super) fn command(&mut self) -> Option<Command> {
        if self.table.is_none() {
            if self.style == Style::Restless && self.chance(40) {
                let choice = self.random.below(1_000_000);
                return self.cluster.any_table(choice).map(|table| Command::Watch { table, seen: 0 });
            }
            return Some(self.new_table());
        }
        if self.style == Style::Flooding && self.chance(40) {
            let text = "x".repeat(1 + self.random.below(200) as usize);
            return Some(Command::Say { line: ChatLine::Text { text } });
        }
        let follower = self.follower.as_ref()?;
        if follower.game.is_none() {
            let sits = follower.seat().is_some();
            return match (sits, self.random.below(10)) {
                // Also a seat that is taken.
                (false, 0 | 1) => Some(Command::Sit { seat: Some(Seat::from_index(self.random.below(2) as usize)) }),
                (false, _) => Some(Command::Sit { seat: None }),
                (true, 0) => Some(Command::Stand {}),
                // A second seat.
                (true, 1) => Some(Command::Sit { seat: None }),
                _ => None,
            };
        }
        if follower.ended.is_some() {
            return self.chance(30).then_some(Command::Propose { offer: Offer::Rematch });
        }
        let seat = follower.seat();
        if seat.is_none() && self.chance(20) {
            return Some(Command::Say { line: ChatLine::Text { text: format!("I watch {}", self.requests) } });
        }
        let follower = self.follower.as_ref()?;
        let proposed = follower.open_offer().filter(|(_, agreed)| seat.is_some_and(|seat| !agreed.contains(&seat)));
        let away = follower.presence.away.iter().position(|away| away.is_some_and(|seconds| seconds > 20));
        if proposed.is_some() && self.chance(60) {
            let offer = self.follower.as_ref()?.offer.as_ref()?.0;
            return Some(if self.chance(50) { Command::Agree { offer } } else { Command::Decline { offer } });
        }
        if let (Some(away), Some(seat)) = (away, seat)
            && seat.index() != away
            && self.chance(20)
        {
            return Some(Command::Claim { seat: Seat::from_index(away), claim: Claim::Win });
        }
        match self.random.below(60) {
            0 => Some(Command::Resign {}),
            1 => Some(Command::Propose { offer: Offer::Draw }),
            2 | 3 => Some(Command::Propose { offer: Offer::Takeback }),
            4 => Some(Command::Say { line: ChatLine::Text { text: format!("hello {}", self.requests) } }),
            _ => self.move_of_game(),
        }
    }

    /// A legal action if this client is to act, and sometimes when it is not.
    pub(super) fn move_of_game(&mut self) -> Option<Command> {
        let impatient = self.chance(3);
        let follower = self.follower.as_ref()?;
        let game = follower.game.as_ref().filter(|_| follower.ended.is_none())?;
        if game.to_act() != follower.seat() && !impatient || follower.seat().is_none() {
            return None;
        }
        let mut legal = game.legal();
        let at = game.log().len() as u32;
        let any = self.random.below(legal.len().max(1) as u32) as usize;
        (any < legal.len()).then(|| Command::Act { action: legal.swap_remove(any), at })
    }

    fn new_table(&mut self) -> Command {
        self.since = self.now();
        let game = GAMES[self.random.below(GAMES.len() as u32) as usize];
        let clock = CLOCKS[self.random.below(CLOCKS.len() as u32) as usize].to_owned();
        if self.chance(70) {
            let game = if self.chance(80) { GAMES[self.random.below(3) as usize] } else { game };
            return Command::Pair(TableSpec {
                clock: "turn=60".to_owned(),
                access: Access::Open,
                ..TableSpec::new(game)
            });
        }
        let seats = game.split_once("players=").map_or(2, |(_, rest)| usize::from(rest.as_bytes()[0] - b'0'));
        let bots = (0..seats).map(|seat| (seat > 0).then_some(1)).collect();
        let access = if self.chance(30) { Access::Private } else { Access::Link };
        Command::Create(TableSpec { clock, access, seat: Some(Seat::ONE), bots, ..TableSpec::new(game) })
    }
}
