//! The message of ractor's own mailbox.

/// A wake-up without content: the messages themselves wait in the inbox.
#[derive(Debug)]
pub(crate) struct Wake;
