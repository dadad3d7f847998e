//! Which events of a burst are worth a query, and when. Pure.
//!
//! A move of the focus makes several events: GTK 3 sends the new focus twice, tables send the table and its cell in any
//! order, Qt sends the focus before its window is active. They are collected for some milliseconds; then one query takes
//! the newest that really has the focus.

use std::time::Duration;

use tokio::time::Instant;

use super::events::{ObjectRef, TreeEvent};

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
/// Maximum number of events to keep.
const MAX_HINTS: usize = 6;

/// The events of a burst, oldest first, none twice.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct FocusHints(Vec<TreeEvent>);

impl FocusHints {
    /// The events in the order in which to try them: what tells an element before what tells only a list or a window, and
    /// of these the newest first.
    pub(super) fn in_order(&self) -> Vec<&TreeEvent> {
        let mut ordered: Vec<&TreeEvent> = self.0.iter().rev().collect();
        ordered.sort_by_key(|event| rank(event));
        ordered
    }

    /// Whether `event` tells nothing that is not known.
    fn covers(&self, event: &TreeEvent) -> bool {
        self.0.iter().any(|known| covers(known, event))
    }

    fn push(&mut self, event: TreeEvent) {
        self.0.push(event);
        if self.0.len() > MAX_HINTS {
            self.0.remove(0);
        }
    }

    fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

const fn rank(event: &TreeEvent) -> u8 {
    match event {
        TreeEvent::Focused(_) | TreeEvent::Descendant { .. } => 0,
        TreeEvent::Selection(_) | TreeEvent::Changed(_) => 1,
        TreeEvent::Activated(_) => 2,
        TreeEvent::Deactivated(_) => 3,
    }
}

/// Whether `known` tells all that `event` does.
fn covers(known: &TreeEvent, event: &TreeEvent) -> bool {
    match (known, event) {
        (TreeEvent::Descendant { container, descendant }, TreeEvent::Focused(other)) => {
            other == container || other == descendant
        }
        (TreeEvent::Focused(element), TreeEvent::Descendant { descendant, .. } | TreeEvent::Changed(descendant)) => {
            element == descendant
        }
        // A selection that changes together with the focus is how the list shows where the focus is.
        (
            TreeEvent::Focused(ObjectRef { name, .. })
            | TreeEvent::Descendant { descendant: ObjectRef { name, .. }, .. },
            TreeEvent::Selection(other),
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
}

impl FocusQueue {
    /// Takes an event. Returns whether the running query is outdated, so that it has to end.
    pub(super) fn take(&mut self, event: TreeEvent, now: Instant) -> bool {
        if self.running.covers(&event) {
            return false;
        }
        let is_outdated = !self.running.is_empty();
        if is_outdated {
            // What was being looked at counts again if the new event turns out to mean nothing.
            let newer = std::mem::replace(&mut self.waiting, std::mem::take(&mut self.running));
            newer.0.into_iter().for_each(|event| self.waiting.push(event));
        }
        if self.waiting.0.contains(&event) || !self.waiting.covers(&event) {
            self.waiting.0.retain(|known| !covers(&event, known));
            self.waiting.push(event);
        }
        self.attempts = 0;
        let since = *self.since.get_or_insert(now);
        let best = self.waiting.0.iter().map(rank).min();
        self.due = Some(match best {
            Some(0 | 1) => (now + SETTLE).min(since + LONGEST_SETTLE),
            Some(2) => since + WINDOW_SETTLE,
            _ => since + LEAVE_SETTLE,
        });
        is_outdated
    }

    /// When to call [`Self::start`].
    pub(super) fn due(&self) -> Option<Instant> {
        self.due
    }

    /// What to query now.
    pub(super) fn start(&mut self) -> FocusHints {
        (self.since, self.due) = (None, None);
        self.running = std::mem::take(&mut self.waiting);
        self.running.clone()
    }

    /// The query found the focus, or there is nothing to find.
    pub(super) fn finish(&mut self) {
        self.running = FocusHints::default();
    }

    /// The query could not tell yet. After some attempts the events are dropped.
    pub(super) fn retry(&mut self, now: Instant) {
        let again = std::mem::take(&mut self.running);
        if let Some(&pause) = RETRIES.get(self.attempts) {
            self.attempts += 1;
            (self.waiting, self.due) = (again, Some(now + pause));
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

    fn focused(path: &'static str) -> TreeEvent {
        TreeEvent::Focused(object(path))
    }

    fn cell() -> TreeEvent {
        TreeEvent::Descendant { container: object("/table"), descendant: object("/cell") }
    }

    /// What is tried, in order, after `events` of one burst.
    #[track_caller]
    fn check(events: &[TreeEvent], expect: &[TreeEvent]) {
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
        let selection = TreeEvent::Selection(object("/list"));
        let window = TreeEvent::Activated(object("/window"));
        check(&[focused("/a"), focused("/a")], &[focused("/a")]);
        check(&[focused("/a"), focused("/b")], &[focused("/b"), focused("/a")]);
        check(&[focused("/a"), focused("/b"), focused("/a")], &[focused("/a"), focused("/b")]);
        // GTK 3 sends the table once more after its cell.
        check(&[focused("/table"), cell(), focused("/table")], &[cell()]);
        check(&[focused("/item"), selection.clone()], &[focused("/item")]);
        check(&[selection.clone(), focused("/item")], &[focused("/item")]);
        check(&[TreeEvent::Changed(object("/a")), focused("/a")], &[focused("/a")]);
        check(&[TreeEvent::Changed(object("/a")), focused("/b")], &[focused("/b"), TreeEvent::Changed(object("/a"))]);
        check(std::slice::from_ref(&selection), std::slice::from_ref(&selection));
        // Qt activates the window after the focus moved.
        check(&[focused("/a"), window.clone()], &[focused("/a"), window]);
        let many: Vec<TreeEvent> = ["/1", "/2", "/3", "/4", "/5", "/6", "/7", "/8"].map(focused).to_vec();
        check(&many, &["/8", "/7", "/6", "/5", "/4", "/3"].map(focused));
    }

    // ATT-2
    #[test]
    fn a_burst_gives_one_query_soon_and_a_window_waits_for_its_focus_att_2() {
        let (mut queue, start) = (FocusQueue::default(), Instant::now());
        assert_eq!(queue.due(), None);
        queue.take(TreeEvent::Deactivated(object("/old")), start);
        assert_eq!(queue.due(), Some(start + LEAVE_SETTLE));
        queue.take(TreeEvent::Activated(object("/window")), start);
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
        assert!(!queue.take(TreeEvent::Selection(object("/list")), now));
        assert_eq!(queue.due(), None);
        assert!(queue.take(focused("/b"), now));
        assert_eq!(queue.start().in_order(), [&focused("/b"), &focused("/a")]);
        queue.finish();
        // After the query the same element may get the focus again.
        assert!(!queue.take(focused("/b"), now));
        assert_eq!(queue.start().in_order(), [&focused("/b")]);
    }

    // ATT-2
    #[test]
    fn what_is_not_ready_is_tried_again_and_then_dropped_att_2() {
        let (mut queue, now) = (FocusQueue::default(), Instant::now());
        queue.take(focused("/a"), now);
        for pause in RETRIES {
            queue.start();
            queue.retry(now);
            assert_eq!(queue.due(), Some(now + pause));
        }
        queue.start();
        queue.retry(now);
        assert_eq!(queue.due(), None);
    }
}
