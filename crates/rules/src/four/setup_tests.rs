//! Options, boards that are edited freely, and boards that are turned.

use super::tests::{game, options};
use super::*;
use crate::{Field, Options, Setup, SetupValue, Symmetric};

#[test]
fn fo_options_depend_on_the_size_in_any_order() {
    for (text, size, reserve, target) in [
        ("", 19, 100, 30),
        ("size=13", 13, 40, 15),
        ("size=9", 9, 30, 10),
        ("size=9,reserve=20", 9, 20, 10),
        ("size=13,target=0", 13, 40, 0),
        ("reserve=150,target=100", 19, 150, 100),
    ] {
        let options = options(text);
        assert_eq!((options.size().width(), options.reserve(), options.target()), (size, reserve, target));
        assert_eq!(options.to_string(), text);
        assert_eq!(options.value("reserve"), Some(reserve.to_string()));
    }
    assert_eq!(options("size=9,reserve=30").to_string(), "size=9");
    assert_eq!(options("target=10,reserve=100,size=9").to_string(), "size=9,reserve=100");
    for bad in ["size=10", "reserve=19", "reserve=151", "target=101", "target=-1", "size=9,size=9", "komi=1"] {
        assert!(bad.parse::<FourOptions>().is_err(), "{bad}");
    }
    assert_eq!(FourOptions::new(Size::Nine, 19, 10), None);
    assert_eq!(FourOptions::new(Size::Nine, 20, 101), None);
    assert_eq!(FourOptions::new(Size::Thirteen, 40, 15), Some(options("size=13")));
}

#[test]
fn fo11_options_of_a_head_start() {
    for text in ["lead=5", "size=9,lead=9,first=1", "target=0,lead=30", "size=13,first=3,bonus=three"] {
        assert_eq!(options(text).to_string(), text);
    }
    assert_eq!(options("lead=0,first=4,bonus=chain").to_string(), "");
    for bad in ["lead=31", "first=0", "first=5", "bonus=four", "size=9,lead=10", "target=5,lead=5"] {
        assert!(bad.parse::<FourOptions>().is_err(), "{bad}");
    }
    let refused = "size=9,lead=10".parse::<FourOptions>().unwrap_err();
    assert_eq!(refused.to_string(), "lead=10 is not possible with target=10");
    let nine = FourOptions::of_size(Size::Nine);
    assert_eq!([(0, 0), (0, 5), (31, 4), (10, 4)].map(|(lead, first)| nine.with_head_start(lead, first)), [None; 4]);
    assert_eq!(nine.with_head_start(9, 1), Some(options("size=9,lead=9,first=1")));
}

#[test]
fn a_board_has_eight_symmetries() {
    let start = Four::start(&options("size=9"));
    let corner = |symmetry| start.transform_action(symmetry, "b1".parse().unwrap()).to_string();
    let mut turned: Vec<String> = (0..start.symmetries()).map(corner).collect();
    turned.sort();
    assert_eq!(turned, ["a2", "a8", "b1", "b9", "h1", "h9", "i2", "i8"]);
}

/// Ten stones each.
const TEN_EACH: &str = "ooooooooo/o8/9/9/9/9/9/x8/xxxxxxxxx";

#[test]
fn a_board_that_is_edited_is_in_the_opening_until_both_have_ten_stones() {
    // FO5, FO6: an edit that changes nothing begins a turn of the same part of the game.
    let settled = |text: &str| {
        let mut setup = FourSetup::of(&game(text));
        let a1 = "a1".parse().unwrap();
        setup.put(a1, setup.piece(a1));
        setup.readings()
    };
    for (text, main) in [
        ("9/9/9/9/9/9/9/9/xoxoxo3 1 opening 0,0 27,27 0 0 - -", false),
        (&*format!("{TEN_EACH} 1 4 0,0 20,20 0 0 - -"), true),
        ("ooooooooo/oo7/9/9/9/9/9/xx7/xxxxxxxxx 1 4 0,0 19,19 0 0 - -", true),
    ] {
        let readings = settled(text);
        assert_eq!(readings[0].as_ref().map(|position| position.phase() != Phase::Opening), Ok(main), "{text}");
        // The opening of the other seat, and of the same one, are asked for as well.
        assert_eq!((readings[1].is_ok(), readings[4].is_ok()), (false, !main), "{text}");
    }
    // With nine stones, one having been captured, it may be either part of the game.
    let nine = "ooooooooo/o8/9/9/9/9/9/9/xxxxxxxxx 1 4 0,1 20,20 0 0 - -";
    let readings = settled(nine);
    assert_eq!(readings[0].as_ref().map(Four::phase), Ok(Phase::Opening));
    assert_eq!(readings[2], Ok(game(nine)));
}

#[test]
fn a_setup_has_the_seat_to_act_and_two_scores_and_takes_nothing_of_other_seats() {
    let mut setup = FourSetup::of(&Four::start(&options("size=9")));
    let fields: Vec<(Field, Option<Seat>)> = setup.fields().iter().map(|field| (field.field, field.seat)).collect();
    assert_eq!(
        fields,
        [(Field::Seat, None), (Field::Points, Some(Seat::ONE)), (Field::Points, Some(Seat::TWO))],
        "in this order"
    );
    let before = setup.clone();
    let third = Seat::from_index(2);
    setup.set(0, SetupValue::Seat(third));
    setup.put("e5".parse().unwrap(), Some(third));
    assert_eq!(setup, before);
}
