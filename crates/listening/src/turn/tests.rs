//! Tests of turns: each in a scene under a virtual clock.

mod addressing;
mod barge_in;
mod following;
mod lasting;
mod own_voice;
mod properties;
mod scene;
mod text;
