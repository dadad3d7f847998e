//! How a search begins, ends without a result, and is cancelled (FOC-5, FOC-6, KER-11).

use super::*;

const FAR: Point = Point { x: 500, y: 500 };

/// In Idle after the wait for a command timed out.
fn timed_out() -> FocusPlay {
    FocusPlay::waiting().time().is("Idle")
}

fn without_follow(mut play: FocusPlay) -> FocusPlay {
    play.focus.set_settings(FocusSettings { follow: false, ..FocusSettings::default() });
    play
}

impl FocusPlay {
    fn moves(self, to: Point) -> Self {
        self.event(FocusEvent::CursorMoved(to))
    }

    #[track_caller]
    fn aims_at(self, at: Point) -> Self {
        let FocusState::Targeting { request, .. } = self.focus.state else {
            panic!("no search is under way in {}", self.focus.state.name())
        };
        assert_eq!(request.cursor, at);
        self
    }

    #[track_caller]
    fn says_nothing(self) -> Self {
        let speaks = |effect: &FocusEffect| {
            matches!(
                effect,
                FocusEffect::Read(_) | FocusEffect::ReadOn(_) | FocusEffect::Say(..) | FocusEffect::NextSentence { .. }
            )
        };
        assert!(!self.effects.iter().any(speaks), "{:?}", self.effects);
        self
    }
}

// FOC-5
#[test]
fn a_miss_is_no_trap_foc_5() {
    // Pointing elsewhere counts as an answer, whether follow is on or off.
    FocusPlay::waiting()
        .moves(FAR)
        .is("WaitCmd")
        .time()
        .is("Targeting")
        .aims_at(FAR)
        .does(&FocusEffect::WatchEscape(false));
    without_follow(FocusPlay::waiting()).moves(FAR).time().is("Targeting").aims_at(FAR);
    // A move during an unsuccessful search counts, too.
    let play = FocusPlay::new().command(Command::FocusOn).moves(FAR).nothing_there().is("WaitCmd");
    play.time().is("Targeting").aims_at(FAR);
    let play = FocusPlay::waiting().moves(FAR).time().tree(Ok(TreeAnswer::Found(element("there"))));
    play.is("Reading").reads("there");
}

// FOC-5
#[test]
fn after_a_wait_that_nobody_answered_the_next_move_is_a_new_target_foc_5() {
    let play = timed_out().moves(FAR).is("Idle").time().is("Targeting").aims_at(FAR);
    play.tree(Ok(TreeAnswer::Found(element("there")))).is("Reading").reads("there");
    timed_out().moves(Point::new(120, 120)).is("Idle").says_nothing();
    // The pointer is watched continuously.
    let watches = |play: &FocusPlay| play.effects.iter().any(|effect| matches!(effect, FocusEffect::WatchPointer(_)));
    let play = timed_out();
    assert!(!watches(&play));
    let play = play.moves(FAR).time();
    assert!(!watches(&play));
    // After switching off, after Esc, and if follow is off, a move starts no search.
    timed_out()
        .command(Command::FocusOff)
        .does(&FocusEffect::WatchPointer(false))
        .says(Phrase::FocusOff)
        .moves(FAR)
        .time()
        .is("Idle");
    FocusPlay::waiting().command(Command::Escape).does(&FocusEffect::WatchPointer(false)).moves(FAR).time().is("Idle");
    let play = without_follow(FocusPlay::waiting()).time().is("Idle").says(Phrase::FocusTimedOut);
    play.does(&FocusEffect::WatchPointer(false)).moves(FAR).time().is("Idle");
    // Nor does it if follow was switched off meanwhile.
    without_follow(timed_out()).moves(FAR).time().is("Idle");
    // Focus mode can be switched on as usual.
    timed_out().command(Command::FocusOn).is("Targeting");
    timed_out().command(Command::FocusToggle).is("Targeting");
}

