//! What a tag and a style sheet refer to, read off the bare text: rather too much than too little.

use super::tags::{Tag, local, unescape};

/// The ids that a tag refers to, each as far as [`head`] goes.
pub(super) fn of_tag(tag: &Tag, mut visit: impl FnMut(&str)) {
    if !tag.text.contains(['#', '&']) {
        return;
    }
    // A link leads somewhere, and shows nothing of it.
    let is_link = tag.local_name() == "a";
    for (name, value) in tag.attributes() {
        if local(name) == "href" {
            let target = value.trim_start().strip_prefix('#').filter(|_| !is_link);
            target.map(head).into_iter().for_each(&mut visit);
        } else {
            urls(&value).for_each(&mut visit);
        }
    }
}

/// The ids that the text of a style sheet refers to. Sections of characters have no escapes, the text around them has.
pub(super) fn of_sheet(text: &str, mut visit: impl FnMut(&str)) {
    let text = text.replace("<![CDATA[", "").replace("]]>", "");
    urls(&text).for_each(&mut visit);
    if text.contains('&') {
        urls(&unescape(&text)).for_each(visit);
    }
}

/// Every id in `url(#id)`.
fn urls(text: &str) -> impl Iterator<Item = &str> {
    text.split("url(").skip(1).filter_map(|rest| {
        let rest = rest.trim_start().trim_start_matches(['"', '\'']).trim_start();
        rest.strip_prefix('#').map(head)
    })
}

/// An id up to the first letter that may end a reference.
pub(super) fn head(id: &str) -> &str {
    let ends = |letter: char| letter.is_whitespace() || matches!(letter, ')' | '"' | '\'');
    id.find(ends).and_then(|end| id.get(..end)).unwrap_or(id)
}

#[cfg(test)]
mod tests {
    use super::super::tags::tags;
    use super::*;

    #[test]
    fn references_are_found_in_every_form() {
        let text = "<use xlink:href='#a' fill='url(#b) #fff' style='mask:url( &quot;#c&quot; );\
            filter:url(#d) url(#e f)' x='#no' clip-path='url(&#35;g)' href=' &#x23;h'/>";
        let mut found = Vec::new();
        of_tag(&tags(text).next().unwrap(), |name| found.push(name.to_owned()));
        assert_eq!(found, ["a", "b", "c", "d", "e", "g", "h"]);
        of_tag(&tags("<a href='#a'>").next().unwrap(), |_| panic!("a link shows nothing"));
    }

    #[test]
    fn sheets_refer_by_urls_alone() {
        let mut found = Vec::new();
        of_sheet("#a { fill: url('#b'); stroke: #ccc }", |name| found.push(name.to_owned()));
        assert_eq!(found, ["b"]);
        let text = "a{fill:url(<![CDATA[#c&amp;)]]>;stroke:url(&#35;d)}";
        of_sheet(text, |name| found.push(name.to_owned()));
        assert_eq!(found[1..], ["c&amp;", "c&", "d"]);
    }
}
