//! Which sentence goes to which model, and what becomes of it.
#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic, reason = "tests")]

use luna_messages::language_tasks::{PieceStatus, TranslatedPiece, TranslationSource};
use luna_messages::{Fidelity, Lang};
use proptest::prelude::*;

use super::summary::SummaryStep;
use super::units::{Segment, SegmentKind, fit, split};
use super::*;

/// A double of the preservation check that knows whole numbers only, and repairs a single altered number.
struct NumberCheckDouble {
    repairs: bool,
}

fn numbers(text: &str) -> Vec<String> {
    text.split(|c: char| !c.is_ascii_digit()).filter(|word| !word.is_empty()).map(str::to_owned).collect()
}

impl PreservationCheck for NumberCheckDouble {
    fn verdict(&self, source: &str, translation: &str, _: Fidelity) -> PreservationVerdict {
        let (there, here) = (numbers(source), numbers(translation));
        let broken: Vec<String> = there.iter().filter(|number| !here.contains(number)).cloned().collect();
        match (broken.as_slice(), here.as_slice()) {
            ([], _) if there.len() == here.len() => PreservationVerdict::Kept,
            ([one], [wrong]) if self.repairs && there.len() == 1 => {
                PreservationVerdict::Repaired(translation.replace(wrong, one))
            }
            _ => PreservationVerdict::Broken(broken),
        }
    }

    fn foreign_numbers(&self, source: &str, summary: &str) -> Vec<String> {
        let there = numbers(source);
        numbers(summary).into_iter().filter(|number| !there.contains(number)).collect()
    }
}

const CHECK: NumberCheckDouble = NumberCheckDouble { repairs: false };

fn units(text: &str, to: Lang) -> Vec<Segment> {
    split(&TranslationSource::Text(text.to_owned()), to)
}

/// Runs a translation with a model that answers as `model` says; returns the requests and the pieces.
fn run(
    text: &str,
    escalation: Escalation,
    larger: bool,
    mut model: impl FnMut(&Ask) -> TranslationEvent,
) -> (Vec<Ask>, Vec<TranslatedPiece>, Vec<TranslationEffect>) {
    let mut translation = TranslationRun::new(units(text, Lang::En), Fidelity::Faithful, escalation, larger);
    let (mut asked, mut pieces, mut all) = (Vec::new(), Vec::new(), Vec::new());
    let mut effects = translation.step(TranslationEvent::Begin, &CHECK);
    loop {
        let mut event = None;
        for effect in std::mem::take(&mut effects) {
            all.push(effect.clone());
            match effect {
                TranslationEffect::Ask(ask) => {
                    assert!(event.is_none(), "one question at a time");
                    event = Some(model(&ask));
                    asked.push(ask);
                }
                TranslationEffect::Piece(piece) => pieces.push(piece),
                TranslationEffect::Done(end) => {
                    assert_eq!(end.pieces, pieces.len());
                    return (asked, pieces, all);
                }
            }
        }
        effects = translation.step(event.expect("it goes on"), &CHECK);
    }
}

fn says(text: &str) -> TranslationEvent {
    TranslationEvent::Answered(text.to_owned())
}

// TRN-1, TRN-2
#[test]
fn a_finished_sentence_is_given_together_with_the_question_for_the_next_trn_1_trn_2() {
    let (asked, pieces, all) = run("하나 1. 둘 2.\n셋 3.", Escalation::default(), false, |ask| {
        says(&format!("It is {}", ask.text.replace(|c: char| !c.is_ascii_digit(), "")))
    });
    assert_eq!(asked.iter().map(|ask| ask.text.as_str()).collect::<Vec<_>>(), ["하나 1.", "둘 2.", "셋 3."]);
    let texts: Vec<_> = pieces.iter().map(|piece| (piece.gap.as_str(), piece.text.as_str(), piece.status)).collect();
    assert_eq!(
        texts,
        [("", "It is 1", PieceStatus::Kept), (" ", "It is 2", PieceStatus::Kept), ("\n", "It is 3", PieceStatus::Kept)]
    );
    let order: String = all
        .iter()
        .map(|effect| match effect {
            TranslationEffect::Ask(_) => 'a',
            TranslationEffect::Piece(_) => 'p',
            TranslationEffect::Done(_) => 'd',
        })
        .collect();
    assert_eq!(order, "apapapd");
}

