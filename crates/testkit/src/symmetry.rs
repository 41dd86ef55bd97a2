use std::collections::HashSet;

use rules::{ActionList, Symmetric};
use search::Random;

use crate::conformance::{Check, ensure};
use crate::walk::walk;
use crate::{Property, Report, Violation, Walks, random_action};

/// How many symmetries are tried on each position of a game that has more.
const TRIED: usize = 8;

/// Checks that turning the board and playing may be exchanged.
pub fn conform_symmetric<P: Symmetric>(options: &P::Options, walks: Walks) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, random, _| {
        let count = position.symmetries();
        ensure(position.transform(0) == *position, Property::SymmetryIsAGroup, || "0 is not the identity".to_owned())?;
        for index in 0..count.min(TRIED) {
            let symmetry = if count <= TRIED { index } else { random.below(count as u32) as usize };
            check_symmetry(position, symmetry, random)?;
        }
        Ok(())
    })
}

fn check_symmetry<P: Symmetric>(position: &P, symmetry: usize, random: &mut Random) -> Check {
    let turned = position.transform(symmetry);
    ensure(turned.turn() == position.turn(), Property::SymmetryCommutes, || {
        format!("symmetry {symmetry} changes who is to act")
    })?;
    let lawful = P::parse(&position.options(), &turned.to_string()).is_ok_and(|read| read == turned);
    ensure(lawful, Property::SymmetryCommutes, || format!("symmetry {symmetry} gives {turned}, which cannot arise"))?;
    ensure(undone_by_another(position, &turned), Property::SymmetryIsAGroup, || {
        format!("no symmetry undoes number {symmetry}")
    })?;
    let mut here = ActionList::new();
    position.actions(&mut here);
    let mut there = ActionList::new();
    turned.actions(&mut there);
    let moved: HashSet<P::Action> = here.iter().map(|&action| position.transform_action(symmetry, action)).collect();
    let legal: HashSet<P::Action> = there.iter().copied().collect();
    ensure(moved == legal, Property::SymmetryCommutes, || format!("symmetry {symmetry} changes what is legal"))?;
    let Some(action) = random_action(position, random) else { return Ok(()) };
    let (mut played, mut other) = (position.clone(), turned);
    played.play_unchecked(action);
    other.play_unchecked(position.transform_action(symmetry, action));
    ensure(played.transform(symmetry) == other, Property::SymmetryCommutes, || {
        format!("{action} then symmetry {symmetry} is not symmetry {symmetry} then the same")
    })
}

/// With very many symmetries only the first are searched, and not finding one there proves nothing.
fn undone_by_another<P: Symmetric>(position: &P, turned: &P) -> bool {
    let count = turned.symmetries();
    const SEARCHED: usize = 64;
    count > SEARCHED || (0..count).any(|symmetry| turned.transform(symmetry) == *position)
}
