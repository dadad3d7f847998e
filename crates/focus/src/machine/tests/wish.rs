//! What the person said about reading, with its language, its mode and its line (NLU-1, FOC-3, FOC-7, BRG-2).

use std::time::Duration;

use luna_messages::Fidelity::{self, Faithful, Natural};
use luna_messages::Lang::{En, Ko};
use luna_messages::language_tasks::TranslationSource;
use luna_messages::reading::Intent::{self, Numbers, Read, Spell, Summarize, Translate};
use luna_messages::reading::{ReadingWish, Style};
use luna_messages::tts::ReadAloud;
use proptest::prelude::*;

use super::*;

const KOREAN: &str = "하나다. 둘이다.";
const ENGLISH: &str = "Save the file. Then close it.";

fn said(intent: Intent) -> ReadingWish {
    ReadingWish { utterance: "said".to_owned(), intent, mode: None, lang_tgt: None, line_offset: None }
}

fn into(intent: Intent, lang: Lang) -> ReadingWish {
    ReadingWish { lang_tgt: Some(lang), ..said(intent) }
}

fn at_line(line_offset: i32, wish: ReadingWish) -> ReadingWish {
    ReadingWish { line_offset: Some(line_offset), ..wish }
}

/// Any wish.
pub(super) fn random() -> impl Strategy<Value = ReadingWish> {
    let intent = prop::sample::select(vec![Read, Translate, Spell, Numbers, Summarize]);
    let lang = prop::option::of(prop::sample::select(vec![Ko, En]));
    let mode = prop::option::of(prop::sample::select(vec![Faithful, Natural]));
    (intent, mode, lang, prop::option::of(-3..4_i32)).prop_map(|(intent, mode, lang_tgt, line_offset)| ReadingWish {
        utterance: "said".to_owned(),
        intent,
        mode,
        lang_tgt,
        line_offset,
    })
}

fn on(text: &str) -> FocusPlay {
    FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(element(text))))
}

/// What is done with a text, without what is published.
#[derive(Debug, PartialEq, Eq)]
enum WishOutcome {
    Reads(String, Style),
    Translates(String, Lang, Fidelity),
    Summarizes(String, Lang),
    Nothing,
}

fn reads(text: &str, style: Style) -> WishOutcome {
    WishOutcome::Reads(text.to_owned(), style)
}

fn translates(text: &str, to: Lang, fidelity: Fidelity) -> WishOutcome {
    WishOutcome::Translates(text.to_owned(), to, fidelity)
}

impl FocusPlay {
    fn wish(self, wish: ReadingWish) -> Self {
        self.event(FocusEvent::Wish(RequestId::next(), wish))
    }

    fn done(&self) -> WishOutcome {
        let done = |effect: &FocusEffect| match effect {
            FocusEffect::Read(request) => Some(reads(&words_of(&request.reading).0, request.style)),
            FocusEffect::Translate { source: TranslationSource::Text(text), to, fidelity, .. } => {
                Some(translates(text, *to, *fidelity))
            }
            FocusEffect::Summarize { text, to, .. } => Some(WishOutcome::Summarizes(text.clone(), *to)),
            _ => None,
        };
        let all: Vec<WishOutcome> = self.effects.iter().filter_map(done).collect();
        assert!(all.len() <= 1, "{all:?}");
        all.into_iter().next().unwrap_or(WishOutcome::Nothing)
    }

    #[track_caller]
    fn does_with_text(self, expect: &WishOutcome) -> Self {
        assert_eq!(self.done(), *expect, "{:?}", self.effects);
        self
    }

    #[track_caller]
    fn lines_id(&self) -> RequestId {
        let asked = |effect: &FocusEffect| match effect {
            FocusEffect::AskLines { id, .. } => Some(*id),
            _ => None,
        };
        self.effects.iter().find_map(asked).expect("lines are asked for")
    }

    fn published(&self) -> Vec<BusEvent> {
        let intents = |effect: &FocusEffect| match effect {
            FocusEffect::Publish(event @ (BusEvent::IntentRequest { .. } | BusEvent::IntentResult { .. })) => {
                Some(event.clone())
            }
            _ => None,
        };
        self.effects.iter().filter_map(intents).collect()
    }

    #[track_caller]
    fn publishes(self, text: &str, lang: Lang, result: Option<(Intent, Option<Fidelity>, Option<Lang>)>) -> Self {
        let request = BusEvent::IntentRequest { utterance: "said".to_owned(), text: text.to_owned(), lang };
        let result = result.map(|(intent, mode, lang_tgt)| BusEvent::IntentResult { intent, mode, lang_tgt });
        assert_eq!(self.published(), std::iter::once(request).chain(result).collect::<Vec<_>>());
        self
    }

