//! Every capturing square of a board, listed once per size.

use std::sync::OnceLock;

use rules::Square;
use rules::four::{Figure, Shape, Size};

/// A cell as one number: 32·row + column, so that a row's word and a bit are a shift away.
pub(super) type Cell = u16;

#[inline]
pub(super) fn cell(square: Square) -> Cell {
    u16::from(square.row) << 5 | u16::from(square.column)
}

#[inline]
pub(super) fn square(cell: Cell) -> Square {
    Square::new((cell & 31) as u8, (cell >> 5) as u8)
}

#[inline]
pub(super) fn has(rows: &[u32; 19], cell: Cell) -> bool {
    rows[usize::from(cell >> 5)] >> (cell & 31) & 1 != 0
}

/// How many numbers there are for cells; the last one is off every board.
pub(super) const CELLS: usize = 19 * 32;
/// What fills up the corners of a figure that needs fewer than four.
pub(super) const NO_CELL: Cell = CELLS as Cell - 1;

/// The corners of one figure: two, three or four cells.
#[derive(Clone, Copy, Debug)]
pub(super) struct Corners {
    count: u8,
    pub(super) shape: Shape,
    cells: [Cell; 4],
}

impl Corners {
    /// Always four, filled up with [`NO_CELL`].
    #[inline]
    pub(super) fn four(&self) -> &[Cell; 4] {
        &self.cells
    }

    #[inline]
    pub(super) fn cells(&self) -> &[Cell] {
        &self.cells[..usize::from(self.count)]
    }
}

/// The figures around every cell of a board.
pub(super) struct Figures {
    starts: Vec<u32>,
    corners: Vec<Corners>,
}

impl Figures {
    /// The figures of a board, made when they are first asked for.
    pub(super) fn of(size: Size) -> &'static Figures {
        static TABLES: [OnceLock<Figures>; 3] = [OnceLock::new(), OnceLock::new(), OnceLock::new()];
        let index = match size {
            Size::Nine => 0,
            Size::Thirteen => 1,
            Size::Nineteen => 2,
        };
        TABLES[index].get_or_init(|| Figures::new(size.width()))
    }

    fn new(width: u8) -> Figures {
        let mut figures = Figures { starts: vec![0], corners: Vec::new() };
        for code in 0..CELLS as Cell {
            let centre = square(code);
            for figure in Figure::around(centre, width) {
                let mut corners = Corners { count: 0, shape: figure.shape(), cells: [NO_CELL; 4] };
                for corner in figure.corners() {
                    corners.cells[usize::from(corners.count)] = cell(corner);
                    corners.count += 1;
                }
                figures.corners.push(corners);
            }
            figures.starts.push(figures.corners.len() as u32);
        }
        figures
    }

    /// The figures that capture a stone on `centre`.
    #[inline]
    pub(super) fn around(&self, centre: Cell) -> &[Corners] {
        let centre = usize::from(centre);
        &self.corners[self.starts[centre] as usize..self.starts[centre + 1] as usize]
    }
}
