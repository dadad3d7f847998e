//! When what is shown, followed, checked and hidden.

use super::*;

const WORD: Rect = Rect::new(100, 100, 60, 20);
const SETTINGS: OverlaySettings = OverlaySettings { enabled: true, show_numbers: true };

fn text(bbox: Rect, text_hash: u64) -> HighlightedText {
    HighlightedText { bbox, method: PickMethod::Uia, text_hash, is_table: false }
}

fn ids(count: usize) -> Vec<ElementId> {
    (0..count).map(|index| ElementId(index.to_string())).collect()
}

/// A machine that marks a word, in focus mode.
fn marking(picked: HighlightedText) -> OverlayMachine {
    let mut machine = OverlayMachine::new(SETTINGS);
    machine.step(OverlayEvent::FocusMode { on: true }, Duration::ZERO);
    machine.step(OverlayEvent::Picked(picked), Duration::ZERO);
    let shown = machine.step(OverlayEvent::Highlight { bbox: Some(picked.bbox), pinned: false }, Duration::ZERO);
    assert_eq!(target_of(&shown), Some(picked.bbox));
    machine
}

/// The target of the scene that is shown by these effects; `None` also if nothing is shown anew.
fn target_of(effects: &[OverlayEffect]) -> Option<Rect> {
    effects.iter().find_map(|effect| match effect {
        OverlayEffect::Show(scene) => scene.target.map(|target| target.bbox),
        _ => None,
    })
}

/// Lets something be drawn at a place, and answers the query that comes of it.
fn redraw(machine: &mut OverlayMachine, at: Rect, found: Option<HighlightedText>, now: Duration) -> Vec<OverlayEffect> {
    let effects = machine.step(OverlayEvent::Changed(OverlayChange::Redrawn { at }), now);
    let [OverlayEffect::StartTimer { generation, after }] = effects[..] else { panic!("{effects:?}") };
    let effects = machine.step(OverlayEvent::Timer { generation }, now + after);
    let [OverlayEffect::Check { query, at: center }] = effects[..] else { panic!("{effects:?}") };
    assert!(at.contains(center));
    machine.step(OverlayEvent::Checked { query, found }, now + after)
}

// OVL-1, OVL-3
#[test]
fn what_is_read_is_marked_until_it_is_not_read_ovl_1_ovl_3() {
    let mut machine = marking(text(WORD, 1));
    let pinned = machine.step(OverlayEvent::Highlight { bbox: Some(WORD), pinned: true }, Duration::ZERO);
    let [OverlayEffect::Show(scene)] = &pinned[..] else { panic!("{pinned:?}") };
    assert_eq!(scene.target, Some(SceneTarget { bbox: WORD, pinned: true }));
    assert_eq!(scene.chip, Some(SceneChip { mode: Some(Intent::Read), listening: false }));
    assert_eq!(machine.step(OverlayEvent::Highlight { bbox: Some(WORD), pinned: true }, Duration::ZERO), []);
    for (event, chip) in [
        (OverlayEvent::Mode(Intent::Spell), SceneChip { mode: Some(Intent::Spell), listening: false }),
        (OverlayEvent::Listening { on: true }, SceneChip { mode: Some(Intent::Spell), listening: true }),
    ] {
        let effects = machine.step(event, Duration::ZERO);
        assert!(matches!(&effects[..], [OverlayEffect::Show(scene)] if scene.chip == Some(chip)), "{effects:?}");
    }
    let released = machine.step(OverlayEvent::Highlight { bbox: None, pinned: false }, Duration::ZERO);
    assert!(matches!(&released[..], [OverlayEffect::Show(scene)] if scene.target.is_none()), "{released:?}");
    assert_eq!(machine.step(OverlayEvent::FocusMode { on: false }, Duration::ZERO), [OverlayEffect::Hide]);
}

