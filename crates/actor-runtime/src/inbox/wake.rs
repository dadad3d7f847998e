//! What ractor's own mailbox carries.

/// Something waits in the inbox.
#[derive(Debug)]
pub(crate) struct Wake;
