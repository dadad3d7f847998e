//! A life of Luna: configuration → logs → metrics → tree → ready → wait → drain (KER-10).

use std::net::SocketAddr;
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use luna_logic::phrases::Phrase;
use luna_messages::capability::{Capability, CapabilityState, Unavailable};
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::tts::TtsMessage;
use luna_runtime::memory_only;
use luna_runtime::metric_names;
use luna_runtime::shutdown::{self, Phase};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde::Serialize;
use tokio::net::TcpListener;
use tokio::time::Instant;

use crate::config::{Config, ConfigWatcher, Loaded};
use crate::http::{self, Endpoint};
use crate::logging::{self, RecentLog};
use crate::settings::Live;
use crate::wiring::Wiring;
use crate::{control_file, reload, tree};

/// How long an orderly end may take in all.
const SHUTDOWN_BUDGET: Duration = Duration::from_secs(4);

/// Told once Luna is ready.
#[derive(Debug, Serialize)]
pub struct Ready {
    /// Where she listens; `None` where she could not open the endpoint.
    pub address: Option<String>,
    /// The control file.
    pub control: Option<String>,
    /// Milliseconds since the start of the process's work.
    pub after_ms: u64,
}

/// What the command line adds to the configuration.
#[derive(Debug)]
pub struct Options {
    /// Switch focus mode on right away.
    pub focus: bool,
    /// Notices changes of the configuration file (CFG-4). Made before the file was read, so that no change falls between the two.
    pub watcher: ConfigWatcher,
}

/// Runs until a signal comes.
///
/// # Errors
/// Where another Luna runs already, or the system gives no threads.
pub fn run(loaded: Loaded, options: Options, ready: impl FnOnce(&Ready)) -> anyhow::Result<ExitCode> {
    let start = Instant::now();
    let log = RecentLog::new(loaded.config.windows.log.recent as usize);
    logging::start(&log, "info");
    // Neither a core file nor the message of a panic may hold what was being read (BUF-3).
    if let Err(error) = memory_only::forbid_core_files() {
        tracing::warn!(%error, "Core files could not be forbidden.");
    }
    memory_only::install_panic_hook();
    refuse_a_second_luna()?;
    let metrics = install_metrics(&loaded.config)?;
    let runtime = threads().context("the system gives no threads")?;
    let code = runtime.block_on(live(loaded, options, log, metrics, start, ready))?;
    // Threads of the system that hang in a call must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(code)
}