    fn points_elsewhere(self, text: &str) -> Self {
        let there = FocusEvent::CursorMoved(Point::new(400, 400));
        self.event(there).time().is("Targeting").tree(Ok(TreeAnswer::Found(element(text))))
    }
}

// NLU-1, FOC-3, BRG-2, TRN-3
#[test]
fn a_wish_is_done_with_its_language_and_mode_nlu_1_foc_3_brg_2() {
    let mode = |mode, wish: ReadingWish| ReadingWish { mode: Some(mode), ..wish };
    let check =
        |text: &str, lang: Lang, wish: ReadingWish, expect: WishOutcome, result: (Intent, Option<_>, Option<_>)| {
            for play in [on(text), on(text).command(Command::Pin)] {
                let state = play.focus.state().name();
                play.wish(wish.clone()).is(state).does_with_text(&expect).publishes(text, lang, Some(result));
            }
        };
    let (ko, en) = (KOREAN, ENGLISH);
    check(ko, Ko, said(Translate), translates(ko, En, Faithful), (Translate, Some(Faithful), Some(En)));
    check(en, En, said(Translate), translates(en, Ko, Faithful), (Translate, Some(Faithful), Some(Ko)));
    check(en, En, into(Translate, Ko), translates(en, Ko, Faithful), (Translate, Some(Faithful), Some(Ko)));
    let natural = mode(Natural, into(Translate, En));
    check(ko, Ko, natural, translates(ko, En, Natural), (Translate, Some(Natural), Some(En)));
    check(en, En, mode(Natural, said(Translate)), translates(en, Ko, Natural), (Translate, Some(Natural), Some(Ko)));
    // "영어로 읽어 줘": translated, unless it is English already.
    check(ko, Ko, into(Read, En), translates(ko, En, Faithful), (Translate, Some(Faithful), Some(En)));
    check(en, En, into(Read, En), reads(en, Style::News), (Read, None, Some(En)));
    check(en, En, into(Translate, En), reads(en, Style::News), (Read, None, Some(En)));
    check(ko, Ko, said(Read), reads(ko, Style::News), (Read, None, None));
    check(ko, Ko, at_line(0, said(Read)), reads(ko, Style::News), (Read, None, None));
    check(ko, Ko, said(Spell), reads(ko, Style::Spell), (Spell, None, None));
    check(ko, Ko, into(Numbers, En), reads(ko, Style::Numbers), (Numbers, None, None));
    check(ko, Ko, said(Summarize), WishOutcome::Summarizes(ko.to_owned(), Ko), (Summarize, None, Some(Ko)));
    check(ko, Ko, into(Summarize, En), WishOutcome::Summarizes(ko.to_owned(), En), (Summarize, None, Some(En)));
}

// BRG-2, TRN-3: another wish replaces the one before, on the same text; what was asked for natural goes on so after a stop (BRG-8).
#[test]
fn the_same_text_is_done_in_another_way_brg_2_brg_8() {
    let natural = ReadingWish { mode: Some(Natural), ..into(Translate, En) };
    let play = on(KOREAN).wish(said(Spell)).wish(natural).does_with_text(&translates(KOREAN, En, Natural));
    let play = play.command(Command::Stop).command(Command::Resume);
    let play = play.does_with_text(&translates(KOREAN, En, Natural));
    let play = play.wish(said(Read)).does_with_text(&reads(KOREAN, Style::News));
    assert_eq!(play.effects[0], FocusEffect::EndWork, "the translation is obsolete");
    play.wish(into(Read, En)).does_with_text(&translates(KOREAN, En, Faithful));
}

// NLU-1: what is read anew is read from its beginning, wherever it was pointed at; a table row by row.
#[test]
fn reading_anew_begins_at_the_beginning_nlu_1() {
    let offset = |play: &FocusPlay| {
        play.effects.iter().find_map(|effect| match effect {
            FocusEffect::Read(request) => Some(words_of(&request.reading).1),
            _ => None,
        })
    };
    let pointed = Element { offset: Some(16), ..element(ENGLISH) };
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(pointed)));
    assert_eq!(offset(&play), Some(15));
    let play = play.wish(said(Read)).does_with_text(&reads(ENGLISH, Style::News));
    assert_eq!(offset(&play), Some(0));
    assert_eq!(offset(&play.wish(said(Spell))), Some(15), "spelling begins with the sentence that is pointed at");
    let mut table = Element { role: Role::Table, ..element("사과") };
    table.rows = vec![vec!["이름".into(), "값".into()], vec!["사과".into(), "1".into()]];
    (table.has_header, table.row) = (true, Some(1));
    let play = FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(table))).wish(said(Read));
    let from_the_first = |effect: &FocusEffect| matches!(effect, FocusEffect::Read(request) if matches!(request.reading, ReadAloud::Rows { row: 0, .. }));
    assert!(play.effects.iter().any(from_the_first), "{:?}", play.effects);
    // A button without a text has its name.
    let button = Element { role: Role::Button, label: "Save".into(), ..element("") };
    let play = || FocusPlay::new().command(Command::FocusOn).tree(Ok(TreeAnswer::Found(button.clone())));
    play().wish(said(Read)).does_with_text(&reads("Save", Style::News));
    play().wish(into(Translate, Ko)).publishes("Save", En, Some((Translate, Some(Faithful), Some(Ko))));
}

