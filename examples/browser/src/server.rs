//! Serves the site on localhost.

use anyhow::{Context, anyhow};
use std::path::{Path, PathBuf};
use tiny_http::{Header, Request, Response};

/// A server for the files in a folder.
pub struct Server {
    http: tiny_http::Server,
    folder: PathBuf,
}

impl Server {
    /// Serves the folder on this port. Port 0 selects a free one.
    ///
    /// # Errors
    /// Fails if the port is taken.
    pub fn new(folder: &Path, port: u16) -> anyhow::Result<Self> {
        let http = tiny_http::Server::http(("127.0.0.1", port))
            .map_err(|error| anyhow!("port {port}: {error}; choose another with --port"))?;
        Ok(Self { http, folder: folder.to_owned() })
    }

    /// Returns the server's address.
    pub fn url(&self) -> String {
        format!("http://{}/", self.http.server_addr())
    }

    /// Answers requests forever.
    pub fn run(&self) {
        for request in self.http.incoming_requests() {
            // A browser that disconnects needs no answer.
            let _ = self.answer(request);
        }
    }

    fn answer(&self, request: Request) -> anyhow::Result<()> {
        let path = request.url().split(['?', '#']).next().unwrap_or_default();
        let path = path.trim_start_matches('/').to_owned();
        let path = if path.is_empty() { "index.html".to_owned() } else { path };
        let is_inside = path
            .split('/')
            .all(|part| !part.is_empty() && !part.starts_with('.') && !part.contains('\\'));
        let file = is_inside.then(|| std::fs::read(self.folder.join(&path)).ok()).flatten();
        let Some(file) = file else { return Ok(request.respond(Response::empty(404))?) };
        let kind = match path.rsplit('.').next() {
            Some("html") => "text/html; charset=utf-8",
            Some("js") => "text/javascript; charset=utf-8",
            Some("css") => "text/css; charset=utf-8",
            Some("json") => "application/json",
            Some("svg") => "image/svg+xml",
            Some("wasm") => "application/wasm",
            _ => "application/octet-stream",
        };
        let header = Header::from_bytes("Content-Type", kind).ok().context("a header of ASCII")?;
        Ok(request.respond(Response::from_data(file).with_header(header))?)
    }
}
