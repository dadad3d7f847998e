//! Translating and summarising the text being read.

use luna_messages::Fidelity;
use luna_messages::engine::EngineError;
use luna_messages::engine::EngineErrorKind::Internal;
use luna_messages::language_tasks::{PieceStatus, Summary, TranslatedPiece, TranslationEnd, TranslationSource};
use luna_messages::tts::{NoticeTiming, ReadPart};
use luna_messages::work::WorkFailure;

use super::*;

const TEXT: &str = "하나다. 둘이다. 셋이다.";

fn reading(text: &str) -> FocusPlay {
    FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(element(text))))
}

impl FocusPlay {
    #[track_caller]
    fn asked(&self) -> (RequestId, TranslationSource, Lang) {
        let asked = self.effects.iter().find_map(|effect| match effect {
            FocusEffect::Translate { id, source, to, fidelity } => {
                assert_eq!(*fidelity, Fidelity::Faithful);
                Some((*id, source.clone(), *to))
            }
            _ => None,
        });
        asked.unwrap_or_else(|| panic!("nothing is translated: {:?}", self.effects))
    }

    fn parts(&self) -> Vec<ReadPart> {
        let part =
            |effect: &FocusEffect| if let FocusEffect::ReadOn(part) = effect { Some(part.clone()) } else { None };
        self.effects.iter().filter_map(part).collect()
    }

    fn piece(self, id: RequestId, gap: &str, source: &str, text: &str) -> Self {
        let (gap, source, text) = (gap.to_owned(), source.to_owned(), text.to_owned());
        let piece = TranslatedPiece {
            index: 0,
            gap,
            source,
            text,
            status: PieceStatus::Kept,
            tokens: Vec::new(),
            larger: false,
        };
        self.event(FocusEvent::Translated(id, piece))
    }

    fn ends(self, id: RequestId, answer: Result<TranslationEnd, WorkFailure>) -> Self {
        self.event(FocusEvent::TranslationEnded(id, Ok(answer)))
    }
}

// BRG-2, TRN-2
#[test]
fn a_text_is_translated_from_its_sentence_on_and_spoken_piece_by_piece_brg_2_trn_2() {
    let pointed = Element { offset: Some(6), ..element(TEXT) };
    let play =
        FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(pointed))).command(Command::Translate);
    let (id, source, to) = play.asked();
    assert_eq!((source, to), (TranslationSource::Text("둘이다. 셋이다.".into()), Lang::En));
    let play = play.says(Phrase::Translating).piece(id, "", "둘이다.", "It is two.");
    let [first] = play.parts().try_into().expect("one part");
    assert!(first.first && !first.last && first.text == "It is two.", "{first:?}");
    let play = play.piece(id, " ", "셋이다.", "It is three.");
    let [second] = play.parts().try_into().expect("one part");
    assert!(!second.first && !second.last && second.id == first.id, "{second:?}");
    let play = play.ends(id, Ok(TranslationEnd::default()));
    let [end] = play.parts().try_into().expect("one part");
    assert!(end.last && end.text.is_empty() && end.id == first.id, "{end:?}");
    assert!(play.event(FocusEvent::TranslationEnded(id, Err(NoReply::Crashed))).effects.is_empty(), "it is over");
    // Other text is translated into Korean; a table row by row, without the bars for the model.
    let play = reading("Save the file.").command(Command::Translate);
    assert_eq!(play.asked().2, Lang::Ko);
    let rows = vec![vec!["이름".to_owned(), "값".into()], vec!["가".into(), "1".into()], vec!["나".into(), "2".into()]];
    let table = Element { rows: rows.clone(), has_header: true, row: Some(2), ..element("이름 값 가 1 나 2") };
    let play =
        FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table))).command(Command::Translate);
    let (id, source, _) = play.asked();
    assert_eq!(source, TranslationSource::Rows { rows: vec![rows[0].clone(), rows[2].clone()], has_header: true });
    assert_eq!(play.piece(id, "\n", "나 | 2", "na | 2").parts()[0].text, "na, 2");
}

