//! Process-wide setup, before any actor starts.

use anyhow::Context as _;
use luna_actor_runtime::{memory_only, metric_names, sampling, stages};
use luna_platform::{heap, open_files};
use metrics_exporter_prometheus::{Matcher, PrometheusBuilder, PrometheusHandle};
use tokio::runtime::{Builder, Runtime};
use tokio::time::Instant;

use super::Configuration;
use crate::logging::{self, RecentLog};
use crate::settings;
use crate::single_instance::{self, ClaimError, SingleInstance};
use luna_config::Config;

/// Heap, log, panic hook, limits, the claim to be the only Luna, and metrics.
pub struct ProcessSetup {
    /// When the setup began.
    pub(super) start: Instant,
    pub(super) log: RecentLog,
    /// `None` if it is not known yet whether another Luna runs.
    pub(super) claim: Option<SingleInstance>,
    /// `None` if metrics are switched off.
    pub(super) metrics: Option<PrometheusHandle>,
}

impl ProcessSetup {
    /// # Errors
    /// If another Luna runs, or metrics can't be installed.
    pub fn prepare(configuration: &Configuration) -> anyhow::Result<Self> {
        let start = Instant::now();
        let loaded = &configuration.loaded;
        heap::return_freed_memory();
        let log = RecentLog::new(settings::start_settings(&loaded.config).recent_log);
        settings::process_settings(&loaded.config).apply();
        logging::start(&log, "info");
        loaded.warnings.iter().for_each(|warning| tracing::warn!("{warning}"));
        // A panic message may contain text that was being read (BUF-3).
        memory_only::install_panic_hook();
        open_files::raise_limit();
        let claim = claim()?;
        let metrics = install_metrics(&loaded.config)?;
        Ok(Self { start, log, claim, metrics })
    }
}

/// Two Lunas would speak over one another. If the claim can't be checked, Luna runs anyway (KER-9), but without an endpoint until it can.
fn claim() -> anyhow::Result<Option<SingleInstance>> {
    match single_instance::claim() {
        Ok(claim) => Ok(Some(claim)),
        Err(error @ ClaimError::RunsAlready { .. }) => Err(error.into()),
        Err(error) => {
            tracing::warn!(%error, "It is not known whether another Luna runs.");
            Ok(None)
        }
    }
}

fn install_metrics(config: &Config) -> anyhow::Result<Option<PrometheusHandle>> {
    if !settings::start_settings(config).metrics {
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
    stages::publish_budgets();
    Ok(Some(handle))
}

/// The runtime with Luna's worker threads.
///
/// # Errors
/// If the system can't start threads.
pub fn threads() -> anyhow::Result<Runtime> {
    Builder::new_multi_thread()
        // Actors mostly wait, and engines are processes of their own; but an actor that blocks its thread against the rules must leave threads to the
        // others until the watchdog has replaced it (KER-8).
        .worker_threads(4)
        .max_blocking_threads(8)
        .on_thread_start(|| {
            if let Err(error) = luna_platform::scheduling::raise_thread_priority() {
                tracing::debug!(%error, "A thread keeps its ordinary time slices.");
            }
        })
        .enable_all()
        .build()
        .context("the system can't start threads")
}
