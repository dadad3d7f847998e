//! The reply to a request. Each request gets exactly one answer, or the reason why there is none (KER-7).

use std::fmt;

use serde::{Deserialize, Serialize};

/// Why a request got no answer.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize, thiserror::Error)]
#[serde(rename_all = "snake_case")]
pub enum NoReply {
    /// The actor ended or crashed before it answered, or the request was dropped from a full lane.
    #[error("the component that worked on this ended before it could answer")]
    Crashed,
}

type Deliver<T> = Box<dyn FnOnce(Result<T, NoReply>) + Send>;

/// Delivers the one answer to a request, usually as a message to the sender's mailbox.
///
/// A reply that is dropped unanswered delivers [`NoReply::Crashed`], so that no request is lost silently.
pub struct Reply<T> {
    /// `None` once answered, so that drop delivers nothing more.
    deliver: Option<Deliver<T>>,
}

impl<T> Reply<T> {
    /// A reply that passes its answer, or the reason why there is none, to `deliver`, which must not block.
    pub fn new(deliver: impl FnOnce(Result<T, NoReply>) + Send + 'static) -> Self {
        Self { deliver: Some(Box::new(deliver)) }
    }

    /// A reply without a receiver.
    #[must_use]
    pub const fn ignored() -> Self {
        Self { deliver: None }
    }

    pub fn answer(mut self, value: T) {
        if let Some(deliver) = self.deliver.take() {
            deliver(Ok(value));
        }
    }
}

impl<T> Drop for Reply<T> {
    fn drop(&mut self) {
        if let Some(deliver) = self.deliver.take() {
            deliver(Err(NoReply::Crashed));
        }
    }
}

impl<T> fmt::Debug for Reply<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(if self.deliver.is_some() { "Reply(open)" } else { "Reply(done)" })
    }
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    // KER-7
    #[test]
    fn an_answer_arrives_once_and_a_dropped_reply_says_so_ker_7() {
        let (sender, answers) = mpsc::sync_channel(2);
        let other = sender.clone();
        Reply::new(move |answer| sender.send(answer).unwrap()).answer(7);
        drop(Reply::new(move |answer| other.send(answer).unwrap()));
        assert_eq!(answers.iter().collect::<Vec<_>>(), vec![Ok(7), Err(NoReply::Crashed)]);
    }
}
