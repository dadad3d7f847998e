//! Events of the accessibility bus that tell where the keyboard focus is (ATT-2).
//!
//! They arrive on a connection of their own, so that a flood of them delays no query. The bus itself filters them: of
//! the signals that applications send, only those asked for here arrive.

use atspi::zbus::message::Type;
use atspi::zbus::names::BusName;
use atspi::zbus::zvariant::{ObjectPath, OwnedObjectPath, Structure, Value};
use atspi::zbus::{self, MatchRule, Message, MessageStream, fdo};
use futures_util::StreamExt as _;

use super::bus::{AccessibilityBus, BusAddress, CALL_DEADLINE};
use crate::PlatformError;

const OBJECT_EVENTS: &str = "org.a11y.atspi.Event.Object";
const WINDOW_EVENTS: &str = "org.a11y.atspi.Event.Window";
const REGISTRY: &str = "org.a11y.atspi.Registry";

/// What the registry tells applications to send.
const REGISTERED: [&str; 9] = [
    "object:state-changed:focused",
    "object:state-changed:checked",
    "object:state-changed:pressed",
    "object:state-changed:expanded",
    "object:property-change:accessible-value",
    "object:active-descendant-changed",
    "object:selection-changed",
    "window:activate",
    "window:deactivate",
];

/// The signals: interface, member, and the first argument if only one kind is wanted. GTK 4 writes the events of windows
/// in small letters.
const SIGNALS: [(&str, &str, Option<&str>); 7] = [
    (OBJECT_EVENTS, "StateChanged", Some("focused")),
    (OBJECT_EVENTS, "ActiveDescendantChanged", None),
    (OBJECT_EVENTS, "SelectionChanged", None),
    (WINDOW_EVENTS, "Activate", None),
    (WINDOW_EVENTS, "activate", None),
    (WINDOW_EVENTS, "Deactivate", None),
    (WINDOW_EVENTS, "deactivate", None),
];

/// An element, as an event names it.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(super) struct ObjectRef {
    /// The bus name of its application.
    pub(super) name: String,
    pub(super) path: OwnedObjectPath,
}

/// An event that may mean a move of the focus.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum FocusSignal {
    /// The element got the focus.
    Focused(ObjectRef),
    /// Another descendant of a container has the focus within it.
    Descendant { container: ObjectRef, descendant: ObjectRef },
    /// What is selected in the container changed. Some menus and lists send nothing else.
    Selection(ObjectRef),
    /// State or value of the attended element changed.
    Changed(ObjectRef),
    /// The window became the active one.
    Activated(ObjectRef),
    /// The window is no longer the active one.
    Deactivated(ObjectRef),
}

/// The events of all applications, until the bus or its registry is lost.
pub(super) struct FocusSignals {
    messages: MessageStream,
    /// Keeps the connection open.
    bus: AccessibilityBus,
    /// Lets the events of the attended element pass.
    attended: Option<(ObjectRef, Vec<MatchRule<'static>>)>,
}

impl FocusSignals {
    /// Connects and asks for the events. `session`: as in [`AccessibilityBus::connect`].
    pub(super) async fn open(session: Option<&str>) -> Result<Self, PlatformError> {
        let bus = AccessibilityBus::connect(session).await?;
        // Subscribed before the first request, so that no event is lost in between.
        let messages = MessageStream::from(&bus.connection);
        match tokio::time::timeout(4 * CALL_DEADLINE, subscribe(&bus)).await {
            Ok(Ok(())) => Ok(Self { messages, bus, attended: None }),
            Ok(Err(error)) => {
                tracing::debug!(%error, "The accessibility bus does not report moves of the keyboard focus.");
                Err(PlatformError::NoAnswer)
            }
            Err(_) => Err(PlatformError::NoAnswer),
        }
    }

    /// The next event; `None` once the bus or its registry is lost.
    pub(super) async fn next(&mut self) -> Option<FocusSignal> {
        loop {
            let message = self.messages.next().await?.ok()?;
            if is_end_of_registry(&message) {
                return None;
            }
            if let Some(event) = parse(&message) {
                return Some(event);
            }
        }
    }

