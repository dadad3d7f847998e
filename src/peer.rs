//! Verifies that the program at a control file's address is the Luna that wrote the file (PRV-4).
//!
//! A control file left by a killed Luna names a port that another program may use by now. That program must prove that it knows the token without
//! receiving it: `GET /identity` with random bytes, answered with a hash over token, bytes and process. Only then the token is sent.

use std::io::Read as _;
use std::time::Duration;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use crate::control_file::{self, ControlFile};

/// Time limit of the proof, which needs no actor.
const PROOF_TIMEOUT: Duration = Duration::from_secs(2);
/// Maximum bytes of an answer; a proof has some 100.
const MAX_ANSWER_BYTES: u64 = 1024;

/// The answer to `GET /identity`.
#[derive(Debug, Serialize, Deserialize)]
pub struct PeerIdentity {
    /// The process that answers.
    pub process: u32,
    /// Result of [`proof`] for the client's challenge.
    pub proof: String,
}

/// Why the program could not be verified as the Luna that wrote the file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PeerError {
    /// No program answers.
    #[error("Luna (process {process}) does not answer; if it was killed, start it again with `luna run`")]
    NoAnswer {
        /// Process id in the control file.
        process: u32,
    },
    #[error(
        "another program answers at the address that Luna (process {process}) left behind, so it does not answer itself; start it again with `luna run`"
    )]
    NotLuna {
        /// Process id in the control file.
        process: u32,
    },
    /// The system provides no randomness.
    #[error("the system provides no random numbers, so Luna can't be distinguished from another program")]
    NoRandomness,
}

/// The proof, which requires the token: a keyed hash of challenge and process. Hashed twice, against length extension.
#[must_use]
pub fn proof(token: &str, challenge: &str, process: u32) -> String {
    let inner =
        Sha256::new().chain_update(token).chain_update(challenge).chain_update(process.to_be_bytes()).finalize();
    let outer = Sha256::new().chain_update(token).chain_update(inner).finalize();
    outer.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// Requests and checks the proof.
///
/// # Errors
/// If no program answers, its answer is no valid proof, or the system provides no random numbers.
pub fn verify(control: &ControlFile) -> Result<(), PeerError> {
    let process = control.process;
    let challenge = control_file::new_token().map_err(|_| PeerError::NoRandomness)?;
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(PROOF_TIMEOUT))
        .proxy(None)
        .max_redirects(0)
        .http_status_as_error(false)
        .build();
    let agent: ureq::Agent = config.into();
    let url = format!("http://{}/identity?challenge={challenge}", control.address);
    // A program that answers, but not by HTTP, is another program too.
    let answer = agent.get(url).call().map_err(|error| match error {
        ureq::Error::Http(_) | ureq::Error::BadUri(_) | ureq::Error::Protocol(_) => PeerError::NotLuna { process },
        _ => PeerError::NoAnswer { process },
    })?;
    let mut text = Vec::new();
    drop(answer.into_body().into_reader().take(MAX_ANSWER_BYTES).read_to_end(&mut text));
    let told: Option<PeerIdentity> = serde_json::from_slice(&text).ok();
    let right =
        told.is_some_and(|told| told.process == process && told.proof == proof(&control.token, &challenge, process));
    if right { Ok(()) } else { Err(PeerError::NotLuna { process }) }
}

#[cfg(test)]
mod tests {
    use super::*;

    // PRV-4
    #[test]
    fn only_token_challenge_and_process_together_prove_it_prv_4() {
        let right = proof("token", "challenge", 7);
        assert_eq!(right, proof("token", "challenge", 7));
        assert_eq!(right.len(), 64);
        for other in [proof("tokem", "challenge", 7), proof("token", "challengf", 7), proof("token", "challenge", 8)] {
            assert_ne!(right, other);
        }
    }
}
