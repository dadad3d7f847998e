//! A table, list or form row by row (OCR-4).

use luna_messages::Lang;

/// Rows in words: the first announced as the header, or one line that says that there is none; then the others. Empty rows are left
/// out, empty cells said where the row has others.
#[must_use]
pub fn announce(rows: &[Vec<String>], has_header: bool, lang: Lang) -> Vec<String> {
    let mut spoken = Vec::new();
    let mut said = rows.iter().filter(|row| row.iter().any(|cell| !cell.trim().is_empty()));
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
    spoken.extend(said.map(|cells| row(cells, lang)));
    spoken
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
        assert_eq!(announce(&rows, has_header, lang), expect);
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
