//! Links a kernel of one file with the modules that it imports, by [`wesl`].
//!
//! # Theory
//! A kernel is the root module, `package::kernel`; what it imports comes from `wgsl/lib/`, or is made here. WESL
//! resolves imports and `@if`, and leaves out what nothing uses.
//!
//! # Practice
//! | module | what it holds |
//! |---|---|
//! | `package::kernel` | the kernel's own file, whose bindings library modules may import |
//! | `package::lib::x` | `wgsl/lib/x.wgsl` |
//! | `package::constants` | constants from Rust |
//! | `package::layout` | structs from Rust |
//! | a slot's name, `package::role` | WGSL of the caller's own, or `wgsl/lib/role.wgsl` where there is none |
//!
//! A declaration of a module other than the root is named after its module in the linked text: `bicyclic_combine`.

use crate::linked::{Linked, line_of};
use crate::linker::LinkError;
use crate::source::{self, Source};
use std::borrow::Cow;
use wesl::syntax::{GlobalDeclaration, Ident, PathOrigin};
use wesl::{
    CompileOptions, Diagnostic, Error, Feature, Features, Mangler, ModulePath, ResolveError,
    Resolver, SourceMap, compile_sourcemap,
};

/// A kernel and all that decides its text.
pub(crate) struct Modules<'a> {
    /// The kernel's file, without its ending.
    pub(crate) kernel: &'static str,
    /// Conditions of `@if`. A name in a file that is not here is an error.
    pub(crate) features: Vec<(&'static str, bool)>,
    /// `package::constants`.
    pub(crate) constants: String,
    /// `package::layout`.
    pub(crate) layout: String,
    /// Modules that the caller may give: a name, and the text.
    pub(crate) slots: Vec<(&'static str, &'a str)>,
}

const ROOT: &str = "kernel";

impl Modules<'_> {
    /// Links them.
    pub(crate) fn link(&self) -> Result<Linked, LinkError> {
        let flags = self.features.iter().map(|(name, on)| ((*name).to_owned(), (*on).into()));
        let options = CompileOptions {
            // naga validates.
            validate: false,
            features: Features { default: Feature::Error, flags: flags.collect() },
            ..CompileOptions::default()
        };
        let root = absolute(&[ROOT]);
        let result = compile_sourcemap(&root, self, &LastComponent, &options);
        let compiled = result.map_err(|error| self.failure(error))?;
        let map = compiled.sourcemap.as_ref();
        Ok(Linked::of_tree(&compiled.syntax, |declaration| {
            let name = declaration_name(declaration);
            let path = name.and_then(|name| map?.get_decl(&name).map(|(path, _)| path));
            let (file, text) = self.module(path.unwrap_or(&root)).unwrap_or_default();
            (file, text)
        }))
    }

    /// The file name of a module, none for a generated one, and its text.
    fn module(&self, path: &ModulePath) -> Option<(&'static str, &str)> {
        let of = |source: &'static Source| (source.file, source.text);
        let parts: Vec<&str> = path.components.iter().map(String::as_str).collect();
        match parts.as_slice() {
            [ROOT] => source::find(self.kernel).map(of),
            ["constants"] => Some(("", &self.constants)),
            ["layout"] => Some(("", &self.layout)),
            [slot] if path.origin == PathOrigin::Absolute => {
                let given = self.slots.iter().find(|(name, _)| name == slot);
                let ours = || source::find(&format!("lib/{slot}")).map(of);
                given.map(|(_, text)| (Linked::GIVEN, *text)).or_else(ours)
            }
            parts => source::find(&parts.join("/")).map(of),
        }
    }

    fn failure(&self, error: Error) -> LinkError {
        let Diagnostic { error, detail } = Diagnostic::from(error);
        let module = detail.module_path.as_ref().and_then(|path| self.module(path));
        let (file, text) = module.unwrap_or_default();
        let line = detail.span.filter(|_| !text.is_empty()).map_or(0, |span| line_of(text, span));
        LinkError::Wgsl { file: file.to_owned(), line, message: error.to_string() }
    }
}

impl Resolver for Modules<'_> {
    fn resolve_source<'a>(&'a self, path: &ModulePath) -> Result<Cow<'a, str>, ResolveError> {
        let (_, text) = self.module(path).ok_or_else(|| {
            ResolveError::ModuleNotFound(path.clone(), "no file of `wgsl/`".to_owned())
        })?;
        Ok(text.into())
    }

    fn display_name(&self, path: &ModulePath) -> Option<String> {
        self.module(path).map(|(file, _)| file.to_owned())
    }
}

/// Names a declaration `module_item`. Modules differ in their last components.
struct LastComponent;

impl Mangler for LastComponent {
    fn mangle(&self, path: &ModulePath, item: &str) -> String {
        path.components.last().map_or_else(|| item.to_owned(), |last| format!("{last}_{item}"))
    }
}

fn absolute(parts: &[&str]) -> ModulePath {
    ModulePath::new(PathOrigin::Absolute, parts.iter().map(|part| (*part).to_owned()).collect())
}

fn declaration_name(declaration: &GlobalDeclaration) -> Option<String> {
    let ident: &Ident = match declaration {
        GlobalDeclaration::Declaration(it) => &it.ident,
        GlobalDeclaration::TypeAlias(it) => &it.ident,
        GlobalDeclaration::Struct(it) => &it.ident,
        GlobalDeclaration::Function(it) => &it.ident,
        GlobalDeclaration::Void | GlobalDeclaration::ConstAssert(_) => return None,
    };
    Some(ident.name().clone())
}
