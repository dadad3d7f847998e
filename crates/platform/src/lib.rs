//! What the machine offers: one trait per capability, most with modules `linux`, `windows`, `null` (absent) and `fault`
//! (misbehaves on request) that implement it. Nothing here decides anything; the callers are the actors and the
//! composition root.
//!
//! **Absent on purpose:** this crate does not know actors, configuration files, or what Luna does with the results.

pub mod error;

pub mod accessibility;
pub mod audio;
pub mod capture;
pub mod card;
pub mod desktop;
pub mod fonts;
pub mod heap;
pub mod hot_key;
pub mod input;
pub mod microphone;
pub mod open_files;
pub mod overlay;
pub mod pointer;
pub mod private_folder;
pub mod programs;
pub mod scheduling;
pub mod session;
pub mod stream;
pub mod ui_language;

#[cfg(target_os = "linux")]
mod runtime_thread;
#[cfg(windows)]
mod win32;
#[cfg(target_os = "linux")]
mod x11;

pub use error::PlatformError;
