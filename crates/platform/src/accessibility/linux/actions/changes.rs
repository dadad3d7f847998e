//! What changes in an application, by the events of the accessibility bus (EXE-2).
//!
//! The events are asked for on a connection of their own that closes with the watch, and the bus passes on those of this
//! application alone. What the events say of texts is never read.

use atspi::zbus::message::Type;
use atspi::zbus::zvariant::{ObjectPath, Structure, Value};
use atspi::zbus::{self, MatchRule, Message, MessageStream, fdo};
use futures_util::StreamExt as _;
use futures_util::future::try_join_all;
use luna_messages::element_action::{ChangedElement, ObservedChange};
use tokio::sync::oneshot;

use super::super::bus::{AccessibilityBus, BusAddress, CALL_DEADLINE};
use super::super::events::ObjectRef;
use super::super::node::ACCESSIBLE;
use crate::PlatformError;

const OBJECT_EVENTS: &str = "org.a11y.atspi.Event.Object";
const WINDOW_EVENTS: &str = "org.a11y.atspi.Event.Window";
const ROOT: &str = "/org/a11y/atspi/accessible/root";

/// What the registry tells the application to send.
const REGISTERED: [&str; 17] = [
    "object:state-changed:checked",
    "object:state-changed:pressed",
    "object:state-changed:expanded",
    "object:state-changed:selected",
    "object:state-changed:sensitive",
    "object:state-changed:enabled",
    "object:state-changed:showing",
    "object:state-changed:focused",
    "object:property-change:accessible-value",
    "object:property-change:accessible-name",
    "object:selection-changed",
    "object:active-descendant-changed",
    "object:children-changed",
    "window:create",
    "window:destroy",
    "window:activate",
    "window:deactivate",
];
/// That of texts, which carries what was written.
const TEXT_REGISTERED: &str = "object:text-changed";

/// The signals: interface, member, and the first argument if only one kind is wanted. GTK 4 writes the events of windows
/// in small letters.
const SIGNALS: [(&str, &str, Option<&str>); 13] = [
    (OBJECT_EVENTS, "StateChanged", None),
    (OBJECT_EVENTS, "PropertyChange", Some("accessible-value")),
    (OBJECT_EVENTS, "PropertyChange", Some("accessible-name")),
    (OBJECT_EVENTS, "SelectionChanged", None),
    (OBJECT_EVENTS, "ActiveDescendantChanged", None),
    (OBJECT_EVENTS, "ChildrenChanged", None),
    (WINDOW_EVENTS, "Create", None),
    (WINDOW_EVENTS, "create", None),
    (WINDOW_EVENTS, "Destroy", None),
    (WINDOW_EVENTS, "destroy", None),
    (WINDOW_EVENTS, "Activate", None),
    (WINDOW_EVENTS, "activate", None),
    (OBJECT_EVENTS, "TextChanged", None),
];

/// Which events are asked for, and of which element they are told apart.
pub(super) struct WatchedObjects {
    /// The application's name on the bus.
    pub(super) application: String,
    /// The element that is acted on, if it is one.
    pub(super) target: Option<ObjectRef>,
    /// Whether events of texts are asked for: those of a secret are not (PIC-5).
    pub(super) tells_texts: bool,
}

/// The events of one application.
pub(super) struct ChangeSignals {
    messages: MessageStream,
    /// Keeps the connection open.
    bus: AccessibilityBus,
    watched: WatchedObjects,
}

impl ChangeSignals {
    /// Connects and asks for the events; they come from now on. `session`: as in [`AccessibilityBus::connect`].
    pub(super) async fn open(session: Option<&str>, watched: WatchedObjects) -> Result<Self, PlatformError> {
        let bus = AccessibilityBus::connect(session).await?;
        // Subscribed before the first request, so that no event is lost in between.
        let messages = MessageStream::from(&bus.connection);
        match tokio::time::timeout(2 * CALL_DEADLINE, subscribe(&bus, &watched)).await {
            Ok(Ok(())) => Ok(Self { messages, bus, watched }),
            Ok(Err(error)) => {
                tracing::debug!(%error, "The accessibility bus does not report changes.");
                Err(PlatformError::NoAnswer)
            }
            Err(_) => Err(PlatformError::NoAnswer),
        }
    }

