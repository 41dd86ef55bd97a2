//! Puts modules that travel together into one.
//!
//! The splitter makes a module for each set of chunks that share something. They call each other through the table of
//! functions, each by a small function of its own for every function that it calls elsewhere. In one module these calls are
//! direct, and there is one list of types instead of many. What is called in another file is called through the table
//! where it is needed: without the small functions a bundle is 2 % smaller.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use wasm_encoder::reencode::{self, Reencode};
use wasm_encoder::{
    CodeSection, ConstExpr, DataSection, ElementSection, Elements, EntityType, FunctionSection, ImportSection,
    Instruction, TypeSection,
};
use wasmparser::{DataKind, ElementItems, ElementKind, FuncType, FunctionBody, Operator, Parser, Payload, TypeRef};

use crate::Result;
use crate::locals::Locals;

/// A function of one of the modules: which module, and its number there.
type Place = (usize, u32);

/// A module that the splitter cut off, taken apart. It imports memory, table and stack, and exports nothing.
#[derive(Default)]
struct Parsed<'a> {
    types: Vec<FuncType>,
    imports: Vec<wasmparser::Import<'a>>,
    /// The types of its functions.
    functions: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// Functions in the table, with the place of the first.
    elements: Vec<(i32, Vec<u32>)>,
    data: Vec<(i32, &'a [u8])>,
}

impl<'a> Parsed<'a> {
    fn new(bytes: &'a [u8]) -> Result<Parsed<'a>> {
        let mut parsed = Parsed::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    for kind in section.into_iter_err_on_gc_types() {
                        parsed.types.push(kind?);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        parsed.imports.push(import?);
                    }
                }
                Payload::FunctionSection(section) => {
                    for kind in section {
                        parsed.functions.push(kind?);
                    }
                }
                Payload::ElementSection(section) => {
                    for element in section {
                        let element = element?;
                        let (ElementKind::Active { offset_expr, .. }, ElementItems::Functions(functions)) =
                            (element.kind, element.items)
                        else {
                            return Err("a chunk has an element that is no active list of functions".into());
                        };
                        let functions = functions.into_iter().collect::<std::result::Result<_, _>>()?;
                        parsed.elements.push((constant(&offset_expr)?, functions));
                    }
                }
                Payload::CodeSectionEntry(body) => parsed.bodies.push(body),
                Payload::DataSection(section) => {
                    for data in section {
                        let data = data?;
                        let DataKind::Active { memory_index: 0, offset_expr } = data.kind else {
                            return Err("a chunk has data without an address".into());
                        };
                        parsed.data.push((constant(&offset_expr)?, data.data));
                    }
                }
                Payload::Version { .. }
                | Payload::CodeSectionStart { .. }
                | Payload::DataCountSection { .. }
                | Payload::CustomSection(_)
                | Payload::ExportSection(_)
                | Payload::End(_) => {}
                other => return Err(format!("a chunk has an unexpected section: {other:?}").into()),
            }
        }
        if parsed.imports.iter().any(|import| matches!(import.ty, TypeRef::Func(_) | TypeRef::FuncExact(_))) {
            return Err("a chunk imports a function".into());
        }
        Ok(parsed)
    }

    fn type_of(&self, function: u32) -> Result<&FuncType> {
        let kind = self.functions.get(function as usize).and_then(|kind| self.types.get(*kind as usize));
        Ok(kind.ok_or("a function without a type")?)
    }

    /// The place in the table that a function does nothing but call, with its own arguments.
    fn forwards_to(&self, function: u32) -> Result<Option<i32>> {
        let body = &self.bodies[function as usize];
        if body.get_locals_reader()?.get_count() > 0 {
            return Ok(None);
        }
        let mut operators = body.get_operators_reader()?;
        for argument in 0..self.type_of(function)?.params().len() as u32 {
            if !matches!(operators.read()?, Operator::LocalGet { local_index } if local_index == argument) {
                return Ok(None);
            }
        }
        let Operator::I32Const { value } = operators.read()? else { return Ok(None) };
        let Operator::CallIndirect { .. } = operators.read()? else { return Ok(None) };
        Ok(matches!(operators.read()?, Operator::End).then_some(value))
    }
}

fn constant(expression: &wasmparser::ConstExpr<'_>) -> Result<i32> {
    match expression.get_operators_reader().read()? {
        Operator::I32Const { value } => Ok(value),
        other => Err(format!("expected a constant, found {other:?}").into()),
    }
}