// OVL-2, EXE-3
#[test]
fn the_options_of_a_question_get_numbers_and_a_confirmation_a_box_ovl_2_exe_3() {
    let mut machine = marking(text(WORD, 1));
    let asked = machine.step(OverlayEvent::Question { options: ids(3) }, Duration::ZERO);
    let OverlayEffect::Locate { query, elements } = &asked[0] else { panic!("{asked:?}") };
    assert_eq!(*elements, ids(3));
    assert_eq!(target_of(&asked[1..]), None, "what is read is not marked while Luna asks");
    // Focus goes on meanwhile.
    let other = OverlayEvent::Highlight { bbox: Some(WORD.translated(0, 30)), pinned: false };
    assert_eq!(machine.step(other, Duration::ZERO), []);
    machine.step(OverlayEvent::Highlight { bbox: Some(WORD), pinned: false }, Duration::ZERO);
    let (first, third) = (Rect::new(10, 10, 50, 20), Rect::new(10, 90, 50, 20));
    let stale = OverlayEvent::Located { query: query - 1, boxes: vec![Some(WORD); 3] };
    assert_eq!(machine.step(stale, Duration::ZERO), []);
    let located = OverlayEvent::Located { query: *query, boxes: vec![Some(first), None, Some(third)] };
    let shown = machine.step(located, Duration::ZERO);
    assert!(
        matches!(&shown[..], [OverlayEffect::Show(scene)] if scene.badges == [(1, first), (3, third)]),
        "{shown:?}"
    );
    // The window with the options moves.
    let to = third.translated(5, 7);
    let moved = machine.step(OverlayEvent::Changed(OverlayChange::Moved { from: third, to }), Duration::ZERO);
    assert!(matches!(&moved[..], [OverlayEffect::Show(scene)] if scene.badges == [(1, first), (3, to)]), "{moved:?}");
    let gone = machine.step(OverlayEvent::Changed(OverlayChange::Vanished { at: first }), Duration::ZERO);
    assert!(matches!(&gone[..], [OverlayEffect::Show(scene)] if scene.badges == [(3, to)]), "{gone:?}");
    let closed = machine.step(OverlayEvent::Question { options: Vec::new() }, Duration::ZERO);
    assert_eq!(target_of(&closed), Some(WORD));

    let asked = machine.step(OverlayEvent::Question { options: ids(1) }, Duration::ZERO);
    let OverlayEffect::Locate { query, .. } = asked[0] else { panic!("{asked:?}") };
    let shown = machine.step(OverlayEvent::Located { query, boxes: vec![Some(first)] }, Duration::ZERO);
    assert_eq!(target_of(&shown), Some(first));

    machine.set_settings(OverlaySettings { show_numbers: false, ..SETTINGS });
    let asked = machine.step(OverlayEvent::Question { options: ids(2) }, Duration::ZERO);
    let OverlayEffect::Locate { query, .. } = asked[0] else { panic!("{asked:?}") };
    machine.step(OverlayEvent::Located { query, boxes: vec![Some(first), Some(third)] }, Duration::ZERO);
    assert_eq!(machine.shown.badges, []);
}

// OVL-1
#[test]
fn a_mark_follows_its_text_or_goes_ovl_1() {
    let away = Rect::new(100, 160, 60, 20);
    for (found, mark) in [
        (Some(text(WORD, 1)), Some(WORD)),
        // The same element has another text.
        (Some(text(WORD, 2)), Some(WORD)),
        // Scrolled a little: the middle is still on it.
        (Some(text(away, 1)), Some(away)),
        (Some(text(away, 2)), None),
        (None, None),
    ] {
        let mut machine = marking(text(WORD, 1));
        redraw(&mut machine, WORD, found, Duration::ZERO);
        assert_eq!(machine.shown.target.map(|target| target.bbox), mark, "{found:?}");
    }
    let mut machine = marking(text(WORD, 1));
    let moved = OverlayEvent::Changed(OverlayChange::Moved { from: WORD, to: away });
    assert_eq!(target_of(&machine.step(moved.clone(), Duration::ZERO)), Some(away));
    let again = machine.step(moved, Duration::ZERO);
    assert!(
        matches!(again[..], [OverlayEffect::StartTimer { .. }]),
        "a move of an unknown place is no move: {again:?}"
    );
    let gone = machine.step(OverlayEvent::Changed(OverlayChange::Vanished { at: away }), Duration::ZERO);
    assert!(matches!(&gone[..], [OverlayEffect::Show(scene)] if scene.target.is_none()), "{gone:?}");
    // A cell is found in a table.
    let mut machine = marking(HighlightedText { is_table: true, ..text(WORD, 1) });
    redraw(&mut machine, WORD, Some(text(Rect::new(120, 105, 20, 10), 7)), Duration::ZERO);
    assert_eq!(machine.shown.target.map(|target| target.bbox), Some(WORD));
}