    /// Reports the changes until `stop` is dropped or the bus is lost.
    pub(super) async fn follow(mut self, seen: Box<dyn Fn(ObservedChange) + Send>, mut stop: oneshot::Receiver<()>) {
        loop {
            tokio::select! {
                biased;
                _ = &mut stop => break,
                message = self.messages.next() => match message {
                    Some(Ok(message)) => {
                        if let Some(change) = parse(&message, &self.watched) {
                            seen(change);
                        }
                    }
                    Some(Err(_)) | None => break,
                },
            }
        }
        drop(self.messages);
        // What was asked for ends with the connection.
        let _ = self.bus.connection.close().await;
    }
}

async fn subscribe(bus: &AccessibilityBus, watched: &WatchedObjects) -> zbus::Result<()> {
    let connection = &bus.connection;
    let proxy = fdo::DBusProxy::new(connection).await?;
    // Of an element that belongs to another process than its window, that process tells.
    let owner = watched.target.as_ref().map(|target| &target.name).filter(|name| **name != watched.application);
    let senders: Vec<&String> = std::iter::once(&watched.application).chain(owner).collect();
    let mut rules = Vec::new();
    for sender in &senders {
        for (interface, member, kind) in SIGNALS.iter().filter(|signal| watched.tells_texts || !is_text(signal.1)) {
            let rule = MatchRule::builder().msg_type(Type::Signal).sender(sender.as_str())?;
            let rule = rule.interface(*interface)?.member(*member)?;
            rules.push(match kind {
                Some(kind) => rule.arg(0, *kind)?.build(),
                None => rule.build(),
            });
        }
    }
    try_join_all(rules.into_iter().map(|rule| proxy.add_match_rule(rule))).await?;
    let events = REGISTERED.into_iter().chain(watched.tells_texts.then_some(TEXT_REGISTERED));
    let requests =
        events.map(|event| async move { bus.ask_registry("RegisterEvent", &(event, Vec::<&str>::new(), "")).await });
    try_join_all(requests).await.map_err(failed)?;
    // The registry has told the application what to send, over the bus: what it answers over the bus after that shows that
    // it knows.
    let path = ObjectPath::from_static_str_unchecked(ROOT);
    for sender in senders {
        let root = BusAddress { connection, name: sender, path: &path };
        root.property::<i32>(ACCESSIBLE, "ChildCount", CALL_DEADLINE).await.map_err(failed)?;
    }
    Ok(())
}

fn failed(error: super::super::CallError) -> zbus::Error {
    zbus::Error::Failure(error.to_string())
}

fn is_text(member: &str) -> bool {
    member == "TextChanged"
}

