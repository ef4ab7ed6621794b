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
use std::cell::RefCell;
use std::collections::HashMap;
use wesl::syntax::{GlobalDeclaration, Ident, PathOrigin, TranslationUnit};
use wesl::{
    CompileOptions, Diagnostic, Error, Feature, Features, Mangler, ModulePath, ResolveError,
    Resolver, compile,
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
        let names = Names::default();
        let linked = compile(&root, self, &names, &options).map_err(|error| self.failure(error))?;
        let modules = names.0.into_inner();
        Ok(Linked::of_tree(&linked.syntax, |declaration| {
            let module = declaration_name(declaration).and_then(|name| modules.get(&name));
            self.file_and_text(module.unwrap_or(&root))
        }))
    }

    /// Both empty where there is no such module.
    fn file_and_text(&self, path: &ModulePath) -> (&'static str, &str) {
        self.module(path).map_or_else(Default::default, |module| (module.file(), module.text()))
    }

    fn module(&self, path: &ModulePath) -> Option<Module<'_>> {
        let parts: Vec<&str> = path.components.iter().map(String::as_str).collect();
        let ours = |name: &str| source::find(name).map(Module::Ours);
        match parts.as_slice() {
            [ROOT] => ours(self.kernel),
            ["constants"] => Some(Module::Made("", &self.constants)),
            ["layout"] => Some(Module::Made("", &self.layout)),
            [slot] if path.origin == PathOrigin::Absolute => {
                let given = self.slots.iter().find(|(name, _)| name == slot);
                let given = given.map(|(_, text)| Module::Made(Linked::GIVEN, text));
                given.or_else(|| ours(&format!("lib/{slot}")))
            }
            parts => ours(&parts.join("/")),
        }
    }

    fn failure(&self, error: Error) -> LinkError {
        let Diagnostic { error, detail } = Diagnostic::from(error);
        let module = detail.module_path.as_ref();
        let (file, text) = module.map_or_else(Default::default, |path| self.file_and_text(path));
        let line = detail.span.filter(|_| !text.is_empty()).map_or(0, |span| line_of(text, span));
        LinkError::Wgsl { file: file.to_owned(), line, message: error.to_string() }
    }
}

/// A module: a file of ours, or the name and text of one that is made here or was given.
enum Module<'a> {
    Ours(&'static Source),
    Made(&'static str, &'a str),
}

impl<'a> Module<'a> {
    /// The name of the file, empty for what is made here.
    fn file(&self) -> &'static str {
        match self {
            Self::Ours(source) => source.file,
            Self::Made(file, _) => file,
        }
    }

    fn text(&self) -> &'a str {
        match self {
            Self::Ours(source) => source.text,
            Self::Made(_, text) => text,
        }
    }
}

impl Resolver for Modules<'_> {
    fn resolve_source<'a>(&'a self, path: &ModulePath) -> Result<Cow<'a, str>, ResolveError> {
        let module = self.module(path).ok_or_else(|| {
            ResolveError::ModuleNotFound(path.clone(), "no file of `wgsl/`".to_owned())
        })?;
        Ok(module.text().into())
    }

    /// A file of ours is parsed once in a process. What a caller gave, and what is made here, is parsed for each kernel.
    fn resolve_module(&self, path: &ModulePath) -> Result<TranslationUnit, ResolveError> {
        if let Some(Module::Ours(source)) = self.module(path)
            && let Some(tree) = source.tree()
        {
            return Ok(tree);
        }
        let tree = self.resolve_source(path)?.parse();
        Ok(tree.map_err(|error| Diagnostic::from(error).with_module_path(path.clone(), None))?)
    }

    fn display_name(&self, path: &ModulePath) -> Option<String> {
        self.module(path).map(|module| module.file().to_owned())
    }
}

/// Names a declaration `module_item`, and keeps which module each is of. Modules differ in their last components.
#[derive(Default)]
struct Names(RefCell<HashMap<String, ModulePath>>);

impl Mangler for Names {
    fn mangle(&self, path: &ModulePath, item: &str) -> String {
        let last = path.components.last();
        let name = last.map_or_else(|| item.to_owned(), |last| format!("{last}_{item}"));
        self.0.borrow_mut().insert(name.clone(), path.clone());
        name
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
