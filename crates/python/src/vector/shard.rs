//! Some of the environments, which one thread steps.

use game::{AnyPosition, Listed};
use rules::{Outcome, Seat, Turn};
use search::Random;

use super::spread::{Portable, Spread};
use crate::bits;
use crate::encoding::{Encoded, Layout};

/// How observations and masks are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Form {
    /// A byte for every entry.
    Bytes,
    /// Eight bits in a byte, then the numbers.
    Packed,
}

/// Who plays the actions of chance.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Chance {
    /// The environment does, by their odds.
    Inside,
    /// The caller does.
    Exposed,
}

/// When a new game begins after one has ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Autoreset {
    /// In the step that ended the old one.
    SameStep,
    /// In the step after, whose action is ignored.
    NextStep,
}

/// Which seats the caller plays.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Opponents {
    /// The caller plays every seat.
    None,
    /// The caller plays one seat, another one in each game; the rest plays uniformly random actions.
    Random,
}

/// What an illegal action does.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Illegal {
    /// The whole step is refused before anything is played.
    Raise,
    /// The game is over, and only the seat that acted loses.
    Lose,
}

/// What holds for every environment.
#[derive(Clone, Debug)]
pub(crate) struct Settings {
    pub(crate) layout: Layout,
    pub(crate) seats: usize,
    pub(crate) form: Form,
    pub(crate) chance: Chance,
    pub(crate) autoreset: Autoreset,
    pub(crate) opponents: Opponents,
    pub(crate) illegal: Illegal,
    /// A game is cut off after so many actions of the caller; 0 for never.
    pub(crate) max_steps: u32,
}

impl Settings {
    /// Actions that have a place in the masks.
    pub(crate) fn actions(&self) -> usize {
        match self.chance {
            Chance::Inside => self.layout.actions,
            Chance::Exposed => self.layout.all_actions(),
        }
    }

    /// Bytes of a mask.
    pub(crate) fn mask_bytes(&self) -> usize {
        match self.form {
            Form::Bytes => self.actions(),
            Form::Packed => self.actions().div_ceil(8),
        }
    }

    /// Bytes of an observation's planes.
    fn plane_bytes(&self) -> usize {
        match self.form {
            Form::Bytes => self.layout.bits,
            Form::Packed => self.layout.bits.div_ceil(8),
        }
    }

    /// Bytes of an observation.
    pub(crate) fn observation_bytes(&self) -> usize {
        self.plane_bytes() + self.layout.scalars
    }
}

/// How wide the rows of everything are, worked out once for a step.
#[derive(Clone, Copy)]
struct Widths {
    mask_words: usize,
    mask_bytes: usize,
    plane_bytes: usize,
    bytes: usize,
}

/// The rows of the caller's arrays that belong to a shard.
pub(crate) struct Rows<'a> {
    pub(crate) observations: &'a mut [u8],
    pub(crate) masks: &'a mut [u8],
    pub(crate) rewards: &'a mut [f32],
    pub(crate) terminations: &'a mut [u8],
    pub(crate) truncations: &'a mut [u8],
    /// The seat to act, from 0; [`CHANCE`] if chance is.
    pub(crate) seats: &'a mut [u8],
}

/// Stands for chance among the seats to act.
pub(crate) const CHANCE: u8 = 255;

