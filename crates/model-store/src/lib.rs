//! Model files: their manifest, downloads, checksums, and the only access to them.
//!
//! Read in this order: [`manifest`] (models and their sources), [`store`] (files on disk, and [`ModelStore::resolve`], through which every engine
//! gets its files), [`fetch`] (downloads).
//!
//! **Invariant:** [`ModelStore::resolve`] returns only files with the right size, header and checksum (ENG-4, PRV-7).
//! **Invariant:** a file is moved into place only after it is verified; a corrupt download is removed.

#![forbid(unsafe_code)]

pub mod manifest;

pub mod checksum;
pub mod header;
pub mod records;
pub mod store;

pub mod fetch;
pub mod progress;

mod directory;
mod error;

pub use directory::directory;
pub use error::{ModelError, SourceError};
pub use manifest::{FileEntry, FileSource, Manifest, ModelEntry, ModelKind, Sha256};
pub use progress::{ProgressSink, SilentProgress};
pub use store::{FileState, ModelState, ModelStore, OwnerCheck, StoredState};
