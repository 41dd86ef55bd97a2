//! Numbers the locals of functions anew: those that are used most come first.
//!
//! The compiler numbers them as they come up. Sorted, they take fewer bytes, and functions that do the like look more alike,
//! of which a compressor makes less.

use std::cmp::Reverse;

use wasm_encoder::{Instruction, ValType};
use wasmparser::{FunctionBody, Operator};

use crate::Result;

/// The locals of a function in their new order.
pub(crate) struct Locals {
    /// Their types, as the function declares them: how many of each. Arguments are not among them.
    pub(crate) declared: Vec<(u32, ValType)>,
    /// The new number of each, arguments included.
    numbers: Vec<u32>,
}

impl Locals {
    /// Of a function with so many arguments, which keep their numbers.
    pub(crate) fn of(body: &FunctionBody<'_>, arguments: u32) -> Result<Locals> {
        let mut types = Vec::new();
        for group in body.get_locals_reader()? {
            let (count, kind) = group?;
            types.extend((0..count).map(|_| kind));
        }
        let mut uses = vec![0_u32; arguments as usize + types.len()];
        for operator in body.get_operators_reader()? {
            if let Operator::LocalGet { local_index }
            | Operator::LocalSet { local_index }
            | Operator::LocalTee { local_index } = operator?
            {
                uses[local_index as usize] += 1;
            }
        }
        let of = |local: u32| types[(local - arguments) as usize];
        let uses_of_type = |local: u32| -> u32 {
            (arguments..uses.len() as u32).filter(|other| of(*other) == of(local)).map(|it| uses[it as usize]).sum()
        };
        let mut order: Vec<u32> = (arguments..uses.len() as u32).collect();
        order.sort_by_cached_key(|&local| {
            (Reverse(uses_of_type(local)), format!("{:?}", of(local)), Reverse(uses[local as usize]))
        });
        let mut locals = Locals { declared: Vec::new(), numbers: (0..uses.len() as u32).collect() };
        for (local, number) in order.into_iter().zip(arguments..) {
            locals.numbers[local as usize] = number;
            let kind = ValType::try_from(of(local)).map_err(|problem| format!("{problem:?}"))?;
            match locals.declared.last_mut() {
                Some((count, last)) if *last == kind => *count += 1,
                _ => locals.declared.push((1, kind)),
            }
        }
        Ok(locals)
    }

    /// The instruction with the new number of its local, if it has one.
    pub(crate) fn renumbered<'a>(&self, instruction: Instruction<'a>) -> Instruction<'a> {
        let number = |local: u32| self.numbers[local as usize];
        match instruction {
            Instruction::LocalGet(local) => Instruction::LocalGet(number(local)),
            Instruction::LocalSet(local) => Instruction::LocalSet(number(local)),
            Instruction::LocalTee(local) => Instruction::LocalTee(number(local)),
            other => other,
        }
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::Function;
    use wasmparser::BinaryReader;

    use super::*;

    #[test]
    fn what_is_used_most_comes_first_and_arguments_stay() {
        let mut function = Function::new([(1, ValType::I64), (2, ValType::I32)]);
        for local in [3, 3, 2, 0] {
            function.instructions().local_get(local).drop();
        }
        function.instructions().i64_const(0).local_set(1).end();
        let bytes = function.into_raw_body();
        let locals = Locals::of(&FunctionBody::new(BinaryReader::new(&bytes, 0)), 1).expect("known types");
        assert_eq!(locals.declared, [(2, ValType::I32), (1, ValType::I64)]);
        assert_eq!(locals.numbers, [0, 3, 2, 1]);
        assert!(matches!(locals.renumbered(Instruction::LocalTee(3)), Instruction::LocalTee(1)));
        assert!(matches!(locals.renumbered(Instruction::Call(3)), Instruction::Call(3)));
    }
}
