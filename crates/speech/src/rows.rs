//! Reads a table, list or form row by row (OCR-4).

use luna_messages::Lang;

/// Rows as spoken lines.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SpokenRows {
    /// The lines, in order.
    pub lines: Vec<String>,
    /// Index of the line to begin with.
    pub first: usize,
}

/// Rows as spoken lines: the first announced as the header, or a line that says that there is none; then the others. Empty rows are left out;
/// empty cells are spoken if the row has others. If `begin` is a row further down, the announcement is repeated right before it, so that a
/// person who points into the middle of a table hears the column names, and can still go back to the rows above.
#[must_use]
pub fn announce(rows: &[Vec<String>], has_header: bool, begin: usize, lang: Lang) -> SpokenRows {
    let mut spoken = Vec::new();
    let filled = |row: &&Vec<String>| row.iter().any(|cell| !cell.trim().is_empty());
    let above = rows.iter().take(begin).filter(filled).count();
    let mut said = rows.iter().filter(filled);
    if has_header && let Some(header) = said.next() {
        let title = match lang {
            Lang::Ko => "머리글",
            Lang::En => "Header",
        };
        spoken.push(format!("{title}: {}", row(header, lang)));
    } else if said.clone().next().is_some() {
        spoken.push(
            match lang {
                Lang::Ko => "머리글 불명, 행 순서로 읽습니다",
                Lang::En => "No header found, reading row by row",
            }
            .to_owned(),
        );
    }
    let mut body: Vec<String> = said.map(|cells| row(cells, lang)).collect();
    let skipped = above.saturating_sub(usize::from(has_header));
    let mut first = 0;
    if skipped > 0 && skipped < body.len() {
        let rest = body.split_off(skipped);
        let again = spoken.first().cloned();
        spoken.append(&mut body);
        first = spoken.len();
        spoken.extend(again);
        spoken.extend(rest);
    } else {
        spoken.append(&mut body);
    }
    SpokenRows { lines: spoken, first }
}

fn row(cells: &[String], lang: Lang) -> String {
    let blank = match lang {
        Lang::Ko => "빈칸",
        Lang::En => "blank",
    };
    let words: Vec<String> = cells
        .iter()
        .map(|cell| cell.split_whitespace().collect::<Vec<_>>().join(" "))
        .map(|cell| if cell.is_empty() { blank.to_owned() } else { cell })
        .collect();
    words.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(rows: &[&[&str]], has_header: bool, lang: Lang, expect: &[&str]) {
        let rows: Vec<Vec<String>> = rows.iter().map(|r| r.iter().map(|c| (*c).to_owned()).collect()).collect();
        let all = announce(&rows, has_header, 0, lang);
        assert_eq!(all, SpokenRows { lines: expect.iter().map(|&line| line.to_owned()).collect(), first: 0 });
    }

    // OCR-4
    #[test]
    fn reading_begins_with_the_row_that_is_pointed_at_ocr_4() {
        let rows: Vec<Vec<String>> = ["이름", "김", " ", "이", "박"].map(|cell| vec![cell.to_owned()]).to_vec();
        for (has_header, begin, first, heard) in [
            (true, 0, 0, vec!["머리글: 이름", "김", "이", "박"]),
            (true, 1, 0, vec!["머리글: 이름", "김", "이", "박"]),
            (true, 3, 2, vec!["머리글: 이름", "이", "박"]),
            (true, 4, 3, vec!["머리글: 이름", "박"]),
            (true, 99, 0, vec!["머리글: 이름", "김", "이", "박"]),
            (false, 4, 4, vec!["머리글 불명, 행 순서로 읽습니다", "박"]),
        ] {
            let all = announce(&rows, has_header, begin, Lang::Ko);
            assert_eq!(all.first, first, "{begin}");
            assert_eq!(all.lines[first..], heard, "{begin}");
        }
        assert_eq!(announce(&[], true, 3, Lang::Ko).lines, Vec::<String>::new());
    }

    // OCR-4
    #[test]
    fn the_header_is_announced_or_said_to_be_unknown_ocr_4() {
        check(&[&["이름", "나이"], &["김", "20"]], true, Lang::Ko, &["머리글: 이름, 나이", "김, 20"]);
        check(&[&["Name", "Age"], &["Kim", ""]], true, Lang::En, &["Header: Name, Age", "Kim, blank"]);
        check(
            &[&["김", "20"], &["", " "], &["이", "30"]],
            false,
            Lang::Ko,
            &["머리글 불명, 행 순서로 읽습니다", "김, 20", "이, 30"],
        );
        check(&[&["a\nb"]], false, Lang::En, &["No header found, reading row by row", "a b"]);
        check(&[], true, Lang::Ko, &[]);
        check(&[&[""]], false, Lang::Ko, &[]);
    }
}
