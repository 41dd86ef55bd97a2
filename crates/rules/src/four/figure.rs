use crate::Square;

/// Which way the corners of a capturing square lie from its centre (FO2).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Shape {
    /// Corners in the centre's row and column.
    Orthogonal,
    /// Corners on the centre's two diagonals.
    Diagonal,
}

impl Shape {
    /// Going round, so that the corners can be joined in this order.
    pub(super) const fn directions(self) -> [(i8, i8); 4] {
        match self {
            Shape::Orthogonal => [(1, 0), (0, 1), (-1, 0), (0, -1)],
            Shape::Diagonal => [(1, 1), (-1, 1), (-1, -1), (1, -1)],
        }
    }
}

/// A square that captures what stands in its centre (FO2), with corners left out at the edge (FO3).
///
/// ```
/// use rules::four::{Figure, Shape};
///
/// let corners = |centre: &str, shape, distance| -> Option<String> {
///     let figure = Figure::new(centre.parse().ok()?, shape, distance, 9)?;
///     Some(figure.corners().map(|corner| corner.to_string()).collect::<Vec<_>>().join(" "))
/// };
/// assert_eq!(corners("d4", Shape::Diagonal, 2).as_deref(), Some("f6 b6 b2 f2"));
/// assert_eq!(corners("a1", Shape::Orthogonal, 8).as_deref(), Some("i1 a9")); // two sides meet in a corner
/// assert_eq!(corners("d1", Shape::Orthogonal, 3).as_deref(), Some("g1 d4 a1"));
/// assert_eq!(corners("d1", Shape::Orthogonal, 4), None); // the corner to the left is off the board
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Figure {
    centre: Square,
    shape: Shape,
    distance: u8,
    size: u8,
}

impl Figure {
    /// The figure of this shape and distance around a centre on a board of `size`; `None` where none captures.
    #[inline]
    pub fn new(centre: Square, shape: Shape, distance: u8, size: u8) -> Option<Figure> {
        let on_board = centre.column < size && centre.row < size;
        if !on_board || distance == 0 || distance > reach(centre, shape, size) {
            return None;
        }
        Some(Figure { centre, shape, distance, size })
    }

    /// The one figure around `centre` that has `corner` among its corners, if there is one.
    #[inline]
    pub fn with_corner(centre: Square, corner: Square, size: u8) -> Option<Figure> {
        if corner.column >= size || corner.row >= size {
            return None;
        }
        let across = centre.column.abs_diff(corner.column);
        let up = centre.row.abs_diff(corner.row);
        match (across, up) {
            (0, distance) | (distance, 0) => Figure::new(centre, Shape::Orthogonal, distance, size),
            _ if across == up => Figure::new(centre, Shape::Diagonal, across, size),
            _ => None,
        }
    }

    /// All figures around a centre, small ones first.
    pub fn around(centre: Square, size: u8) -> impl Iterator<Item = Figure> {
        (1..size).flat_map(move |distance| {
            [Shape::Orthogonal, Shape::Diagonal]
                .into_iter()
                .filter_map(move |shape| Figure::new(centre, shape, distance, size))
        })
    }

    /// Where the captured stone stands.
    #[inline]
    pub fn centre(&self) -> Square {
        self.centre
    }

    /// Orthogonal or diagonal.
    pub fn shape(&self) -> Shape {
        self.shape
    }

    /// How far the corners lie from the centre, counted in columns or rows.
    pub fn distance(&self) -> u8 {
        self.distance
    }

    /// The cells that must carry the capturing seat's stones, going round: four, on a side three or two, in a corner two.
    #[inline]
    pub fn corners(&self) -> impl Iterator<Item = Square> + use<> {
        let Figure { centre, shape, distance, size } = *self;
        shape.directions().into_iter().filter_map(move |(across, up)| {
            let column = centre.column.checked_add_signed(across * distance as i8)?;
            let row = centre.row.checked_add_signed(up * distance as i8)?;
            // What lies off the board lies beyond the side the centre stands on: `reach` saw to the rest.
            (column < size && row < size).then_some(Square::new(column, row))
        })
    }
}

/// The largest distance at which every corner that FO3 asks for is on the board; 0 where no figure captures.
#[inline]
pub(super) const fn reach(centre: Square, shape: Shape, size: u8) -> u8 {
    let last = size - 1;
    let (column_room, row_room) = (room(centre.column, last), room(centre.row, last));
    match (column_room, row_room) {
        (0, 0) if matches!(shape, Shape::Orthogonal) => last,
        (0, 0) => 0,
        // On a side the corners beyond it are not needed, so only the room along the side counts.
        (room, 0) | (0, room) => room,
        _ if column_room < row_room => column_room,
        _ => row_room,
    }
}

/// How many cells there are on the nearer side of a line's cell.
#[inline]
const fn room(place: u8, last: u8) -> u8 {
    if place < last - place { place } else { last - place }
}