async fn live(
    loaded: Loaded,
    options: Options,
    log: RecentLog,
    metrics: Option<PrometheusHandle>,
    start: Instant,
    ready: impl FnOnce(&Ready),
) -> anyhow::Result<ExitCode> {
    let live = Live::new(loaded.config.clone());
    let wiring = Wiring::new(&live, &luna_system());
    let tree = Arc::new(tree::plant(&wiring, &live, metrics.clone()));
    let keys = wiring.hold_hot_keys(&loaded.config);

    let endpoint = Endpoint {
        metrics,
        reflex: wiring.reflex.clone(),
        gpu: wiring.gpu.clone(),
        bus: wiring.bus.clone(),
        capabilities: wiring.capabilities.clone(),
        tree: tree.clone(),
        log,
        token: control_file::new_token().context("the system gives no random numbers")?.into(),
    };
    let opened = open(&loaded.config, &endpoint, &wiring).await;
    ready(&Ready {
        address: opened.as_ref().map(|opened| opened.address.to_string()),
        control: opened
            .as_ref()
            .and_then(|opened| opened.control.as_ref())
            .map(|_| control_file::path().display().to_string()),
        after_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    wiring.announcer.say(Phrase::Ready);
    if options.focus {
        drop(wiring.reflex.post(ReflexMessage::Command(Command::FocusOn)));
    }
    let reloading = tokio::spawn(reload::keep_up(options.watcher, live.clone(), wiring.clone()));

    signal().await;
    tracing::info!("Luna was told to end.");
    let second = tokio::spawn(async {
        signal().await;
        #[expect(clippy::disallowed_methods, reason = "a second signal ends at once (KER-10)")]
        std::process::exit(130);
    });
    reloading.abort();
    drop(keys);
    end(&wiring, &tree, opened).await;
    second.abort();
    Ok(ExitCode::SUCCESS)
}

fn luna_system() -> crate::wiring::System {
    crate::wiring::System::of_this_machine()
}

/// The open endpoint; dropping it closes it and removes the control file.
struct Opened {
    address: SocketAddr,
    control: Option<control_file::Written>,
    server: tokio::task::JoinHandle<()>,
}

async fn open(config: &Config, endpoint: &Endpoint, wiring: &Wiring) -> Option<Opened> {
    match try_open(config, endpoint).await {
        Ok(opened) => {
            wiring.capabilities.set(Capability::Http, CapabilityState::Available);
            Some(opened)
        }
        Err(error) => {
            let why = Unavailable {
                reason: format!("The control endpoint could not be opened: {error:#}."),
                remedy: "Set http.port to another port, or to 0 for any free one.".to_owned(),
            };
            wiring.capabilities.set(Capability::Http, CapabilityState::Unavailable(why));
            None
        }
    }
}

async fn try_open(config: &Config, endpoint: &Endpoint) -> anyhow::Result<Opened> {
    let wanted = SocketAddr::new(config.http.bind, config.http.port);
    let listener = TcpListener::bind(wanted).await.with_context(|| format!("port {}", config.http.port))?;
    let address = listener.local_addr()?;
    let control = control_file::Control {
        address: address.to_string(),
        token: endpoint.token.to_string(),
        process: std::process::id(),
    };
    let path = control_file::path();
    let written = control_file::write(&path, &control).with_context(|| path.display().to_string())?;
    let router = http::router(endpoint.clone(), address);
    let server = tokio::spawn(async move {
        if let Err(error) = axum::serve(listener, router).await {
            tracing::error!(%error, "The HTTP endpoint ended.");
        }
    });
    Ok(Opened { address, control: Some(written), server })
}

/// Two would speak over one another. The control file of one that was killed doesn't count.
fn refuse_a_second_luna() -> anyhow::Result<()> {
    if let Ok(control) = control_file::read(&control_file::path())
        && crate::cli::ctl::answers(&control)
    {
        anyhow::bail!(
            "Luna runs already (process {}). End that one first, or talk to it with `luna ctl`.",
            control.process
        );
    }
    Ok(())
}

fn install_metrics(config: &Config) -> anyhow::Result<Option<PrometheusHandle>> {
    if !config.metrics.enable {
        return Ok(None);
    }
    let mut builder = PrometheusBuilder::new();
    for (name, bounds) in metric_names::HISTOGRAMS {
        builder = builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), bounds)?;
    }
    let handle = builder.install_recorder().context("metrics could not be installed")?;
    metric_names::describe_all();
    luna_runtime::sampling::set_rate(config.metrics.sample_rate);
    Ok(Some(handle))
}

/// The threads that Luna runs on.
///
/// # Errors
/// The system gives none.
pub fn threads() -> std::io::Result<tokio::runtime::Runtime> {
    tokio::runtime::Builder::new_multi_thread()
        // Actors wait more than they work, and engines have processes of their own; but one that blocks its thread against the rules, until the
        // watchdog has replaced it, must leave threads to the others (KER-8).
        .worker_threads(4)
        .max_blocking_threads(8)
        .on_thread_start(|| {
            if let Err(error) = luna_platform::scheduling::answer_quickly() {
                tracing::debug!(%error, "A thread keeps its ordinary slices of time.");
            }
        })
        .enable_all()
        .build()
}

async fn end(wiring: &Wiring, tree: &luna_runtime::supervisor::Tree, opened: Option<Opened>) {
    let begin = Instant::now();
    let opened = &std::sync::Mutex::new(opened);
    shutdown::run(SHUTDOWN_BUDGET, |phase, left| async move {
        match phase {
            Phase::StopTaking => {
                if let Some(opened) = opened.lock().ok().and_then(|mut opened| opened.take()) {
                    opened.server.abort();
                }
            }
            Phase::Silence => drop(wiring.tts.post(TtsMessage::Stop { at: luna_messages::RequestId::next() })),
            // Nothing of this version lasts beyond the process.
            Phase::Persist => {}
            Phase::EndActors => {
                let report = tree.shutdown(left).await;
                if !report.killed.is_empty() {
                    tracing::warn!(killed = ?report.killed, "Some actors did not end in time.");
                }
                // Also where an actor was given up and could not end its engine itself.
                wiring.llm_engine.end();
                wiring.stt_engine.end();
            }
        }
    })
    .await;
    tracing::info!(took_ms = u64::try_from(begin.elapsed().as_millis()).unwrap_or(u64::MAX), "Luna has ended.");
}

#[cfg(unix)]
async fn signal() {
    use tokio::signal::unix::{SignalKind, signal};
    let (Ok(mut terminate), Ok(mut hang_up)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) else {
        drop(tokio::signal::ctrl_c().await);
        return;
    };
    tokio::select! {
        _ = terminate.recv() => {}
        _ = hang_up.recv() => {}
        _ = tokio::signal::ctrl_c() => {}
    }
}

#[cfg(not(unix))]
async fn signal() {
    drop(tokio::signal::ctrl_c().await);
}
