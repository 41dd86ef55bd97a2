//! Key sets: the cubes of the side with fewer, of which only one in eight symmetric forms is kept.

use crate::geometry::Geometry;

/// All key sets of a board, by number of cubes.
#[derive(Debug)]
pub(crate) struct Keys {
    lists: Vec<Vec<u32>>,
    orbits: Vec<Vec<u8>>,
    /// For each set: the place of its canonical form, and in the low three bits the symmetry that leads there.
    places: Vec<u32>,
}

impl Keys {
    /// Finds the key sets with up to half of the board's cubes.
    pub(crate) fn new(geometry: &Geometry) -> Keys {
        let most = geometry.cells / 2;
        let mut places = vec![u32::MAX; 1 << geometry.cells];
        let (mut lists, mut orbits) = (Vec::new(), Vec::new());
        for count in 0..=most {
            let (mut list, mut sizes) = (Vec::new(), Vec::new());
            for set in crate::ranks::sets(geometry.cells, count) {
                // Sets come in ascending order, so the first of a symmetric family is its smallest.
                if places[set as usize] != u32::MAX {
                    continue;
                }
                let place = (list.len() as u32) << 3;
                let mut size = 0;
                for turn in 0..8u32 {
                    let image = geometry.turned(set, turn as usize);
                    if places[image as usize] == u32::MAX {
                        places[image as usize] = place | inverse(turn);
                        size += 1;
                    }
                }
                list.push(set);
                sizes.push(size);
            }
            lists.push(list);
            orbits.push(sizes);
        }
        Keys { lists, orbits, places }
    }

    /// The canonical sets of so many cubes.
    pub(crate) fn list(&self, count: u32) -> &[u32] {
        &self.lists[count as usize]
    }

    /// For each canonical set, how many symmetric forms it has.
    pub(crate) fn orbits(&self, count: u32) -> &[u8] {
        &self.orbits[count as usize]
    }

    /// The place of a set's canonical form, and the symmetry that leads to it.
    #[inline]
    pub(crate) fn find(&self, set: u32) -> (u32, usize) {
        let entry = self.places[set as usize];
        (entry >> 3, entry as usize & 7)
    }

    /// For each set the place times eight, and the symmetry: as the graphics card gets it.
    pub(crate) fn places(&self) -> &[u32] {
        &self.places
    }
}

/// The symmetry that undoes another: mirrors undo themselves, and with the diagonal mirror the other two change places.
fn inverse(turn: u32) -> u32 {
    if turn & 4 == 0 { turn } else { 4 | (turn & 1) << 1 | (turn & 2) >> 1 }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::geometry::Size;

    #[test]
    fn the_symmetry_leads_to_the_canonical_form() {
        for size in [Size::Three, Size::Four] {
            let geometry = Geometry::new(size);
            let keys = Keys::new(&geometry);
            for set in (0..1u32 << geometry.cells).filter(|set| set.count_ones() <= geometry.cells / 2) {
                let (place, turn) = keys.find(set);
                assert_eq!(geometry.turned(set, turn), keys.list(set.count_ones())[place as usize]);
            }
        }
    }
}
