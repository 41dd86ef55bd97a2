use rules::{Setup, SetupEntry, SetupField, SetupValue, Square, Viewer};
use scene::{Board, Staged};
use search::Random;

use crate::conformance::{Check, ensure};
use crate::walk::walk;
use crate::{Property, Report, Violation, Walks};

/// How often the board of each position is edited.
const EDITS: u32 = 12;

/// Checks that every position can be set up, and that a board edited at random becomes a position or says why not.
pub fn conform_setup<P: Staged>(options: &P::Options, walks: Walks) -> Result<Report, Violation> {
    walk::<P>(options, walks, |position, random, report| {
        let mut setup = P::Setup::of(position);
        ensure(setup.position().as_ref() == Ok(position), Property::SetupRoundTrip, || {
            format!("the setup of the position becomes {:?}", setup.position())
        })?;
        let board = P::scene(&position.view(Viewer::Spectator), Viewer::Spectator).board;
        check_scene::<P>(&setup, &board)?;
        for _ in 0..EDITS {
            edit::<P>(&mut setup, &board, random)?;
            report.refused += u64::from(check_position::<P>(&setup, &board)?);
        }
        setup.clear();
        ensure(setup.position().is_ok(), Property::SetupClears, || format!("{:?}", setup.position()))
    })
}

/// The board that is edited looks like the board of the position.
fn check_scene<P: Staged>(setup: &P::Setup, board: &Board) -> Check {
    for cell in &board.cells {
        let piece = setup.piece(cell.square).map(|piece| P::setup_piece(&setup.options(), piece));
        ensure(piece == cell.piece, Property::SetupShowsPosition, || format!("{piece:?} on {}", cell.square))?;
    }
    Ok(())
}

/// Changes a square or a field, and looks whether it is changed.
fn edit<P: Staged>(setup: &mut P::Setup, board: &Board, random: &mut Random) -> Check {
    let (pieces, fields) = (setup.pieces(), setup.fields());
    if !fields.is_empty() && (pieces.is_empty() || random.below(3) == 0) {
        let at = random.below(fields.len() as u32) as usize;
        let value = any_value(&fields[at], random);
        setup.set(at, value);
        return ensure(setup.fields()[at].value() == value, Property::SetupKeepsEdits, || {
            format!("field {at} was set to {value:?}, but is {:?}", setup.fields()[at])
        });
    }
    let square = Square::from_index(random.below(board.cells.len() as u32) as usize, board.columns);
    let (empty, before) = (random.below(4) == 0, setup.piece(square));
    let piece = (!empty).then(|| pieces[random.below(pieces.len() as u32) as usize]);
    setup.put(square, piece);
    // Nothing can be put on some squares, such as the corners of Sequence, and a cube of Quixo is never missing.
    let kept = setup.piece(square) == piece || setup.piece(square) == before || piece.is_none();
    ensure(kept, Property::SetupKeepsEdits, || format!("{piece:?} was put on {square}"))
}

fn any_value<P: Copy>(field: &SetupField<P>, random: &mut Random) -> SetupValue<P> {
    match &field.entry {
        SetupEntry::Seat { seats, .. } => {
            SetupValue::Seat(rules::Seat::from_index(random.below((*seats).into()) as usize))
        }
        SetupEntry::Number { most, .. } => SetupValue::Number(random.below(u32::from(*most) + 1) as u8),
        SetupEntry::Piece { choices, .. } => {
            SetupValue::Piece(choices.get(random.below(choices.len() as u32 + 1) as usize).copied())
        }
    }
}

/// The board is a lawful position that shows what was set up, or is refused with a reason; whether it is refused.
fn check_position<P: Staged>(setup: &P::Setup, board: &Board) -> Result<bool, (Property, String)> {
    let position = match setup.position() {
        Ok(position) => position,
        Err(reason) => {
            ensure(!reason.to_string().is_empty(), Property::SetupRefusal, || format!("{reason:?}"))?;
            return Ok(true);
        }
    };
    let text = position.to_string();
    ensure(P::parse(&setup.options(), &text).as_ref() == Ok(&position), Property::SetupRefusal, || {
        format!("the setup becomes {text}, which is no position")
    })?;
    let same = P::Setup::of(&position);
    let shown = board.cells.iter().all(|cell| same.piece(cell.square) == setup.piece(cell.square));
    ensure(shown, Property::SetupShowsPosition, || format!("the setup becomes {text}"))?;
    Ok(false)
}