// BRG-8, KER-6
#[test]
fn stop_ends_speech_and_generation_and_resume_goes_on_with_the_rest_brg_8_ker_6() {
    let play = reading(TEXT).command(Command::Translate);
    let (id, ..) = play.asked();
    let play = play.piece(id, "", "하나다.", "It is one.").command(Command::Stop);
    assert_eq!(play.effects[0], FocusEffect::EndWork);
    let stopped = play.parts().remove(0);
    assert!(stopped.stop && stopped.last && stopped.asked == stopped.id);
    let play = play.piece(id, " ", "둘이다.", "It is two.");
    assert!(play.effects.is_empty(), "it comes too late: {:?}", play.effects);
    let play = play.ends(id, Err(WorkFailure::Cancelled));
    assert!(play.effects.is_empty());
    let play = play.command(Command::Resume);
    let (again, source, to) = play.asked();
    assert_eq!((source, to), (TranslationSource::Text(" 둘이다. 셋이다.".into()), Lang::En));
    // A piece of the stopped work may still arrive.
    let play = play.piece(id, " ", "둘이다.", "Late.");
    assert!(play.effects.is_empty(), "{:?}", play.effects);
    let play = play.piece(again, " ", "둘이다.", "It is two.");
    assert!(!play.parts()[0].first, "it is joined to what is there");
    assert!(play.parts()[0].asked > stopped.asked && play.parts()[0].id == stopped.id, "resume asked for it");
    // Before the first piece only the generation has to be stopped.
    let play = reading(TEXT).command(Command::Translate).command(Command::Stop);
    assert_eq!(play.effects, [FocusEffect::EndWork]);
    assert!(reading(TEXT).command(Command::Stop).effects.is_empty());
}

// KER-6
#[test]
fn what_is_read_anew_makes_the_old_work_pointless_ker_6() {
    type Do = fn(FocusPlay) -> FocusPlay;
    let new: [Do; 4] = [
        |play| play.command(Command::Spell),
        |play| play.command(Command::FocusOff),
        |play| play.event(FocusEvent::CursorMoved(Point::new(500, 500))).time(),
        |play| play.command(Command::Bigger),
    ];
    for what in new {
        let play = reading(TEXT).command(Command::Translate);
        let (id, ..) = play.asked();
        let play = what(play);
        assert!(play.effects.contains(&FocusEffect::EndWork), "{:?}", play.effects);
        assert!(play.piece(id, "", "하나다.", "It is one.").effects.is_empty());
    }
    // A second command replaces the work of the first.
    let play = reading(TEXT).command(Command::Translate);
    let (old, ..) = play.asked();
    let play = play.command(Command::Translate);
    assert_ne!(play.asked().0, old);
    assert!(play.piece(old, "", "하나다.", "It is one.").effects.is_empty());
}

// KER-9, PRE-5
#[test]
fn what_a_model_could_not_do_is_said_ker_9_pre_5() {
    let unavailable = || {
        WorkFailure::Unavailable(luna_messages::capability::Unavailable {
            reason: "No.".into(),
            remedy: "Get it.".into(),
        })
    };
    let broken = || WorkFailure::Refused(EngineError { kind: Internal, message: "No.".into(), remedy: "None.".into() });
    for (why, phrase) in [(unavailable(), Phrase::NoLanguageModel), (broken(), Phrase::ModelFailed)] {
        let play = reading(TEXT).command(Command::Translate);
        let (id, ..) = play.asked();
        let play = play.ends(id, Err(why)).says(phrase);
        assert!(play.parts().is_empty());
    }
    // In the middle: the finished pieces are heard first.
    let play = reading(TEXT).command(Command::Translate);
    let (id, ..) = play.asked();
    let play = play.piece(id, "", "하나다.", "It is one.").ends(id, Err(broken()));
    assert!(play.parts()[0].last);
    assert!(play.effects.contains(&FocusEffect::Say(Phrase::ModelFailed, NoticeTiming::AfterSentence)));
    // Summaries.
    let asked = |play: &FocusPlay| {
        let id = play
            .effects
            .iter()
            .find_map(|e| if let FocusEffect::Summarize { id, to, .. } = e { Some((*id, *to)) } else { None });
        id.expect("a summary is asked for")
    };
    let play = reading(TEXT).command(Command::Summarize).says(Phrase::Summarizing);
    let (id, to) = asked(&play);
    assert_eq!(to, Lang::Ko);
    let summary = |text: &str| Summary { text: text.into(), verified: true, shortened: true };
    let play = play.event(FocusEvent::Summarized(id, Ok(Ok(summary("셋이다."))))).says(Phrase::SummaryOfBeginning);
    assert!(play.parts()[0].first && play.parts()[0].last && play.parts()[0].text == "셋이다.");
    let play = reading(TEXT).command(Command::Summarize);
    let (id, _) = asked(&play);
    play.event(FocusEvent::Summarized(id, Ok(Ok(summary(""))))).says(Phrase::ModelFailed);
}

