//! A life of Luna: configuration → logs → metrics → tree → ready → wait → drain (KER-10).

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use anyhow::Context as _;
use luna_logic::phrases::Phrase;
use luna_messages::control::Command;
use luna_messages::focus::ReflexMessage;
use luna_messages::tts::TtsMessage;
use luna_platform::{heap, open_files};
use luna_runtime::memory_only;
use luna_runtime::metric_names;
use luna_runtime::retry::RetryPolicy;
use luna_runtime::sampling;
use luna_runtime::shutdown::{self, Phase};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use serde::Serialize;
use tokio::sync::Semaphore;
use tokio::time::Instant;

use crate::config::{Config, ConfigWatcher, Loaded};
use crate::endpoint::{self, EndpointTask};
use crate::http::{self, Endpoint};
use crate::lease::ModelsLock;
use crate::logging::{self, RecentLog};
use crate::one_luna::{self, ClaimError, OneLuna};
use crate::settings::{self, Live};
use crate::wiring::Wiring;
use crate::{control_file, hot_keys, reload, tree};

/// How long an orderly end may take in all.
const SHUTDOWN_BUDGET: Duration = Duration::from_secs(4);

/// How long the first try to take the hot keys is waited for; it takes some milliseconds.
const FIRST_KEYS: Duration = Duration::from_millis(500);

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
    heap::return_freed_memory();
    let log = RecentLog::new(settings::of_start(&loaded.config).recent_log);
    settings::of_process(&loaded.config).apply();
    logging::start(&log, "info");
    loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
    // The message of a panic may hold what was being read (BUF-3).
    memory_only::install_panic_hook();
    open_files::raise_limit();
    let claim = claim()?;
    let metrics = install_metrics(&loaded.config)?;
    let runtime = threads().context("the system gives no threads")?;
    let code = runtime.block_on(live(loaded, options, log, metrics, claim, start, ready))?;
    // Threads of the system that hang in a call must not keep the process.
    runtime.shutdown_timeout(Duration::from_millis(200));
    Ok(code)
}

async fn live(
    loaded: Loaded,
    options: Options,
    log: RecentLog,
    metrics: Option<PrometheusHandle>,
    claim: Option<OneLuna>,
    start: Instant,
    ready: impl FnOnce(&Ready),
) -> anyhow::Result<ExitCode> {
    // Heard from here on, so that a second one that comes while the end of the first begins is not lost (KER-10).
    let mut signals = Signals::listen();
    let live = Live::new(loaded.config.clone());
    let mut wiring = Wiring::new(&live, &luna_system());
    let models_lock = ModelsLock::of_this_person();
    wiring.admission = Some(models_lock.admission(Duration::from_millis(loaded.config.gpu.wait_bound_ms)));
    let tree = Arc::new(tree::plant(&wiring, &live, metrics.clone()));
    let configured = hot_keys::configured(&loaded.config);
    let (keys, first_keys) = hot_keys::start(wiring.hot_key_parts(), configured, RetryPolicy::default());
    // Who is told that Luna is ready may press a key at once; a display that does not answer is not waited for.
    drop(tokio::time::timeout(FIRST_KEYS, first_keys).await);

    let endpoint = Endpoint {
        metrics,
        reflex: wiring.reflex.clone(),
        gpu: wiring.gpu.clone(),
        bus: wiring.bus.clone(),
        capabilities: wiring.capabilities.clone(),
        tree: tree.clone(),
        log,
        hot_keys: wiring.hot_keys.clone(),
        streams: Arc::new(Semaphore::new(http::MOST_STREAMS)),
        lease_holders: wiring.lease_holders.clone(),
        models_lock,
        token: control_file::new_token().context("the system gives no random numbers")?.into(),
    };
    let wanted = settings::of_start(&loaded.config).listen;
    let (kept_open, first) = endpoint::start(wanted, endpoint, claim, RetryPolicy::default());
    let opened = first.await.ok().flatten();
    ready(&Ready {
        address: opened.as_ref().map(|opened| opened.address.to_string()),
        control: opened.map(|opened| opened.control),
        after_ms: u64::try_from(start.elapsed().as_millis()).unwrap_or(u64::MAX),
    });
    wiring.announcer.say(Phrase::Ready);
    if options.focus {
        drop(wiring.reflex.post(ReflexMessage::Command(Command::FocusOn)));
    }
    let reloading = tokio::spawn(reload::keep_up(options.watcher, live.clone(), wiring.clone()));

    signals.next().await;
    tracing::info!("Luna was told to end.");
    let second = tokio::spawn(async move {
        signals.next().await;
        #[expect(clippy::disallowed_methods, reason = "a second signal ends at once (KER-10)")]
        std::process::exit(130);
    });
    reloading.abort();
    drop(keys);
    end(&wiring, &tree, kept_open).await;
    second.abort();
    Ok(ExitCode::SUCCESS)
}

fn luna_system() -> crate::system::System {
    crate::system::System::of_this_machine()
}

/// Two would speak over one another. Where it can't be told, Luna runs all the same (KER-9), without an endpoint until it can.
fn claim() -> anyhow::Result<Option<OneLuna>> {
    match one_luna::claim() {
        Ok(claim) => Ok(Some(claim)),
        Err(error @ ClaimError::RunsAlready { .. }) => Err(error.into()),
        Err(error) => {
            tracing::warn!(%error, "Whether another Luna runs can't be told.");
            Ok(None)
        }
    }
}

fn install_metrics(config: &Config) -> anyhow::Result<Option<PrometheusHandle>> {
    if !settings::of_start(config).metrics {
        return Ok(None);
    }
    let mut builder = PrometheusBuilder::new();
    for (name, bounds) in metric_names::HISTOGRAMS {
        builder = builder.set_buckets_for_metric(Matcher::Full((*name).to_owned()), bounds)?;
    }
    let recorder = builder.build_recorder();
    let handle = recorder.handle();
    sampling::install(recorder).context("metrics could not be installed")?;
    metric_names::describe_all();
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

async fn end(wiring: &Wiring, tree: &luna_runtime::supervisor::Tree, kept_open: EndpointTask) {
    let begin = Instant::now();
    let kept_open = &std::sync::Mutex::new(Some(kept_open));
    shutdown::run(SHUTDOWN_BUDGET, |phase, left| async move {
        match phase {
            Phase::StopTaking => {
                let endpoint = kept_open.lock().ok().and_then(|mut endpoint| endpoint.take());
                if let Some(endpoint) = endpoint {
                    endpoint.close().await;
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

/// The signals that tell Luna to end.
#[cfg(unix)]
struct Signals(Vec<tokio::signal::unix::Signal>);

#[cfg(unix)]
impl Signals {
    fn listen() -> Self {
        use tokio::signal::unix::{SignalKind, signal};
        let listened = [SignalKind::terminate(), SignalKind::hangup(), SignalKind::interrupt()].map(signal);
        Self(listened.into_iter().filter_map(Result::ok).collect())
    }

    /// The next one that came and was not taken yet; never where the system lets none be heard.
    async fn next(&mut self) {
        std::future::poll_fn(|context| {
            let came = self.0.iter_mut().any(|signal| signal.poll_recv(context).is_ready());
            if came { std::task::Poll::Ready(()) } else { std::task::Poll::Pending }
        })
        .await;
    }
}

/// The signals that tell Luna to end.
#[cfg(not(unix))]
struct Signals;

#[cfg(not(unix))]
impl Signals {
    const fn listen() -> Self {
        Self
    }

    async fn next(&mut self) {
        drop(tokio::signal::ctrl_c().await);
    }
}
