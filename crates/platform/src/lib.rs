//! What the machine offers: one trait a capability, each with `linux`, `windows`, `null` (not there) and `fault`
//! (misbehaves on order) beside it. Nothing here decides anything; who calls is an actor's shell or the composition root.
//!
//! **Absent on purpose:** no knowledge of actors, of configuration files, or of what Luna does with what it gets.

pub mod error;

pub mod accessibility;
pub mod audio;
pub mod capture;
pub mod card;
pub mod heap;
pub mod hot_key;
pub mod open_files;
pub mod pointer;
pub mod private_folder;
pub mod scheduling;
pub mod stream;

#[cfg(windows)]
mod win32;
#[cfg(target_os = "linux")]
mod x11;

pub use error::PlatformError;