    /// Reports changes of this element, and no longer those of another: what any element of the desktop changes would be
    /// a flood. `None` for an element of which nothing may be known.
    pub(super) async fn attend(&mut self, element: Option<ObjectRef>) {
        if self.attended.as_ref().map(|(known, _)| known) == element.as_ref() {
            return;
        }
        let change = async {
            let proxy = fdo::DBusProxy::new(&self.bus.connection).await?;
            for rule in self.attended.take().into_iter().flat_map(|(_, rules)| rules) {
                proxy.remove_match_rule(rule).await?;
            }
            let Some(element) = element else { return Ok(()) };
            let rules = rules_of(&element)?;
            for rule in &rules {
                proxy.add_match_rule(rule.clone()).await?;
            }
            self.attended = Some((element, rules));
            Ok::<_, zbus::Error>(())
        };
        let changed = tokio::time::timeout(CALL_DEADLINE, change).await;
        if !matches!(changed, Ok(Ok(()))) {
            tracing::debug!("Changes of the element with the keyboard focus are not reported.");
        }
    }

    /// Closes the connection, so that applications need not send the events any longer.
    pub(super) async fn close(self) {
        drop(self.messages);
        let _ = self.bus.connection.close().await;
    }
}

/// What is asked for of the attended element: states and numbers. What is typed in it is not, so that no application tells it (PIC-5).
fn rules_of(element: &ObjectRef) -> zbus::Result<Vec<MatchRule<'static>>> {
    let of = |member: &'static str| {
        let rule = MatchRule::builder().msg_type(Type::Signal).interface(OBJECT_EVENTS)?.member(member)?;
        rule.sender(element.name.clone())?.path(element.path.clone())
    };
    Ok(vec![of("StateChanged")?.build(), of("PropertyChange")?.arg(0, "accessible-value")?.build()])
}

async fn subscribe(bus: &AccessibilityBus) -> zbus::Result<()> {
    let connection = &bus.connection;
    let proxy = fdo::DBusProxy::new(connection).await?;
    for (interface, member, kind) in SIGNALS {
        let rule = MatchRule::builder().msg_type(Type::Signal).interface(interface)?.member(member)?;
        let rule = match kind {
            Some(kind) => rule.arg(0, kind)?,
            None => rule,
        };
        proxy.add_match_rule(rule.build()).await?;
    }
    let rule = MatchRule::builder().msg_type(Type::Signal).sender("org.freedesktop.DBus")?;
    proxy.add_match_rule(rule.member("NameOwnerChanged")?.arg(0, REGISTRY)?.build()).await?;
    let path = ObjectPath::from_static_str_unchecked("/org/a11y/atspi/registry");
    let registry = BusAddress { connection, name: REGISTRY, path: &path };
    for event in REGISTERED {
        let body = (event, Vec::<&str>::new(), "");
        let registered = registry.call::<_, ()>(REGISTRY, "RegisterEvent", &body, CALL_DEADLINE).await;
        registered.map_err(|error| zbus::Error::Failure(error.to_string()))?;
    }
    Ok(())
}

/// Whether the registry lost its name: a new one knows nothing of what the old one was asked for.
fn is_end_of_registry(message: &Message) -> bool {
    let header = message.header();
    if header.member().is_none_or(|member| member.as_str() != "NameOwnerChanged") {
        return false;
    }
    let owners: Result<(String, String, String), _> = message.body().deserialize();
    owners.is_ok_and(|(name, old, _)| name == REGISTRY && !old.is_empty())
}

/// The event in a message. The arguments are those of all events of AT-SPI: kind, two numbers, a value, and properties of
/// the source or, with Qt, the source itself.
fn parse(message: &Message) -> Option<FocusSignal> {
    let header = message.header();
    if header.message_type() != Type::Signal {
        return None;
    }
    let name = header.sender()?.as_str().to_owned();
    let source = ObjectRef { name, path: header.path()?.to_owned().into() };
    match (header.interface()?.as_str(), header.member()?.as_str()) {
        (OBJECT_EVENTS, "StateChanged") => {
            let body = message.body();
            let arguments: Structure<'_> = body.deserialize().ok()?;
            match arguments.fields() {
                [Value::Str(kind), Value::I32(on), ..] if kind == "focused" && *on != 0 => {
                    Some(FocusSignal::Focused(source))
                }
                [Value::Str(kind), ..] if matches!(kind.as_str(), "checked" | "pressed" | "expanded") => {
                    Some(FocusSignal::Changed(source))
                }
                _ => None,
            }
        }
        (OBJECT_EVENTS, "PropertyChange") => {
            let body = message.body();
            let arguments: Structure<'_> = body.deserialize().ok()?;
            let is_value = matches!(arguments.fields().first(), Some(Value::Str(kind)) if kind == "accessible-value");
            is_value.then_some(FocusSignal::Changed(source))
        }
        (OBJECT_EVENTS, "ActiveDescendantChanged") => {
            let body = message.body();
            let arguments: Structure<'_> = body.deserialize().ok()?;
            let Value::Value(descendant) = arguments.fields().get(3)? else { return None };
            let (name, path) = <(String, OwnedObjectPath)>::try_from(descendant.try_clone().ok()?).ok()?;
            let descendant = ObjectRef { name, path };
            descendant.exists().then_some(FocusSignal::Descendant { container: source, descendant })
        }
        (OBJECT_EVENTS, "SelectionChanged") => Some(FocusSignal::Selection(source)),
        (WINDOW_EVENTS, "Activate" | "activate") => Some(FocusSignal::Activated(source)),
        (WINDOW_EVENTS, "Deactivate" | "deactivate") => Some(FocusSignal::Deactivated(source)),
        _ => None,
    }
}

