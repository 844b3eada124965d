//! Reading an `option` line, whose parts may come in any order.

use super::{OptionDeclaration, OptionKind};
use crate::complaint::{Complaint, excerpt};
use crate::word::Words;

const KEYWORDS: [&str; 6] = ["name", "type", "default", "min", "max", "var"];

fn is_keyword(word: &str) -> bool {
    KEYWORDS.contains(&word)
}

/// The parts of a line, before anything is known of how they fit together.
#[derive(Default)]
struct Parts {
    name: Option<String>,
    kind: Option<String>,
    default: Option<String>,
    min: Option<i64>,
    max: Option<i64>,
    values: Vec<String>,
}

impl OptionDeclaration {
    pub(in crate::message) fn read(words: &mut Words<'_>) -> Option<Self> {
        let mut parts = Parts::default();
        while let Some(word) = words.next() {
            match word {
                "name" => {
                    let name = words.text_until(is_keyword);
                    words.set(&mut parts.name, "name", Some(name).filter(|name| !name.is_empty()));
                }
                "type" => {
                    let kind = words.text_until(is_keyword);
                    words.set(&mut parts.kind, "type", Some(kind).filter(|kind| !kind.is_empty()));
                }
                "default" => {
                    // A text may hold any words; nothing that matters can follow it.
                    let is_text = parts.kind.as_deref() == Some("string");
                    let default = if is_text { words.rest() } else { words.text_until(is_keyword) };
                    words.set(&mut parts.default, "default", Some(default));
                }
                "min" => {
                    let min = words.count("min");
                    words.set(&mut parts.min, "min", min);
                }
                "max" => {
                    let max = words.count("max");
                    words.set(&mut parts.max, "max", max);
                }
                "var" => parts.values.push(words.text_until(is_keyword)),
                unknown => words.skip_unknown(unknown, is_keyword),
            }
        }
        parts.declaration(words)
    }
}

impl Parts {
    fn declaration(self, words: &mut Words<'_>) -> Option<OptionDeclaration> {
        let kind = match self.kind.as_deref() {
            Some("check") => Some(self.check(words)),
            Some("spin") => Some(self.spin(words)),
            Some("combo") => Some(self.combo(words)),
            Some("button") => Some(OptionKind::Button),
            Some("string") => Some(OptionKind::Text { default: self.default_text(words) }),
            Some(other) => {
                words.complain(Complaint::NotAllowed { field: "type", token: excerpt(other) });
                None
            }
            None => {
                words.complain(Complaint::Missing { field: "type" });
                None
            }
        };
        if self.name.is_none() {
            words.complain(Complaint::Missing { field: "name" });
        }
        Some(OptionDeclaration { name: self.name?, kind: kind? })
    }

    fn default_text(&self, words: &mut Words<'_>) -> String {
        if self.default.is_none() {
            words.complain(Complaint::Missing { field: "default" });
        }
        self.default.clone().unwrap_or_default()
    }

    fn check(&self, words: &mut Words<'_>) -> OptionKind {
        let text = self.default_text(words);
        if self.default.is_some() && !matches!(text.as_str(), "true" | "false") {
            words.complain(Complaint::NotAllowed { field: "default", token: excerpt(&text) });
        }
        OptionKind::Check { default: text.eq_ignore_ascii_case("true") }
    }

    fn spin(&self, words: &mut Words<'_>) -> OptionKind {
        for (bound, field) in [(self.min, "min"), (self.max, "max")] {
            if bound.is_none() {
                words.complain(Complaint::Missing { field });
            }
        }
        let range = self.min.unwrap_or(i64::MIN)..=self.max.unwrap_or(i64::MAX);
        let text = self.default_text(words);
        let default = text.parse().unwrap_or_else(|_| {
            if self.default.is_some() {
                words.complain(Complaint::NotAnInteger { field: "default", token: excerpt(&text) });
            }
            // Some value has to stand for the unknown one: the nearest allowed one to zero.
            0.max(*range.start()).min(*range.end())
        });
        if !range.contains(&default) {
            words.complain(Complaint::OutOfRange { field: "default", token: default.to_string() });
        }
        OptionKind::Spin { default, range }
    }

    fn combo(&self, words: &mut Words<'_>) -> OptionKind {
        let default = self.default_text(words);
        if self.values.is_empty() {
            words.complain(Complaint::Missing { field: "var" });
        } else if self.default.is_some() && !self.values.contains(&default) {
            words.complain(Complaint::NotAllowed { field: "default", token: excerpt(&default) });
        }
        OptionKind::Combo { default, values: self.values.clone() }
    }
}
