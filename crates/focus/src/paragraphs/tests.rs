//! Prose, lists, menus and terminals.

use super::*;

/// Lines of 20 pixels under each other, a letter 10 pixels wide (Hangul 20), from `x`.
fn lines<'a>(texts: &[&'a str]) -> Vec<PlacedText<'a>> {
    let width = |text: &str| text.chars().map(|char| if char.is_ascii() { 10 } else { 20 }).sum();
    texts.iter().zip(0..).map(|(text, row)| (Rect::new(10, 26 * row, width(text), 20), *text)).collect()
}

#[track_caller]
fn check(texts: &[&str], chosen: usize, expect: std::ops::Range<usize>) {
    assert_eq!(around(&lines(texts), chosen), expect.collect::<Vec<_>>(), "{texts:?}");
}

// PIC-4
#[test]
fn prose_is_read_as_a_paragraph_pic_4() {
    let english = [
        "Luna reads what is under the pointer, and says",
        "what kind of thing it is. People who cannot see",
        "the screen well use it all day.",
    ];
    check(&english, 0, 0..3);
    check(&english, 2, 0..3);
    check(
        &[
            "화면을 보기 어려운 사람이 쓰는 프로그램은 빨리",
            "대답해야 합니다. 그래서 한 줄만 읽을 때도 문단",
            "전체를 찾습니다.",
        ],
        1,
        0..3,
    );
    // A name at the beginning of a line, in a long sentence.
    check(&["they went with him as far as the gates of", "Berlin, and then they turned back to where"], 0, 0..2);
    // The paragraph ends with the line that is not full.
    let two =
        ["a line that is as long as the others are", "and ends here.", "another paragraph that is just as long as it"];
    check(&two, 1, 0..2);
    check(&two, 2, 2..3);
}

// PIC-4
#[test]
fn entries_are_read_alone_pic_4() {
    // A menu, a list of files, a list of settings.
    check(&["Open", "Save", "Save as", "Close"], 1, 1..2);
    check(&["홈", "문서", "다운로드", "바탕 화면"], 2, 2..3);
    check(&["report-2024.pdf", "report-2025.pdf", "report-2026.pdf"], 1, 1..2);
    check(&["Show hidden files", "Sort by file name", "Open in new window"], 1, 1..2);
    // A terminal.
    check(
        &[
            "drwxr-xr-x 2 root root 4096 Nov 23 04:19 src",
            "-rw-r--r-- 1 root root 1204 Nov 23 04:19 a.c",
            "-rw-r--r-- 1 root root 9204 Nov 23 04:19 b.c",
            "user@host:~$ cargo test",
        ],
        1,
        1..2,
    );
    check(
        &[
            "1. take the bread out of the oven now",
            "2. let it rest on the table until cool",
            "3. eat it with butter and a little salt",
        ],
        0,
        0..1,
    );
    check(&["• take the bread out of the oven now", "• let it rest on the table until cool"], 1, 1..2);
}

// PIC-4
#[test]
fn another_size_or_place_is_another_text_pic_4() {
    let of = |boxes: &[[i32; 4]]| {
        let text = "a line with as many words as it needs";
        let lines: Vec<PlacedText<'_>> = boxes.iter().map(|one| (Rect::from(*one), text)).collect();
        around(&lines, 0)
    };
    assert_eq!(of(&[[10, 0, 300, 20], [10, 26, 300, 20]]), [0, 1]);
    assert_eq!(of(&[[10, 0, 300, 40], [10, 46, 300, 20]]), [0]);
    assert_eq!(of(&[[10, 0, 300, 20], [10, 80, 300, 20]]), [0]);
    assert_eq!(of(&[[10, 0, 300, 20], [400, 26, 300, 20]]), [0]);
    // A second column beside it does not part the first.
    assert_eq!(of(&[[10, 0, 300, 20], [400, 0, 300, 20], [10, 26, 300, 20], [400, 26, 300, 20]]), [0, 2]);
}

// PIC-4
#[test]
fn the_longest_of_several_notes_is_no_margin_pic_4() {
    let notes = [
        "치과에 전화하기 02-345-6789",
        "Return the library book by Friday.",
        "저녁 7시에 어머니와 통화",
        "The last line of this note.",
    ];
    check(&notes, 1, 1..2);
    check(&notes, 3, 3..4);
    // Another line that is nearly as long, as xterm shows it, is no margin either.
    let boxes =
        [[0, 0, 113, 27], [0, 23, 212, 26], [0, 46, 302, 26], [0, 70, 375, 26], [0, 93, 267, 26], [0, 115, 299, 26]];
    let shown = ["오늘 할 일", "Buy milk and bread."].into_iter().chain(notes);
    let shown: Vec<PlacedText<'_>> = boxes.into_iter().map(Rect::from).zip(shown).collect();
    for line in 0..shown.len() {
        assert_eq!(around(&shown, line), [line]);
    }
    // Other lines reach the margin, too.
    let prose =
        ["The rain began in the evening and it", "stayed until the morning of Friday.", "Then the sun came out again."];
    check(&prose, 1, 0..3);
}

// PIC-4
#[test]
fn a_title_and_a_label_below_it_are_two_texts_pic_4() {
    let title = (Rect::new(76, 90, 160, 26), "주문서 Order form");
    let label = |y| [title, (Rect::new(78, y, 72, 22), "받는 사람")];
    assert_eq!(around(&label(133), 0), [0]);
    assert_eq!(around(&label(133), 1), [1]);
    // The lines of a short text are closer together.
    assert_eq!(around(&label(124), 0), [0, 1]);
}
