//! Luna's composition root: the only crate that knows all others. `main.rs` reads as its table of contents.

#![forbid(unsafe_code)]

// The command line.
pub mod cli;

// The life cycle of a run.
pub mod logging;
pub mod reload;
pub mod run;
pub mod settings;
pub mod single_instance;

// The actors and their dependencies.
pub mod blocking_system;
pub mod engines;
pub mod order_or_talk;
pub mod rules;
pub mod situation;
pub mod speech_model;
pub mod system;
pub mod tree;
pub mod wiring;

// Events, announcements and hot keys.
pub mod announce;
pub mod bus;
pub mod hold_key;
pub mod hot_keys;
pub mod silence_keys;

// The local endpoint and its clients.
pub mod control_client;
pub mod control_file;
pub mod control_protocol;
pub mod endpoint;
pub mod http;
pub mod lease;
pub mod peer;

// Batch commands, without a running Luna.
pub mod batch_commands;
pub mod doctor;
