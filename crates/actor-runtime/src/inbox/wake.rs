//! The message of ractor's own mailbox.

/// Messages wait in the inbox.
#[derive(Debug)]
pub(crate) struct Wake;
