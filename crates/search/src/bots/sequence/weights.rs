/// What the greedy player cares about; found by play against itself.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Weights {
    /// The worth of a win in sight, where being alive is 1.
    pub(super) prospect: f32,
    /// A threat whose card is not in the hand, per chance to draw it.
    pub(super) later: f32,
    /// A unit of shape.
    pub(super) shape: f32,
    /// An own line that had 0, 1 or 2 chips and gets one more.
    pub(super) grow: [f32; 3],
    /// An opponent's line of 0 to 3 chips that is blocked.
    pub(super) stop: [f32; 4],
    /// A line whose missing card is in the hand.
    pub(super) in_hand: f32,
    /// A line whose missing card is gone, so that only a Unicorn helps.
    pub(super) gone: f32,
    /// What it costs to give a Unicorn away.
    pub(super) unicorn: f32,
    /// What it costs to give a Dragon away.
    pub(super) dragon: f32,
    /// The score of a swap: more than any play that does not win.
    pub(super) swap: f32,
}

impl Weights {
    pub(super) const BEST: Weights = Weights {
        prospect: 2.4,
        later: 0.33,
        shape: 0.0012,
        grow: [0.8, 6.0, 4.0],
        stop: [0.26, 0.83, 1.85, 2.5],
        in_hand: 3.5,
        gone: 0.45,
        unicorn: 0.56,
        dragon: 0.076,
        swap: 100.0,
    };
}
