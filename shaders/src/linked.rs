//! A linked kernel: its text, and which line of it came from where.

use crate::binding::{Access, Binding};
use wesl::syntax::{
    AccessMode, AddressSpace, Attribute, DeclarationKind, ExpressionNode, GlobalDeclaration,
    GlobalDeclarationNode, Span, Statement, StatementNode, TranslationUnit,
};

/// A linked kernel: its text, and which line of it came from where.
#[derive(Clone, Debug)]
pub struct Linked {
    source: String,
    bindings: Vec<(Binding, Access)>,
    /// A place for each declaration and statement of the text, in the text's order.
    places: Vec<Place>,
}

/// A line (from 1) of a file.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Place {
    pub(crate) file: &'static str,
    pub(crate) line: usize,
}

impl Linked {
    /// The file name of WGSL that the caller gave.
    pub const GIVEN: &'static str = "the WGSL that was given";

    /// Of a syntax tree whose nodes keep their spans; `origin` gives the file and the text that the spans of a
    /// declaration count in.
    pub(crate) fn of_tree<'a>(
        tree: &TranslationUnit,
        origin: impl Fn(&GlobalDeclaration) -> (&'static str, &'a str),
    ) -> Self {
        let mut places = Vec::new();
        for declaration in &tree.global_declarations {
            let (file, text) = origin(declaration.node());
            places.extend(lines_of(text, spans_of(declaration)).map(|line| Place { file, line }));
        }
        let bindings =
            tree.global_declarations.iter().filter_map(|one| binding_of(one.node())).collect();
        Self { source: tree.to_string(), bindings, places }
    }

    /// The buffers of group 0 that the kernel binds, as its file declares them. A buffer that nothing uses is none.
    pub fn bindings(&self) -> &[(Binding, Access)] {
        &self.bindings
    }

    /// The WGSL. Its entry point is `main`.
    pub fn source(&self) -> &str {
        &self.source
    }

    /// The file that this line (from 1) came from, and the line there: of a linked module, the line on which the
    /// statement or declaration begins. The file is [`Linked::GIVEN`] for WGSL of the caller's own. What no file
    /// holds, directives and generated constants, is `("", line)`.
    pub fn locate(&self, line: usize) -> (&'static str, usize) {
        let place = self.place(line);
        place.map_or(("", line), |place| (place.file, place.line))
    }

    /// The text parses to a tree of the same shape, with the spans of the text. The innermost node that begins on
    /// the line, or the last before it, is the node that is meant.
    fn place(&self, line: usize) -> Option<Place> {
        let tree: TranslationUnit = self.source.parse().ok()?;
        let spans = tree.global_declarations.iter().flat_map(spans_of);
        let before = lines_of(&self.source, spans).take_while(|at| *at <= line);
        let place = *self.places.get(before.count().checked_sub(1)?)?;
        (!place.file.is_empty()).then_some(place)
    }
}

/// The buffer of group 0 that a declaration binds.
fn binding_of(declaration: &GlobalDeclaration) -> Option<(Binding, Access)> {
    let GlobalDeclaration::Declaration(variable) = declaration else { return None };
    let DeclarationKind::Var(Some((space, mode))) = variable.kind else { return None };
    let number = |of: fn(&Attribute) -> Option<&ExpressionNode>| {
        let value = variable.attributes.iter().find_map(|attribute| of(attribute.node()))?;
        value.to_string().trim_end_matches(['u', 'i']).parse::<u32>().ok()
    };
    let group = number(|attribute| match attribute {
        Attribute::Group(value) => Some(value),
        _ => None,
    })?;
    let binding = number(|attribute| match attribute {
        Attribute::Binding(value) => Some(value),
        _ => None,
    })?;
    let access = match (space, mode) {
        (AddressSpace::Uniform, _) => Access::Uniform,
        (_, Some(AccessMode::ReadWrite)) => Access::ReadWrite,
        _ => Access::Read,
    };
    (group == 0).then_some((Binding::of(binding)?, access))
}

/// The line (from 1) on which a span begins.
pub(crate) fn line_of(text: &str, span: Span) -> usize {
    lines_of(text, [span]).sum()
}

/// The lines (from 1) on which spans begin, which must be in the order of the text.
fn lines_of(text: &str, spans: impl IntoIterator<Item = Span>) -> impl Iterator<Item = usize> {
    spans.into_iter().scan((0, 1), |(at, line), span| {
        let passed = text.as_bytes().get(*at..span.start).unwrap_or_default();
        *line += passed.iter().filter(|byte| **byte == b'\n').count();
        *at = span.start.max(*at);
        Some(*line)
    })
}

/// A declaration and all statements or members inside it, outer before inner, first before last.
fn spans_of(declaration: &GlobalDeclarationNode) -> Vec<Span> {
    let mut spans = vec![declaration.span()];
    match declaration.node() {
        GlobalDeclaration::Function(function) => {
            function.body.statements.iter().for_each(|inner| collect(inner, &mut spans));
        }
        GlobalDeclaration::Struct(record) => {
            spans.extend(record.members.iter().map(|member| member.span()));
        }
        _ => {}
    }
    spans
}

fn collect(statement: &StatementNode, spans: &mut Vec<Span>) {
    spans.push(statement.span());
    let mut all = |statements: &[StatementNode]| {
        statements.iter().for_each(|inner| collect(inner, spans));
    };
    match statement.node() {
        Statement::Compound(block) => all(&block.statements),
        Statement::If(branch) => {
            all(&branch.if_clause.body.statements);
            branch.else_if_clauses.iter().for_each(|clause| all(&clause.body.statements));
            branch.else_clause.iter().for_each(|clause| all(&clause.body.statements));
        }
        Statement::Switch(switch) => {
            switch.clauses.iter().for_each(|clause| all(&clause.body.statements));
        }
        Statement::Loop(body) => {
            all(&body.body.statements);
            body.continuing.iter().for_each(|last| all(&last.body.statements));
        }
        Statement::For(body) => all(&body.body.statements),
        Statement::While(body) => all(&body.body.statements),
        _ => {}
    }
}
