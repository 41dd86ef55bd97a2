//! What programs around the rules need to know of Four.

use super::Four;
use crate::described::{figure, lesson};
use crate::{Described, ExerciseKind, Exercises, Figure, Goal, Lesson, Offered, Preset, Reason, Showcase, Shows};

impl Described for Four {
    const VARIANTS: &'static [&'static str] = &[
        "size=9",
        "size=9,reserve=20,target=1",
        "size=9,reserve=150,target=0",
        "size=9,bonus=three",
        "size=9,lead=3,first=2",
        "size=9,reserve=20,target=0,lead=30,first=1,bonus=three",
        "size=13",
        "size=13,reserve=20,target=0",
        "",
        "reserve=20,target=100",
    ];
    const BENCH_RULES: &'static [&'static str] = &["size=9", "size=13", ""];
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("size=9", 30), ("size=13", 40), ("", 50)];
    const SIGNS: &'static [&'static str] = &["black", "white"];
    const SHOWCASE: Showcase = Showcase {
        options: "size=9",
        position: "9/6x2/9/1o4o2/2x1o1x2/3o2ox1/4x4/1x1o3o1/5x3 1 opening 0,0 23,23 0 0 - -",
        last: Some("e7"),
    };
    const LESSONS: &'static [Lesson] = LESSONS;
    const FIGURES: &'static [Figure] = FIGURES;
    // Measured by `four_balance`; the table is in docs/games/four.md.
    const PRESETS: &'static [Preset] = &[
        Preset { name: "balanced_9", options: "size=9,lead=3,first=3", clock: "none", offered: Offered::Rated },
        Preset { name: "balanced_13", options: "size=13,lead=7,first=2", clock: "none", offered: Offered::Rated },
        Preset { name: "balanced_19", options: "lead=9,first=1", clock: "none", offered: Offered::Rated },
    ];
    const EXERCISES: &'static [Exercises] = &[
        Exercises::new(ExerciseKind::Capture, "size=9", 4),
        Exercises::new(ExerciseKind::Two, "size=9", 2),
        Exercises::new(ExerciseKind::Turn, "size=9", 4),
    ];
}

#[rustfmt::skip]
const LESSONS: &[Lesson] = &[
    lesson("aim", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 4 9,0 20,11 0 0 - -", Goal::Win, "aim"),
    lesson("capture", "size=9", "9/7o1/9/9/3xox3/4x4/9/1o7/9 1 opening 0,0 27,27 0 0 - -", Goal::Capture, "orthogonal"),
    lesson("capture", "size=9", "9/1o7/2x6/9/4o4/9/2x3x2/7o1/9 1 opening 0,0 27,27 0 0 - -", Goal::Capture, "diagonal"),
    lesson("edge", "size=9", "9/4o4/6x2/9/9/9/x8/9/o8 1 opening 0,0 28,28 0 0 - -", Goal::Capture, "corner"),
    lesson("edge", "size=9", "9/1x7/7o1/9/9/9/2x6/9/4o4 1 opening 0,0 28,28 0 0 - -", Goal::Capture, "side_diagonal"),
    lesson("edge", "size=9", "9/9/7o1/9/9/9/9/9/2x1o1x2 1 opening 0,0 28,28 0 0 - -", Goal::Capture, "side_orthogonal"),
    lesson("opening", "size=9", "9/1o5o1/9/3x1x3/2xo1ox2/3x1x3/9/1o5o1/9 1 opening 0,0 24,24 0 0 - -", Goal::Capture, "opening"),
    lesson("main", "size=9", "x7x/1o1o1o1o1/9/3x1x3/2xo1ox2/3x1x3/9/1o1o1o1o1/x7x 1 4 0,0 20,20 0 0 - -", Goal::Capture, "main"),
    lesson("main", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5x1 1 4 0,1 20,20 0 0 - -", Goal::Refused(Reason::MustPlace), "must_place"),
    lesson("movement", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 4 0,0 20,20 0 0 - -", Goal::Plays("-"), "move"),
    lesson("movement", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 3 0,0 20,20 0 0 moved -", Goal::Refused(Reason::NotStraight), "not_straight"),
    lesson("bonus", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 3 0,0 20,20 0 0 moved -", Goal::Capture, "bonus"),
];

#[rustfmt::skip]
const FIGURES: &[Figure] = &[
    figure("capture", "orthogonal", "size=9", "9/7o1/9/9/2x1o1x2/9/4x4/1o7/9 1 opening 0,0 27,27 0 0 - -", Shows::After("e7")),
    figure("capture", "diagonal", "size=9", "9/1o7/2x6/9/4o4/9/2x3x2/7o1/9 1 opening 0,0 27,27 0 0 - -", Shows::After("g7")),
    figure("movement", "moves", "size=9", "1oo3oo1/4x4/o7o/9/3xox3/4x4/x7x/2o1o1o2/xx5xx 1 4 0,0 20,20 0 0 - -", Shows::Touched("d5")),
];
