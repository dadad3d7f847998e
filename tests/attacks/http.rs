//! Requests that are too many, too slow, too large or without a token (PRV-4).
