//! Writes all mutants of a file into it, each behind a question whether it is the chosen one.
//!
//! `a + b` becomes `match crate::mutation::at(17) { 17 => a - b, 18 => a * b, _ => a + b }`. Each mutant therefore stands in
//! the place, and is checked by the compiler with the types, that it would have alone. Comments mark what belongs to whom,
//! so that an error of the compiler names its mutant.

use std::collections::HashMap;
use std::fmt::Write as _;
use std::ops::Range;

use syn::spanned::Spanned;
use syn::visit::{self, Visit};

use crate::Failure;
use crate::mutant::{Genre, Mutant};

/// What a file becomes.
pub(crate) struct Planted {
    pub(crate) text: String,
    /// The mutants for which no place was found.
    pub(crate) homeless: Vec<u32>,
    /// Those in what the compiler may compute; it does not see the program's environment.
    pub(crate) computed: Vec<u32>,
}

/// Plants the mutants of one file.
pub(crate) fn plant(text: &str, mutants: &[&Mutant]) -> Result<Planted, Failure> {
    let file = syn::parse_file(text)?;
    let lines = Lines::of(text);
    let mut starts = Starts::new();
    for mutant in mutants {
        let range = lines.offset(mutant.start)..lines.offset(mutant.end);
        starts.entry((mutant.genre, range.start)).or_default().push((mutant, range));
    }
    let mut planter = Planter { text, starts, edits: Vec::new(), constant: 0, computed: Vec::new() };
    planter.visit_file(&file);
    let homeless = planter.starts.values().flatten().map(|(mutant, _)| mutant.id).collect();
    let computed = std::mem::take(&mut planter.computed);
    Ok(Planted { text: planter.written(), homeless, computed })
}

/// The text of a file with one mutant in it, as cargo-mutants writes it.
pub(crate) fn plainly(text: &str, mutant: &Mutant) -> String {
    let lines = Lines::of(text);
    let (start, end) = (lines.offset(mutant.start), lines.offset(mutant.end));
    let replacement = match mutant.genre {
        // Up to and with the comma; a comma more is an error nowhere else.
        Genre::Arm | Genre::Field => "",
        _ => &mutant.replacement,
    };
    let rest = text.get(end..).unwrap_or_default();
    let rest = if matches!(mutant.genre, Genre::Arm | Genre::Field) { without_comma(rest) } else { rest };
    format!("{}{replacement}{rest}", text.get(..start).unwrap_or_default())
}

fn without_comma(rest: &str) -> &str {
    let trimmed = rest.trim_start();
    trimmed.strip_prefix(',').unwrap_or(rest)
}

/// Where the lines of a text begin.
struct Lines<'a> {
    text: &'a str,
    starts: Vec<usize>,
}

impl<'a> Lines<'a> {
    fn of(text: &'a str) -> Lines<'a> {
        let starts = std::iter::once(0).chain(text.match_indices('\n').map(|(at, _)| at + 1)).collect();
        Lines { text, starts }
    }

    /// The byte at a line and a column, both from 1, the latter in characters.
    fn offset(&self, (line, column): (usize, usize)) -> usize {
        let start = self.starts.get(line - 1).copied().unwrap_or(self.text.len());
        let rest = self.text.get(start..).unwrap_or_default();
        start + rest.char_indices().nth(column - 1).map_or(rest.len(), |(at, _)| at)
    }
}

/// Something to be written between two characters of the file.
struct Edit {
    at: usize,
    /// What closes comes before what opens, and what was opened last is closed first.
    order: (bool, isize),
    text: String,
}

/// Mutants and the parts of the file that they change, by genre and beginning.
type Starts<'a> = HashMap<(Genre, usize), Vec<(&'a Mutant, Range<usize>)>>;

struct Planter<'a> {
    text: &'a str,
    /// The mutants that have no place yet, by genre and beginning.
    starts: Starts<'a>,
    edits: Vec<Edit>,
    /// How many constant functions, constants and statics this is inside of.
    constant: usize,
    computed: Vec<u32>,
}

impl<'a> Planter<'a> {
    fn take(&mut self, genre: Genre, start: usize) -> Vec<(&'a Mutant, Range<usize>)> {
        let taken = self.starts.remove(&(genre, start)).unwrap_or_default();
        if self.constant > 0 {
            self.computed.extend(taken.iter().map(|(mutant, _)| mutant.id));
        }
        taken
    }

