//! The board of any size: its squares as bits (size·row + column), pushes, symmetries and lines.

/// The squares of the largest board.
pub(crate) const MOST_CELLS: usize = 25;

/// How many cubes a side the boards have that can be solved here.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Size {
    /// A board of nine cubes.
    Three,
    /// A board of sixteen cubes.
    Four,
    /// The board of the game.
    Five,
}

impl Size {
    /// All, smallest first.
    pub const ALL: [Size; 3] = [Size::Three, Size::Four, Size::Five];

    /// The size with so many cubes a side; `None` if that cannot be solved here.
    ///
    /// ```
    /// use tablebase::Size;
    ///
    /// assert_eq!(Size::new(5), Some(Size::Five));
    /// assert_eq!(Size::new(6), None);
    /// ```
    pub fn new(side: u8) -> Option<Size> {
        Size::ALL.into_iter().find(|size| size.side() == side)
    }

    /// Cubes a side.
    pub const fn side(self) -> u8 {
        match self {
            Size::Three => 3,
            Size::Four => 4,
            Size::Five => 5,
        }
    }
}

/// A push, as where it takes the cube of every square.
#[derive(Clone, Debug)]
pub(crate) struct Push {
    /// The square whose cube is taken.
    pub(crate) gap: u8,
    /// Where each square's cube goes: the gap's to where it enters, others along to fill the gap.
    pub(crate) moved: [u8; MOST_CELLS],
}

/// A square board of 3, 4 or 5 cubes a side.
#[derive(Clone, Debug)]
pub struct Geometry {
    /// Cubes a side.
    pub size: Size,
    /// Cubes in all.
    pub(crate) cells: u32,
    /// Every border square with every entry, in the order of the rules.
    pub(crate) pushes: Vec<Push>,
    /// Where each square goes under each of the eight symmetries; the first is the identity.
    pub(crate) turns: [[u8; MOST_CELLS]; 8],
    /// The rows, columns and long diagonals.
    pub lines: Vec<u32>,
}

impl Geometry {
    /// The board of a size.
    pub(crate) fn new(size: Size) -> Geometry {
        let side = usize::from(size.side());
        Geometry { size, cells: (side * side) as u32, pushes: pushes(side), turns: turns(side), lines: lines(side) }
    }

    /// Whether a line lies wholly in a set.
    pub fn has_line(&self, set: u32) -> bool {
        self.lines.iter().any(|&line| line & !set == 0)
    }

    /// A set under a symmetry.
    pub fn turned(&self, set: u32, turn: usize) -> u32 {
        mapped(set, &self.turns[turn])
    }

    /// Where a push takes a set; the gap's cube goes along.
    pub(crate) fn pushed(&self, set: u32, push: usize) -> u32 {
        mapped(set, &self.pushes[push].moved)
    }

    /// The position after a push, seen by the side that moves next; the push must be legal.
    pub fn after(&self, own: u32, other: u32, push: usize) -> (u32, u32) {
        (self.pushed(other, push), self.pushed(own | 1 << self.pushes[push].gap, push))
    }

    /// A push as the rules write it: `a3e3`.
    pub fn action_text(&self, push: usize) -> String {
        let (Push { gap, moved }, side) = (&self.pushes[push], self.size.side());
        let square = |cell: u8| format!("{}{}", (b'a' + cell % side) as char, 1 + cell / side);
        square(*gap) + &square(moved[usize::from(*gap)])
    }

    /// The numbers of the legal pushes of a position without a line.
    pub fn legal(&self, other: u32) -> impl Iterator<Item = usize> + '_ {
        (0..self.pushes.len()).filter(move |&push| other >> self.pushes[push].gap & 1 == 0)
    }
}

fn mapped(set: u32, to: &[u8; MOST_CELLS]) -> u32 {
    let mut left = set;
    let mut result = 0;
    while left != 0 {
        result |= 1 << to[left.trailing_zeros() as usize];
        left &= left - 1;
    }
    result
}

fn pushes(size: usize) -> Vec<Push> {
    let mut pushes = Vec::new();
    for gap in 0..size * size {
        let (row, column) = (gap / size, gap % size);
        if row % (size - 1) != 0 && column % (size - 1) != 0 {
            continue;
        }
        let last = size - 1;
        let ends = [(size * row + last, 1), (size * row, 1), (size * last + column, size), (column, size)];
        for (entry, step) in ends.into_iter().filter(|&(entry, _)| entry != gap) {
            let mut moved = std::array::from_fn(|square| square as u8);
            let (mut low, high) = (gap.min(entry), gap.max(entry));
            while low < high {
                let (a, b) = (low, low + step);
                // What stands nearer to the entry moves towards the gap.
                if entry > gap {
                    moved[b] = a as u8
                } else {
                    moved[a] = b as u8
                }
                low += step;
            }
            moved[gap] = entry as u8;
            pushes.push(Push { gap: gap as u8, moved });
        }
    }
    pushes
}

fn turns(size: usize) -> [[u8; MOST_CELLS]; 8] {
    std::array::from_fn(|turn| {
        std::array::from_fn(|square| {
            if square >= size * size {
                return square as u8;
            }
            let (mut row, mut column) = (square / size, square % size);
            if turn & 1 != 0 {
                column = size - 1 - column;
            }
            if turn & 2 != 0 {
                row = size - 1 - row;
            }
            (if turn & 4 != 0 { column * size + row } else { row * size + column }) as u8
        })
    })
}

fn lines(size: usize) -> Vec<u32> {
    let set = |squares: &mut dyn Iterator<Item = usize>| squares.fold(0, |set, square| set | 1 << square);
    let mut lines = Vec::new();
    for n in 0..size {
        lines.push(set(&mut (0..size).map(|m| size * n + m)));
        lines.push(set(&mut (0..size).map(|m| size * m + n)));
    }
    lines.push(set(&mut (0..size).map(|m| size * m + m)));
    lines.push(set(&mut (0..size).map(|m| size * m + size - 1 - m)));
    lines
}
