//! Tests a page whose file is rewritten.

use crate::desk::Desk;
use crate::drawings::{report_on, svg};
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use treebounds_inspector::{Exhibit, Watched, html};

/// Accepts a page and sends it this version.
fn greet(bell: &TcpListener, version: u32) -> TcpStream {
    let mut page = bell.accept().unwrap().0;
    let request = BufReader::new(page.try_clone().unwrap()).lines().map(Result::unwrap);
    assert!(request.take_while(|line| !line.is_empty()).any(|line| line == "Origin: null"));
    let head = "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nAccess-Control-Allow-Origin: null\r\n\r\n";
    write!(page, "{head}data: {version}\n\n").unwrap();
    page
}

#[test]
fn rewritten_pages_are_reloaded() {
    let mut desk = Desk::new();
    let bell = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", bell.local_addr().unwrap());
    let page = |body: &str, version: u32| {
        let text = svg(body);
        let watched = Watched { address: address.clone(), version };
        html(&Exhibit {
            report: &report_on(&text),
            drawing: Some(&text),
            watched: Some(&watched),
            ..Exhibit::default()
        })
    };
    let rects = r#"<rect width="9" height="9"/><rect x="20" width="9" height="9"/>"#;
    desk.open(&page(rects, 1), "");
    let mut open = greet(&bell, 1);
    desk.browser.run("inspector.select(1)");
    desk.browser.key("+");
    let view = "Object.values(inspector.state.view).map(x => x.toPrecision(4)).join()";
    let before = desk.browser.run(view);
    // A new element precedes the selected one.
    desk.write(&page(&format!("<g opacity='.5'><circle r='9'/></g>{rects}"), 2));
    write!(open, "data: 2\n\n").unwrap();
    let mut open = greet(&bell, 2);
    desk.browser.wait("globalThis.inspector?.model?.count === 4");
    let selected = "inspector.model.paths[inspector.state.selected]";
    desk.browser.wait(&format!("{selected} === 'svg/rect[2]'"));
    assert_eq!(desk.browser.run(view), before);
    // This version could not be written. The page reloads once.
    write!(open, "data: 3\n\n").unwrap();
    let open = greet(&bell, 3);
    desk.browser.wait("globalThis.inspector?.model?.count === 4");
    desk.browser.run("globalThis.isOld = true");
    std::thread::sleep(std::time::Duration::from_millis(500));
    assert_eq!(desk.browser.run("globalThis.isOld"), true);
    let mut open = open;
    write!(open, "event: stale\ndata: 3\n\n").unwrap();
    desk.browser
        .wait("document.getElementById('stale').innerText.includes('a drawing cannot be read')");
    write!(open, "data: 3\n\n").unwrap();
    desk.browser.wait("document.getElementById('stale').hidden");
    drop(open);
    desk.browser.wait("document.getElementById('stale').innerText.includes('any more')");
    let stays = desk.browser.run("globalThis.isOld");
    assert_eq!(stays, true, "the page stays when the program has ended");
    // A left-over page does not connect.
    let file = std::fs::File::options().write(true).open(desk.folder.path().join("page.html"));
    let old = std::time::SystemTime::now() - std::time::Duration::from_secs(48 * 3600);
    file.unwrap().set_modified(old).unwrap();
    bell.set_nonblocking(true).unwrap();
    desk.browser.open_page(&desk.folder.path().join("page.html"), "");
    std::thread::sleep(std::time::Duration::from_millis(300));
    assert!(bell.accept().is_err());
    assert!(desk.browser.text("#stale").contains("any more"));
    desk.browser.complaints();
}
