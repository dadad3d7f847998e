//! A double of the portal of a desktop, scripted by a test: it asks nobody, writes down each call, and misbehaves on order.

use std::collections::HashMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use atspi::zbus::message::{Message, Type};
use atspi::zbus::zvariant::{DynamicType, ObjectPath, OwnedObjectPath, OwnedValue, Value};
use atspi::zbus::{Connection, MessageStream, connection::Builder};
use futures_util::StreamExt as _;
use serde::Serialize;
use tokio::runtime::Runtime;

const PATH: &str = "/org/freedesktop/portal/desktop";
const REQUEST: &str = "org.freedesktop.portal.Request";
const SESSION: &str = "org.freedesktop.portal.Session";

/// How the portal misbehaves. Keys are counted from 1, presses and releases alike.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum PortalFault {
    /// The portal has no remote input.
    NoRemoteDesktop,
    /// Its version is a text.
    MalformedVersion,
    /// It offers the pointer alone.
    NoKeyboardOffered,
    /// The person allows the pointer alone.
    NoKeyboardAllowed,
    /// It is of the first version, which keeps no consent.
    FirstVersion,
    /// It chooses the names of requests itself, as before its version 0.9.
    OwnRequestNames,
    /// The call of this method is never answered.
    NoReply(&'static str),
    /// The request of this method is never answered.
    NoResponse(&'static str),
    /// The request of this method is answered by a text.
    MalformedResponse(&'static str),
    /// The request of this method is answered by yes, without any values.
    EmptyResponse(&'static str),
    /// The request of this method ends with this number.
    Response(&'static str, u32),
    /// It leaves the bus in the place of an answer to this method.
    Vanishes(&'static str),
    /// It leaves the bus while the person is asked.
    VanishesDuringQuestion,
    RejectsKey(usize),
    NeverAnswersKey(usize),
    /// It ends the session once this key came.
    ClosesAfterKey(usize),
    /// It leaves the bus in the place of an answer to this key.
    VanishesAtKey(usize),
}

/// A key as it came: its symbol, and whether it goes down.
pub(super) type PortalKey = (u32, bool);
/// Called before a key is answered, with how many there were.
pub(super) type PortalKeyHook = Box<dyn FnMut(usize, PortalKey) + Send>;

#[derive(Default)]
struct PortalScript {
    faults: Vec<PortalFault>,
    calls: Vec<String>,
    keys: Vec<PortalKey>,
    sessions: u32,
    /// The bus name of Luna's connection.
    client: String,
    on_key: Option<PortalKeyHook>,
    /// Requests that were not answered yet.
    open: Vec<(String, Message)>,
}

impl PortalScript {
    fn has(&self, fault: PortalFault) -> bool {
        self.faults.contains(&fault)
    }
}

/// The double; it leaves the bus on drop.
pub(super) struct ScriptedPortal {
    script: Arc<Mutex<PortalScript>>,
    connection: Connection,
    runtime: Runtime,
}

fn lock(script: &Mutex<PortalScript>) -> MutexGuard<'_, PortalScript> {
    script.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScriptedPortal {
    pub(super) fn start(address: &str, faults: &[PortalFault]) -> Self {
        let script = Arc::new(Mutex::new(PortalScript { faults: faults.to_vec(), ..PortalScript::default() }));
        let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(1).enable_all().build().unwrap();
        let connection = runtime.block_on(async {
            let connection = Builder::address(address).unwrap().build().await.unwrap();
            let mut calls = MessageStream::from(&connection);
            connection.request_name("org.freedesktop.portal.Desktop").await.unwrap();
            let (script, own) = (Arc::clone(&script), connection.clone());
            tokio::spawn(async move {
                while let Some(Ok(message)) = calls.next().await {
                    if message.message_type() == Type::MethodCall && !answer(&own, &script, &message).await {
                        let _ = own.clone().close().await;
                        return;
                    }
                }
            });
            connection
        });
        Self { script, connection, runtime }
    }

    /// What was called in order, but for keys.
    pub(super) fn calls(&self) -> Vec<String> {
        lock(&self.script).calls.clone()
    }

    pub(super) fn keys(&self) -> Vec<PortalKey> {
        lock(&self.script).keys.clone()
    }

    /// From now on, it misbehaves thus.
    pub(super) fn set_faults(&self, faults: &[PortalFault]) {
        lock(&self.script).faults = faults.to_vec();
    }

    pub(super) fn on_key(&self, hook: impl FnMut(usize, PortalKey) + Send + 'static) {
        lock(&self.script).on_key = Some(Box::new(hook));
    }

    /// The person answers a request of this method that was left open.
    pub(super) fn answer_open(&self, method: &str) {
        let open = std::mem::take(&mut lock(&self.script).open);
        for (name, message) in open {
            assert_eq!(name, method);
            self.runtime.block_on(respond(&self.connection, &self.script, &message, method));
        }
    }

    /// The person or the desktop ends the session.
    pub(super) fn close_session(&self) {
        let client = lock(&self.script).client.clone();
        self.runtime.block_on(send_closed(&self.connection, &client));
    }
}

/// Answers one call; `false` if the portal leaves the bus instead.
async fn answer(connection: &Connection, script: &Mutex<PortalScript>, message: &Message) -> bool {
    let header = message.header();
    let method = header.member().map(|name| name.to_string()).unwrap_or_default();
    if method == "NotifyKeyboardKeysym" {
        return answer_key(connection, script, message).await;
    }
    let (vanishes, is_silent) = {
        let mut script = lock(script);
        script.calls.push(describe(message, &method));
        script.client = header.sender().map(ToString::to_string).unwrap_or_default();
        let faults = &script.faults;
        let vanishes = faults.iter().any(|fault| matches!(fault, PortalFault::Vanishes(name) if *name == method));
        let is_silent = faults.iter().any(|fault| matches!(fault, PortalFault::NoReply(name) if *name == method));
        (vanishes, is_silent)
    };
    if vanishes || is_silent {
        return !vanishes;
    }
    match method.as_str() {
        "GetAll" => answer_properties(connection, script, message).await,
        "CreateSession" | "SelectDevices" | "Start" => {
            reply(connection, message, &request_path(script, message)).await;
            if method == "Start" && lock(script).has(PortalFault::VanishesDuringQuestion) {
                return false;
            }
            let is_open = {
                let mut script = lock(script);
                let is_it = |fault: &PortalFault| matches!(fault, PortalFault::NoResponse(name) if *name == method);
                let is_open = script.faults.iter().any(is_it);
                if is_open {
                    script.open.push((method.clone(), message.clone()));
                }
                is_open
            };
            if !is_open {
                respond(connection, script, message, &method).await;
            }
        }
        _ => reply(connection, message, &()).await,
    }
    true
}

/// A call in words: what of its options matters.
fn describe(message: &Message, method: &str) -> String {
    let is_request = message.header().interface().is_some_and(|interface| *interface == REQUEST);
    if method != "SelectDevices" {
        return if is_request { format!("{method} request") } else { method.to_owned() };
    }
    let body = message.body();
    let (_, options): (ObjectPath<'_>, HashMap<String, OwnedValue>) = body.deserialize().unwrap();
    let number = |name: &str| options.get(name).map_or(-1, |value| i64::from(u32::try_from(value).unwrap()));
    let token = options
        .get("restore_token")
        .map_or_else(|| "none".to_owned(), |value| String::try_from(value.clone()).unwrap());
    format!("SelectDevices types {} persist {} token {token}", number("types"), number("persist_mode"))
}

async fn answer_properties(connection: &Connection, script: &Mutex<PortalScript>, message: &Message) {
    let script_now = |fault| lock(script).has(fault);
    if script_now(PortalFault::NoRemoteDesktop) {
        let unknown = "org.freedesktop.DBus.Error.InvalidArgs";
        let _ = connection.reply_error(&message.header(), unknown, &"No such interface").await;
        return;
    }
    let devices = if script_now(PortalFault::NoKeyboardOffered) { 2_u32 } else { 3 };
    let version = match script_now(PortalFault::MalformedVersion) {
        true => Value::from("two"),
        false => Value::from(if script_now(PortalFault::FirstVersion) { 1_u32 } else { 2 }),
    };
    let told: HashMap<&str, Value<'_>> = [("version", version), ("AvailableDeviceTypes", Value::from(devices))].into();
    reply(connection, message, &told).await;
}

/// Sends the answer to a request.
async fn respond(connection: &Connection, script: &Mutex<PortalScript>, message: &Message, method: &str) {
    let path = request_path(script, message);
    let sender = message.header().sender().unwrap().to_string();
    let is = |fault: &PortalFault| match fault {
        PortalFault::MalformedResponse(name) | PortalFault::EmptyResponse(name) => *name == method,
        PortalFault::Response(name, _) => *name == method,
        _ => false,
    };
    let fault = lock(script).faults.iter().copied().find(is);
    let code = if let Some(PortalFault::Response(_, code)) = fault { code } else { 0 };
    let mut values: HashMap<&str, Value<'_>> = HashMap::new();
    match method {
        "CreateSession" => drop(values.insert("session_handle", Value::from(session_path(&sender)))),
        "Start" => {
            let (count, only_pointer, is_first) = {
                let mut script = lock(script);
                script.sessions += 1;
                let has = |fault| script.has(fault);
                (script.sessions, has(PortalFault::NoKeyboardAllowed), has(PortalFault::FirstVersion))
            };
            values.insert("devices", Value::from(if only_pointer { 2_u32 } else { 1 }));
            if !is_first {
                values.insert("restore_token", Value::from(format!("consent-{count}")));
            }
        }
        _ => {}
    }
    if let Some(PortalFault::EmptyResponse(_)) = fault {
        values.clear();
    }
    let sent = match fault {
        Some(PortalFault::MalformedResponse(_)) => {
            connection.emit_signal(Some(sender.as_str()), &path, REQUEST, "Response", &"yes").await
        }
        _ => connection.emit_signal(Some(sender.as_str()), &path, REQUEST, "Response", &(code, values)).await,
    };
    sent.unwrap();
}

async fn answer_key(connection: &Connection, script: &Mutex<PortalScript>, message: &Message) -> bool {
    let body = message.body();
    let (_, _, symbol, state): (ObjectPath<'_>, HashMap<String, OwnedValue>, i32, u32) = body.deserialize().unwrap();
    let key = (u32::try_from(symbol).unwrap(), state == 1);
    let (count, hook) = {
        let mut script = lock(script);
        let count = script.keys.len() + 1;
        if script.has(PortalFault::RejectsKey(count)) {
            // It is not counted again.
            script.faults.clear();
            script.calls.push("rejected".to_owned());
            (0, None)
        } else {
            script.keys.push(key);
            (count, script.on_key.take())
        }
    };
    if count == 0 {
        let denied = "org.freedesktop.DBus.Error.AccessDenied";
        let _ = connection.reply_error(&message.header(), denied, &"Invalid session").await;
        return true;
    }
    if let Some(mut hook) = hook {
        hook(count, key);
        lock(script).on_key.get_or_insert(hook);
    }
    let has = |fault| lock(script).has(fault);
    if has(PortalFault::VanishesAtKey(count)) {
        return false;
    }
    if !has(PortalFault::NeverAnswersKey(count)) {
        reply(connection, message, &()).await;
    }
    if has(PortalFault::ClosesAfterKey(count)) {
        let client = lock(script).client.clone();
        send_closed(connection, &client).await;
    }
    true
}

async fn send_closed(connection: &Connection, client: &str) {
    let details: HashMap<&str, Value<'_>> = HashMap::new();
    connection.emit_signal(Some(client), session_path(client), SESSION, "Closed", &(details,)).await.unwrap();
}

fn session_path(sender: &str) -> String {
    format!("{PATH}/session/{}/luna", sender.trim_start_matches(':').replace('.', "_"))
}

fn request_path(script: &Mutex<PortalScript>, message: &Message) -> OwnedObjectPath {
    let header = message.header();
    let body = message.body();
    let method = header.member().map(|name| name.to_string()).unwrap_or_default();
    let options: HashMap<String, OwnedValue> = match method.as_str() {
        "CreateSession" => body.deserialize().unwrap(),
        "SelectDevices" => body.deserialize::<(ObjectPath<'_>, _)>().unwrap().1,
        _ => body.deserialize::<(ObjectPath<'_>, String, _)>().unwrap().2,
    };
    let token = match lock(script).has(PortalFault::OwnRequestNames) {
        true => format!("own_{method}"),
        false => String::try_from(options["handle_token"].clone()).unwrap(),
    };
    let sender = header.sender().unwrap().trim_start_matches(':').replace('.', "_");
    OwnedObjectPath::try_from(format!("{PATH}/request/{sender}/{token}")).unwrap()
}

async fn reply(connection: &Connection, message: &Message, body: &(impl Serialize + DynamicType)) {
    connection.reply(&message.header(), body).await.unwrap();
}
