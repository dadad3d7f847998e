//! Orders on a scripted screen, with the real rules of understanding.

mod real_rules;
mod screen;
mod shown;

mod answers;
mod by_model;
mod clarify;
mod danger;
mod desktop;
mod effect;
mod entering;
mod evidence;
mod input;
mod keys;
mod lost;
mod permission;
mod pointer_first;
mod random;
mod secrets;
mod steps;
mod undo;