    fn within(&mut self, is_constant: bool, visit: impl FnOnce(&mut Self)) {
        self.constant += usize::from(is_constant);
        visit(self);
        self.constant -= usize::from(is_constant);
    }

    /// Writes something before and after a part of the file.
    fn wrap(&mut self, range: Range<usize>, before: String, after: String) {
        let number = self.edits.len() as isize;
        self.edits.push(Edit { at: range.start, order: (true, number), text: before });
        self.edits.push(Edit { at: range.end, order: (false, -number), text: after });
    }

    /// Lets an expression be chosen among those that its mutants are.
    fn choose(&mut self, range: Range<usize>, mutants: &[(&Mutant, Range<usize>)]) {
        let Some(first) = mutants.first().map(|(mutant, _)| mutant.id) else { return };
        let original = &self.text[range.clone()];
        let mut before = format!("(/*s{first}{{*/match crate::mutation::at({first}) {{");
        for (mutant, part) in mutants {
            let (start, end) = (part.start - range.start, part.end - range.start);
            let rest = &original[end..];
            let rest = if mutant.genre == Genre::Field { without_comma(rest) } else { rest };
            let changed = format!("{}{}{rest}", &original[..start], mutant.replacement);
            let _ = write!(before, "\n/*m{0}{{*/{0} => {changed},/*m{0}}}*/", mutant.id);
        }
        before += "\n_ => ";
        self.wrap(range, before, format!("\n}}/*s{first}}}*/)"));
    }

    fn plant_function(&mut self, block: &syn::Block) {
        let (Some(head), Some(tail)) = (block.stmts.first(), block.stmts.last()) else { return };
        let start = head.span().byte_range().start.min(tail.span().byte_range().start);
        let mutants = self.take(Genre::FnValue, start);
        let Some(first) = mutants.first().map(|(mutant, _)| mutant.id) else { return };
        let mut before = format!("/*s{first}{{*/match crate::mutation::at({first}) {{");
        for (mutant, _) in &mutants {
            let _ = write!(before, "\n/*m{0}{{*/{0} => return {1},/*m{0}}}*/", mutant.id, mutant.replacement);
        }
        let _ = write!(before, "\n_ => {{}}\n}}/*s{first}}}*/\n");
        self.wrap(start..start, before, String::new());
    }

    /// The file with everything in it.
    fn written(mut self) -> String {
        self.edits.sort_by_key(|edit| (edit.at, edit.order));
        let mut written = String::with_capacity(self.text.len() * 4);
        let mut done = 0;
        for edit in &self.edits {
            written.push_str(&self.text[done..edit.at]);
            written.push_str(&edit.text);
            done = edit.at;
        }
        written.push_str(&self.text[done..]);
        written
    }
}

