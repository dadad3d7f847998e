//! Texts, pictures, sounds and lines that are endless, damaged or made to be slow.