// FOC-6, KER-6
#[test]
fn what_a_stopped_search_would_have_found_is_never_spoken_foc_6_ker_6() {
    for end in [Command::Stop, Command::FocusOff, Command::FocusToggle] {
        // During the tree's search and during recognition.
        let play = FocusPlay::new().command(Command::FocusOn);
        let id = play.pick_id();
        let play = play.command(end).is("Idle").does(&FocusEffect::EndSearch);
        play.event(FocusEvent::Tree(id, Ok(TreeAnswer::Found(element("late"))))).is("Idle").says_nothing();
        let play = FocusPlay::new().command(Command::FocusOn);
        let play = play.tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
        let play = play.command(end).is("Idle").does(&FocusEffect::EndSearch);
        let play = play.event(FocusEvent::Recognised(id, Ok(Ok(recognised("late", false))))).is("Idle").says_nothing();
        // Nor is its end announced.
        play.time().says_nothing();
    }
    // Stop does not switch focus mode off: the next settled move is a new target.
    FocusPlay::new()
        .command(Command::FocusOn)
        .command(Command::Stop)
        .says_nothing()
        .moves(FAR)
        .time()
        .is("Targeting")
        .aims_at(FAR);
    let play = without_follow(FocusPlay::new().command(Command::FocusOn)).command(Command::Stop);
    play.does(&FocusEffect::WatchPointer(false)).moves(FAR).time().is("Idle");
    // An imminent search: the cursor moved and has not settled yet.
    let play = FocusPlay::reading().moves(FAR).command(Command::Stop).time().is("Reading").says_nothing();
    // A move within the threshold after the stop starts no search.
    let play = play.moves(Point::new(505, 500)).time().is("Reading");
    play.moves(Point::new(560, 500)).time().is("Targeting");
    // While a line is being searched.
    let play = FocusPlay::pinned().command(Command::Next);
    let asked = play.effects.iter().find_map(|effect| match effect {
        FocusEffect::AskLines { id, .. } => Some(*id),
        _ => None,
    });
    let play = play.command(Command::Stop);
    play.event(FocusEvent::Lines(asked.unwrap(), Ok(Ok(window_lines())))).is("Pinned").says_nothing();
}

// FOC-6, TTS-4
#[test]
fn a_reading_is_as_old_as_its_search_so_that_a_stop_between_them_ends_it_foc_6_tts_4() {
    let reading = |play: &FocusPlay| {
        let read = |effect: &FocusEffect| if let FocusEffect::Read(request) = effect { Some(request.id) } else { None };
        play.effects.iter().find_map(read).unwrap()
    };
    let play = FocusPlay::new().command(Command::FocusOn);
    let stop = RequestId::next();
    assert!(reading(&play.tree(Ok(TreeAnswer::Found(element("found"))))) < stop);
    let play = FocusPlay::pinned().command(Command::Next);
    let stop = RequestId::next();
    assert!(reading(&play.lines_come()) < stop);
    // A command may be handled after the stop that followed it was, and a move of the focus is told later still.
    let (before, stop) = (RequestId::next(), RequestId::next());
    for command in [Command::Spell, Command::SpellJamo, Command::Numbers] {
        assert!(reading(&FocusPlay::reading().event(FocusEvent::Command(before, command))) < stop);
    }
    assert!(reading(&FocusPlay::reading().event(FocusEvent::KeyboardFocus(before, focus_on(numbered(2))))) < stop);
}

// KER-6
#[test]
fn a_new_target_ends_the_search_for_the_old_one_ker_6() {
    let play = FocusPlay::new().command(Command::FocusOn).moves(FAR).time().aims_at(FAR);
    let place = |wanted: fn(&FocusEffect) -> bool| play.effects.iter().position(wanted).unwrap();
    assert!(place(|e| matches!(e, FocusEffect::EndSearch)) < place(|e| matches!(e, FocusEffect::AskTree { .. })));
}

