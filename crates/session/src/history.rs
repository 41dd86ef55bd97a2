use game::{AnyPosition, Event, Match, Record};
use rules::{Seat, Turn};

/// The positions a match went through, kept in step with its log, so that nothing is replayed to look back.
#[derive(Clone, Debug)]
pub struct History {
    /// Before each entry of the log, and last the present.
    steps: Vec<Step>,
}

#[derive(Clone, Debug)]
struct Step {
    position: Box<dyn AnyPosition>,
    /// How many actions of seats came before it.
    moves: usize,
}

impl History {
    /// The history of a match so far; the only time that its log is replayed.
    pub fn new(game: &Match) -> History {
        let mut steps: Vec<Step> = Vec::with_capacity(game.log().len() + 1);
        for (length, position) in game.history().into_iter().enumerate() {
            let moves = steps.last().map_or(0, |before| before.moves_after(&game.log()[length - 1].event));
            steps.push(Step { position, moves });
        }
        History { steps }
    }

    /// Takes in what was appended to the log or cut off it.
    pub fn keep_up(&mut self, game: &Match) {
        let (known, length) = (self.len(), game.log().len());
        if length > known + 1 {
            *self = History::new(game);
            return;
        }
        if length < known {
            self.steps.truncate(length + 1);
        }
        let now = game.position().boxed();
        match self.steps.last_mut() {
            Some(last) if length <= known => last.position = now,
            last => {
                let moves = last.map_or(0, |before| before.moves_after(&game.log()[known].event));
                self.steps.push(Step { position: now, moves });
            }
        }
    }

    /// The length of the log it is in step with.
    pub fn len(&self) -> usize {
        self.steps.len().saturating_sub(1)
    }

    /// Whether nothing has happened yet.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The position when the log had this length.
    pub fn position(&self, length: usize) -> Option<&dyn AnyPosition> {
        self.steps.get(length).map(|step| step.position.as_ref())
    }

    /// How many actions of seats came before the log had this length.
    pub fn moves(&self, length: usize) -> usize {
        self.steps.get(length).map_or(0, |step| step.moves)
    }

    /// The seat that acted in an entry of the log; `None` for chance and for what only the table knows.
    pub fn actor(&self, game: &Match, entry: usize) -> Option<Seat> {
        let Event::Action(_) = game.log().get(entry)?.event else { return None };
        self.to_act(entry)
    }

    /// The seat that was to act when the log had this length.
    pub fn to_act(&self, length: usize) -> Option<Seat> {
        match self.position(length)?.turn() {
            Turn::Seat(seat) => Some(seat),
            _ => None,
        }
    }

    /// The positions that a bot needs to choose in the last of them: as many as it recalls, however long the match is.
    pub fn recalled(&self, game: &Match) -> Vec<Box<dyn AnyPosition>> {
        let lengths = self.recalled_lengths(game);
        lengths.iter().rev().map(|length| self.steps[*length].position.clone()).collect()
    }

    /// The same as a record, for an engine that reads one.
    pub fn recalled_record(&self, game: &Match) -> Record {
        let from = self.recalled_lengths(game).last().copied().unwrap_or_default();
        game.record_from(from, self.steps[from].position.as_ref())
    }

    /// How long the log was at the positions that a bot recalls, the present one first.
    fn recalled_lengths(&self, game: &Match) -> Vec<usize> {
        // A seat that went out may have been passed over: that is another turn, not another position.
        let was_played =
            |length: &usize| game.log().get(*length).is_none_or(|entry| matches!(entry.event, Event::Action(_)));
        let back = (0..self.steps.len()).rev().filter(was_played);
        let positions = back.clone().map(|length| self.steps[length].position.as_ref());
        back.take(game.settings().game.recalled(positions)).collect()
    }
}

impl Step {
    /// An action of a seat counts as a move; one of chance does not, nor does a resignation.
    fn moves_after(&self, event: &Event) -> usize {
        let is_move = matches!(event, Event::Action(_)) && matches!(self.position.turn(), Turn::Seat(_));
        self.moves + usize::from(is_move)
    }
}