/// One module that does what all of these do.
pub(crate) fn merge(modules: &[Vec<u8>]) -> Result<Vec<u8>> {
    let modules: Vec<Parsed<'_>> = modules.iter().map(|bytes| Parsed::new(bytes)).collect::<Result<_>>()?;
    let imports = Imports::of(&modules);
    let numbers = number_functions(&modules)?;
    let mut types = Types::default();
    let (mut functions, mut code) = (FunctionSection::new(), CodeSection::new());
    for &(module, function) in &numbers.kept {
        let parsed = &modules[module];
        functions.function(types.number(parsed.type_of(function)?));
        let mut renumber = Renumber {
            parsed,
            types: &mut types,
            functions: &numbers.new[module],
            globals: imports.globals.get(module).map(Vec::as_slice).unwrap_or_default(),
        };
        let body = &parsed.bodies[function as usize];
        let locals = Locals::of(body, parsed.type_of(function)?.params().len() as u32)?;
        let mut written = wasm_encoder::Function::new(locals.declared.iter().copied());
        for operator in body.get_operators_reader()? {
            let operator = operator?;
            if let Operator::Call { function_index } = operator
                && let Some(&place) = numbers.elsewhere[module].get(&function_index)
            {
                let type_index = renumber.types.number(parsed.type_of(function_index)?);
                written.instruction(&Instruction::I32Const(place));
                written.instruction(&Instruction::CallIndirect { type_index, table_index: 0 });
            } else {
                written.instruction(&locals.renumbered(renumber.instruction(operator).map_err(to_text)?));
            }
        }
        code.function(&written);
    }
    let (mut in_table, mut in_memory) = (Vec::new(), Vec::new());
    for (parsed, new) in modules.iter().zip(&numbers.new) {
        let renumbered = |functions: &Vec<u32>| functions.iter().map(|function| new[function]).collect();
        in_table.extend(parsed.elements.iter().map(|(start, functions)| (*start, renumbered(functions))));
        in_memory.extend(parsed.data.iter().map(|(address, bytes)| (*address, bytes.to_vec())));
    }
    let mut elements = ElementSection::new();
    for (start, functions) in joined(in_table) {
        elements.active(None, &ConstExpr::i32_const(start), Elements::Functions(Cow::Owned(functions)));
    }
    let mut data = DataSection::new();
    for (address, bytes) in joined(in_memory) {
        data.active(0, &ConstExpr::i32_const(address), bytes);
    }
    let mut merged = wasm_encoder::Module::new();
    merged.section(&types.section).section(&imports.section).section(&functions);
    merged.section(&elements).section(&code).section(&data);
    Ok(merged.finish())
}

/// Pieces in the order of their places; those that follow each other without a gap are one.
fn joined<T>(mut pieces: Vec<(i32, Vec<T>)>) -> Vec<(i32, Vec<T>)> {
    pieces.retain(|(_, piece)| !piece.is_empty());
    pieces.sort_by_key(|(place, _)| *place);
    let mut joined = Vec::<(i32, Vec<T>)>::new();
    for (place, piece) in pieces {
        match joined.last_mut() {
            Some((start, last)) if *start + last.len() as i32 == place => last.extend(piece),
            _ => joined.push((place, piece)),
        }
    }
    joined
}

fn to_text(problem: reencode::Error) -> String {
    problem.to_string()
}

/// What the modules import, each thing once.
struct Imports {
    section: ImportSection,
    /// For each module, the new numbers of its globals.
    globals: Vec<Vec<u32>>,
}

