//! Lays the functions of a whole module beside those that look alike, as [`merge`](crate::merge) does in chunks.

use wasm_encoder::reencode::{Error, Reencode};
use wasm_encoder::{CodeSection, ElementSection, ExportSection, FunctionSection, Module, RawSection, StartSection};
use wasmparser::{FunctionBody, Parser, Payload, TypeRef};

use crate::Result;
use crate::locals::Locals;

/// The same module with its functions in another order and their locals in another.
pub(crate) fn ordered(bytes: &[u8]) -> Result<Vec<u8>> {
    let Functions { arguments, types, bodies, imported } = Functions::of(bytes)?;
    let mut order: Vec<usize> = (0..bodies.len()).collect();
    order.sort_by_key(|&at| (types[at], bodies[at].as_bytes()));
    let mut numbers = vec![0; bodies.len()];
    for (&at, number) in order.iter().zip(imported..) {
        numbers[at] = number;
    }
    let mut renumber = Renumber { imported, numbers };
    let mut module = Module::new();
    for payload in Parser::new(0).parse_all(bytes) {
        match payload? {
            Payload::FunctionSection(_) => {
                let mut functions = FunctionSection::new();
                for &at in &order {
                    functions.function(types[at]);
                }
                module.section(&functions);
            }
            Payload::ExportSection(section) => {
                let mut exports = ExportSection::new();
                renumber.parse_export_section(&mut exports, section).map_err(to_text)?;
                module.section(&exports);
            }
            Payload::StartSection { func, .. } => {
                module.section(&StartSection { function_index: renumber.function_index(func).map_err(to_text)? });
            }
            Payload::ElementSection(section) => {
                let mut elements = ElementSection::new();
                renumber.parse_element_section(&mut elements, section).map_err(to_text)?;
                module.section(&elements);
            }
            Payload::CodeSectionStart { .. } => {
                let mut code = CodeSection::new();
                for &at in &order {
                    let locals = Locals::of(&bodies[at], arguments[types[at] as usize])?;
                    let mut written = wasm_encoder::Function::new(locals.declared.iter().copied());
                    for operator in bodies[at].get_operators_reader()? {
                        written.instruction(&locals.renumbered(renumber.instruction(operator?).map_err(to_text)?));
                    }
                    code.function(&written);
                }
                module.section(&code);
            }
            other => {
                if let Some((id, range)) = other.as_section() {
                    module.section(&RawSection { id, data: &bytes[range.start as usize..range.end as usize] });
                }
            }
        }
    }
    Ok(module.finish())
}

fn to_text(problem: Error) -> String {
    problem.to_string()
}

/// The functions of a module.
#[derive(Default)]
struct Functions<'a> {
    /// Of each type, how many arguments there are.
    arguments: Vec<u32>,
    /// Of each function, its type.
    types: Vec<u32>,
    bodies: Vec<FunctionBody<'a>>,
    /// How many are imported: those have the first numbers.
    imported: u32,
}

impl<'a> Functions<'a> {
    fn of(bytes: &'a [u8]) -> Result<Functions<'a>> {
        let mut functions = Functions::default();
        for payload in Parser::new(0).parse_all(bytes) {
            match payload? {
                Payload::TypeSection(section) => {
                    for kind in section.into_iter_err_on_gc_types() {
                        functions.arguments.push(kind?.params().len() as u32);
                    }
                }
                Payload::ImportSection(section) => {
                    for import in section.into_imports() {
                        let is_function = matches!(import?.ty, TypeRef::Func(_) | TypeRef::FuncExact(_));
                        functions.imported += u32::from(is_function);
                    }
                }
                Payload::FunctionSection(section) => {
                    for kind in section {
                        functions.types.push(kind?);
                    }
                }
                Payload::CodeSectionEntry(body) => functions.bodies.push(body),
                _ => {}
            }
        }
        Ok(functions)
    }
}

/// Gives functions their new numbers.
struct Renumber {
    imported: u32,
    /// Of the functions that are not imported.
    numbers: Vec<u32>,
}

impl Reencode for Renumber {
    type Error = std::convert::Infallible;

    fn function_index(&mut self, function: u32) -> std::result::Result<u32, Error> {
        Ok(function.checked_sub(self.imported).map_or(function, |own| self.numbers[own as usize]))
    }
}

#[cfg(test)]
mod tests {
    use wasm_encoder::{ExportKind, TypeSection};

    use super::*;

    #[test]
    fn functions_that_look_alike_lie_together_and_are_still_called() {
        let (mut types, mut kinds, mut code) = (TypeSection::new(), FunctionSection::new(), CodeSection::new());
        types.ty().function([], []);
        for called in [2, 1, 1] {
            kinds.function(0);
            let mut body = wasm_encoder::Function::new([]);
            body.instructions().call(called).end();
            code.function(&body);
        }
        let mut exports = ExportSection::new();
        exports.export("first", ExportKind::Func, 0);
        let mut module = Module::new();
        module.section(&types).section(&kinds).section(&exports).section(&code);
        let ordered = ordered(&module.finish()).unwrap();
        let functions = Functions::of(&ordered).unwrap();
        let called: Vec<String> = functions
            .bodies
            .iter()
            .map(|body| format!("{:?}", body.get_operators_reader().unwrap().read().unwrap()))
            .collect();
        // The last two, which call the former second, and then the first, which calls the former third.
        assert_eq!(called, [0, 0, 1].map(|it| format!("Call {{ function_index: {it} }}")));
        for payload in Parser::new(0).parse_all(&ordered) {
            if let Payload::ExportSection(section) = payload.unwrap() {
                assert_eq!(section.into_iter().next().unwrap().unwrap().index, 2);
            }
        }
    }
}
