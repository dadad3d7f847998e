//! Korean orders by how they are put together (NLU-1, NLU-2, NLU-5, DSL-6).

use luna_messages::dsl::Action;
use luna_messages::understanding::UtteranceKind;

use super::*;

/// What is done, and to what: "set_value 수신인=박지연", "desktop time", "nothing" if it is forbidden.
fn done(utterance: &str) -> String {
    let found = said(utterance, false);
    let wish = &found.wish;
    if found.negated {
        return "nothing".to_owned();
    }
    if found.kind == UtteranceKind::Reading {
        return format!("reading {:?}", wish.intent).to_lowercase();
    }
    let of = |text: &Option<String>| text.clone().unwrap_or_default();
    let text = match wish.action {
        Some(Action::SetValue) => format!("set_value {}={}", of(&wish.target_text), of(&wish.value)),
        Some(Action::Desktop) => format!("desktop {} {}", of(&wish.order), of(&wish.argument)),
        Some(Action::Scroll) => format!("scroll {:?}", wish.direction).to_lowercase(),
        Some(action) => format!("{action:?} {}", of(&wish.target_text)).to_lowercase(),
        None => format!("{:?}", found.kind).to_lowercase(),
    };
    text.trim().to_owned()
}

fn check(cases: &[(&str, &str)]) {
    for (utterance, expect) in cases {
        assert_eq!(done(utterance), *expect, "{utterance}: {:?}", said(utterance, false));
    }
}

// NLU-2
#[test]
fn what_one_settles_on_is_chosen_and_what_is_set_is_set_nlu_2() {
    check(&[
        ("특실 말고 일반실로 해 줘", "select 일반실"),
        ("낮은 가격순으로 정렬해 줘", "select 낮은 가격순"),
        ("할부 개월 수는 일시불로 해 줘", "set_value 할부 개월 수=일시불"),
        ("난이도는 쉬움으로", "set_value 난이도=쉬움"),
        ("학번 칸에 이공이사", "set_value 학번=이공이사"),
        ("인원수는 4로 입력해 줘요", "set_value 인원수=4"),
        ("밑으로 쫌 내려 주이소", "scroll some(down)"),
    ]);
}

// NLU-5
#[test]
fn a_part_that_is_corrected_keeps_the_rest_nlu_5() {
    check(&[
        ("수신인 칸에 박지수 아니 박지연으로 바꿔", "set_value 수신인=박지연"),
        ("글자 크기 12로 맞춰 아니 14로", "set_value 글자 크기=14"),
        ("이름에 박민호라고 써 줘 아니 박민수라고 써 줘", "set_value 이름=박민수"),
        ("출발지에 서울역 아니지 아니지 용산역이라고 쳐줘", "set_value 출발지=용산역"),
        ("예산 찾아 줘 아니 그 뭐냐 결산 찾아 줘", "desktop find 결산"),
        ("내가 말한 건 삭제가 아니라 이름 바꾸기야 이름 바꾸기 눌러", "invoke 이름 바꾸기"),
    ]);
}

// NLU-5
#[test]
fn what_was_meant_to_be_ordered_is_taken_back_nlu_5() {
    check(&[
        ("저장 누르려던 거 취소할게", "nothing"),
        ("닫으라고 한 거 취소", "nothing"),
        ("철자는 안 불러 줘도 돼", "nothing"),
    ]);
}

// NLU-8
#[test]
fn a_reason_needs_no_pause_before_an_order_nlu_8() {
    check(&[
        ("화면이 너무 커 축소해 줘", "desktop zoom out"),
        ("이어폰 꼈더니 귀가 아파 볼륨 좀 낮춰", "desktop volume down"),
        ("엄마가 부르신다 이거 저장해 줘", "desktop save"),
        ("회의 들어가야 돼 소리 꺼", "desktop mute on"),
        // No names that only end like that.
        ("삼 층 안내 링크 클릭", "invoke 삼 층 안내"),
        ("시내 버스 노선 링크 눌러 줘", "invoke 시내 버스 노선"),
    ]);
}

// DSL-6
#[test]
fn what_is_asked_for_is_known_in_other_words_dsl_6() {
    check(&[
        ("지금 몇 신지 말해 줄래", "desktop time"),
        ("지금 시각을 말씀해 주시겠습니까", "desktop time"),
        ("알려 줘 배터리 얼마나 남았는지", "desktop battery"),
        ("내가 지금 어디 있는 건지 알려 줘", "desktop where_am_i"),
        ("네가 알아듣는 말 좀 알려 줘", "desktop what_can_i_say"),
        ("어떤 명령 쓸 수 있는지 읊어 봐", "desktop what_can_i_say"),
        ("엑셀 창 앞으로 가져와 줘", "desktop switch_to 엑셀"),
        ("줄여 줘 소리 좀", "desktop volume down"),
    ]);
}

// NLU-1
#[test]
fn how_a_word_is_written_and_what_is_meant_is_read_nlu_1() {
    check(&[
        ("이메일 주소 스펠링이 어떻게 되는지 불러 줘요", "reading some(spell)"),
        ("이 댓글 영어 번역 부탁해", "reading some(translate)"),
        ("이 글 무슨 뜻인지 한국어로 말해 줘", "reading some(translate)"),
        ("맨 처음 단락부터 쭉 읽어 내려가 줄래", "reading some(read)"),
    ]);
}
