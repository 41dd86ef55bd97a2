//! What programs around the rules need to know of Quixo.

use super::{Players, Quixo, QuixoOptions};
use crate::described::{figure, lesson};
use crate::{Described, ExerciseKind, Exercises, Figure, Goal, Lesson, Reason, Showcase, Shows};

impl Described for Quixo {
    const VARIANTS: &'static [&'static str] = &["", "players=4"];
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("", 0), ("", 9), ("", 20), ("players=4", 10)];
    const SIGNS: &'static [&'static str] = &["cross", "nought"];
    const SHOWCASE: Showcase = Showcase { options: "", position: "x.o.x/..x.o/.ox../o...x/.xo.o 1", last: None };
    const LESSONS: &'static [Lesson] = LESSONS;
    const FIGURES: &'static [Figure] = FIGURES;
    const EXERCISES: &'static [Exercises] = &[
        Exercises::new(ExerciseKind::Win, "", 3),
        Exercises::new(ExerciseKind::Lose, "", 2),
        Exercises::new(ExerciseKind::Safe, "", 2),
        Exercises::new(ExerciseKind::Soon, "", 3),
    ];

    fn draws_by_repetition(options: &QuixoOptions) -> bool {
        options.players == Players::Two
    }
}

#[rustfmt::skip]
const LESSONS: &[Lesson] = &[
    lesson("setup", "", "...../...../...../...../..... 1", Goal::Refused(Reason::NotOnBorder), "setup"),
    lesson("aim", "", "..o../o..../xxxx./....o/..o.. 1", Goal::Win, "across"),
    lesson("aim", "", "...../...x./o.x../.x..o/x..o. 1", Goal::Win, "diagonal"),
    lesson("turn", "", "...../...../....o/...../..x.. 1", Goal::Turn, "turn"),
    lesson("turn", "", "...../...../....o/...../..x.. 1", Goal::Refused(Reason::OpponentsCube), "opponents"),
    lesson("end", "", "oxxxx/.oooo/...../..x../..... 1", Goal::Lose, "end"),
    lesson("four_players", "players=4", "...../...../...../...../..... 1 0", Goal::Turn, "dot"),
    lesson("four_players", "players=4", "X...O/...../...../...../x...o 1 0", Goal::Refused(Reason::PartnersCube), "partner"),
    lesson("four_players", "players=4", "XoXoX/o...o/X...X/o...X/oXoXo 1 0", Goal::Plays("pass"), "pass"),
];

#[rustfmt::skip]
const FIGURES: &[Figure] = &[
    figure("setup", "sides", "", "x...o/...../...../...../..... 1", Shows::Pieces),
    figure("setup", "start", "", "", Shows::Board),
    figure("aim", "lines", "", "x..oo/.x.../..x../...x./o...x 2", Shows::Board),
    figure("turn", "directions", "", "...../...../...../...../..... 1", Shows::Touched("a3")),
    figure("end", "losing_push", "", "oxxxx/.oooo/...../..x../..... 1", Shows::After("a1a5")),
    figure("four_players", "teams", "players=4", "..X../...../o...O/...../..x.. 1 0", Shows::Board),
    figure("four_players", "dots", "players=4", "x..X./....o/X..../O..../..x.X 1 0", Shows::Board),
];
