//! The animals of Sequence, with the Unicorn and the Dragon, drawn in one hand: flat colours, one ink, round corners.
//!
//! No two share both silhouette and colour, so that each is known at 40 px and by eyes that mix up hues.

use scene::Card;

use crate::drawing::Drawing;

/// What one picture is made of, in a frame of 100×100.
pub(crate) struct Sketch {
    /// The colour behind the animal.
    pub(crate) sky: &'static str,
    /// The colour of shapes that name none.
    pub(crate) coat: &'static str,
    /// What is drawn twice, the second time mirrored: ears, horns, fins.
    pub(crate) pair: &'static str,
    /// What is drawn over the pair.
    pub(crate) front: &'static str,
    /// Where the eyes are.
    pub(crate) eyes: &'static [(u8, u8)],
}

/// The picture of a card: an animal on its coloured tile.
pub(crate) fn card(card: Card) -> Drawing {
    animal(sketch(card))
}

/// An animal on its coloured tile.
pub(crate) fn animal(Sketch { sky, coat, pair, front, eyes }: Sketch) -> Drawing {
    let mirrored = if pair.is_empty() {
        String::new()
    } else {
        format!(r##"{pair}<g transform="matrix(-1 0 0 1 100 0)">{pair}</g>"##)
    };
    let eyes: String = eyes
        .iter()
        .map(|&(x, y)| {
            format!(
                r##"<circle cx="{x}" cy="{y}" r="4.6" fill="#33241a"/><circle cx="{}" cy="{}" r="1.6" fill="#fff"/>"##,
                x - 1,
                y - 2
            )
        })
        .collect();
    Drawing::square(format!(
        r##"<rect width="100" height="100" rx="14" fill="{sky}"/><g fill="{coat}" stroke="#33241a" stroke-width="3" stroke-linejoin="round" stroke-linecap="round">{mirrored}{front}</g>{eyes}"##
    ))
}

fn sketch(card: Card) -> Sketch {
    match card {
        Card::Bear => Sketch {
            sky: "#cfe6c4",
            coat: "#8a5a34",
            pair: r##"<circle cx="24" cy="27" r="14"/><circle cx="25" cy="28" r="6.5" fill="#d79f6b" stroke="none"/>"##,
            front: r##"<ellipse cx="50" cy="54" rx="38" ry="35"/><ellipse cx="50" cy="68" rx="19" ry="15" fill="#efcfa2" stroke="none"/><path d="M42 59 h16 q0 8 -8 9 q-8 -1 -8 -9z" fill="#33241a" stroke="none"/><path d="M50 67 v5 q-4 6 -9 2 M50 72 q4 6 9 2" fill="none"/>"##,
            eyes: &[(34, 46), (66, 46)],
        },
        Card::Camel => Sketch {
            sky: "#bfe3f2",
            coat: "#dca85a",
            pair: "",
            front: r##"<path d="M0 88 q28 -10 52 -2 t48 -2 V86 q0 14 -14 14 H14 Q0 100 0 86z" fill="#f6dfa0" stroke="none"/><path d="M14 58 q0 -12 14 -14 q4 -22 16 -22 q11 0 15 21 q7 2 9 -6 l2 -14 q1 -11 12 -11 q14 0 14 9 q0 6 -12 6 q-3 0 -3 8 q0 26 -14 32 v20 h-8 l-2 -18 h-24 l-2 18 h-8 l-2 -19 q-7 -4 -7 -10z"/><path d="M33 42 q3 -12 11 -13 q8 1 11 13 q-10 6 -22 0z" fill="#a9702c" stroke="none"/><path d="M75 13 q-1 -6 5 -7 q2 4 -1 6" /><path d="M14 57 q-6 8 -2 15" fill="none"/>"##,
            eyes: &[(80, 20)],
        },
        Card::Cat => Sketch {
            sky: "#fbdcc4",
            coat: "#57526a",
            pair: r##"<path d="M14 48 L16 10 Q32 14 44 28z"/><path d="M21 36 L22 20 Q30 22 36 29z" fill="#f0a9a4" stroke="none"/>"##,
            front: r##"<path d="M50 24 q38 0 38 34 q0 32 -38 32 q-38 0 -38 -32 q0 -34 38 -34z"/><ellipse cx="50" cy="72" rx="17" ry="12" fill="#efe7e2" stroke="none"/><g fill="#e9d44c" stroke-width="2"><ellipse cx="33" cy="53" rx="9" ry="8"/><ellipse cx="67" cy="53" rx="9" ry="8"/></g><g fill="#33241a" stroke="none"><ellipse cx="33" cy="53" rx="3" ry="7"/><ellipse cx="67" cy="53" rx="3" ry="7"/></g><path d="M45 63 h10 l-5 6z" fill="#f0a9a4" stroke-width="2"/><path d="M50 69 v3 q-4 5 -8 2 M50 72 q4 5 8 2" fill="none" stroke-width="2.4"/><path d="M26 70 L4 66 M26 75 L6 79 M74 70 L96 66 M74 75 L94 79" stroke-width="2" fill="none"/>"##,
            eyes: &[],
        },
        Card::Cow => Sketch {
            sky: "#d6ebb3",
            coat: "#fdf8f0",
            pair: r##"<path d="M30 24 Q14 22 14 6 Q26 12 38 14z" fill="#e9cf9a"/><path d="M26 34 Q8 24 4 38 Q8 52 27 46z" fill="#3c3432"/>"##,
            front: r##"<path d="M50 14 q27 0 27 28 q0 22 -6 36 h-42 q-6 -14 -6 -36 q0 -28 27 -28z"/><path d="M53 15 q24 2 24 27 q0 12 -4 17 q-16 -2 -16 -18 q0 -8 -4 -26z" fill="#3c3432" stroke="none"/><ellipse cx="50" cy="76" rx="28" ry="17" fill="#f2b3a6"/><g fill="#33241a" stroke="none"><ellipse cx="39" cy="73" rx="3.6" ry="4.6"/><ellipse cx="61" cy="73" rx="3.6" ry="4.6"/></g><path d="M41 85 q9 5 18 0" fill="none"/><circle cx="65" cy="47" r="7.5" stroke="none"/>"##,
            eyes: &[(36, 47), (65, 47)],
        },
        Card::Crocodile => Sketch {
            sky: "#c3e4f0",
            coat: "#5f9a3f",
            pair: "",
            front: r##"<path d="M0 82 q12 -6 25 0 t25 0 t25 0 t25 0 V86 q0 14 -14 14 H14 Q0 100 0 86z" fill="#6fb4d2" stroke="none"/><path d="M48 66 L12 74 Q4 76 8 82 L80 88 Q96 84 95 64z" fill="#4b7d31"/><path d="M12 72 l5 -8 6 6 5 -8 6 6 5 -8 6 6 5 -8z M14 66 l3 7 6 -8z" fill="#fff" stroke-width="2"/><path d="M94 66 Q96 40 76 38 Q74 24 62 24 Q50 24 50 38 L14 46 Q4 49 6 58 Q7 66 16 65 L60 58 Q72 68 94 66z"/><path d="M76 38 l9 -7 l1 11 l9 -4 l-3 12" /><circle cx="62" cy="36" r="8.5" fill="#fdf3c8" stroke-width="2.4"/><path d="M12 50 q3 -4 6 -1" fill="none"/>"##,
            eyes: &[(61, 37)],
        },
        Card::Dog => Sketch {
            sky: "#bcdff0",
            coat: "#e3b778",
            pair: "",
            front: r##"<path d="M50 16 q31 0 31 33 q0 37 -31 38 q-31 -1 -31 -38 q0 -33 31 -33z"/><path d="M50 16 q8 0 8 22 q0 14 18 26 q-4 23 -26 23 q-22 0 -26 -23 q18 -12 18 -26 q0 -22 8 -22z" fill="#fdf4e3" stroke="none"/><path d="M34 18 Q12 12 7 36 Q3 62 14 70 Q24 66 25 48 Q27 30 34 18z M66 18 Q88 12 93 36 Q97 62 86 70 Q76 66 75 48 Q73 30 66 18z" fill="#8c5a2e"/><path d="M43 76 q7 6 14 0 v9 q-1 7 -7 7 q-6 0 -7 -7z" fill="#e5776d"/><path d="M50 66 v6 q-6 9 -15 3 M50 72 q6 9 15 3" fill="none"/><path d="M40 58 q10 -5 20 0 q0 9 -10 11 q-10 -2 -10 -11z" fill="#33241a"/>"##,
            eyes: &[(36, 46), (64, 46)],
        },
        Card::Dragon => Sketch {
            sky: "#2b2350",
            coat: "#d8402f",
            pair: "",
            front: r##"<rect x="3.5" y="3.5" width="93" height="93" rx="11" fill="none" stroke="#e9b949"/><circle cx="55" cy="50" r="39" fill="#f7bd52" stroke="none"/><path d="M62 28 l14 -1 -6 12 13 4 -10 9 13 7 -10 8 14 9 -10 6 12 10 H70z" fill="#f08a3a" stroke-width="2.6"/><path d="M38 93 Q34 78 42 66 Q34 65 26 65 Q14 65 12 57 Q5 54 8 46 Q10 38 20 39 Q26 39 30 34 Q38 22 52 23 Q67 27 69 46 Q70 72 84 93z"/><path d="M38 93 Q34 78 42 66 Q50 64 54 58 Q52 76 60 93z" fill="#fbd277" stroke-width="2.4"/><path d="M39 75 h14 M38 84 h18" fill="none" stroke-width="2.2"/><path d="M53 24 Q56 11 72 8 Q70 20 62 31z M41 26 Q38 14 46 7 Q52 14 51 24z" fill="#fff0c4" stroke-width="2.6"/><path d="M13 57 Q26 59 37 53" fill="none" stroke-width="2.6"/><path d="M17 58 l3 6 3 -6z M26 58 l3 6 3 -7z" fill="#fff" stroke-width="1.8"/><path d="M15 46 h.1" stroke-width="4.5"/><path d="M11 66 Q3 74 7 88 Q11 82 14 90 Q21 84 19 77 Q27 80 25 70 Q19 63 11 66z" fill="#fff0a0" stroke="#f0682f" stroke-width="2.6"/><circle cx="44" cy="41" r="7.5" fill="#ffe98a" stroke-width="2.4"/><ellipse cx="43" cy="41" rx="2.6" ry="5.6" fill="#33241a" stroke="none"/><path d="M35 36 Q42 31 52 35" fill="none"/>"##,
            eyes: &[],
        },
        Card::Elephant => Sketch {
            sky: "#fbe6a8",
            coat: "#9fb0c4",
            pair: r##"<path d="M34 24 Q8 8 4 38 Q2 66 24 68 Q36 66 36 50z"/><path d="M29 32 Q13 24 11 41 Q11 58 25 60 Q31 56 29 32z" fill="#e8b7b4" stroke="none"/>"##,
            front: r##"<path d="M50 16 q25 0 26 26 q0 18 -12 24 q-2 10 -2 16 q0 12 12 8 q4 6 -6 8 q-22 4 -24 -14 l-4 -18 q-15 -6 -16 -24 q1 -26 26 -26z"/><path d="M44 68 q8 3 17 -1 M46 77 q7 2 15 0" fill="none" stroke-width="2"/><path d="M33 62 q-5 6 -4 14 q8 -2 10 -10z M67 62 q5 6 4 14 q-8 -2 -8 -10z" fill="#fffbe8" stroke-width="2.4"/>"##,
            eyes: &[(37, 44), (63, 44)],
        },
        Card::Fox => Sketch {
            sky: "#cfe3ee",
            coat: "#e2722b",
            pair: r##"<path d="M10 46 Q6 20 16 6 Q34 14 42 28z"/><path d="M16 26 Q14 14 17 10 Q26 14 32 22z" fill="#33241a" stroke="none"/>"##,
            front: r##"<path d="M50 24 Q80 22 94 56 Q80 66 72 76 Q60 92 50 92 Q40 92 28 76 Q20 66 6 56 Q20 22 50 24z"/><path d="M9 57 Q26 50 38 60 Q46 66 50 78 Q54 66 62 60 Q74 50 91 57 Q79 66 71 75 Q59 90 50 90 Q41 90 29 75 Q21 66 9 57z" fill="#fff6e6" stroke="none"/><ellipse cx="50" cy="84" rx="8" ry="6.5" fill="#33241a" stroke="none"/>"##,
            eyes: &[(34, 52), (66, 52)],
        },
        Card::Frog => Sketch {
            sky: "#f9d6dd",
            coat: "#7cc242",
            pair: r##"<circle cx="28" cy="28" r="17"/><circle cx="28" cy="28" r="10.5" fill="#fffbe0" stroke-width="2.4"/>"##,
            front: r##"<path d="M50 30 Q94 30 94 60 Q94 88 50 88 Q6 88 6 60 Q6 30 50 30z" stroke="none"/><path d="M36 31 Q50 28 64 31 M83 41 Q94 48 94 60 Q94 88 50 88 Q6 88 6 60 Q6 48 17 41" fill="none"/><path d="M20 82 Q50 60 80 82 Q68 88 50 88 Q32 88 20 82z" fill="#d8ee9e" stroke="none"/><path d="M16 58 Q50 84 84 58" fill="none"/><path d="M45 48 h.1 M55 48 h.1" stroke-width="4"/><g fill="#f2958a" stroke="none"><circle cx="18" cy="66" r="5"/><circle cx="82" cy="66" r="5"/></g>"##,
            eyes: &[(29, 29), (71, 29)],
        },
        Card::Giraffe => Sketch {
            sky: "#c8e9df",
            coat: "#f4c54c",
            pair: "",
            front: r##"<path d="M34 100 L42 44 L66 42 L76 100z" stroke="none"/><path d="M34 100 L42 44 M76 100 L66 42" fill="none"/><g fill="#a9682a" stroke="none"><path d="M44 62 l10 -4 5 8 -8 7 -9 -3z M62 56 l6 0 2 12 -6 0z M40 80 l8 0 2 10 -11 3z M56 78 l12 -3 3 12 -11 4z M52 96 h12 v4 h-13z"/></g><path d="M46 14 V6 M62 14 V6" stroke-width="4"/><circle cx="46" cy="6" r="4" fill="#7a4520"/><circle cx="62" cy="6" r="4" fill="#7a4520"/><path d="M70 22 Q84 14 90 24 Q84 34 70 32z M38 22 Q32 12 27 17 Q28 28 38 32z"/><path d="M54 12 Q72 12 72 30 Q72 40 64 48 Q52 62 36 64 Q22 66 20 56 Q19 48 28 44 Q36 40 37 30 Q38 12 54 12z"/><path d="M20 56 Q19 48 28 44 Q36 44 40 52 Q42 58 38 64 Q22 66 20 56z" fill="#fbe7b8" stroke="none"/><path d="M27 52 h.1" stroke-width="4.5"/><path d="M25 60 q8 1 14 -3" fill="none" stroke-width="2.4"/>"##,
            eyes: &[(47, 30), (66, 28)],
        },
        Card::Gorilla => Sketch {
            sky: "#d9eab8",
            coat: "#4a4550",
            pair: r##"<circle cx="13" cy="52" r="8" fill="#8d7f86"/>"##,
            front: r##"<path d="M50 8 Q72 8 80 34 Q90 48 88 66 Q86 92 50 92 Q14 92 12 66 Q10 48 20 34 Q28 8 50 8z"/><path d="M50 40 Q56 34 66 36 Q78 40 74 54 Q84 62 80 74 Q74 88 50 88 Q26 88 20 74 Q16 62 26 54 Q22 40 34 36 Q44 34 50 40z" fill="#a2929a" stroke="none"/><path d="M24 44 Q36 34 50 42 Q64 34 76 44" fill="none" stroke-width="5"/><path d="M40 64 q10 -10 20 0 q-4 6 -10 4 q-6 2 -10 -4z" fill="#6d6068" stroke-width="2.4"/><path d="M30 76 Q50 86 70 76" fill="none"/>"##,
            eyes: &[(37, 52), (63, 52)],
        },
        Card::Hippo => Sketch {
            sky: "#bfe6ea",
            coat: "#a985ad",
            pair: r##"<circle cx="24" cy="20" r="10"/><circle cx="24" cy="20" r="4.5" fill="#f0b7bf" stroke="none"/>"##,
            front: r##"<path d="M50 14 Q80 14 78 46 H22 Q20 14 50 14z"/><path d="M36 86 h9 v9 h-9z M55 86 h9 v9 h-9z" fill="#fffbe8" stroke-width="2.4"/><path d="M50 42 Q94 38 94 66 Q94 88 50 88 Q6 88 6 66 Q6 38 50 42z" fill="#bd9cc0"/><g fill="#5d4463" stroke="none"><ellipse cx="32" cy="56" rx="5" ry="6.5"/><ellipse cx="68" cy="56" rx="5" ry="6.5"/></g><path d="M16 72 Q50 84 84 72" fill="none"/>"##,
            eyes: &[(38, 32), (62, 32)],
        },
        Card::Kangaroo => Sketch {
            sky: "#fde3b0",
            coat: "#b9683a",
            pair: "",
            front: r##"<path d="M50 66 Q30 90 6 84 Q2 90 8 92 Q36 98 56 84z"/><path d="M60 10 Q54 -2 62 4 Q66 8 66 14z M70 12 Q72 0 78 4 Q78 10 74 16z"/><path d="M62 14 Q74 8 80 18 L92 26 Q95 32 88 34 L74 34 Q72 42 74 50 Q80 64 72 78 L82 88 Q86 94 80 94 H58 Q50 90 52 80 Q38 72 46 54 Q56 42 58 24 Q58 18 62 14z"/><path d="M72 52 Q82 50 84 58 L88 62" fill="none" stroke-width="6"/><path d="M72 52 Q82 50 84 58 L88 62" fill="none" stroke="#b9683a" stroke-width="2"/><path d="M60 62 Q70 58 76 66 Q76 78 66 80 Q56 76 60 62z" fill="#efc697" stroke-width="2.4"/><path d="M63 62 Q60 50 66 48 Q68 44 70 49 Q76 52 74 64z" fill="#d58a54" stroke-width="2.2"/><path d="M90 28 h.1" stroke-width="5"/><path d="M70 56 h.1" stroke-width="4"/>"##,
            eyes: &[(75, 22)],
        },
        Card::Lion => Sketch {
            sky: "#f7d9b5",
            coat: "#f2bd4b",
            pair: "",
            front: r##"<path d="M50 4 q10 -2 14 6 q11 -2 15 8 q11 3 10 14 q9 7 4 17 q5 10 -3 17 q1 11 -9 15 q-4 10 -15 9 q-7 8 -16 4 q-9 4 -16 -4 q-11 1 -15 -9 q-10 -4 -9 -15 q-8 -7 -3 -17 q-5 -10 4 -17 q-1 -11 10 -14 q4 -10 15 -8 q4 -8 14 -6z" fill="#a7551c"/><circle cx="27" cy="29" r="8"/><circle cx="73" cy="29" r="8"/><path d="M50 22 q27 0 27 28 q0 30 -27 31 q-27 -1 -27 -31 q0 -28 27 -28z"/><ellipse cx="50" cy="66" rx="15" ry="11" fill="#fdf0d0" stroke="none"/><path d="M42 56 h16 q-1 7 -8 8 q-7 -1 -8 -8z" fill="#33241a" stroke="none"/><path d="M50 64 v4 q-4 6 -9 2 M50 68 q4 6 9 2" fill="none" stroke-width="2.6"/>"##,
            eyes: &[(38, 46), (62, 46)],
        },
        Card::Owl => Sketch {
            sky: "#d9d3f0",
            coat: "#8d6642",
            pair: "",
            front: r##"<path d="M14 8 Q28 18 50 18 Q72 18 86 8 Q94 40 86 66 Q78 94 50 94 Q22 94 14 66 Q6 40 14 8z"/><path d="M50 56 Q74 56 72 74 Q66 92 50 92 Q34 92 28 74 Q26 56 50 56z" fill="#ecd3a6" stroke="none"/><path d="M38 72 l4 5 4 -5 M54 72 l4 5 4 -5 M46 81 l4 5 4 -5" fill="none" stroke="#8d6642" stroke-width="2.6"/><circle cx="31" cy="42" r="19" fill="#fdf3d6"/><circle cx="69" cy="42" r="19" fill="#fdf3d6"/><circle cx="32" cy="42" r="10" fill="#f0a42c" stroke="none"/><circle cx="68" cy="42" r="10" fill="#f0a42c" stroke="none"/><path d="M43 50 h14 L50 64z" fill="#e8862c" stroke-width="2.6"/>"##,
            eyes: &[(33, 42), (67, 42)],
        },
        Card::Penguin => Sketch {
            sky: "#cdeaf7",
            coat: "#2f3a52",
            pair: r##"<path d="M26 46 Q8 58 10 78 Q22 76 30 64z"/><path d="M34 88 Q24 96 28 97 H46 V88z" fill="#f09a2c"/>"##,
            front: r##"<path d="M50 4 Q74 4 76 34 Q82 56 80 70 Q78 94 50 94 Q22 94 20 70 Q18 56 24 34 Q26 4 50 4z"/><path d="M50 24 Q58 14 66 20 Q74 30 66 42 Q74 54 72 70 Q70 88 50 88 Q30 88 28 70 Q26 54 34 42 Q26 30 34 20 Q42 14 50 24z" fill="#fffaf0" stroke="none"/><path d="M40 38 Q50 32 60 38 Q56 48 50 50 Q44 48 40 38z" fill="#f09a2c" stroke-width="2.4"/><g fill="#f6b3ad" stroke="none"><circle cx="34" cy="42" r="3.6"/><circle cx="66" cy="42" r="3.6"/></g>"##,
            eyes: &[(40, 30), (60, 30)],
        },
        Card::Tiger => Sketch {
            sky: "#bfe3cf",
            coat: "#f29a30",
            pair: r##"<circle cx="22" cy="24" r="13"/><circle cx="23" cy="25" r="6" fill="#fff3de" stroke="none"/>"##,
            front: r##"<path d="M50 16 q40 0 40 38 q0 36 -40 36 q-40 0 -40 -36 q0 -38 40 -38z"/><path d="M50 60 q28 -4 30 10 q-6 18 -30 18 q-24 0 -30 -18 q2 -14 30 -10z" fill="#fff6e6" stroke="none"/><g fill="#33241a" stroke="none"><path d="M46 17 h8 l-4 20z M32 20 l7 -2 3 15z M68 20 l-7 -2 -3 15z M11 46 l14 5 -15 4z M11 60 l13 2 -11 6z M89 46 l-14 5 15 4z M89 60 l-13 2 11 6z M22 78 l10 -6 -4 12z M78 78 l-10 -6 4 12z"/><path d="M41 58 h18 q-1 8 -9 9 q-8 -1 -9 -9z"/></g><path d="M50 66 v6 q-5 7 -11 2 M50 72 q5 7 11 2" fill="none" stroke-width="2.6"/>"##,
            eyes: &[(34, 48), (66, 48)],
        },
        Card::Turtle => Sketch {
            sky: "#f6e3bd",
            coat: "#9cc56a",
            pair: "",
            front: r##"<path d="M20 70 L12 88 H28 L34 72z M58 72 L62 88 H78 L72 68z"/><path d="M66 66 Q76 66 76 50 Q76 34 88 36 Q98 40 96 52 Q94 60 88 62 Q86 76 70 76z"/><path d="M8 70 Q4 76 2 80 Q10 80 14 76z"/><path d="M6 68 Q8 24 42 24 Q74 24 78 66 Q60 78 42 78 Q22 78 6 68z" fill="#2f7a5f"/><path d="M32 42 h20 l7 14 -9 13 h-16 l-9 -13z M32 42 l-8 -12 M52 42 l8 -12 M59 56 l18 4 M25 56 l-17 4 M34 69 l-3 8 M50 69 l3 8" fill="none" stroke="#c9dc8e" stroke-width="2.6"/><path d="M86 56 q5 1 9 -2" fill="none" stroke-width="2.4"/>"##,
            eyes: &[(88, 46)],
        },
        Card::Unicorn => Sketch {
            sky: "#4a2f6e",
            coat: "#fffaf4",
            pair: "",
            front: r##"<rect x="3.5" y="3.5" width="93" height="93" rx="11" fill="none" stroke="#e9b949"/><path d="M34 36 L12 6 L44 26z" fill="#f6c84f"/><path d="M25 26 l6 -5 M19 18 l4 -4" stroke-width="2"/><path d="M56 24 Q66 16 78 24 Q92 30 88 44 Q96 56 88 66 Q94 78 84 92 L58 92 L56 50z" fill="#ef7fa8"/><path d="M60 30 Q80 34 76 50 Q84 62 76 72 Q80 82 74 92 H62z" fill="#f6c84f" stroke="none"/><path d="M58 36 Q72 42 66 56 Q74 68 66 78 Q68 86 66 92 H58z" fill="#6fc3d8" stroke="none"/><path d="M46 14 Q50 8 56 26 L50 34 Q44 26 46 14z"/><path d="M34 36 Q44 24 56 30 Q66 42 62 60 Q58 76 64 92 H34 Q40 80 36 70 Q28 74 22 72 Q12 72 12 62 Q12 56 20 52 Q28 46 34 36z"/><path d="M34 36 Q32 22 46 20 Q52 22 50 30 Q42 28 40 38z" fill="#ef7fa8" stroke-width="2.4"/><path d="M12 62 Q12 56 20 52 Q28 54 30 62 Q30 70 22 72 Q12 72 12 62z" fill="#f8cfd6" stroke="none"/><path d="M18 60 h.1" stroke-width="4"/><path d="M18 67 q6 1 9 -2" fill="none" stroke-width="2.2"/><g fill="#ffe9a8" stroke="none"><path d="M14 28 l1.6 4.4 4.4 1.6 -4.4 1.6 -1.6 4.4 -1.6 -4.4 -4.4 -1.6 4.4 -1.6z M78 8 l1.3 3.7 3.7 1.3 -3.7 1.3 -1.3 3.7 -1.3 -3.7 -3.7 -1.3 3.7 -1.3z M20 82 l1.3 3.7 3.7 1.3 -3.7 1.3 -1.3 3.7 -1.3 -3.7 -3.7 -1.3 3.7 -1.3z"/></g>"##,
            eyes: &[(41, 50)],
        },
        Card::Whale => Sketch {
            sky: "#fdf0cf",
            coat: "#3f7fb5",
            pair: "",
            front: r##"<path d="M36 30 Q34 18 24 18 M36 30 Q38 18 48 18 M36 30 V12" fill="none" stroke="#3f7fb5" stroke-width="4"/><path d="M0 84 q12 -6 25 0 t25 0 t25 0 t25 0 V86 q0 14 -14 14 H14 Q0 100 0 86z" fill="#8fcbe0" stroke="none"/><path d="M5 62 Q6 36 36 34 Q58 34 66 50 Q72 58 80 50 Q70 46 70 32 Q80 32 84 40 Q88 32 97 32 Q97 46 88 52 Q88 88 46 88 Q6 88 5 62z"/><path d="M6 70 Q24 70 34 64 Q50 74 54 87 Q46 88 40 88 Q12 86 6 70z" fill="#e4f1f6" stroke-width="2.4"/><path d="M22 77 l20 2 M28 83 l18 1" fill="none" stroke-width="1.8"/><path d="M52 66 Q64 74 62 86 Q50 84 46 74z" fill="#33689a" stroke-width="2.4"/>"##,
            eyes: &[(25, 58)],
        },
    }
}