/// The change in a message; `None` if it tells none. The arguments are those of all events of AT-SPI: kind, two numbers, a
/// value and more, of which only the kind and the first number are looked at.
fn parse(message: &Message, watched: &WatchedObjects) -> Option<ObservedChange> {
    let header = message.header();
    if header.message_type() != Type::Signal {
        return None;
    }
    let (sender, path) = (header.sender()?.as_str(), header.path()?);
    let is_target = watched.target.as_ref().is_some_and(|target| target.name == sender && *target.path == *path);
    let of = if is_target { ChangedElement::Target } else { ChangedElement::Other };
    match (header.interface()?.as_str(), header.member()?.as_str()) {
        (OBJECT_EVENTS, "StateChanged") => {
            let body = message.body();
            let arguments: Structure<'_> = body.deserialize().ok()?;
            let [Value::Str(kind), Value::I32(holds), ..] = arguments.fields() else { return None };
            let holds = *holds != 0;
            match kind.as_str() {
                "focused" => holds.then_some(ObservedChange::Focus),
                "checked" | "pressed" | "expanded" | "selected" | "sensitive" | "enabled" => {
                    Some(ObservedChange::State { of, holds })
                }
                // What appears or disappears within a window.
                "showing" => Some(ObservedChange::Children),
                _ => None,
            }
        }
        (OBJECT_EVENTS, "PropertyChange") => {
            let body = message.body();
            let arguments: Structure<'_> = body.deserialize().ok()?;
            let Some(Value::Str(kind)) = arguments.fields().first() else { return None };
            matches!(kind.as_str(), "accessible-value" | "accessible-name").then_some(ObservedChange::Content { of })
        }
        // A container tells that another of its children is selected.
        (OBJECT_EVENTS, "SelectionChanged") => Some(ObservedChange::State { of, holds: true }),
        (OBJECT_EVENTS, "ActiveDescendantChanged") => Some(ObservedChange::Focus),
        (OBJECT_EVENTS, "ChildrenChanged") => Some(ObservedChange::Children),
        (OBJECT_EVENTS, member) if is_text(member) => Some(ObservedChange::Content { of }),
        (WINDOW_EVENTS, "Create" | "create") => Some(ObservedChange::WindowOpened),
        (WINDOW_EVENTS, "Destroy" | "destroy") => Some(ObservedChange::WindowClosed),
        (WINDOW_EVENTS, "Activate" | "activate") => Some(ObservedChange::Focus),
        _ => None,
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn signal(path: &str, member: &str, kind: &str, holds: i32, value: Value<'_>) -> Message {
        let is_window = ["create", "destroy", "activate"].contains(&member.to_lowercase().as_str());
        let interface = if is_window { WINDOW_EVENTS } else { OBJECT_EVENTS };
        let body = (kind, holds, 0, value, HashMap::<String, Value<'_>>::new());
        Message::signal(path, interface, member).unwrap().sender(":1.7").unwrap().build(&body).unwrap()
    }

    // EXE-2, PIC-5
    #[test]
    fn changes_are_told_without_what_was_written_exe_2_pic_5() {
        use ChangedElement::{Other, Target};
        let target = ObjectRef { name: ":1.7".into(), path: ObjectPath::from_static_str_unchecked("/a").into() };
        let watched = WatchedObjects { application: ":1.7".into(), target: Some(target), tells_texts: true };
        let state = |of, holds| Some(ObservedChange::State { of, holds });
        for (path, member, kind, holds, expect) in [
            ("/a", "StateChanged", "checked", 1, state(Target, true)),
            ("/b", "StateChanged", "checked", 0, state(Other, false)),
            ("/a", "StateChanged", "focused", 1, Some(ObservedChange::Focus)),
            ("/a", "StateChanged", "focused", 0, None),
            ("/a", "StateChanged", "armed", 1, None),
            ("/b", "StateChanged", "showing", 1, Some(ObservedChange::Children)),
            ("/b", "PropertyChange", "accessible-name", 0, Some(ObservedChange::Content { of: Other })),
            ("/a", "PropertyChange", "accessible-value", 0, Some(ObservedChange::Content { of: Target })),
            ("/a", "PropertyChange", "accessible-parent", 0, None),
            ("/a", "TextChanged", "insert", 0, Some(ObservedChange::Content { of: Target })),
            ("/b", "SelectionChanged", "", 0, state(Other, true)),
            ("/b", "ChildrenChanged", "add", 0, Some(ObservedChange::Children)),
            ("/b", "Create", "", 0, Some(ObservedChange::WindowOpened)),
            ("/b", "destroy", "", 0, Some(ObservedChange::WindowClosed)),
            ("/b", "activate", "", 0, Some(ObservedChange::Focus)),
            ("/b", "Deactivate", "", 0, None),
        ] {
            let message = signal(path, member, kind, holds, Value::from("열려라 참깨"));
            assert_eq!(parse(&message, &watched), expect, "{path} {member} {kind}");
        }
        assert!(REGISTERED.iter().all(|event| !event.contains("text-changed")));
    }
}
