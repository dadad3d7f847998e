//! The accessibility bus: connecting, and calls with a deadline.

use std::time::Duration;

use atspi::zbus::fdo;
use atspi::zbus::names::BusName;
use atspi::zbus::zvariant::{DynamicDeserialize, DynamicType, ObjectPath, OwnedObjectPath, OwnedValue};
use atspi::zbus::{self, Connection, connection::Builder};
use serde::Serialize;
use tokio::time::timeout;

use super::call_error::CallError;
use super::{allowance, socket};
use crate::PlatformError;

/// Deadline of one call. Some toolkits never answer methods that they lack.
pub(super) const CALL_DEADLINE: Duration = Duration::from_millis(300);
/// Deadline of connecting, which may include the start of the bus and its registry.
const CONNECT_DEADLINE: Duration = Duration::from_millis(800);

const ROOT: &str = "/org/a11y/atspi/accessible/root";

/// An object on a connection: the receiver of a call.
#[derive(Debug, Clone, Copy)]
pub(super) struct BusAddress<'a> {
    /// The connection to call over.
    pub(super) connection: &'a Connection,
    /// The receiver's bus name; ignored on a direct connection.
    pub(super) name: &'a str,
    pub(super) path: &'a ObjectPath<'a>,
}

impl BusAddress<'_> {
    /// Calls a method and reads its answer within `limit`.
    pub(super) async fn call<B, R>(
        self,
        interface: &str,
        method: &str,
        body: &B,
        limit: Duration,
    ) -> Result<R, CallError>
    where
        B: Serialize + DynamicType + Sync,
        R: for<'d> DynamicDeserialize<'d>,
    {
        allowance::take_call()?;
        let name = BusName::try_from(self.name).map_err(|_| CallError::Refused)?;
        let request = self.connection.call_method(Some(name), self.path, Some(interface), method, body);
        let answer = timeout(limit, request).await.map_err(|_| {
            allowance::note_late();
            CallError::Late
        })??;
        // The registry answers for no application.
        if !self.name.starts_with("org.") {
            allowance::note_answer();
        }
        allowance::take_bytes(answer.data().len())?;
        answer.body().deserialize().map_err(|_| CallError::Refused)
    }

    /// Reads a property within `limit`.
    pub(super) async fn property<R>(self, interface: &str, property: &str, limit: Duration) -> Result<R, CallError>
    where
        R: TryFrom<OwnedValue>,
    {
        let value: OwnedValue =
            self.call("org.freedesktop.DBus.Properties", "Get", &(interface, property), limit).await?;
        R::try_from(value).map_err(|_| CallError::Refused)
    }
}

/// A connection to the accessibility bus.
#[derive(Debug, Clone)]
pub(super) struct AccessibilityBus {
    /// The connection to the bus that all applications share.
    pub(super) connection: Connection,
}

impl AccessibilityBus {
    /// Connects. `session` is the address of the session bus; `None` selects the bus named in the environment.
    pub(super) async fn connect(session: Option<&str>) -> Result<Self, PlatformError> {
        match timeout(CONNECT_DEADLINE, Self::connect_without_deadline(session)).await {
            Ok(result) => result,
            Err(_) => Err(PlatformError::unavailable(
                "The accessibility bus does not answer.",
                "Log out and in again, or start at-spi-bus-launcher (Debian package at-spi2-core).",
            )),
        }
    }

    async fn connect_without_deadline(session: Option<&str>) -> Result<Self, PlatformError> {
        let address = match (session, std::env::var("AT_SPI_BUS_ADDRESS")) {
            (None, Ok(address)) if !address.is_empty() => address,
            (session, _) => Self::ask_address(session).await?,
        };
        let connection = socket::connect(&address, false, CONNECT_DEADLINE).await.map_err(|_| no_bus())?;
        Ok(Self { connection })
    }

    /// Asks the session bus for the address of the accessibility bus, and enables accessibility if it is off.
    async fn ask_address(session: Option<&str>) -> Result<String, PlatformError> {
        let builder = match session {
            Some(address) => Builder::address(address),
            None => Builder::session(),
        };
        let connection = builder.map_err(|_| no_session())?.build().await.map_err(|_| no_session())?;
        let path = ObjectPath::from_static_str_unchecked("/org/a11y/bus");
        let target = BusAddress { connection: &connection, name: "org.a11y.Bus", path: &path };
        let address: String =
            target.call("org.a11y.Bus", "GetAddress", &(), CONNECT_DEADLINE).await.map_err(|_| no_bus())?;
        // Qt, GTK 4 and browsers expose their trees only if accessibility is enabled. The previous value is not
        // restored.
        let wanted = target.property::<bool>("org.a11y.Status", "IsEnabled", CALL_DEADLINE).await;
        if wanted == Ok(false) {
            let on = ("org.a11y.Status", "IsEnabled", zbus::zvariant::Value::Bool(true));
            let set = target.call::<_, ()>("org.freedesktop.DBus.Properties", "Set", &on, CALL_DEADLINE).await;
            tracing::debug!(worked = set.is_ok(), "Asked the applications to show their accessibility trees.");
        }
        Ok(address)
    }

    /// The applications on the bus, which are the children of its registry.
    pub(super) async fn applications(&self) -> Result<Vec<(String, OwnedObjectPath)>, CallError> {
        let path = ObjectPath::from_static_str_unchecked(ROOT);
        let target = BusAddress { connection: &self.connection, name: "org.a11y.atspi.Registry", path: &path };
        target.call("org.a11y.atspi.Accessible", "GetChildren", &(), CONNECT_DEADLINE).await
    }

    /// A request to the registry about the events that applications send.
    pub(super) async fn ask_registry(
        &self,
        method: &str,
        body: &(impl Serialize + DynamicType + Sync),
    ) -> Result<(), CallError> {
        const REGISTRY: &str = "org.a11y.atspi.Registry";
        let path = ObjectPath::from_static_str_unchecked("/org/a11y/atspi/registry");
        let target = BusAddress { connection: &self.connection, name: REGISTRY, path: &path };
        target.call(REGISTRY, method, body, CALL_DEADLINE).await
    }

    /// The process that owns a name on the bus.
    pub(super) async fn process_of(&self, name: &str) -> Result<u32, CallError> {
        let request = async {
            let proxy = fdo::DBusProxy::new(&self.connection).await?;
            let name = BusName::try_from(name).map_err(zbus::Error::from)?;
            proxy.get_connection_unix_process_id(name).await.map_err(zbus::Error::from)
        };
        Ok(timeout(CALL_DEADLINE, request).await.map_err(|_| CallError::Late)??)
    }
}

fn no_session() -> PlatformError {
    PlatformError::unavailable(
        "The D-Bus session bus can't be reached.",
        "Start Luna inside a desktop session, or under dbus-run-session; DBUS_SESSION_BUS_ADDRESS names the bus.",
    )
}

fn no_bus() -> PlatformError {
    PlatformError::unavailable(
        "The accessibility bus is not there.",
        "Install at-spi2-core (apt install at-spi2-core) and log in again.",
    )
}