impl<'ast> Visit<'ast> for Planter<'_> {
    fn visit_item_fn(&mut self, function: &'ast syn::ItemFn) {
        self.within(function.sig.constness.is_some(), |planter| {
            planter.plant_function(&function.block);
            visit::visit_item_fn(planter, function);
        });
    }

    fn visit_impl_item_fn(&mut self, function: &'ast syn::ImplItemFn) {
        self.within(function.sig.constness.is_some(), |planter| {
            planter.plant_function(&function.block);
            visit::visit_impl_item_fn(planter, function);
        });
    }

    fn visit_item_const(&mut self, item: &'ast syn::ItemConst) {
        self.within(true, |planter| visit::visit_item_const(planter, item));
    }

    fn visit_impl_item_const(&mut self, item: &'ast syn::ImplItemConst) {
        self.within(true, |planter| visit::visit_impl_item_const(planter, item));
    }

    fn visit_trait_item_const(&mut self, item: &'ast syn::TraitItemConst) {
        self.within(true, |planter| visit::visit_trait_item_const(planter, item));
    }

    fn visit_item_static(&mut self, item: &'ast syn::ItemStatic) {
        self.within(true, |planter| visit::visit_item_static(planter, item));
    }

    fn visit_expr_const(&mut self, block: &'ast syn::ExprConst) {
        self.within(true, |planter| visit::visit_expr_const(planter, block));
    }

    fn visit_type_array(&mut self, array: &'ast syn::TypeArray) {
        self.within(true, |planter| visit::visit_type_array(planter, array));
    }

    fn visit_trait_item_fn(&mut self, function: &'ast syn::TraitItemFn) {
        if let Some(block) = &function.default {
            self.plant_function(block);
        }
        visit::visit_trait_item_fn(self, function);
    }

    fn visit_expr_binary(&mut self, binary: &'ast syn::ExprBinary) {
        // A chain of `let` cannot be an operand of anything else; its mutants stay without a place.
        if !holds_let(&binary.left) && !holds_let(&binary.right) {
            let mutants = self.take(Genre::Binary, binary.op.span().byte_range().start);
            self.choose(binary.span().byte_range(), &mutants);
        }
        visit::visit_expr_binary(self, binary);
    }

    fn visit_expr_unary(&mut self, unary: &'ast syn::ExprUnary) {
        let mutants = self.take(Genre::Unary, unary.op.span().byte_range().start);
        self.choose(unary.span().byte_range(), &mutants);
        visit::visit_expr_unary(self, unary);
    }

    fn visit_expr_struct(&mut self, made: &'ast syn::ExprStruct) {
        let fields = made.fields.iter().map(|field| field.span().byte_range().start);
        let mutants: Vec<_> = fields.flat_map(|start| self.take(Genre::Field, start)).collect();
        self.choose(made.span().byte_range(), &mutants);
        visit::visit_expr_struct(self, made);
    }

    fn visit_expr_match(&mut self, matched: &'ast syn::ExprMatch) {
        // Without an arm for everything, the others have to stay what they are.
        let arms = matched.arms.iter().map(|arm| (Genre::Arm, arm.span().byte_range().start));
        let without: Vec<_> = arms.filter(|_| !matched.arms.iter().any(is_for_all)).collect();
        let set_aside: Vec<_> = without.iter().filter_map(|key| self.starts.remove_entry(key)).collect();
        visit::visit_expr_match(self, matched);
        self.starts.extend(set_aside);
    }

    fn visit_arm(&mut self, arm: &'ast syn::Arm) {
        let start = arm.span().byte_range().start;
        let pattern = arm.pat.span().byte_range();
        let guard = arm.guard.as_ref().map(|(_, guard)| guard.span().byte_range());
        // Behind a condition an arm for everything would no longer be one.
        let deleted = if is_for_all(arm) { Vec::new() } else { self.take(Genre::Arm, start) };
        if let Some((mutant, _)) = deleted.first() {
            let id = mutant.id;
            let is_there = format!("/*s{id}{{*//*m{id}{{*/crate::mutation::at({id}) != {id}/*m{id}}}*//*s{id}}}*/\n");
            match guard.clone() {
                None => self.wrap(pattern.end..pattern.end, format!(" if {is_there}"), String::new()),
                Some(guard) if arm.guard.as_ref().is_some_and(|(_, guard)| holds_let(guard)) => {
                    self.wrap(guard, format!("{is_there} && "), String::new());
                }
                Some(guard) => self.wrap(guard, format!("{is_there} && ("), ")".to_owned()),
            }
        }
        if let Some(range) = guard {
            let mutants = self.take(Genre::Guard, range.start);
            self.choose(range, &mutants);
        }
        visit::visit_arm(self, arm);
    }
}

/// Whether an arm takes whatever comes.
fn is_for_all(arm: &syn::Arm) -> bool {
    let is_name = |name: &syn::PatIdent| name.ident.to_string().starts_with(|letter: char| letter.is_lowercase());
    let pattern = match &arm.pat {
        syn::Pat::Wild(_) => true,
        syn::Pat::Ident(name) => name.subpat.is_none() && is_name(name),
        _ => false,
    };
    pattern && arm.guard.is_none()
}

/// Whether an expression is a `let` or a chain with one.
fn holds_let(expression: &syn::Expr) -> bool {
    match expression {
        syn::Expr::Let(_) => true,
        syn::Expr::Binary(binary) => holds_let(&binary.left) || holds_let(&binary.right),
        _ => false,
    }
}