// OVL-1, OCR-1
#[test]
fn the_mark_of_recognised_text_goes_if_the_picture_changes_ovl_1_ocr_1() {
    for (second, mark) in [(Some(7), Some(WORD)), (Some(8), None), (None, None)] {
        let mut machine = marking(HighlightedText { method: PickMethod::Ocr, ..text(WORD, 1) });
        // Asked for when it was marked.
        let first = OverlayEvent::Compared { query: machine.query, pixels: Some(7) };
        assert_eq!(machine.step(first, Duration::ZERO), []);
        let redrawn = OverlayEvent::Changed(OverlayChange::Redrawn { at: WORD });
        let effects = machine.step(redrawn, Duration::ZERO);
        let [OverlayEffect::StartTimer { generation, after }] = effects[..] else { panic!("{effects:?}") };
        let effects = machine.step(OverlayEvent::Timer { generation }, after);
        let [OverlayEffect::Compare { query, part: WORD }] = effects[..] else { panic!("{effects:?}") };
        machine.step(OverlayEvent::Compared { query, pixels: second }, after);
        assert_eq!(machine.shown.target.map(|target| target.bbox), mark, "{second:?}");
    }
}

// OVL-1
#[test]
fn a_place_that_is_drawn_all_the_time_is_seldom_asked_for_ovl_1() {
    let mut machine = marking(text(WORD, 1));
    let (mut checks, mut timer) = (0, None);
    // A film of ten seconds.
    for frame in 0..600_u32 {
        let now = Duration::from_millis(16) * frame;
        if let Some((generation, _)) = timer.take_if(|(_, due)| *due <= now) {
            let effects = machine.step(OverlayEvent::Timer { generation }, now);
            let [OverlayEffect::Check { query, .. }] = effects[..] else { panic!("{effects:?}") };
            checks += 1;
            machine.step(OverlayEvent::Checked { query, found: Some(text(WORD, 1)) }, now);
        }
        for effect in machine.step(OverlayEvent::Changed(OverlayChange::Redrawn { at: WORD }), now) {
            let OverlayEffect::StartTimer { generation, after } = effect else { panic!("{effect:?}") };
            timer = Some((generation, now + after));
        }
    }
    assert!((5..=10).contains(&checks), "{checks} queries");
}

// OVL-1
#[test]
fn a_timer_of_an_older_mark_asks_nothing_ovl_1() {
    let mut machine = marking(text(WORD, 1));
    let effects = machine.step(OverlayEvent::Changed(OverlayChange::Redrawn { at: WORD }), Duration::ZERO);
    let [OverlayEffect::StartTimer { generation, .. }] = effects[..] else { panic!("{effects:?}") };
    let other = Rect::new(5, 5, 9, 9);
    machine.step(OverlayEvent::Highlight { bbox: Some(other), pinned: false }, Duration::ZERO);
    assert_eq!(machine.step(OverlayEvent::Timer { generation }, Duration::from_secs(1)), []);
    let late = OverlayEvent::Checked { query: machine.query - 1, found: None };
    assert_eq!(machine.step(late, Duration::from_secs(1)), []);
}

// OVL-1
#[test]
fn a_disabled_overlay_shows_nothing_ovl_1() {
    let mut machine = marking(text(WORD, 1));
    machine.set_settings(OverlaySettings { enabled: false, ..SETTINGS });
    assert_eq!(machine.step(OverlayEvent::Redraw, Duration::ZERO), [OverlayEffect::Hide]);
    assert_eq!(machine.step(OverlayEvent::Redraw, Duration::ZERO), []);
    machine.set_settings(SETTINGS);
    assert_eq!(target_of(&machine.step(OverlayEvent::Redraw, Duration::ZERO)), Some(WORD));
}
