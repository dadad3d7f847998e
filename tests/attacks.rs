//! Regression tests from security attacks: hostile requests, configurations, pictures, models, sounds, schemas, folders and lines. Each
//! module is a table of attempts and required outcomes, run against the real program through its public interfaces.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]
#![allow(clippy::disallowed_methods, reason = "other processes are waited for by the real clock")]

#[path = "support/desktop.rs"]
mod desktop;

#[path = "attacks/answers.rs"]
mod answers;
#[path = "attacks/configurations.rs"]
mod configurations;
#[path = "attacks/folders.rs"]
mod folders;
#[path = "attacks/http.rs"]
mod http;
#[path = "attacks/input.rs"]
mod input;
#[path = "attacks/output.rs"]
mod output;
#[path = "attacks/processes.rs"]
mod processes;