/// Environments of whichever game.
pub(crate) trait AnyShard: Send {
    /// The first action that is not legal, by its place.
    fn first_illegal(&self, actions: &[i32]) -> Option<usize>;
    /// Plays these actions, which are legal.
    fn step(&mut self, actions: &[i32], rows: Rows<'_>);
    /// Chooses legal actions at random, chance's by their odds.
    fn sample(&mut self, actions: &mut [i32]);
    /// Chooses and plays.
    fn step_random(&mut self, actions: &mut [i32], rows: Rows<'_>);
    /// Begins new games; with seeds the random numbers begin anew too.
    fn reset(&mut self, seeds: Option<&[u64]>, rows: Rows<'_>);
    /// The position of an environment.
    fn position(&self, index: usize) -> Box<dyn AnyPosition>;
    /// Goes on from another position of the same game; `false` if it is of another.
    fn set_position(&mut self, index: usize, position: &dyn AnyPosition, rows: Rows<'_>) -> bool;
}

/// Words before and after what a thread writes for every environment: nothing that another thread uses may lie in the same
/// cache lines.
const APART: usize = 16;

pub(crate) struct Shard<P: Encoded> {
    settings: Settings,
    start: P,
    positions: Vec<P>,
    /// The legal actions, [`Layout::mask_words`] for each environment.
    masks: Vec<u64>,
    random: Vec<Random>,
    /// Actions of the caller in the current game.
    ages: Vec<u32>,
    /// The seat that the caller plays against opponents.
    agents: Vec<Seat>,
    /// Whether the game has ended and a new one begins in the next step.
    ended: Vec<bool>,
    /// The planes of one observation, between [`APART`] words on each side.
    planes: Vec<u64>,
}

impl<P: Encoded + Listed> Shard<P> {
    pub(crate) fn new(start: P, settings: Settings, count: usize) -> Shard<P> {
        Shard {
            positions: vec![start.clone(); count],
            masks: vec![0; count * settings.layout.mask_words()],
            random: vec![Random::new(0); count],
            ages: vec![0; count],
            agents: vec![Seat::ONE; count],
            ended: vec![false; count],
            planes: vec![0; APART + settings.layout.plane_words() + APART],
            start,
            settings,
        }
    }

    fn widths(&self) -> Widths {
        let settings = &self.settings;
        Widths {
            mask_words: settings.layout.mask_words(),
            mask_bytes: settings.mask_bytes(),
            plane_bytes: settings.plane_bytes(),
            bytes: settings.observation_bytes(),
        }
    }

    #[inline(always)]
    fn mask(&self, index: usize, widths: Widths) -> &[u64] {
        &self.masks[index * widths.mask_words..][..widths.mask_words]
    }

    /// Whether an environment waits for its reset in the next step.
    #[inline(always)]
    fn waits(&self, index: usize) -> bool {
        self.ended[index]
    }

    fn begin(&mut self, index: usize, widths: Widths) {
        self.positions[index] = self.start.clone();
        self.ages[index] = 0;
        self.ended[index] = false;
        if self.settings.opponents == Opponents::Random {
            let seat = self.random[index].below(self.settings.seats as u32);
            self.agents[index] = Seat::from_index(seat as usize);
        }
        self.settle(index, widths);
    }

    /// Plays what is not the caller's to play, and finds the legal actions.
    #[inline(always)]
    fn settle(&mut self, index: usize, widths: Widths) {
        let mask = &mut self.masks[index * widths.mask_words..][..widths.mask_words];
        let (position, random) = (&mut self.positions[index], &mut self.random[index]);
        let alone = self.settings.opponents == Opponents::None;
        loop {
            match position.turn() {
                Turn::Chance if self.settings.chance == Chance::Inside => {
                    let drawn = position.draw(random);
                    position.play_unchecked(drawn);
                }
                Turn::Seat(seat) if !alone && seat != self.agents[index] => {
                    position.legal(mask);
                    let number = bits::nth(mask, random.below(bits::count(mask)));
                    let Some(action) = number.and_then(|number| position.decode(number)) else { break };
                    position.play_unchecked(action);
                }
                _ => break,
            }
        }
        position.legal(mask);
    }

    #[inline(always)]
    fn choose(&mut self, index: usize, widths: Widths) -> usize {
        let position = &self.positions[index];
        if position.turn() == Turn::Chance {
            let drawn = position.draw(&mut self.random[index]);
            return position.encode(drawn).unwrap_or(0);
        }
        let mask = &self.masks[index * widths.mask_words..][..widths.mask_words];
        // Nothing is legal where a game waits for its reset; then any number will do.
        bits::nth(mask, self.random[index].below(bits::count(mask))).unwrap_or(0)
    }

    /// Plays one action and writes what follows.
    #[inline(always)]
    fn advance<S: Spread>(&mut self, index: usize, number: usize, widths: Widths, rows: &mut Rows<'_>) {
        let seats = self.settings.seats;
        let rewards = &mut rows.rewards[index * seats..][..seats];
        match &mut *rewards {
            // Two numbers take one instruction, any number of them a call.
            [one, two] => (*one, *two) = (0.0, 0.0),
            more => more.fill(0.0),
        }
        let (mut terminated, mut truncated) = (0, 0);
        if self.waits(index) {
            self.begin(index, widths);
        } else {
            match self.positions[index].decode(number).filter(|_| bits::has(self.mask(index, widths), number)) {
                Some(action) => {
                    self.positions[index].play_unchecked(action);
                    self.ages[index] += 1;
                    self.settle(index, widths);
                    if let Turn::Over(outcome) = self.positions[index].turn() {
                        reward(&self.positions[index], outcome, rewards);
                        terminated = 1;
                    } else if self.ages[index] == self.settings.max_steps {
                        truncated = 1;
                    }
                }
                None => {
                    if let Turn::Seat(seat) = self.positions[index].turn() {
                        rewards[seat.index()] = -1.0;
                    }
                    terminated = 1;
                }
            }
            if terminated + truncated > 0 {
                self.ended[index] = true;
                if self.settings.autoreset == Autoreset::SameStep {
                    self.begin(index, widths);
                }
            }
        }
        rows.terminations[index] = terminated;
        rows.truncations[index] = truncated;
        self.show::<S>(index, widths, rows);
    }

    /// Writes observation, mask and the seat to act.
    #[inline(always)]
    fn show<S: Spread>(&mut self, index: usize, widths: Widths, rows: &mut Rows<'_>) {
        let position = &self.positions[index];
        let mask = &mut rows.masks[index * widths.mask_bytes..][..widths.mask_bytes];
        let (planes, numbers) =
            rows.observations[index * widths.bytes..][..widths.bytes].split_at_mut(widths.plane_bytes);
        let viewer = match position.turn() {
            Turn::Seat(seat) => seat,
            Turn::Chance | Turn::Over(_) => self.agents[index],
        };
        rows.seats[index] = if position.turn() == Turn::Chance { CHANCE } else { viewer.index() as u8 };
        let scratch = APART..self.planes.len() - APART;
        position.observe(viewer, &mut self.planes[scratch.clone()], numbers);
        let legal = &self.masks[index * widths.mask_words..][..widths.mask_words];
        match self.settings.form {
            Form::Bytes => {
                S::spread(legal, mask);
                S::spread(&self.planes[scratch], planes);
            }
            Form::Packed => {
                bits::pack(legal, mask);
                bits::pack(&self.planes[scratch], planes);
            }
        }
    }
}

#[inline(always)]
fn reward<P: rules::Position>(position: &P, outcome: Outcome, rewards: &mut [f32]) {
    let Outcome::Win(winner) = outcome else { return };
    for (index, reward) in rewards.iter_mut().enumerate() {
        *reward = if position.side(Seat::from_index(index)) == winner { 1.0 } else { -1.0 };
    }
}

/// What the loops over all environments do, in a form that is compiled for several processors.
impl<P: Encoded + Listed> Shard<P> {
    #[inline(always)]
    fn step_all<S: Spread>(&mut self, actions: &[i32], rows: &mut Rows<'_>) {
        let widths = self.widths();
        for (index, &action) in actions.iter().enumerate() {
            // A negative number is no action, and neither is the largest.
            self.advance::<S>(index, usize::try_from(action).unwrap_or(usize::MAX), widths, rows);
        }
    }

    #[inline(always)]
    fn step_all_random<S: Spread>(&mut self, actions: &mut [i32], rows: &mut Rows<'_>) {
        let widths = self.widths();
        for (index, action) in actions.iter_mut().enumerate() {
            let number = self.choose(index, widths);
            *action = number as i32;
            self.advance::<S>(index, number, widths, rows);
        }
    }
}

/// Counting and finding bits takes one instruction on every processor of the last decade, and a dozen on those that a
/// wheel must also run on. What it gains was not measured apart from the other changes it came with.
#[cfg(target_arch = "x86_64")]
mod recent {
    use super::super::spread::Avx2;
    use super::{Encoded, Listed, Rows, Shard};

    pub(super) fn is_here() -> bool {
        is_x86_feature_detected!("popcnt")
            && is_x86_feature_detected!("bmi1")
            && is_x86_feature_detected!("bmi2")
            && is_x86_feature_detected!("lzcnt")
            && is_x86_feature_detected!("avx2")
    }

    impl<P: Encoded + Listed> Shard<P> {
        #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
        pub(super) fn step_recent(&mut self, actions: &[i32], rows: &mut Rows<'_>) {
            self.step_all::<Avx2>(actions, rows);
        }

        #[target_feature(enable = "popcnt,bmi1,bmi2,lzcnt,avx2")]
        pub(super) fn step_random_recent(&mut self, actions: &mut [i32], rows: &mut Rows<'_>) {
            self.step_all_random::<Avx2>(actions, rows);
        }
    }
}

impl<P: Encoded + Listed> AnyShard for Shard<P> {
    fn first_illegal(&self, actions: &[i32]) -> Option<usize> {
        if self.settings.illegal == Illegal::Lose {
            return None;
        }
        let widths = self.widths();
        let legal = |index: usize, action: i32| {
            usize::try_from(action).is_ok_and(|number| bits::has(self.mask(index, widths), number)) || self.waits(index)
        };
        actions.iter().enumerate().find(|&(index, &action)| !legal(index, action)).map(|(index, _)| index)
    }

    fn step(&mut self, actions: &[i32], mut rows: Rows<'_>) {
        #[cfg(target_arch = "x86_64")]
        if recent::is_here() {
            // The processor has what the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.step_recent(actions, &mut rows) };
        }
        self.step_all::<Portable>(actions, &mut rows);
    }

    fn sample(&mut self, actions: &mut [i32]) {
        let widths = self.widths();
        for (index, action) in actions.iter_mut().enumerate() {
            *action = self.choose(index, widths) as i32;
        }
    }

    fn step_random(&mut self, actions: &mut [i32], mut rows: Rows<'_>) {
        #[cfg(target_arch = "x86_64")]
        if recent::is_here() {
            // The processor has what the function is compiled for.
            #[allow(unsafe_code)]
            return unsafe { self.step_random_recent(actions, &mut rows) };
        }
        self.step_all_random::<Portable>(actions, &mut rows);
    }

    fn reset(&mut self, seeds: Option<&[u64]>, mut rows: Rows<'_>) {
        rows.rewards.fill(0.0);
        rows.terminations.fill(0);
        rows.truncations.fill(0);
        let widths = self.widths();
        for index in 0..self.positions.len() {
            if let Some(&seed) = seeds.and_then(|seeds| seeds.get(index)) {
                self.random[index] = Random::new(seed);
            }
            self.begin(index, widths);
            self.show::<Portable>(index, widths, &mut rows);
        }
    }

    fn position(&self, index: usize) -> Box<dyn AnyPosition> {
        Box::new(self.positions[index].clone())
    }

    fn set_position(&mut self, index: usize, position: &dyn AnyPosition, mut rows: Rows<'_>) -> bool {
        let same = position.as_any().downcast_ref::<P>().filter(|other| other.options() == self.start.options());
        let Some(position) = same else { return false };
        let widths = self.widths();
        self.positions[index] = position.clone();
        self.ages[index] = 0;
        self.settle(index, widths);
        self.ended[index] = matches!(self.positions[index].turn(), Turn::Over(_));
        self.show::<Portable>(index, widths, &mut rows);
        true
    }
}
