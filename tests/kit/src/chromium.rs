//! Headless Chromium, driven with mouse and keyboard events through its DevTools protocol over a pipe.
//!
//! Needs Chromium: `apt-get install chromium`, or its path in `CHROMIUM`.
#![allow(clippy::unwrap_used, clippy::panic, reason = "a test ends where Chromium does not answer")]

use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::Path;
use std::process::{Child, ChildStdin, Command, Stdio};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// Options for WebGPU without a GPU, on SwiftShader.
pub const WEBGPU: &[&str] =
    &["--enable-unsafe-webgpu", "--use-webgpu-adapter=swiftshader", "--enable-features=Vulkan"];

const PATIENCE: Duration = Duration::from_secs(120);

/// A browser with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: Receiver<Value>,
    session: String,
    last: u64,
    /// Errors and warnings on the console, and exceptions.
    complaints: Vec<String>,
    _profile: tempfile::TempDir,
}

/// Keys other than letters, with their Windows key codes.
const KEYS: &[(&str, u32)] = &[
    ("Enter", 13),
    ("Escape", 27),
    (" ", 32),
    ("PageUp", 33),
    ("PageDown", 34),
    ("End", 35),
    ("Home", 36),
    ("ArrowLeft", 37),
    ("ArrowUp", 38),
    ("ArrowRight", 39),
    ("ArrowDown", 40),
    ("Tab", 9),
];

