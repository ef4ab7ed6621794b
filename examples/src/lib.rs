//! The examples beside this folder are the content of this package.
