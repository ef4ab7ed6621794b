//! HTML pages as AnyRender display lists, painted with and without treebounds' optimizer.

#[cfg(feature = "pages")]
pub mod changes;
#[cfg(feature = "pages")]
pub mod cost;
pub mod damage;
#[cfg(feature = "pages")]
pub mod document;
#[cfg(feature = "frames")]
pub mod frames;
pub mod measure;
#[cfg(feature = "pages")]
pub mod pages;
pub mod paint;
pub mod table;
#[cfg(feature = "pages")]
pub mod window;
