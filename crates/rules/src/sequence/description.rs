//! What programs around the rules need to know of Sequence.

use super::Sequence;
use crate::described::{figure, lesson};
use crate::{Described, ExerciseKind, Exercises, Figure, Goal, Lesson, Reason, Showcase, Shows};

impl Described for Sequence {
    const VARIANTS: &'static [&'static str] =
        &["", "board=shuffled", "players=3", "players=3,board=shuffled", "players=4", "players=4,board=shuffled"];
    const BENCH_RULES: &'static [&'static str] = &["", "players=3", "players=4", "board=shuffled"];
    const BENCH_SEARCH: &'static [(&'static str, u32)] = &[("", 8), ("players=4", 12)];
    const SIDES: usize = 4;
    const SIGNS: &'static [&'static str] = &["green", "blue", "red", "yellow"];
    const HAS_DEALER: bool = true;
    const SHOWCASE: Showcase = Showcase {
        options: "players=4",
        position: "*4....*/.....3./...143./..3...1/21..4../*.2...* -2 \
             bear+elephant|lion+owl+whale|cat+frog+giraffe|fox+lion+whale \
             camel+penguin+tiger+dragon|cat+giraffe+unicorn|camel+unicorn+gorilla|elephant+hippo+cow 0 0",
        last: None,
    };
    const LESSONS: &'static [Lesson] = LESSONS;
    const FIGURES: &'static [Figure] = FIGURES;
    const EXERCISES: &'static [Exercises] = &[
        Exercises::new(ExerciseKind::Win, "", 3),
        Exercises::new(ExerciseKind::Safe, "", 3),
        Exercises::new(ExerciseKind::Fork, "", 3),
        Exercises::new(ExerciseKind::Win, "players=3", 1),
    ];
}

#[rustfmt::skip]
const LESSONS: &[Lesson] = &[
    lesson("aim", "", "*.....*/2....../......2/..111../.2...../*.....* 1 cow+dog+whale|fox+frog+penguin hippo+lion+owl|tiger+camel+cat 0 0", Goal::Win, "across"),
    lesson("aim", "", "*.....*/22...../....1.2/...1.../..1..../*.....* 1 camel+cow+whale|fox+frog+turtle penguin+lion+hippo|tiger+cat+dog 0 0", Goal::Win, "diagonal"),
    lesson("turn", "", "*.....*/...2.../......./......./..1..../*.....* 1 cat+cow+lion|dog+fox+owl penguin|bear 0 0", Goal::Turn, "turn"),
    lesson("turn", "", "*.....*/...2.../......./......./..1..../*.....* 1 cat+cow+lion|dog+fox+owl penguin|bear 0 0", Goal::Refused(Reason::WrongPicture), "picture"),
    lesson("unicorn", "", "*.....*/22...../...1..2/...1.../...1.../*.....* 1 gorilla+unicorn+whale|fox+frog+turtle bear+lion+penguin|tiger+cat+dog 0 0", Goal::Win, "unicorn"),
    lesson("dragon", "", "*.....*/1....../..222../......./.1....1/*.....* 1 cow+dragon+whale|cat+fox+turtle tiger+camel+crocodile|owl+penguin+hippo 0 0", Goal::Plays("dragon@"), "dragon"),
    lesson("corners", "", "*.....*/22...../......./......./......./*11...* 1 cow+lion+whale|cat+frog+turtle fox+giraffe|tiger+dog 0 0", Goal::Win, "corner"),
    lesson("corners", "", "*.....*/...2.../......./......./..1..../*.....* 1 cow+lion+unicorn|dog+fox+owl penguin|bear 0 0", Goal::Refused(Reason::CornerSquare), "corner_taken"),
    lesson("dead_cards", "", "*.....*/......./......2/......./1....../*.....* 1 cat+cow+lion|dog+fox+owl cat|unicorn 0 0", Goal::Plays("swap:"), "dead"),
];

#[rustfmt::skip]
const FIGURES: &[Figure] = &[
    figure("setup", "board", "", "", Shows::Board),
    figure("setup", "cards", "", "*.....*/...2.../......./......./..1..../*.....* 1 cat+dragon+unicorn|dog+fox+owl penguin|bear 0 0", Shows::Hand),
];
