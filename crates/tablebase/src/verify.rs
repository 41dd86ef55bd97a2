//! Proving random positions of a tablebase again, from the positions one move further.

use search::Value;

use crate::file::BadFile;
use crate::probe::Tablebase;

/// What was found.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Verified {
    /// Positions whose value follows from those one move further.
    pub right: u64,
    /// Positions whose value does not.
    pub wrong: u64,
    /// Positions for which a table one move further is missing.
    pub skipped: u64,
    /// A wrong one: own cubes and the other side's.
    pub example: Option<(u32, u32)>,
}

/// Looks at `count` random positions of every pair in the folder.
pub fn verify(tables: &Tablebase, count: u64, seed: u64) -> Result<Verified, BadFile> {
    let mut result = Verified::default();
    let mut state = seed;
    for pair in tables.pairs() {
        for &mover in pair.movers() {
            for _ in 0..count {
                let (own, other) = tables.pick(pair, mover, random(&mut state), random(&mut state));
                match (tables.value(own, other)?, proved(tables, own, other)?) {
                    (Some(said), Some(proved)) if agrees(said, proved) => result.right += 1,
                    (Some(_), Some(_)) => {
                        result.wrong += 1;
                        result.example = Some((own, other));
                    }
                    _ => result.skipped += 1,
                }
            }
        }
    }
    Ok(result)
}

/// The value of a position from its lines and its successors; `None` if a successor is not in the tables.
pub(crate) fn proved(tables: &Tablebase, own: u32, other: u32) -> Result<Option<Value>, BadFile> {
    let geometry = &tables.board().geometry;
    if geometry.has_line(own) {
        return Ok(Some(Value::win_in(0)));
    }
    if geometry.has_line(other) {
        return Ok(Some(Value::loss_in(0)));
    }
    let mut best: Option<Value> = None;
    for push in geometry.legal(other) {
        let (own, other) = geometry.after(own, other, push);
        let Some(next) = tables.value(own, other)? else { return Ok(None) };
        best = best.max(Some(-next.add_plies(1)));
    }
    Ok(best)
}

/// Without depths only the value is compared.
fn agrees(said: Value, proved: Value) -> bool {
    match (said, proved) {
        _ if said.is_final() && proved.is_final() => said == proved,
        _ => std::mem::discriminant(&said) == std::mem::discriminant(&proved),
    }
}

fn random(state: &mut u64) -> u64 {
    *state = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
    let mut mixed = *state;
    mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
    mixed ^ mixed >> 31
}