// DSL-5, FOC-4
#[test]
fn a_wish_goes_to_another_line_first_dsl_5_foc_4() {
    let two_down = at_line(2, said(Read));
    // In Reading the lines are asked for; the state stays, and the target is the line.
    let play = FocusPlay::reading().wish(two_down.clone()).publishes("line 1", En, None).is("Reading").lines_come();
    let play = play.is("Reading").does_with_text(&reads("line 3", Style::News));
    let bbox = Some(lines()[3].bbox);
    let play = play.does(&FocusEffect::Publish(BusEvent::Highlight { bbox, pinned: false }));
    play.command(Command::Spell).does_with_text(&reads("line 3", Style::Spell));
    // Pinned, the known lines are used at once.
    let play = FocusPlay::pinned().lines_come().wish(two_down.clone()).is("Pinned");
    let play = play.does_with_text(&reads("line 3", Style::News));
    let play = play.lines_come().wish(at_line(-1, said(Spell))).does_with_text(&reads("line 2", Style::Spell));
    // Beyond the known ones they are asked for.
    let play = play.lines_come().wish(at_line(-2, said(Read)));
    play.does_with_text(&reads("line 0", Style::News));
    let far = FocusPlay::reading().wish(at_line(3, said(Read))).lines_come();
    far.does_with_text(&reads("line 4", Style::News));
    let far = FocusPlay::pinned().lines_come().wish(at_line(3, said(Read))).does_with_text(&WishOutcome::Nothing);
    let far = far.lines_come().does_with_text(&reads("line 4", Style::News));
    far.command(Command::Next).lines_come().says(Phrase::LastLine);
    // "두 줄 뒤 영어로 읽어 줘", in a Korean window's English line: it is English already; into Korean it is translated.
    let play = FocusPlay::reading().wish(at_line(2, into(Read, Ko))).lines_come();
    play.does_with_text(&translates("line 3", Ko, Faithful));
    FocusPlay::reading().wish(at_line(1, into(Read, En))).lines_come().does_with_text(&reads("line 2", Style::News));
}

// FOC-4, FOC-6, KER-7
#[test]
fn a_line_that_is_not_there_is_said_and_nothing_moves_foc_4_foc_6_ker_7() {
    for (offset, phrase) in [(9, Phrase::LastLine), (-2, Phrase::FirstLine), (i32::MIN, Phrase::FirstLine)] {
        let play = FocusPlay::reading().wish(at_line(offset, said(Read))).lines_come().says(phrase);
        assert_eq!(play.target().pick.text, "line 1");
        FocusPlay::pinned().lines_come().wish(at_line(offset, said(Read))).lines_come().says(phrase);
    }
    let asked = || FocusPlay::reading().wish(at_line(1, said(Read)));
    let answer = |play: FocusPlay, answer| {
        let id = play.lines_id();
        play.event(FocusEvent::Lines(id, answer))
    };
    answer(asked(), Err(NoReply::Crashed)).says(Phrase::NothingToRead(PickFailure::Failed));
    answer(asked(), Ok(Err(PickFailure::WindowGone))).says(Phrase::NothingToRead(PickFailure::WindowGone));
    // Nobody tells where the focused element is.
    let nowhere = Element { bbox: Rect::new(0, 0, 0, 0), ..element("field") };
    let play = FocusPlay::waiting().event(FocusEvent::KeyboardFocus(RequestId::next(), focus_on(nowhere)));
    play.wish(at_line(1, said(Read))).says(Phrase::NothingToRead(PickFailure::NoWindow));
    // A stop and another target end the step.
    let late = |play: FocusPlay, id| play.event(FocusEvent::Lines(id, Ok(Ok(window_lines()))));
    let play = asked();
    let id = play.lines_id();
    assert_eq!(late(play.command(Command::Stop), id).effects, []);
    let play = asked();
    let id = play.lines_id();
    let play = play.event(FocusEvent::KeyboardFocus(RequestId::next(), focus_on(element("field"))));
    assert_eq!(late(play, id).effects, []);
    // So does another element after a small move.
    let play = asked();
    let id = play.lines_id();
    let play = play.event(FocusEvent::CursorMoved(Point::new(113, 110))).time();
    let probe = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::AskTree { id, .. } => Some(*id),
        _ => None,
    });
    let found = Ok(TreeAnswer::Found(numbered(1)));
    let play = play.event(FocusEvent::Tree(probe.expect("it is looked there"), found)).reads("text 1");
    assert_eq!(late(play, id).effects, []);
}