// KER-11
#[test]
fn nobody_waits_for_the_pointer_ker_11() {
    let asked = |play: &FocusPlay| match play.effects[..] {
        [FocusEffect::AskPointer { id }] => id,
        _ => panic!("{:?}", play.effects),
    };
    let on = || FocusPlay::new().event(FocusEvent::Command(RequestId::next(), Command::FocusOn)).is("Idle");
    // Every command is handled while the answer is pending.
    for command in [Command::Stop, Command::Pin, Command::Next, Command::Spell, Command::Escape, Command::FocusOn] {
        on().command(command).is("Idle");
    }
    let mut play = on();
    play.focus.set_settings(FocusSettings {
        sources: AttentionSources { pointer: true, focus: false },
        ..FocusSettings::default()
    });
    let id = asked(&play);
    play.event(FocusEvent::Pointer(id, None))
        .is("Idle")
        .says(Phrase::Lost(luna_messages::capability::Capability::Pointer));
    // A late answer does not restart what was cancelled.
    for end in [Command::FocusOff, Command::FocusToggle, Command::Stop] {
        let play = on();
        let id = asked(&play);
        play.command(end).event(FocusEvent::Pointer(id, Some(FAR))).is("Idle").says_nothing();
    }
    // The newest request counts.
    let play = on();
    let old = asked(&play);
    let play = play.command(Command::FocusOff).event(FocusEvent::Command(RequestId::next(), Command::FocusOn));
    assert_ne!(asked(&play), old);
    play.event(FocusEvent::Pointer(old, Some(FAR))).is("Idle");
}

// FOC-1, FOC-5, KER-11
#[test]
fn a_settled_move_needs_no_pointer_any_more_foc_1_foc_5_ker_11() {
    // Armed, switched on once more, and moved before the pointer's position is known.
    let play = timed_out().event(FocusEvent::Command(RequestId::next(), Command::FocusOn));
    let [FocusEffect::AskPointer { id }] = play.effects[..] else { panic!("{:?}", play.effects) };
    let play = play.moves(FAR).time().is("Targeting").tree(Ok(TreeAnswer::Found(element("there"))));
    let play = play.command(Command::Pin).event(FocusEvent::Pointer(id, Some(Point::new(110, 110)))).is("Pinned");
    assert!(play.effects.is_empty(), "{:?}", play.effects);
}

// SES-5, FOC-6
#[test]
fn a_screen_that_changed_while_it_was_read_is_read_once_more_ses_5_foc_6() {
    let changed = |play: FocusPlay| {
        let play = play.tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
        let id = play.pick_id();
        play.event(FocusEvent::Recognised(id, Ok(Err(PickFailure::Changed))))
    };
    let begun = || FocusPlay::new().command(Command::FocusOn);
    let again = || changed(begun()).is("Targeting").says_nothing();
    // The tree is asked as well: the protected regions of the earlier search are outdated.
    let play = again();
    let (id, cursor) = (play.pick_id(), Point::new(110, 110));
    assert!(
        matches!(play.effects[..], [FocusEffect::AskTree { id: asked, request }] if asked == id && request.cursor == cursor)
    );
    let found = again().tree(Ok(TreeAnswer::NoText(searched(Vec::new()))));
    let id = found.pick_id();
    found.event(FocusEvent::Recognised(id, Ok(Ok(recognised("still", false))))).is("Reading").reads("still");
    // Then it is reported, and not repeated forever.
    let play = changed(again()).is("WaitCmd").says(Phrase::NothingToRead(PickFailure::Changed));
    // The next search has its own retry.
    changed(play.moves(FAR).time().aims_at(FAR)).is("Targeting").says_nothing().aims_at(FAR);
    // Its reading is as old as the first attempt, so that a stop between them ends it.
    let first = begun();
    let id = first.pick_id();
    assert_eq!(changed(first).pick_id(), id);
    for end in [Command::Stop, Command::FocusOff, Command::FocusToggle] {
        let play = again();
        let id = play.pick_id();
        let play = play.command(end).is("Idle").does(&FocusEffect::EndSearch);
        let play = play.event(FocusEvent::Tree(id, Ok(TreeAnswer::Found(element("late"))))).is("Idle").says_nothing();
        play.event(FocusEvent::Recognised(id, Ok(Err(PickFailure::Changed)))).is("Idle").says_nothing();
    }
    // One deadline for both.
    again().time().is("WaitCmd").says(Phrase::NothingToRead(PickFailure::NoAnswer));
}
