//! HTML pages as AnyRender display lists, painted with and without treebounds' optimizer.

#[cfg(feature = "pages")]
pub mod document;
pub mod measure;
pub mod paint;
#[cfg(feature = "pages")]
pub mod pages;
pub mod table;
#[cfg(feature = "pages")]
pub mod window;
