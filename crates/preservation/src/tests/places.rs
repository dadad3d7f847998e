//! Numbers that changed places, and those that only the other word order moved (PRE-2).

use luna_messages::Fidelity::{Faithful, Natural};
use luna_messages::preserve::TokenStatus::{Kept, Reordered};

use super::super::{Glossary, check};

#[track_caller]
fn compare(source: &str, target: &str, kept: bool) {
    for mode in [Faithful, Natural] {
        let report = check(source, target, mode, &Glossary::default());
        let all = |ok: bool| report.tokens.iter().filter(|token| (token.status == Kept) == ok).count();
        let reordered = report.tokens.iter().filter(|token| token.status == Reordered).count();
        assert_eq!(report.ok, kept, "{mode:?} {source} / {target}: {:?}", report.tokens);
        assert!(kept || reordered >= 2 && reordered == all(false), "{mode:?} {source} / {target}: {:?}", report.tokens);
    }
}

// PRE-2
#[test]
fn swapped_numbers_are_told_by_their_labels_pre_2() {
    for (source, right, swapped) in [
        ("3 files in 5 folders", "폴더 5개에 있는 파일 3개", "폴더 3개에 있는 파일 5개"),
        ("3 files in 5 folders", "파일 3개가 폴더 5개에", "파일 5개가 폴더 3개에"),
        ("35 people in 12 cities", "12개 도시의 35명", "35개 도시의 12명"),
        ("세 번째 줄의 두 번째 칸", "the second cell of the third row", "the third cell of the second row"),
        ("Row 3, column 5", "3행 5열", "5행 3열"),
        ("CPU 85%, GPU 40%", "CPU 85%, GPU 40%", "CPU 40%, GPU 85%"),
        ("Width 20px and height 40px", "너비 20px, 높이 40px", "너비 40px, 높이 20px"),
        (
            "\"{0}\" tab moved to position \"{1}\"",
            "\"{0}\" 탭이 위치 \"{1}\"(으)로 이동",
            "\"{1}\" 탭이 위치 \"{0}\"(으)로 이동",
        ),
    ] {
        compare(source, right, true);
        compare(source, swapped, false);
        compare(right, source, true);
        compare(swapped, source, false);
    }
}

// PRE-2
#[test]
fn swapped_numbers_are_told_by_their_order_and_their_cell_pre_2() {
    for (source, right, swapped) in [
        ("It rose from 3% to 5%.", "3%에서 5%로 올랐다.", "5%에서 3%로 올랐다."),
        ("Kim 82, Lee 41, Park 60", "김 82, 이 41, 박 60", "김 60, 이 41, 박 82"),
        ("Highs of 12°C and lows of 4°C.", "최고 12°C, 최저 4°C.", "최고 4°C, 최저 12°C."),
        ("4 of 12 items", "12개 중 4개", "4개 중 12개"),
        ("5 of 10 files", "10개 중 5개 파일", "5개 중 10개 파일"),
        ("Tea\t2\t9\nScone\t3\t8", "차\t2\t9\n스콘\t3\t8", "차\t3\t9\n스콘\t2\t8"),
        ("| a | 31 |\n| b | 42 |", "| 가 | 31 |\n| 나 | 42 |", "| 가 | 42 |\n| 나 | 31 |"),
        (
            "It holds 25 GB. Free 31 GB more.",
            "25 GB가 들어갑니다. 31 GB를 더 비우세요.",
            "31 GB가 들어갑니다. 25 GB를 더 비우세요.",
        ),
    ] {
        compare(source, right, true);
        compare(source, swapped, false);
        compare(swapped, source, false);
    }
}

// PRE-2
#[test]
fn the_other_word_order_is_no_alarm_pre_2() {
    for (source, target) in [
        ("56 of 1,234 (7)", "1,234개 중 56개(7)"),
        ("Exit 3 of subway line 2", "지하철 2호선 3번 출구"),
        ("17th floor, 152 Teheran-ro, Gangnam-gu, Seoul", "서울특별시 강남구 테헤란로 152, 17층"),
        ("On 2017-06-09 at 5:13, 4 people met.", "2017-06-09 5:13에 4명이 만났다."),
        ("at 18:00 on 2026-03-15", "2026-03-15 18:00에"),
        (
            "On 2017-06-09 he lost 3 times, his 5th defeat in 7 games.",
            "2017-06-09에 7경기에서 5번째 패배인 3번을 졌다.",
        ),
        ("at 18:00, 2026-03-15", "2026-03-15 18:00에"),
        ("In 2007 NASA sent 13 probes.", "2007년 13개의 NASA 탐사선이 갔다."),
        ("9 people, 5 of them children", "어린이 5명을 포함해 9명"),
        (
            "He won 3 gold medals and 2 silver medals at the 2008 Games.",
            "그는 2008년 대회에서 금메달 3개와 은메달 2개를 땄다.",
        ),
        ("Page {0} of {1}", "{0} / {1} 페이지"),
        ("48px wide at 96dpi", "96dpi에서 너비가 48px"),
        ("{0} and {1}", "{0} 및 {1}"),
        ("35 people after 12 hours", "12시간 뒤에 35명"),
        ("4 points under the limit of 10", "한도인 10보다 4 낮은 점수"),
        ("3 files to 5 people", "5명에게 파일 3개"),
    ] {
        compare(source, target, true);
        compare(target, source, true);
    }
}
