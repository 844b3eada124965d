//! The page around charts: style, heading, tiles with numbers, cards with drawings.

use std::fmt::Write;

use super::chart::escaped;

const STYLE: &str = "\
:root{--paper:#fafaf7;--card:#fff;--ink:#22262a;--soft:#6b7280;--grid:#e5e7eb;--accent:#2f6f8f;--second:#c2703d;color-scheme:light dark}
@media (prefers-color-scheme:dark){:root{--paper:#14171a;--card:#1d2125;--ink:#e6e8ea;--soft:#9aa3ad;--grid:#333a41;--accent:#6db3d1;--second:#e39a68}}
*{box-sizing:border-box}body{margin:0;background:var(--paper);color:var(--ink);font:15px/1.5 system-ui,sans-serif}
main{max-width:1180px;margin:0 auto;padding:28px 20px 60px}h1{font-size:24px;margin:0 0 2px}h2{font-size:15px;margin:0 0 2px}
p{margin:0 0 12px;color:var(--soft);overflow-wrap:anywhere}small{color:var(--soft);display:block;margin-bottom:10px}
.tiles{display:grid;grid-template-columns:repeat(auto-fill,minmax(150px,1fr));gap:12px;margin:18px 0}
.tile,.card{background:var(--card);border:1px solid var(--grid);border-radius:10px;padding:14px 16px}
.tile b{display:block;font-size:20px;overflow-wrap:anywhere;font-variant-numeric:tabular-nums}.tile span{color:var(--soft);font-size:13px}
.cards{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,520px),1fr));gap:14px}
svg{width:100%;height:auto;display:block}svg.board{max-width:320px;margin:0 auto}svg text{fill:var(--soft);font-size:11px}
.bar,.cell{fill:var(--accent)}.second{fill:var(--second)}.whisker{stroke:var(--accent);stroke-width:1.5}.cell{stroke:var(--grid)}.grid{stroke:var(--grid)}.line,.other-line{fill:none;stroke:var(--second);stroke-width:2}.other-line{stroke:var(--accent);stroke-width:1.5}
.dot{fill:var(--second)}.rows{display:grid;grid-template-columns:auto 1fr auto;gap:4px 12px;align-items:center;font-size:13px}
.rows div{background:var(--grid);border-radius:3px;height:10px}.rows i{display:block;height:10px;border-radius:3px;background:var(--accent)}
table{border-collapse:collapse;font-size:13px;width:100%}th,td{padding:3px 8px;border-bottom:1px solid var(--grid);text-align:right;font-variant-numeric:tabular-nums}
th:first-child,td:first-child{text-align:left}th{color:var(--soft);font-weight:500}.card.wide{grid-column:1/-1;overflow-x:auto}
.rows b{text-align:right;font-weight:500;font-variant-numeric:tabular-nums}
@media (max-width:600px){svg text{font-size:18px}svg.board text{font-size:11px}.spare{display:none}main{padding:18px 12px 40px}}";

/// What stands at the top of a page.
pub(crate) struct Page<'a> {
    /// The name of the window.
    pub(crate) title: &'a str,
    pub(crate) heading: &'a str,
    pub(crate) subtitle: &'a str,
}

/// What ends a page whose last part is a grid of cards.
pub(crate) const END: &str = "</div></main></body></html>\n";

impl Page<'_> {
    /// The page as far as its heading.
    pub(crate) fn begin(&self) -> String {
        format!(
            "<!doctype html><html lang=\"en\"><head><meta charset=\"utf-8\"><meta name=\"viewport\" \
             content=\"width=device-width,initial-scale=1\"><title>{}</title><style>{STYLE}</style></head><body><main>\
             <h1>{}</h1><p>{}</p>",
            escaped(self.title),
            escaped(self.heading),
            escaped(self.subtitle)
        )
    }
}

/// A row of numbers with their names.
pub(crate) fn tiles(page: &mut String, shown: &[(&str, String)]) {
    page.push_str("<div class=\"tiles\">");
    for (name, value) in shown {
        // Writing to a string cannot fail.
        let _ = write!(page, "<div class=\"tile\"><b>{}</b><span>{}</span></div>", escaped(value), escaped(name));
    }
    page.push_str("</div>");
}

/// A table with a title and a note, as wide as the page.
pub(crate) fn table(page: &mut String, title: &str, note: &str, names: &[&str], rows: &[Vec<String>]) {
    let _ = write!(
        page,
        "<section class=\"card wide\"><h2>{}</h2><small>{}</small><table><tr>",
        escaped(title),
        escaped(note)
    );
    for name in names {
        let _ = write!(page, "<th>{}</th>", escaped(name));
    }
    for row in rows {
        page.push_str("</tr><tr>");
        for cell in row {
            let _ = write!(page, "<td>{}</td>", escaped(cell));
        }
    }
    page.push_str("</tr></table></section>");
}

/// A drawing with a title and a note.
pub(crate) fn card(page: &mut String, title: &str, note: &str, drawing: &str) {
    let _ = write!(
        page,
        "<section class=\"card\"><h2>{}</h2><small>{}</small>{drawing}</section>",
        escaped(title),
        escaped(note)
    );
}