impl ObjectRef {
    /// Whether it is not the null reference.
    fn exists(&self) -> bool {
        BusName::try_from(self.name.as_str()).is_ok() && self.path.as_str() != "/org/a11y/atspi/null"
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use std::collections::HashMap;

    use super::*;

    fn source() -> ObjectRef {
        object("/a")
    }

    fn object(path: &'static str) -> ObjectRef {
        ObjectRef { name: ":1.7".into(), path: ObjectPath::from_static_str_unchecked(path).into() }
    }

    fn signal(member: &str, kind: &str, on: i32, value: Value<'_>) -> Message {
        let interface = if member.to_lowercase().ends_with("activate") { WINDOW_EVENTS } else { OBJECT_EVENTS };
        let body = (kind, on, 0, value, HashMap::<String, Value<'_>>::new());
        Message::signal("/a", interface, member).unwrap().sender(":1.7").unwrap().build(&body).unwrap()
    }

    // ATT-2
    #[test]
    fn events_are_read_from_signals_of_all_toolkits_att_2() {
        let zero = || Value::I32(0);
        let focused = Some(FocusSignal::Focused(source()));
        assert_eq!(parse(&signal("StateChanged", "focused", 1, zero())), focused);
        assert_eq!(parse(&signal("StateChanged", "focused", 0, zero())), None);
        assert_eq!(parse(&signal("StateChanged", "showing", 1, zero())), None);
        let changed = Some(FocusSignal::Changed(source()));
        assert_eq!(parse(&signal("StateChanged", "checked", 0, zero())), changed);
        assert_eq!(parse(&signal("PropertyChange", "accessible-value", 0, zero())), changed);
        assert_eq!(parse(&signal("PropertyChange", "accessible-name", 0, zero())), None);
        assert_eq!(parse(&signal("SelectionChanged", "", 0, zero())), Some(FocusSignal::Selection(source())));
        assert_eq!(parse(&signal("Activate", "", 0, zero())), Some(FocusSignal::Activated(source())));
        assert_eq!(parse(&signal("deactivate", "", 0, zero())), Some(FocusSignal::Deactivated(source())));
        // GTK 4 sends a text as the value, Qt the source in place of the properties.
        assert_eq!(parse(&signal("StateChanged", "focused", 1, Value::from("0"))), focused);
        let own = (":1.7", ObjectPath::from_static_str_unchecked("/a"));
        let body = ("focused", 1, 0, zero(), own);
        let qt = Message::signal("/a", OBJECT_EVENTS, "StateChanged").unwrap().sender(":1.7").unwrap();
        assert_eq!(parse(&qt.build(&body).unwrap()), focused);
    }

    // PIC-5, ATT-2
    #[test]
    fn of_the_attended_element_only_states_and_numbers_are_asked_for_pic_5_att_2() {
        let rules = rules_of(&source()).unwrap();
        let asked: Vec<_> = rules.iter().map(|rule| rule.member().map(|member| member.as_str())).collect();
        assert_eq!(asked, [Some("StateChanged"), Some("PropertyChange")]);
        assert_eq!(rules[1].args(), [(0, "accessible-value".into())]);
        assert!(rules.iter().all(|rule| rule.sender().is_some() && rule.path_spec().is_some()));
    }

    // ATT-2
    #[test]
    fn a_descendant_is_read_from_the_value_and_the_null_reference_is_none_att_2() {
        let value = |path: &'static str| Value::from((":1.7", ObjectPath::from_static_str_unchecked(path)));
        let found = parse(&signal("ActiveDescendantChanged", "", 2, value("/b")));
        assert_eq!(found, Some(FocusSignal::Descendant { container: source(), descendant: object("/b") }));
        assert_eq!(parse(&signal("ActiveDescendantChanged", "", 2, value("/org/a11y/atspi/null"))), None);
        assert_eq!(parse(&signal("ActiveDescendantChanged", "", 2, Value::I32(0))), None);
    }
}
