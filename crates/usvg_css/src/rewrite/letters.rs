//! The letters of texts.

use super::context::Context;
use super::writer::{Run, Writer};
use crate::xml::write_letter;
use std::borrow::Cow;

impl Writer<'_> {
    /// Writes letters of a text, with blanks as CSS collapses them.
    pub(crate) fn letters(&mut self, text: u32, object: u32, letters: &str, own: &Context) {
        if own.environment.font.size == 0.0 {
            // usvg leaves such letters out, too.
            return;
        }
        let letters = match own.get("text-transform") {
            "uppercase" => Cow::Owned(letters.to_uppercase()),
            "lowercase" => Cow::Owned(letters.to_lowercase()),
            "capitalize" => {
                let (mut words, mut is_inside) = (String::new(), false);
                for letter in letters.chars() {
                    match is_inside {
                        true => words.push(letter),
                        false => words.extend(letter.to_uppercase()),
                    }
                    is_inside = letter.is_alphanumeric() || is_inside && "'’".contains(letter);
                }
                Cow::Owned(words)
            }
            _ => Cow::Borrowed(letters),
        };
        let space = own.get("white-space");
        let is_kept = matches!(space, "pre" | "pre-wrap" | "break-spaces" | "preserve");
        let mut count = 0;
        for letter in letters.chars() {
            let letter = if matches!(letter, '\n' | '\r' | '\t') { ' ' } else { letter };
            if letter != ' ' || is_kept {
                count += 1;
                write_letter(&mut self.out, letter);
                self.run = Run::default();
            } else if !self.run.is_blank {
                count += 1;
                self.run = Run { is_blank: true, last: Some(self.out.len()) };
                self.out.push(' ');
            }
        }
        if own.shown.is_none() {
            self.objects.add_letters(text, object, count);
        }
    }
}
