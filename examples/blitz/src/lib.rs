//! HTML pages as AnyRender display lists, painted with and without treebounds' optimizer.

#[cfg(feature = "pages")]
pub mod document;
#[cfg(feature = "gpu")]
pub mod hybrid;
pub mod measure;
#[cfg(feature = "pages")]
pub mod pages;
pub mod paint;
pub mod table;
#[cfg(all(feature = "pages", feature = "gpu"))]
pub mod window;