// PRE-4
#[test]
fn only_the_failing_sentence_is_asked_for_once_more_and_then_marked_pre_4() {
    let (asked, pieces, _) = run("사과 3개. 배 5개.", Escalation::default(), false, |ask| {
        match (ask.text.contains('3'), ask.notice.is_empty()) {
            (true, true) => says("4 apples."),
            (true, false) => says("3 apples."),
            (false, _) => says("6 pears."),
        }
    });
    let notices: Vec<_> = asked.iter().map(|ask| ask.notice.join(",")).collect();
    assert_eq!(notices, ["", "3", "", "5"]);
    assert_eq!((pieces[0].text.as_str(), pieces[0].status), ("3 apples.", PieceStatus::Kept));
    assert_eq!(
        (pieces[1].text.as_str(), pieces[1].status),
        ("[원문] 배 5개.\n[번역(검증 실패)] 6 pears.", PieceStatus::Failed)
    );
    assert_eq!(pieces[1].tokens, ["5"]);
    let (_, pieces, _) = run("사과 3개.", Escalation::default(), false, |_| TranslationEvent::NoAnswer);
    assert_eq!((pieces[0].text.as_str(), pieces[0].status), ("[원문] 사과 3개.", PieceStatus::Missing));
}

// PRE-7
#[test]
fn a_repaired_sentence_is_marked_and_not_asked_for_again_pre_7() {
    let mut translation =
        TranslationRun::new(units("사과 3개.", Lang::En), Fidelity::Faithful, Escalation::default(), false);
    let preservation = NumberCheckDouble { repairs: true };
    translation.step(TranslationEvent::Begin, &preservation);
    let effects = translation.step(says("4 apples."), &preservation);
    assert!(
        matches!(effects.as_slice(), [TranslationEffect::Piece(piece), TranslationEffect::Done(end)]
        if piece.text == "3 apples." && piece.status == PieceStatus::Repaired && end.repaired == 1),
        "{effects:?}"
    );
}

// TRN-4
#[test]
fn hard_sentences_go_to_the_larger_model_where_there_is_one_trn_4() {
    let conditions = ["preserve_failed>=1", "negations>=2", "policy_keywords>=1"].map(str::to_owned);
    let escalation = Escalation::new(&conditions, &["환불".to_owned()]);
    let text = "사과 3개. 안 되는 것이 아니다. 환불 규정. 끝.";
    let model = |ask: &Ask| {
        says(
            if ask.text.contains('3') && !ask.larger { "apples." } else { "Apples 3." }
                .replace(if ask.text.contains('3') { "" } else { " 3" }, "")
                .as_str(),
        )
    };
    let (asked, pieces, _) = run(text, escalation.clone(), true, model);
    let larger: Vec<_> = asked.iter().map(|ask| (ask.text.as_str(), ask.larger)).collect();
    assert_eq!(
        larger,
        [
            ("사과 3개.", false),
            ("사과 3개.", true),
            ("안 되는 것이 아니다.", true),
            ("환불 규정.", true),
            ("끝.", false)
        ]
    );
    assert_eq!(pieces.iter().map(|piece| piece.larger).collect::<Vec<_>>(), [true, true, true, false]);
    // The larger model does not fit: the same request goes to the smaller one, and the larger one is not tried again.
    let (asked, pieces, _) =
        run(
            text,
            escalation.clone(),
            true,
            |ask| if ask.larger { TranslationEvent::NoLargerModel } else { model(ask) },
        );
    assert_eq!(asked.iter().filter(|ask| ask.larger).count(), 1, "{asked:?}");
    assert!(pieces.iter().all(|piece| !piece.larger));
    let (asked, ..) = run(text, escalation, false, model);
    assert!(asked.iter().all(|ask| !ask.larger));
}

