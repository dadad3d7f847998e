//! Keeps the HTTP endpoint open: port, control file, connections; failures are retried (KER-9).

use std::io;
use std::net::SocketAddr;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use async_trait::async_trait;
use luna_actor_runtime::Capabilities;
use luna_actor_runtime::blocking::{BlockingThread, NoAnswer};
use luna_actor_runtime::retry::{RetryPolicy, Retryable, keep};
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_platform::private_folder::PrivateFolderError;
use tokio::net::TcpListener;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

use crate::control_file;
use crate::http::serve::{Limits, serve};
use crate::http::{self, Endpoint};
use crate::single_instance::{self, ClaimError, SingleInstance};

/// Longest wait for the disk of the runtime folder; writing a file takes a millisecond.
const DISK_TIMEOUT: Duration = Duration::from_secs(5);

/// Why the endpoint is not open.
#[derive(Debug, thiserror::Error)]
pub enum EndpointError {
    /// Another program uses the port.
    #[error("another program uses port {} of {}", .0.port(), .0.ip())]
    PortTaken(SocketAddr),
    /// The user may not open the port.
    #[error("this user may not open port {}", .0.port())]
    PortForbidden(SocketAddr),
    /// The address can't be opened.
    #[error("{address} can't be opened: {source}")]
    Listen {
        address: SocketAddr,
        /// The system's error.
        source: io::Error,
    },
    /// The control file can't be written.
    #[error(transparent)]
    ControlFile(#[from] PrivateFolderError),
    /// The runtime folder could not be claimed: another Luna uses it, or that can't be found out.
    #[error(transparent)]
    Claim(#[from] ClaimError),
    /// The system stopped accepting connections.
    #[error("the system accepts no connection any more: {0}")]
    Accept(io::Error),
    /// The disk with the runtime folder hangs (KER-11).
    #[error(transparent)]
    Disk(#[from] NoAnswer),
    /// An internal error.
    #[error("serving connections failed inside of Luna")]
    Internal,
}

impl EndpointError {
    fn from_listen_error(address: SocketAddr, source: io::Error) -> Self {
        match source.kind() {
            io::ErrorKind::AddrInUse => Self::PortTaken(address),
            io::ErrorKind::PermissionDenied => Self::PortForbidden(address),
            _ => Self::Listen { address, source },
        }
    }

    /// Reason and remedy, for `luna ctl`, `luna doctor` and the log.
    #[must_use]
    pub fn unavailable(&self) -> Unavailable {
        let remedy = match self {
            Self::PortTaken(_) => "End that program, or set http.port to another port, or to 0 for any free one.",
            Self::PortForbidden(_) => "Set http.port to 1024 or more, or to 0 for any free one.",
            Self::Listen { .. } => "Set http.bind to 127.0.0.1 or ::1, and http.port to 0 for any free port.",
            Self::ControlFile(PrivateFolderError::DiskFull { .. }) => "Free some room on the disk.",
            Self::ControlFile(_) | Self::Disk(_) | Self::Claim(ClaimError::Folder(_) | ClaimError::Lock { .. }) => {
                "Set LUNA_RUNTIME_DIR to a folder of your own on a local disk."
            }
            Self::Claim(ClaimError::RunsAlready { .. }) => "End the other one.",
            Self::Accept(_) | Self::Internal => "If it stays so, start Luna again.",
        };
        Unavailable {
            reason: format!("The control endpoint could not be opened: {self}."),
            remedy: format!("{remedy} Luna tries again by itself."),
        }
    }
}

/// Where the endpoint is open.
#[derive(Debug, Clone)]
pub struct OpenedAt {
    pub address: SocketAddr,
    /// Path of the control file.
    pub control: String,
}

/// The task that keeps the endpoint open.
pub struct EndpointTask {
    task: JoinHandle<()>,
}

impl EndpointTask {
    /// Closes the endpoint with all its connections, and removes the control file.
    pub async fn close(self) {
        self.task.abort();
        drop(self.task.await);
    }
}

/// Opens the endpoint at `wanted` and keeps it open; the receiver gets the outcome of the first attempt. `claim` is `None` if the runtime folder
/// could not be claimed yet.
pub fn start(
    wanted: SocketAddr,
    endpoint: Endpoint,
    claim: Option<SingleInstance>,
    policy: RetryPolicy,
) -> (EndpointTask, oneshot::Receiver<Option<OpenedAt>>) {
    let (tell, first) = oneshot::channel();
    let capabilities = endpoint.capabilities.clone();
    let (claim, disk) = (Mutex::new(claim), BlockingThread::new("control_file", DISK_TIMEOUT));
    let retry = EndpointRetry { wanted, endpoint, capabilities, claim, opened: None, disk, tell_first: Some(tell) };
    (EndpointTask { task: tokio::spawn(keep(retry, policy)) }, first)
}

/// The open endpoint; dropping it closes it and removes the control file.
struct OpenEndpoint {
    at: OpenedAt,
    _control: control_file::WrittenControlFile,
    server: JoinHandle<io::Error>,
}

impl Drop for OpenEndpoint {
    fn drop(&mut self) {
        self.server.abort();
    }
}

struct EndpointRetry {
    wanted: SocketAddr,
    endpoint: Endpoint,
    capabilities: Capabilities,
    /// Claimed at the start, or at a later attempt if the folder was unusable at the start.
    claim: Mutex<Option<SingleInstance>>,
    opened: Option<OpenEndpoint>,
    /// Accesses the runtime folder.
    disk: BlockingThread,
    tell_first: Option<oneshot::Sender<Option<OpenedAt>>>,
}

#[async_trait]
impl Retryable for EndpointRetry {
    async fn try_again(&mut self) -> bool {
        if self.opened.is_none() {
            match self.open().await {
                Ok(opened) => {
                    self.opened = Some(opened);
                    self.capabilities.set(Capability::Http, CapabilityState::Available);
                }
                Err(error) => {
                    self.capabilities.set(Capability::Http, CapabilityState::Unavailable(error.unavailable()))
                }
            }
        }
        if let Some(tell) = self.tell_first.take() {
            drop(tell.send(self.opened.as_ref().map(|opened| opened.at.clone())));
        }
        self.opened.is_some()
    }

    async fn lost(&mut self) {
        let Some(opened) = &mut self.opened else { return std::future::pending().await };
        let error = match (&mut opened.server).await {
            Ok(error) => EndpointError::Accept(error),
            Err(_) => EndpointError::Internal,
        };
        self.opened = None;
        self.capabilities.set(Capability::Http, CapabilityState::Unavailable(error.unavailable()));
    }
}

impl EndpointRetry {
    async fn open(&self) -> Result<OpenEndpoint, EndpointError> {
        let claimed = self.claim.lock().unwrap_or_else(PoisonError::into_inner).is_some();
        if !claimed {
            let claim = self.disk.run(single_instance::claim).await??;
            *self.claim.lock().unwrap_or_else(PoisonError::into_inner) = Some(claim);
        }
        let wanted = self.wanted;
        let listening = |source| EndpointError::from_listen_error(wanted, source);
        let listener = TcpListener::bind(wanted).await.map_err(listening)?;
        let address = listener.local_addr().map_err(listening)?;
        // A reader of the file may connect at once: connections wait in the listener until the server runs.
        let control = control_file::ControlFile {
            address: address.to_string(),
            token: self.endpoint.token.to_string(),
            process: std::process::id(),
        };
        let path = control_file::path();
        let at = OpenedAt { address, control: path.display().to_string() };
        let written = self.disk.run(move || control_file::write(&path, &control)).await??;
        let router = http::router(self.endpoint.clone(), address);
        let server = tokio::spawn(serve(listener, router, Limits::of_this_process()));
        Ok(OpenEndpoint { at, _control: written, server })
    }
}

#[cfg(test)]
mod tests {
    use std::path::PathBuf;

    use super::*;

    // KER-9
    #[test]
    fn each_cause_has_its_own_remedy_ker_9() {
        let address: SocketAddr = "127.0.0.1:7870".parse().unwrap();
        let listen = |kind: io::ErrorKind| EndpointError::from_listen_error(address, kind.into());
        let full = || PrivateFolderError::DiskFull { path: PathBuf::from("/run/luna/control.json") };
        let other = || PrivateFolderError::OtherOwner { path: PathBuf::from("/tmp/luna-kim"), owner: 1001 };
        for (error, says, never) in [
            (listen(io::ErrorKind::AddrInUse), "http.port", "disk"),
            (listen(io::ErrorKind::PermissionDenied), "1024", "disk"),
            (listen(io::ErrorKind::AddrNotAvailable), "http.bind", "disk"),
            (EndpointError::ControlFile(full()), "Free some room on the disk", "http.port"),
            (EndpointError::ControlFile(other()), "LUNA_RUNTIME_DIR", "http.port"),
            (EndpointError::Claim(ClaimError::Folder(other())), "another user", "http.port"),
            (EndpointError::Claim(ClaimError::RunsAlready { process: Some(7) }), "process 7", "http.port"),
            (EndpointError::Accept(io::ErrorKind::Other.into()), "start Luna again", "http.port"),
        ] {
            let Unavailable { reason, remedy } = error.unavailable();
            let told = format!("{reason} {remedy}");
            assert!(told.contains(says) && !told.contains(never), "{told}");
        }
    }
}
