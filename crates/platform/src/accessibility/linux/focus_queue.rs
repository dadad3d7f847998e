//! Which events of a burst are worth a query, and when. Pure.
//!
//! A move of the focus makes several events: GTK 3 sends the new focus twice, tables send the table and its cell in any
//! order, Qt sends the focus before its window is active. They are collected for some milliseconds; then one query takes
//! the newest that really has the focus.

use std::time::Duration;

use tokio::time::Instant;

use super::events::{FocusSignal, ObjectRef};

/// How long to wait for more events after one.
const SETTLE: Duration = Duration::from_millis(4);
/// How long to wait altogether while they keep coming.
const LONGEST_SETTLE: Duration = Duration::from_millis(20);
/// How long to wait for the focus itself after a window became active.
const WINDOW_SETTLE: Duration = Duration::from_millis(60);
/// How long to wait for another window after one is no longer active.
const LEAVE_SETTLE: Duration = Duration::from_millis(200);
/// Pauses before the further attempts if the application does not answer, or its window or the element is not ready yet.
const RETRIES: [Duration; 3] = [Duration::from_millis(60), Duration::from_millis(150), Duration::from_millis(400)];
/// How many attempts are made for an element that told the focus but does not show it, if its window can be told without
/// it: GTK 3 tells the focus of a dialog that it opens before it shows it.
const PATIENCE: usize = 2;
/// Maximum number of events to keep.
const MAX_HINTS: usize = 6;
/// How many queries in a row newer events may end, so that applications whose lists never rest don't silence the focus.
const MAX_CANCELLED: usize = 4;

/// The events of a burst, oldest first, none twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FocusHints(Vec<FocusSignal>);

impl FocusHints {
    /// The events in the order in which to try them: what tells an element before what tells only a list or a window, and
    /// of these the newest first.
    pub(super) fn in_order(&self) -> Vec<&FocusSignal> {
        let mut ordered: Vec<&FocusSignal> = self.0.iter().rev().collect();
        ordered.sort_by_key(|event| rank(event));
        ordered
    }

    /// Whether `event` tells nothing that is not known.
    fn covers(&self, event: &FocusSignal) -> bool {
        self.0.iter().any(|known| covers(known, event))
    }

    /// Whether `event` may tell where the focus is better than these: it tells no less than the best of them, or is of
    /// the same application.
    fn yield_to(&self, event: &FocusSignal) -> bool {
        let Some(best) = self.0.iter().map(rank).min() else { return true };
        let is_of = |known: &FocusSignal| rank(known) == best && object(known).name == object(event).name;
        rank(event) <= best || self.0.iter().any(is_of)
    }