// BRG-8, TRN-2
#[test]
fn what_is_left_after_a_stop_is_what_was_not_translated_brg_8_trn_2() {
    // A table, row by row; its header is consumed with its first row.
    let rows = vec![vec!["이름".to_owned(), "값".into()], vec!["가".into(), "1".into()], vec!["나".into(), "2".into()]];
    let table = Element { rows: rows.clone(), has_header: true, ..element("이름 값 가 1 나 2") };
    let play =
        FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table))).command(Command::Translate);
    let (id, source, _) = play.asked();
    assert_eq!(source, TranslationSource::Rows { rows: rows.clone(), has_header: true });
    let play = play.piece(id, "", "이름 | 값", "Name | Value").command(Command::Stop).command(Command::Resume);
    let (id, source, to) = play.asked();
    assert_eq!((source, to), (TranslationSource::Rows { rows: rows[1..].to_vec(), has_header: false }, Lang::En));
    // More pieces than rows: nothing is left.
    let mut play = play;
    for _ in 0..3 {
        play = play.piece(id, "", "가 | 1", "ga | 1");
    }
    let play = play.command(Command::Stop).command(Command::Resume);
    assert_eq!(play.asked().1, TranslationSource::Rows { rows: Vec::new(), has_header: false });
    // A recognised table without rows is text, and bars in a text are its own.
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
    let (id, mut found) = (play.pick_id(), recognised("a | b", false));
    found.pick.is_table = true;
    let play = play.event(FocusEvent::Recognised(id, Ok(Ok(found)))).command(Command::Translate);
    let (id, source, _) = play.asked();
    assert_eq!(source, TranslationSource::Text("a | b".into()));
    assert_eq!(play.piece(id, "", "a | b", "가 | 나").parts()[0].text, "가 | 나");
    // The row pointed at comes first, after the header; pointing at the header itself starts there.
    for (row, has_header, expect) in
        [(None, false, vec![0, 1, 2]), (Some(1), false, vec![1, 2]), (Some(0), true, vec![0, 1, 2])]
    {
        let table = Element { rows: rows.clone(), has_header, row, ..element("이름 값 가 1 나 2") };
        let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table)));
        let expect: Vec<_> = expect.into_iter().map(|row| rows[row].clone()).collect();
        assert_eq!(play.command(Command::Translate).asked().1, TranslationSource::Rows { rows: expect, has_header });
    }
}

