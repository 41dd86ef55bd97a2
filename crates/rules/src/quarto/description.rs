//! What programs around the rules need to know of Quarto.

use super::Quarto;
use crate::described::{figure, lesson};
use crate::{Described, ExerciseKind, Exercises, Figure, Goal, Lesson, Offered, Preset, Reason, Showcase, Shows};

impl Described for Quarto {
    const VARIANTS: &'static [&'static str] = &[
        "",
        "call=lapse",
        "call=open",
        "squares=yes",
        "squares=yes,call=lapse",
        "squares=yes,call=open",
        "attributes=colour",
        "attributes=height,call=open",
        "attributes=shape+top,squares=yes",
        "attributes=colour+height+shape,call=lapse",
    ];
    const BENCH_RULES: &'static [&'static str] = &["", "squares=yes", "attributes=colour", "call=lapse", "call=open"];
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("", 8), ("", 11), ("squares=yes", 10)];
    const SHOWCASE: Showcase = Showcase { options: "", position: "5..b/.a2./.f.6/c..9 - 1 d1", last: None };
    const LESSONS: &'static [Lesson] = LESSONS;
    const FIGURES: &'static [Figure] = FIGURES;
    const PRESETS: &'static [Preset] = &[
        Preset { name: "sheet_uk", options: "call=open", clock: "none", offered: Offered::Among },
        Preset { name: "sheet_ru", options: "call=lapse", clock: "none", offered: Offered::Among },
        Preset { name: "competition", options: "", clock: "turn=60", offered: Offered::Online },
    ];
    const EXERCISES: &'static [Exercises] = &[
        Exercises::new(ExerciseKind::Win, "", 2),
        Exercises::new(ExerciseKind::Win, "squares=yes", 1),
        Exercises::new(ExerciseKind::Safe, "", 4),
        Exercises::new(ExerciseKind::Best, "", 3),
    ];
}

#[rustfmt::skip]
const LESSONS: &[Lesson] = &[
    lesson("setup", "", "..../..../..../.... - 1 -", Goal::Plays(""), "setup"),
    lesson("aim", "", "..../..../..../cd8. e 1 c1", Goal::Win, "across"),
    lesson("aim", "", "..../3.../7.../b... f 1 a2", Goal::Win, "up"),
    lesson("aim", "", "6.../..8./.5../0..3 d 1 a1", Goal::Win, "diagonal"),
    lesson("turn", "", "..../..../.6../.... 9 1 b2", Goal::Turn, "turn"),
    lesson("turn", "", "..../..../.6../.... 9 1 b2", Goal::Refused(Reason::SquareTaken), "taken"),
    lesson("winning", "", "..6./13.9/...4/c.e. b 1 a1", Goal::Win, "winning"),
    lesson("end", "", "4bad/c360/1fe5/289. 7 1 c1", Goal::Draw, "end"),
    lesson("calls", "call=lapse", "..../..../..../cd8e - 1 d1", Goal::Win, "call"),
    lesson("calls", "call=lapse", "..../..../.1../cd8e 5 1 d1", Goal::Win, "overlooked"),
    lesson("calls", "call=lapse", "..../..../.6../.... 9 1 b2", Goal::Refused(Reason::NoRowToCall), "false_call"),
    lesson("beginners", "attributes=colour", "89a./.0../..../45c. f 1 b3", Goal::Win, "beginners"),
    lesson("experienced", "squares=yes", "..../.9../.17./.... b 1 b3", Goal::Win, "experienced"),
];

#[rustfmt::skip]
const FIGURES: &[Figure] = &[
    figure("setup", "pieces", "", "", Shows::Pieces),
    figure("aim", "row", "", "..../4d76/..../.... - 1 d3", Shows::Board),
    figure("aim", "directions", "", "1..4/9.d./ac../0563 - 1 a1", Shows::Board),
    figure("turn", "given", "", "..../..../..../.... d 2 -", Shows::Held),
    figure("calls", "called", "call=open", "..../4d76/.a../..0. - 1 d3", Shows::After("!")),
    figure("experienced", "square", "squares=yes", "..../.4d./.76./.... - 1 c2", Shows::Board),
];