// PRE-2, PRE-7
#[test]
fn the_real_lock_judges_as_the_pipeline_needs_it_pre_2_pre_7() {
    use luna_messages::preserve::TokenClass::{Number, Percent, Unit};
    let preservation = TokenPreservationCheck::new(&["루나".to_owned()], &[Number, Percent, Unit]);
    let verdict = |source: &str, text: &str| preservation.verdict(source, text, Fidelity::Faithful);
    assert_eq!(verdict("파일 30%를 옮겼다.", "30% of the files were moved."), PreservationVerdict::Kept);
    // Differing by one is no slip for certain: "over 30" is "31 or more".
    assert_eq!(
        verdict("파일 30%를 옮겼다.", "31% of the files were moved."),
        PreservationVerdict::Broken(vec!["30%".to_owned()])
    );
    assert_eq!(
        verdict("파일 30%를 옮겼다.", "38% of the files were moved."),
        PreservationVerdict::Repaired("30% of the files were moved.".to_owned())
    );
    assert_eq!(
        verdict("1.5와 2.5다.", "It is nothing."),
        PreservationVerdict::Broken(vec!["1.5".to_owned(), "2.5".to_owned()])
    );
    assert_eq!(verdict("아무 말이나.", " "), PreservationVerdict::Broken(Vec::new()), "an empty translation is none");
    assert_eq!(preservation.foreign_numbers("파일 3개", "3 of 4 files"), ["4"]);
    // A class that is not compared.
    let preservation = TokenPreservationCheck::new(&[], &[Number]);
    assert_eq!(preservation.verdict("30%다.", "It is 31%.", Fidelity::Faithful), PreservationVerdict::Kept);
}

// TRN-1, PRE-2
#[test]
fn layout_code_and_headers_of_tables_stay_trn_1_pre_2() {
    let text = "# 제목\n\n- 첫째 항목이다. 둘째다.\n1. 셋째다.\n\n```\n코드 = 1\n```\n| 이름 | 값 |\n|---|---|\n| 사과 | 3 |\nhttps://a.kr/가 12:30\nhttps://a.kr/x\n12.5 %\nAlready English.\n";
    let units = units(text, Lang::En);
    let shown: Vec<_> = units.iter().map(|unit| (unit.text.as_str(), unit.kind)).collect();
    use SegmentKind::{Row, Sentence, Unchanged};
    assert_eq!(
        shown,
        [
            ("제목", Sentence),
            ("첫째 항목이다.", Sentence),
            ("둘째다.", Sentence),
            ("셋째다.", Sentence),
            ("```", Unchanged),
            ("코드 = 1", Unchanged),
            ("```", Unchanged),
            ("| 이름 | 값 |", Unchanged),
            ("|---|---|", Unchanged),
            ("| 사과 | 3 |", Row),
            ("https://a.kr/가 12:30", Sentence),
            ("https://a.kr/x", Unchanged),
            ("12.5 %", Unchanged),
            ("Already English.", Unchanged),
        ]
    );
    assert_eq!(units[1].gap, "\n\n- ");
    let rows = vec![vec!["이름".to_owned(), "값".to_owned()], vec!["사과 a|b".to_owned(), "3".to_owned()]];
    let units = split(&TranslationSource::Rows { rows, has_header: true }, Lang::En);
    assert_eq!((units[0].text.as_str(), units[0].kind), ("이름 | 값", Unchanged));
    assert_eq!((units[1].text.as_str(), units[1].kind), ("사과 a/b | 3", Row));
    // A row that lost a cell is requested again.
    let mut translation = TranslationRun::new(units, Fidelity::Faithful, Escalation::default(), false);
    translation.step(TranslationEvent::Begin, &CHECK);
    let effects = translation.step(says("apple a/b 3"), &CHECK);
    assert!(matches!(effects.as_slice(), [TranslationEffect::Ask(ask)] if ask.notice == ["|"]), "{effects:?}");
}