// KER-6, BRG-8
#[test]
fn answers_to_what_is_over_are_not_heard_ker_6_brg_8() {
    let other = || RequestId::next();
    let summary = |shortened| Summary { text: "셋이다.".into(), verified: true, shortened };
    let summarizing = || {
        let play = reading(TEXT).command(Command::Summarize);
        let [asked, said, FocusEffect::Summarize { id, text, to }] = &play.effects[..] else {
            panic!("{:?}", play.effects)
        };
        assert_eq!(
            *asked,
            FocusEffect::Publish(BusEvent::IntentResult {
                intent: luna_messages::reading::Intent::Summarize,
                mode: None,
                lang_tgt: Some(Lang::Ko)
            })
        );
        assert_eq!(*said, FocusEffect::Say(Phrase::Summarizing, NoticeTiming::Now));
        assert_eq!((text.as_str(), *to), (TEXT, Lang::Ko));
        (*id, play)
    };
    // Pieces and ends of other work are ignored.
    let play = reading(TEXT).command(Command::Translate);
    let (id, ..) = play.asked();
    let play = play.piece(other(), "", "하나다.", "It is one.");
    assert!(play.effects.is_empty());
    let play = play.ends(other(), Err(WorkFailure::Interrupted));
    assert!(play.effects.is_empty());
    let play = play.ends(id, Err(WorkFailure::Interrupted)).says(Phrase::ModelFailed);
    assert_eq!(play.effects.len(), 1);
    let (id, play) = summarizing();
    let play = play.event(FocusEvent::Summarized(other(), Ok(Ok(summary(false)))));
    assert!(play.effects.is_empty());
    let play = play.event(FocusEvent::Summarized(id, Ok(Ok(summary(false)))));
    assert_eq!((play.effects.len(), play.parts().len()), (1, 1), "nothing was left out: {:?}", play.effects);
    // After a stop; a summary has nothing to continue.
    let (id, play) = summarizing();
    let play = play.command(Command::Stop);
    assert_eq!(play.effects, [FocusEffect::EndWork]);
    let play = play.event(FocusEvent::Summarized(id, Ok(Ok(summary(false)))));
    assert!(play.effects.is_empty());
    assert!(play.command(Command::Resume).effects.is_empty());
    // A second stop has no effect; stopped work is over however it ends, and a second resume does not restart it.
    let play = reading(TEXT).command(Command::Translate).command(Command::Stop).command(Command::Stop);
    assert!(play.effects.is_empty());
    let play = play.command(Command::PauseToggle);
    let (id, source, _) = play.asked();
    assert_eq!(source, TranslationSource::Text(TEXT.into()));
    let play = play.command(Command::Resume);
    assert!(play.effects.is_empty());
    let play = play.piece(id, "", "하나다.", "It is one.").ends(id, Ok(TranslationEnd::default()));
    assert_eq!(play.effects.len(), 1);
    assert!(play.command(Command::Resume).effects.is_empty());
}

// KER-9, TRN-2
#[test]
fn how_work_ended_is_said_at_its_time_ker_9_trn_2() {
    let lost = |play: FocusPlay, id| play.event(FocusEvent::TranslationEnded(id, Err(NoReply::Crashed)));
    let begin = || {
        let play = reading(TEXT).command(Command::Translate);
        let (id, ..) = play.asked();
        (play, id)
    };
    let (play, id) = begin();
    assert_eq!(lost(play, id).effects, [FocusEffect::Say(Phrase::ModelFailed, NoticeTiming::Now)]);
    let (play, id) = begin();
    let play = lost(play.piece(id, "", "하나다.", "It is one."), id);
    assert_eq!(play.effects[1..], [FocusEffect::Say(Phrase::ModelFailed, NoticeTiming::AfterSentence)]);
    for (why, said) in [
        (WorkFailure::Cancelled, None),
        (WorkFailure::Busy { waiting: 3 }, Some(Phrase::ModelFailed)),
        (WorkFailure::EngineEnded { reason: "It ended.".into() }, Some(Phrase::ModelFailed)),
    ] {
        let said: Vec<_> = said.into_iter().map(|phrase| FocusEffect::Say(phrase, NoticeTiming::Now)).collect();
        let (play, id) = begin();
        assert_eq!(play.ends(id, Err(why.clone())).effects, said);
        let play = reading(TEXT).command(Command::Summarize);
        let FocusEffect::Summarize { id, .. } = play.effects[2] else { panic!("{:?}", play.effects) };
        assert_eq!(play.event(FocusEvent::Summarized(id, Ok(Err(why)))).effects, said);
    }
    // Obsolete work is cancelled before the new reading begins.
    let (play, _) = begin();
    assert_eq!(play.command(Command::Spell).effects[0], FocusEffect::EndWork);
}
