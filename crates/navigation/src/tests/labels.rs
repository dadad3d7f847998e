//! Labels without their counters.

use crate::label::stable_label;

// SCR-1
#[test]
fn counters_and_clocks_are_no_part_of_a_label_scr_1() {
    for (label, expect) in [
        ("Inbox", Some("inbox")),
        ("Inbox (3)", Some("inbox")),
        ("Inbox (1,204 unread)", Some("inbox")),
        ("Inbox, 3 unread", Some("inbox")),
        ("Inbox 99+", Some("inbox")),
        ("3 Inbox", Some("inbox")),
        ("받은편지함 3개", Some("받은편지함")),
        ("받은편지함 3", Some("받은편지함")),
        ("받은편지함(12)", Some("받은편지함")),
        ("받은편지함", Some("받은편지함")),
        ("* notes.txt", Some("notes.txt")),
        ("Ｓａｖｅ", Some("save")),
        ("Open (read only)", Some("open (read only)")),
        ("12:04", None),
        ("오후 3:24", None),
        ("오후 3시 24분", None),
        ("5분 전", None),
        ("2026-11-25", None),
        ("25 November", None),
        ("3 min ago", None),
        ("42", None),
        ("", Some("")),
    ] {
        assert_eq!(stable_label(label).as_deref(), expect, "{label:?}");
    }
}

// SCR-1
#[test]
fn labels_of_other_things_stay_apart_scr_1() {
    for (one, other) in
        [("Save", "Save as"), ("저장", "저장 안 함"), ("Reply", "Reply all"), ("Drafts (3)", "Inbox (3)")]
    {
        assert_ne!(stable_label(one), stable_label(other));
    }
}