impl Browser {
    /// Starts Chromium with a page of this size and additional options.
    pub fn start(width: u32, height: u32, options: &[&str]) -> Self {
        let profile = tempfile::tempdir().unwrap();
        let program = std::env::var("CHROMIUM").unwrap_or_else(|_| "chromium".to_owned());
        // The shell connects the pipe to the file descriptors that Chromium expects.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$0\" \"$@\" 3<&0 4>&1 0</dev/null 1>/dev/null 2>&1", &program])
            .args([
                "--headless=new",
                "--remote-debugging-pipe",
                "--no-sandbox",
                "--no-first-run",
                "--disable-quic",
            ])
            .args([
                "--disable-background-networking",
                "--disable-component-update",
                "--disable-sync",
            ])
            .arg(format!("--window-size={width},{height}"))
            .arg(format!("--user-data-dir={}", profile.path().display()))
            .args(options)
            .arg("about:blank")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, out) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let (sender, from) = channel();
        std::thread::spawn(move || {
            for message in BufReader::new(out).split(0) {
                let message =
                    message.ok().and_then(|message| serde_json::from_slice(&message).ok());
                if message.is_none_or(|message| sender.send(message).is_err()) {
                    return;
                }
            }
        });
        let mut this = Self {
            child,
            to,
            from,
            session: String::new(),
            last: 0,
            complaints: Vec::new(),
            _profile: profile,
        };
        this.attach(&program);
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        this.call("Emulation.setDeviceMetricsOverride", metrics);
        this
    }

    fn attach(&mut self, program: &str) {
        let wait = Instant::now();
        let target = loop {
            let targets = self.call("Target.getTargets", json!({}));
            assert!(!targets.is_null(), "{program} does not start: apt-get install chromium");
            let pages = targets["targetInfos"].as_array().unwrap();
            if let Some(page) = pages.iter().find(|target| target["type"] == "page") {
                break page["targetId"].clone();
            }
            assert!(wait.elapsed() < PATIENCE, "{program} opens no page");
            std::thread::sleep(Duration::from_millis(50));
        };
        let session =
            self.call("Target.attachToTarget", json!({"targetId": target, "flatten": true}));
        self.session = session["sessionId"].as_str().unwrap().to_owned();
        for domain in ["Page.enable", "Runtime.enable", "Log.enable"] {
            self.call(domain, json!({}));
        }
    }

    /// Calls a method of the protocol and waits for its result.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.last += 1;
        let id = self.last;
        let mut message = json!({"id": id, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        let written = write!(self.to, "{message}\0").and_then(|()| self.to.flush());
        if written.is_err() {
            return Value::Null;
        }
        loop {
            let Ok(mut message) = self.from.recv_timeout(PATIENCE) else { return Value::Null };
            if message["id"] == json!(id) {
                assert!(message["error"].is_null(), "{method}: {}", message["error"]);
                return message["result"].take();
            }
            self.hear(&message);
        }
    }

    fn hear(&mut self, message: &Value) {
        let params = &message["params"];
        let complaint = match message["method"].as_str() {
            Some("Runtime.exceptionThrown") => {
                &params["exceptionDetails"]["exception"]["description"]
            }
            Some("Runtime.consoleAPICalled")
                if params["type"] == "error" || params["type"] == "warning" =>
            {
                &params["args"]
            }
            Some("Log.entryAdded") if params["entry"]["level"] == "error" => {
                &params["entry"]["text"]
            }
            _ => return,
        };
        self.complaints.push(complaint.to_string());
    }

    /// Returns the complaints of the page since the last call.
    pub fn complaints(&mut self) -> Vec<String> {
        // All earlier messages arrive before the answer to this call.
        self.run("0");
        std::mem::take(&mut self.complaints)
    }

    /// Opens an address and waits until an expression is true there.
    pub fn open(&mut self, url: &str, until: &str) {
        // Navigating to the same page with another hash would not reload it.
        self.call("Page.navigate", json!({"url": "about:blank"}));
        self.call("Page.navigate", json!({"url": url}));
        self.wait(until);
    }

    /// Opens a file and waits until its page is ready.
    pub fn open_page(&mut self, path: &Path, hash: &str) {
        let ready = "performance.getEntriesByName('treebounds ready').length > 0";
        self.open(&format!("file://{}{hash}", path.display()), ready);
    }

    /// Evaluates an expression in the page.
    pub fn run(&mut self, expression: &str) -> Value {
        let params = json!({"expression": expression, "returnByValue": true, "awaitPromise": true});
        let mut result = self.call("Runtime.evaluate", params);
        assert!(
            result["exceptionDetails"].is_null(),
            "{expression}: {}",
            result["exceptionDetails"]
        );
        result["result"]["value"].take()
    }

    /// Waits until an expression is true.
    pub fn wait(&mut self, expression: &str) {
        self.wait_for(expression, PATIENCE);
    }

    /// Waits until an expression is true, for at most `patience`.
    pub fn wait_for(&mut self, expression: &str, patience: Duration) {
        let start = Instant::now();
        while self.call("Runtime.evaluate", json!({"expression": expression}))["result"]["value"]
            != true
        {
            assert!(
                start.elapsed() < patience,
                "never: {expression}; the page says: {:?}",
                self.complaints
            );
            std::thread::sleep(Duration::from_millis(20));
        }
    }

    /// Returns the text of an element.
    pub fn text(&mut self, selector: &str) -> String {
        let text =
            self.run(&format!("document.querySelector({selector:?})?.innerText ?? 'NOT THERE'"));
        text.as_str().unwrap().to_owned()
    }

    fn middle(&mut self, selector: &str) -> [f64; 2] {
        let found = self.run(&format!(
            "(() => {{ const element = document.querySelector({selector:?}); if (!element) return null;
             element.scrollIntoView({{ block: 'nearest' }}); const box = element.getBoundingClientRect();
             return box.width > 0 ? [box.x + box.width / 2, box.y + box.height / 2] : null; }})()"
        ));
        let at = |axis: usize| {
            found[axis].as_f64().unwrap_or_else(|| panic!("{selector} cannot be seen"))
        };
        [at(0), at(1)]
    }

    fn mouse(&mut self, kind: &str, [x, y]: [f64; 2], buttons: u32) {
        let button = if buttons == 1 || kind == "mouseReleased" { "left" } else { "none" };
        let params = json!({"type": kind, "x": x, "y": y, "button": button, "buttons": buttons, "clickCount": 1});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Moves the mouse.
    pub fn move_to(&mut self, at: [f64; 2]) {
        self.mouse("mouseMoved", at, 0);
    }

    /// Clicks at a position.
    pub fn click_at(&mut self, at: [f64; 2]) {
        self.mouse("mouseMoved", at, 0);
        self.mouse("mousePressed", at, 1);
        self.mouse("mouseReleased", at, 0);
    }

    /// Moves the mouse to an element.
    pub fn point(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.move_to(at);
    }

    /// Clicks an element.
    pub fn click(&mut self, selector: &str) {
        let at = self.middle(selector);
        self.click_at(at);
    }

    /// Drags in four steps.
    pub fn drag(&mut self, from: [f64; 2], to: [f64; 2]) {
        self.mouse("mouseMoved", from, 0);
        self.mouse("mousePressed", from, 1);
        for step in 1..=4 {
            let share = f64::from(step) / 4.0;
            self.mouse(
                "mouseMoved",
                [0, 1].map(|axis| from[axis] + share * (to[axis] - from[axis])),
                1,
            );
        }
        self.mouse("mouseReleased", to, 0);
    }

    /// Turns the wheel.
    pub fn wheel(&mut self, [x, y]: [f64; 2], by: f64) {
        let params = json!({"type": "mouseWheel", "x": x, "y": y, "deltaX": 0, "deltaY": by});
        self.call("Input.dispatchMouseEvent", params);
    }

    /// Presses a key: a letter, or a name such as `ArrowDown`.
    pub fn key(&mut self, key: &str) {
        self.press(key, 0);
    }

    /// Presses a key while holding the shift key.
    pub fn key_with_shift(&mut self, key: &str) {
        self.press(key, 8);
    }

    fn press(&mut self, key: &str, modifiers: u32) {
        let code = KEYS.iter().find(|(name, _)| *name == key).map_or(0, |(_, code)| *code);
        let mut down = json!({"type": "keyDown", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        if key.chars().count() == 1 {
            down["text"] = json!(key);
        }
        if key == "Enter" {
            down["text"] = json!("\r");
        }
        self.call("Input.dispatchKeyEvent", down);
        let up = json!({"type": "keyUp", "key": key, "windowsVirtualKeyCode": code, "modifiers": modifiers});
        self.call("Input.dispatchKeyEvent", up);
    }

    /// Chooses a file for a file input.
    pub fn choose(&mut self, selector: &str, file: &Path) {
        let find = json!({"expression": format!("document.querySelector({selector:?})")});
        let found = self.call("Runtime.evaluate", find);
        let input = &found["result"]["objectId"];
        self.call("DOM.setFileInputFiles", json!({"files": [file], "objectId": input}));
    }

    /// Types text into the focused element.
    pub fn write(&mut self, text: &str) {
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Sets whether the page should prefer dark colours.
    pub fn dark(&mut self, is_dark: bool) {
        let value = if is_dark { "dark" } else { "light" };
        let features = json!({"features": [{"name": "prefers-color-scheme", "value": value}]});
        self.call("Emulation.setEmulatedMedia", features);
    }

    /// Resizes the page.
    pub fn resize(&mut self, width: u32, height: u32) {
        let metrics =
            json!({"width": width, "height": height, "deviceScaleFactor": 1, "mobile": false});
        self.call("Emulation.setDeviceMetricsOverride", metrics);
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // Chromium may already have exited.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
