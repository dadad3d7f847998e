//! Folders and files that belong to another user of the machine, or that everybody may write (PRV-4, PRV-7).

#[path = "folders/runtime.rs"]
mod runtime;