// FOC-2: a trembling hand does not lead back from the line to where the pointer is.
#[test]
fn small_moves_do_not_leave_the_line_that_was_gone_to_foc_2() {
    let play = FocusPlay::reading().wish(at_line(2, said(Read))).lines_come();
    let play = play.event(FocusEvent::CursorMoved(Point::new(113, 110))).time();
    assert_eq!(play.effects, []);
    play.event(FocusEvent::CursorMoved(Point::new(300, 300))).time().is("Targeting");
}

// FOC-7
#[test]
fn a_wish_before_its_text_waits_with_all_its_details_foc_7() {
    let natural = || ReadingWish { mode: Some(Natural), ..into(Translate, En) };
    let waiting = |wish| FocusPlay::waiting().wish(wish).publishes("", Ko, None).says(Phrase::NothingIsRead);
    let play = waiting(natural()).points_elsewhere(KOREAN).does_with_text(&translates(KOREAN, En, Natural));
    // Once.
    let play = play.event(FocusEvent::CursorMoved(Point::new(600, 600))).time();
    play.tree(Ok(TreeAnswer::Found(element(ENGLISH)))).does_with_text(&reads(ENGLISH, Style::News));
    waiting(into(Read, Ko)).points_elsewhere(ENGLISH).does_with_text(&translates(ENGLISH, Ko, Faithful));
    // What would happen anyway happens as usual, and is told with its language.
    let play = waiting(into(Read, Ko)).points_elsewhere(KOREAN).does_with_text(&reads(KOREAN, Style::News));
    let result = BusEvent::IntentResult { intent: Read, mode: None, lang_tgt: Some(Ko) };
    assert_eq!(play.published(), [result]);
    // The line is looked for around what was found.
    let play = waiting(at_line(2, into(Read, Ko))).points_elsewhere("line 1").does_with_text(&WishOutcome::Nothing);
    play.lines_come().does_with_text(&translates("line 3", Ko, Faithful));
    // The newest counts, and not longer than five seconds.
    let play = waiting(natural()).wish(said(Spell)).points_elsewhere(KOREAN);
    play.does_with_text(&reads(KOREAN, Style::Spell));
    let play = waiting(natural());
    let wait = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::StartTimer { generation, after } if *after == Duration::from_secs(5) => Some(*generation),
        _ => None,
    });
    let play = play.event(FocusEvent::Timer(wait.expect("it waits"))).points_elsewhere(KOREAN);
    play.does_with_text(&reads(KOREAN, Style::News));
    // Also before focus mode is on.
    let play = FocusPlay::new().wish(natural()).says(Phrase::FocusIsOff).command(Command::FocusOn);
    play.tree(Ok(TreeAnswer::Found(element(KOREAN)))).does_with_text(&translates(KOREAN, En, Natural));
}

proptest! {
    // FOC-3, FOC-6, FOC-7: every wish is published once, with what is read; what it leads to is as old as the wish, so that a stop before it ends
    // nothing of it; and it is the same whether the text was there before or comes after.
    #[test]
    fn a_wish_leads_to_the_same_before_its_text_and_after_foc_3_foc_6_foc_7(wish in random(), korean: bool) {
        let text = if korean { KOREAN } else { ENGLISH };
        let usual = |wish: &ReadingWish| wish.intent == Read && wish.line_offset.is_none_or(|offset| offset == 0);
        let finish = |play: FocusPlay| {
            let asks = play.effects.iter().any(|effect| matches!(effect, FocusEffect::AskLines { .. }));
            if asks { play.lines_come() } else { play }
        };
        let before = RequestId::next();
        let play = on(text).wish(wish.clone());
        let told = play.published().into_iter().filter(|event| matches!(event, BusEvent::IntentRequest { .. })).count();
        prop_assert_eq!(told, 1);
        let after = finish(play);
        for effect in &after.effects {
            match effect {
                FocusEffect::Read(request) => prop_assert!(request.id > before),
                FocusEffect::Translate { id, .. } | FocusEffect::Summarize { id, .. } => prop_assert!(*id > before),
                _ => {}
            }
        }
        let waited = finish(FocusPlay::waiting().wish(wish.clone()).points_elsewhere(text));
        if !usual(&wish) {
            prop_assert_eq!(after.done(), waited.done());
        }
    }
}