/// Which mutant and which place each line of a planted file belongs to.
pub(crate) fn owners(text: &str) -> Vec<Owner> {
    let mut open: Vec<(char, u32)> = Vec::new();
    let mut owners = Vec::new();
    for line in text.lines() {
        let mut here = open.clone();
        let mut rest = line;
        while let Some(start) = rest.find("/*") {
            rest = &rest[start + 2..];
            let Some(end) = rest.find("*/") else { break };
            if let Some(mark) = mark(&rest[..end]) {
                match mark {
                    (kind, id, true) => {
                        open.push((kind, id));
                        here.push((kind, id));
                    }
                    (kind, id, false) => open.retain(|it| *it != (kind, id)),
                }
            }
            rest = &rest[end + 2..];
        }
        let last = |wanted: char| here.iter().rev().find(|(kind, _)| *kind == wanted).map(|(_, id)| *id);
        owners.push(Owner { mutant: last('m'), place: last('s') });
    }
    owners
}

pub(crate) struct Owner {
    /// The mutant that the line is.
    pub(crate) mutant: Option<u32>,
    /// The first mutant of the innermost place that the line belongs to.
    pub(crate) place: Option<u32>,
}

fn mark(comment: &str) -> Option<(char, u32, bool)> {
    let kind = comment.chars().next().filter(|kind| matches!(kind, 'm' | 's'))?;
    let opens = comment.ends_with('{');
    let id = comment[1..].strip_suffix(['{', '}'])?.parse().ok()?;
    Some((kind, id, opens))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mutant(id: u32, genre: Genre, start: (usize, usize), end: (usize, usize), replacement: &str) -> Mutant {
        let name = format!("a.rs:{}:{}: mutant {id}", start.0, start.1);
        let replacement = replacement.to_owned();
        Mutant { id, name, file: "a.rs".into(), genre, replacement, start, end, returns_impl: false }
    }

    #[test]
    fn each_mutant_stands_where_it_would_stand_alone() {
        let text = "fn f(a: u8) -> u8 {\n    a + 1\n}\n";
        let value = mutant(1, Genre::FnValue, (2, 5), (2, 10), "0");
        let minus = mutant(2, Genre::Binary, (2, 7), (2, 8), "-");
        let planted = plant(text, &[&value, &minus]).unwrap();
        assert!(planted.homeless.is_empty());
        assert!(planted.text.contains("1 => return 0,"), "{}", planted.text);
        assert!(planted.text.contains("2 => a - 1,"), "{}", planted.text);
        assert!(planted.text.contains("_ => a + 1\n}"), "{}", planted.text);
        syn::parse_file(&planted.text).unwrap();
        assert_eq!(plainly(text, &minus), "fn f(a: u8) -> u8 {\n    a - 1\n}\n");
    }

    #[test]
    fn an_error_names_the_mutant_in_whose_line_it_is() {
        let text = "fn f(a: u8) -> bool {\n    a == 1 && a != 2\n}\n";
        let or = mutant(1, Genre::Binary, (2, 12), (2, 14), "||");
        let unequal = mutant(2, Genre::Binary, (2, 7), (2, 9), "!=");
        let planted = plant(text, &[&or, &unequal]).unwrap();
        let owners = owners(&planted.text);
        let lines: Vec<&str> = planted.text.lines().collect();
        let owner = |wanted: &str| &owners[lines.iter().position(|line| line.contains(wanted)).unwrap()];
        assert_eq!(owner("a == 1 || a != 2").mutant, Some(1));
        assert_eq!(owner("=> a != 1").mutant, Some(2));
        assert_eq!(owner("_ => a == 1").place, Some(2));
        assert_eq!(owner("_ => (").place, Some(2), "the innermost that begins there");
    }

    #[test]
    fn an_arm_may_be_deleted_and_its_guard_replaced() {
        let text = "fn f(a: u8) -> u8 {\n    match a {\n        1 if g() => 2,\n        _ => 3,\n    }\n}\n";
        let arm = mutant(1, Genre::Arm, (3, 9), (3, 23), "");
        let guard = mutant(2, Genre::Guard, (3, 14), (3, 17), "true");
        let planted = plant(text, &[&arm, &guard]).unwrap();
        assert!(planted.homeless.is_empty());
        syn::parse_file(&planted.text).unwrap();
        assert!(planted.text.contains("crate::mutation::at(1) != 1"));
        assert!(planted.text.contains("2 => true,"));
    }
}