    fn push(&mut self, event: FocusSignal) {
        self.0.push(event);
        if self.0.len() > MAX_HINTS {
            self.0.remove(0);
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const fn rank(event: &FocusSignal) -> u8 {
    match event {
        FocusSignal::Focused(_) | FocusSignal::Descendant { .. } => 0,
        FocusSignal::Selection(_) | FocusSignal::Changed(_) => 1,
        FocusSignal::Activated(_) => 2,
        FocusSignal::Deactivated(_) => 3,
    }
}

/// What the event is about.
pub(super) const fn object(event: &FocusSignal) -> &ObjectRef {
    match event {
        FocusSignal::Focused(object)
        | FocusSignal::Descendant { descendant: object, .. }
        | FocusSignal::Selection(object)
        | FocusSignal::Changed(object)
        | FocusSignal::Activated(object)
        | FocusSignal::Deactivated(object) => object,
    }
}

/// Whether `known` tells all that `event` does.
fn covers(known: &FocusSignal, event: &FocusSignal) -> bool {
    match (known, event) {
        (FocusSignal::Descendant { container, descendant }, FocusSignal::Focused(other)) => {
            other == container || other == descendant
        }
        (
            FocusSignal::Focused(element),
            FocusSignal::Descendant { descendant, .. } | FocusSignal::Changed(descendant),
        ) => element == descendant,
        // A selection that changes together with the focus is how the list shows where the focus is.
        (
            FocusSignal::Focused(ObjectRef { name, .. })
            | FocusSignal::Descendant { descendant: ObjectRef { name, .. }, .. },
            FocusSignal::Selection(other),
        ) => *name == other.name,
        _ => known == event,
    }
}

/// Collects events, and says when to look at them.
#[derive(Debug, Default)]
pub(super) struct FocusQueue {
    waiting: FocusHints,
    /// When the first of `waiting` came.
    since: Option<Instant>,
    /// When to look at `waiting`.
    due: Option<Instant>,
    /// What the running query looks at.
    running: FocusHints,
    /// How often `waiting` was tried in vain.
    attempts: usize,
    /// How many queries newer events ended since one ended by itself.
    cancelled: usize,
}

impl FocusQueue {
    /// Takes an event. Returns whether the running query is outdated, so that it has to end.
    pub(super) fn take(&mut self, event: FocusSignal, now: Instant) -> bool {
        let is_running = !self.running.is_empty();
        let is_known = self.running.covers(&event);
        // The query may have looked before the value or the selection changed once more, so that it is asked again after it.
        if is_known && !matches!(event, FocusSignal::Selection(_) | FocusSignal::Changed(_)) {
            return false;
        }
        let counts = if is_running { &self.running } else { &self.waiting }.yield_to(&event);
        let is_outdated = is_running && counts && !is_known && self.cancelled < MAX_CANCELLED;
        if is_outdated {
            self.cancelled += 1;
            self.look_again();
        }
        if self.waiting.0.contains(&event) || !self.waiting.covers(&event) {
            self.waiting.0.retain(|known| !covers(&event, known));
            self.waiting.push(event);
        }
        if counts {
            self.attempts = 0;
        } else if self.due.is_some() {
            return false;
        }
        let since = *self.since.get_or_insert(now);
        let best = self.waiting.0.iter().map(rank).min();
        self.due = Some(match best {
            Some(0 | 1) => (now + SETTLE).min(since + LONGEST_SETTLE),
            Some(2) => since + WINDOW_SETTLE,
            _ => since + LEAVE_SETTLE,
        });
        is_outdated
    }

    /// What is being looked at waits again, before what came after it: the newer events may turn out to mean nothing.
    fn look_again(&mut self) {
        let newer = std::mem::replace(&mut self.waiting, std::mem::take(&mut self.running));
        for event in newer.0 {
            self.waiting.0.retain(|known| *known != event);
            self.waiting.push(event);
        }
    }

    /// When to call [`Self::start`] if no query is running.
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// What to query now.
    pub(super) fn start(&mut self) -> FocusHints {
        (self.since, self.due) = (None, None);
        self.running = std::mem::take(&mut self.waiting);
        self.running.clone()
    }

    /// Whether an element that does not show the focus yet, although it told it, is worth another attempt before a window
    /// is told without it.
    pub(super) fn has_patience(&self) -> bool {
        self.attempts < PATIENCE
    }

    /// The query found the focus, or there is nothing to find.
    pub(super) fn finish(&mut self) {
        (self.attempts, self.cancelled) = (0, 0);
        self.running = FocusHints::default();
    }

    /// The query could not tell yet. After some attempts the events are dropped.
    pub(super) fn retry(&mut self, now: Instant) {
        let Some(&pause) = RETRIES.get(self.attempts) else { return self.finish() };
        self.cancelled = 0;
        self.attempts += 1;
        // Newer events that may tell the focus need no pause.
        let is_newer = self.waiting.0.iter().any(|event| self.running.yield_to(event));
        self.look_again();
        if !is_newer {
            self.due = Some(now + pause);
        }
    }
}

#[cfg(test)]
mod tests {
    use atspi::zbus::zvariant::ObjectPath;

    use super::*;

    fn object(path: &'static str) -> ObjectRef {
        ObjectRef { name: ":1.7".into(), path: ObjectPath::from_static_str_unchecked(path).into() }
    }

    fn focused(path: &'static str) -> FocusSignal {
        FocusSignal::Focused(object(path))
    }

    fn cell() -> FocusSignal {
        FocusSignal::Descendant { container: object("/table"), descendant: object("/cell") }
    }

    /// What is tried, in order, after `events` of one burst.
    #[track_caller]
    fn check(events: &[FocusSignal], expect: &[FocusSignal]) {
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        for event in events {
            assert!(!queue.take(event.clone(), now));
        }
        let hints = queue.start();
        assert_eq!(hints.in_order(), expect.iter().collect::<Vec<_>>());
    }

    // ATT-2
    #[test]
    fn of_a_burst_the_newest_element_is_tried_first_att_2() {
        let selection = FocusSignal::Selection(object("/list"));
        let window = FocusSignal::Activated(object("/window"));
        check(&[focused("/a"), focused("/a")], &[focused("/a")]);
        check(&[focused("/a"), focused("/b")], &[focused("/b"), focused("/a")]);
        check(&[focused("/a"), focused("/b"), focused("/a")], &[focused("/a"), focused("/b")]);
        // GTK 3 sends the table once more after its cell.
        check(&[focused("/table"), cell(), focused("/table")], &[cell()]);
        check(&[focused("/item"), selection.clone()], &[focused("/item")]);
        check(&[selection.clone(), focused("/item")], &[focused("/item")]);
        check(&[FocusSignal::Changed(object("/a")), focused("/a")], &[focused("/a")]);
        check(
            &[FocusSignal::Changed(object("/a")), focused("/b")],
            &[focused("/b"), FocusSignal::Changed(object("/a"))],
        );
        check(std::slice::from_ref(&selection), std::slice::from_ref(&selection));
        // Qt activates the window after the focus moved.
        check(&[focused("/a"), window.clone()], &[focused("/a"), window]);
        let many: Vec<FocusSignal> = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"].map(focused).to_vec();
        check(&many, &["/8", "/7", "/6", "/5", "/4", "/3"].map(focused));
    }

    // ATT-2
    #[test]
    fn a_burst_gives_one_query_soon_and_a_window_waits_for_its_focus_att_2() {
        let (mut queue, start) = (FocusQueue::default(), Instant::now());
        assert_eq!(queue.due(), None);
        queue.take(FocusSignal::Deactivated(object("/old")), start);
        assert_eq!(queue.due(), Some(start + LEAVE_SETTLE));
        queue.take(FocusSignal::Activated(object("/window")), start);
        assert_eq!(queue.due(), Some(start + WINDOW_SETTLE));
        for (index, path) in ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"].into_iter().enumerate() {
            let now = start + SETTLE * u32::try_from(index).unwrap_or(0);
            queue.take(focused(path), now);
            assert_eq!(queue.due(), Some((now + SETTLE).min(start + LONGEST_SETTLE)));
        }
        queue.start();
        assert_eq!(queue.due(), None);
    }

    // ATT-2
    #[test]
    fn a_newer_event_outdates_the_query_and_what_it_looked_at_counts_again_att_2() {
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        queue.take(focused("/a"), now);
        queue.start();
        // The same move once more.
        assert!(!queue.take(focused("/a"), now));
        assert_eq!(queue.due(), None);
        assert!(queue.take(focused("/b"), now));
        assert_eq!(queue.start().in_order(), [&focused("/b"), &focused("/a")]);
        queue.finish();
        // After the query the same element may get the focus again.
        assert!(!queue.take(focused("/b"), now));
        assert_eq!(queue.start().in_order(), [&focused("/b")]);
    }

    // ANN-5, ATT-2
    #[test]
    fn what_changes_during_the_query_is_asked_for_once_more_ann_5_att_2() {
        let changed = || FocusSignal::Changed(object("/a"));
        let selection = || FocusSignal::Selection(object("/list"));
        for (asked, told) in [
            (changed(), changed()),
            (focused("/a"), changed()),
            (selection(), selection()),
            (focused("/a"), selection()),
            (cell(), selection()),
        ] {
            let (mut queue, now) = (FocusQueue::default(), Instant::now());
            queue.take(asked.clone(), now);
            queue.start();
            assert!(!queue.take(told.clone(), now) && !queue.take(told.clone(), now), "{asked:?}");
            queue.finish();
            assert_eq!(queue.due(), Some(now + SETTLE), "{asked:?}");
            assert_eq!(queue.start().in_order(), [&told]);
            queue.finish();
            assert_eq!(queue.due(), None, "{asked:?}");
        }
    }

    // ATT-2
    #[test]
    fn a_list_in_the_background_does_not_end_the_query_att_2() {
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        let elsewhere = FocusSignal::Selection(ObjectRef { name: ":1.9".into(), ..object("/list") });
        queue.take(focused("/a"), now);
        queue.start();
        assert!(!queue.take(elsewhere.clone(), now));
        // It neither hurries the next attempt nor makes it the first one again.
        queue.retry(now);
        assert!(!queue.take(elsewhere.clone(), now));
        assert_eq!((queue.due(), queue.attempts), (Some(now + RETRIES[0]), 1));
        assert_eq!(queue.start().in_order(), [&focused("/a"), &elsewhere]);
        // The same application, or what tells as much.
        assert!(queue.take(FocusSignal::Activated(object("/window")), now));
        queue.start();
        assert!(queue.take(FocusSignal::Focused(ObjectRef { name: ":1.9".into(), ..object("/b") }), now));
    }

    // ATT-2
    #[test]
    fn newer_events_end_only_some_queries_in_a_row_att_2() {
        const NAMES: [&str; MAX_CANCELLED + 2] = ["/1", "/2", "/3", "/4", "/5", "/6"];
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        let mut ended = 0;
        for name in NAMES {
            ended += usize::from(queue.take(focused(name), now));
            if queue.running.is_empty() {
                queue.start();
            }
        }
        assert_eq!(ended, MAX_CANCELLED);
        queue.finish();
        // The one that had to wait.
        assert_eq!(queue.start().in_order(), [&focused("/6")]);
        assert!(queue.take(focused("/7"), now));
    }

    // ATT-2
    #[test]
    fn what_is_not_ready_is_tried_again_and_then_dropped_att_2() {
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        queue.take(focused("/a"), now);
        for (attempt, pause) in RETRIES.into_iter().enumerate() {
            queue.start();
            // A window is told without its element in the end, and before the last attempt.
            assert_eq!(queue.has_patience(), attempt < 2);
            queue.retry(now);
            assert_eq!(queue.due(), Some(now + pause));
        }
        queue.start();
        queue.retry(now);
        assert_eq!(queue.due(), None);
    }
}