impl Imports {
    fn of(modules: &[Parsed<'_>]) -> Imports {
        let (mut section, mut seen) = (ImportSection::new(), Vec::<&str>::new());
        let (mut globals, mut names) = (Vec::new(), Vec::<&str>::new());
        for parsed in modules {
            let mut own = Vec::new();
            for import in &parsed.imports {
                // A module knows the whole program by what it imports; a build is known by the folder it lies in.
                if !seen.contains(&import.name)
                    && let Ok(kind) = EntityType::try_from(import.ty)
                {
                    seen.push(import.name);
                    section.import(import.module, import.name, kind);
                    if matches!(import.ty, TypeRef::Global(_)) {
                        names.push(import.name);
                    }
                }
                if matches!(import.ty, TypeRef::Global(_)) {
                    own.extend(names.iter().position(|name| *name == import.name).map(|at| at as u32));
                }
            }
            globals.push(own);
        }
        Imports { section, globals }
    }
}

/// Which functions there are, and which number each has got.
struct Numbers {
    /// In their new order.
    kept: Vec<Place>,
    /// For each module, the new number of each of its functions.
    new: Vec<BTreeMap<u32, u32>>,
    /// For each module, those of its functions that are left out because they do nothing but call one of another file, with
    /// its place in the table.
    elsewhere: Vec<BTreeMap<u32, i32>>,
}

/// A function that calls another of the same file by way of the table is left out, and its callers call the other one.
fn number_functions(modules: &[Parsed<'_>]) -> Result<Numbers> {
    let mut in_table = BTreeMap::<i32, Place>::new();
    for (module, parsed) in modules.iter().enumerate() {
        for (start, functions) in &parsed.elements {
            in_table.extend((*start..).zip(functions.iter().map(|&function| (module, function))));
        }
    }
    let is_called_from_outside: BTreeSet<Place> = in_table.values().copied().collect();
    let (mut instead, mut elsewhere) = (BTreeMap::<Place, Place>::new(), vec![BTreeMap::new(); modules.len()]);
    for (module, parsed) in modules.iter().enumerate() {
        for function in 0..parsed.functions.len() as u32 {
            let Some(at) = parsed.forwards_to(function)? else { continue };
            match in_table.get(&at) {
                Some(&place) if place == (module, function) => {}
                Some(&place) => drop(instead.insert((module, function), place)),
                None if is_called_from_outside.contains(&(module, function)) => {}
                None => drop(elsewhere[module].insert(function, at)),
            }
        }
    }
    let functions_of = |module: usize| (0..modules[module].functions.len() as u32).map(move |it| (module, it));
    let is_kept = |place: &Place| !instead.contains_key(place) && !elsewhere[place.0].contains_key(&place.1);
    let mut kept: Vec<Place> = (0..modules.len()).flat_map(functions_of).filter(is_kept).collect();
    // Functions that look alike lie beside each other, where a compressor finds more in common: 2 % of what travels.
    let look = |&(module, function): &Place| {
        (modules[module].type_of(function).ok(), modules[module].bodies[function as usize].as_bytes())
    };
    kept.sort_by(|one, other| look(one).cmp(&look(other)));
    let numbered: BTreeMap<Place, u32> = kept.iter().copied().zip(0..).collect();
    let number = |place: Place| {
        let mut place = place;
        while let Some(other) = instead.get(&place) {
            place = *other;
        }
        numbered.get(&place).copied()
    };
    let new = |module| functions_of(module).filter_map(|place| Some((place.1, number(place)?))).collect();
    let new = (0..modules.len()).map(new).collect();
    Ok(Numbers { kept, new, elsewhere })
}

/// The types that are used, each once.
#[derive(Default)]
struct Types {
    section: TypeSection,
    seen: Vec<FuncType>,
}

impl Types {
    fn number(&mut self, kind: &FuncType) -> u32 {
        let known = self.seen.iter().position(|other| other == kind);
        let number = known.unwrap_or_else(|| {
            if let Ok(kind) = wasm_encoder::FuncType::try_from(kind.clone()) {
                self.section.ty().func_type(&kind);
            }
            self.seen.push(kind.clone());
            self.seen.len() - 1
        });
        number as u32
    }
}

/// Writes the code of one module with the numbers of the whole.
struct Renumber<'a, 'b> {
    parsed: &'b Parsed<'a>,
    types: &'b mut Types,
    functions: &'b BTreeMap<u32, u32>,
    globals: &'b [u32],
}

impl Reencode for Renumber<'_, '_> {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> std::result::Result<u32, reencode::Error> {
        Ok(self.functions[&function])
    }

    fn type_index(&mut self, kind: u32) -> std::result::Result<u32, reencode::Error> {
        Ok(self.types.number(&self.parsed.types[kind as usize]))
    }

    fn global_index(&mut self, global: u32) -> std::result::Result<u32, reencode::Error> {
        Ok(self.globals[global as usize])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A module with these functions, all without arguments, the first of which stands in the table at a place.
    fn module(place: i32, functions: &[&dyn Fn(&mut wasm_encoder::InstructionSink<'_>)]) -> Vec<u8> {
        let (mut types, mut code, mut kinds) = (TypeSection::new(), CodeSection::new(), FunctionSection::new());
        types.ty().function([], []);
        for function in functions {
            let mut body = wasm_encoder::Function::new([]);
            function(&mut body.instructions());
            code.function(&body);
            kinds.function(0);
        }
        let mut elements = ElementSection::new();
        elements.active(None, &ConstExpr::i32_const(place), Elements::Functions(Cow::Owned(vec![0])));
        let mut module = wasm_encoder::Module::new();
        module.section(&types).section(&kinds).section(&elements).section(&code);
        module.finish()
    }

    #[test]
    fn calls_within_a_file_are_direct_and_others_go_through_the_table() {
        let one = module(
            1,
            &[
                &|body| {
                    body.call(1).call(2).end();
                },
                &|body| {
                    body.i32_const(2).call_indirect(0, 0).end();
                },
                &|body| {
                    body.i32_const(9).call_indirect(0, 0).end();
                },
            ],
        );
        let other = module(
            2,
            &[&|body| {
                body.nop().end();
            }],
        );
        let merged = merge(&[one, other]).unwrap();
        let merged = Parsed::new(&merged).unwrap();
        let operators = |body: &FunctionBody<'_>| {
            let operators = body.get_operators_reader().unwrap().into_iter();
            operators.map(|operator| format!("{:?}", operator.unwrap())).collect::<Vec<_>>()
        };
        let bodies: Vec<_> = merged.bodies.iter().map(operators).collect();
        assert_eq!(bodies.len(), 2, "{bodies:?}");
        let nothing = bodies.iter().position(|body| body[0] == "Nop").unwrap();
        let calls = &bodies[1 - nothing];
        assert_eq!(calls[0], format!("Call {{ function_index: {nothing} }}"));
        assert_eq!(calls[1], "I32Const { value: 9 }");
        assert!(calls[2].starts_with("CallIndirect"), "{calls:?}");
    }

    #[test]
    fn pieces_without_a_gap_are_one() {
        let pieces = vec![(20, vec![4, 5]), (10, vec![1, 2]), (12, vec![3]), (30, vec![])];
        assert_eq!(joined(pieces), [(10, vec![1, 2, 3]), (20, vec![4, 5])]);
    }
}
