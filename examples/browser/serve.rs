//! Builds the live inspector as a site and serves it on localhost.
//!
//! ```text
//! cargo run -p treebounds_browser --features site --example browser
//! ```
//!
//! Needs Rust's target wasm32-unknown-unknown: `rustup target add wasm32-unknown-unknown`.

#[cfg(target_family = "wasm")]
fn main() {}

#[cfg(not(target_family = "wasm"))]
fn main() -> anyhow::Result<()> {
    native::main()
}

#[cfg(not(target_family = "wasm"))]
mod native {
    use clap::Parser;
    use std::path::{Path, PathBuf};
    use treebounds_browser::Server;

    /// Builds the inspector as a site, and serves it on this machine alone
    #[derive(Parser)]
    struct Args {
        /// Only build it
        #[arg(long)]
        build: bool,

        /// Serve on this port
        #[arg(long, default_value_t = 8000)]
        port: u16,
    }

    pub(super) fn main() -> anyhow::Result<()> {
        let args = treebounds_cli::parse::<Args>();
        let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").canonicalize()?;
        let target =
            std::env::var_os("CARGO_TARGET_DIR").map_or(root.join("target"), PathBuf::from);
        let site = treebounds_browser::build(&root, &target)?;
        let [plain, packed] = site.wasm_bytes.map(|bytes| bytes as f64 / 1e6);
        let folder = site.folder.display();
        println!("{folder} has {plain:.1} MB of WebAssembly, {packed:.1} MB compressed");
        if !args.build {
            let server = Server::new(&site.folder, args.port)?;
            println!("{}", server.url());
            server.run();
        }
        Ok(())
    }
}
