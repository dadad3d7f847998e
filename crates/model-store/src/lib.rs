//! Model files: the manifest that names them, downloads, checksums, and the one door to them.
//!
//! Read in this order: [`manifest`] (what there is and where it comes from), [`store`] (what lies on disk, and
//! [`ModelStore::resolve`], through which every engine gets its files), [`fetch`] (how missing ones come).
//!
//! **Invariant:** a path that [`ModelStore::resolve`] gives is a file whose size, header and checksum were right (ENG-4, PRV-7).
//! **Invariant:** a file is moved to its place only after it was verified; a broken download leaves nothing behind.

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
pub use progress::{ProgressSink, Silent};
pub use store::{FileState, ModelState, ModelStore, OwnerCheck, StoredState};