// TRN-2
#[test]
fn sentences_that_are_too_long_are_cut_at_their_joints_trn_2() {
    let long = "이것은, 아주 긴 문장이고, 여러 부분으로 되어 있으며, 끝난다. 짧다.";
    let whole = units(long, Lang::En);
    let count = whole.len();
    let fitted = fit(whole, &[300, 3], 100);
    assert!(count == 2 && fitted.len() == 3, "{fitted:?}");
    let joined: String = fitted.iter().flat_map(|unit| [unit.gap.as_str(), unit.text.as_str()]).collect();
    assert_eq!(joined, long);
}

// PRE-5
#[test]
fn summaries_are_short_and_have_no_number_of_their_own_pre_5() {
    let source = "파일 3개를 2번 옮겼다.";
    let judge = |said: &str, again| summary::judge(said, source, 2, again, false, &CHECK);
    let used = |step: SummaryStep| match step {
        SummaryStep::Use(summary) => (summary.text, summary.verified),
        SummaryStep::Retry(numbers) => panic!("{numbers:?}"),
    };
    assert_eq!(used(judge("3 files. Twice. And more. And more.", false)), ("3 files. Twice.".to_owned(), true));
    assert_eq!(judge("4 files. Twice.", false), SummaryStep::Retry(vec!["4".to_owned()]));
    assert_eq!(used(judge("4 files. Twice.", true)), ("Twice.".to_owned(), true));
    assert_eq!(used(judge("4 files.", true)), ("[요약(검증 실패)] 4 files.".to_owned(), false));
}

proptest! {
    // TRN-1
    #[test]
    fn gaps_and_pieces_are_the_text_trn_1(text in "([가-힣]{1,4}|[a-z]{1,6}|[0-9]{1,3}|[.,!?|#>*-]| |\n|\n\n|```|\\| a \\| b \\|\n|1\\. |\\PC){0,60}") {
        for to in [Lang::Ko, Lang::En] {
            let units = units(&text, to);
            let joined: String = units.iter().flat_map(|unit| [unit.gap.as_str(), unit.text.as_str()]).collect();
            let rest = text.strip_prefix(joined.as_str());
            prop_assert!(rest.is_some_and(|rest| rest.trim().is_empty()), "{joined:?} of {text:?}");
            let counts = vec![500; units.len()];
            let fitted: String = fit(units, &counts, 100).iter().flat_map(|unit| [unit.gap.as_str(), unit.text.as_str()].map(str::to_owned)).collect();
            prop_assert_eq!(fitted, joined);
        }
    }

    // PRE-4, TRN-2, TRN-4
    #[test]
    fn every_translation_ends_with_every_piece_once_in_order_pre_4_trn_2_trn_4(
        sentences in prop::collection::vec(("[가-힣]{2,6}", 0_u8..20), 0..8),
        answers in prop::collection::vec(0_u8..5, 24),
        larger in any::<bool>(),
    ) {
        let text: String = sentences.iter().map(|(words, number)| format!("{words} {number}. ")).collect();
        let mut answers = answers.into_iter();
        let escalation = Escalation::new(&["preserve_failed>=1".to_owned()], &[]);
        let (asked, pieces, _) = run(&text, escalation, larger, |ask| match answers.next().unwrap_or(0) {
            0 => says(&ask.text),
            1 => TranslationEvent::NoAnswer,
            2 if ask.larger => TranslationEvent::NoLargerModel,
            3 => says(""),
            _ => says("77 and 78"),
        });
        prop_assert!(asked.len() <= 3 * pieces.len());
        for (i, piece) in pieces.iter().enumerate() {
            prop_assert_eq!(piece.index, i);
            if matches!(piece.status, PieceStatus::Kept) {
                prop_assert_eq!(numbers(&piece.text), numbers(&piece.source));
            }
        }
    }
}
