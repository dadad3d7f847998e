//! The project's rules as tests. A failing test names every place that breaks its rule.

#![allow(clippy::unwrap_used, clippy::expect_used)]

#[path = "tidy/blocking.rs"]
mod blocking;
#[path = "tidy/circles.rs"]
mod circles;
#[path = "tidy/commands.rs"]
mod commands;
#[path = "tidy/dependencies.rs"]
mod dependencies;
#[path = "tidy/house.rs"]
mod house;
#[path = "tidy/labels.rs"]
mod labels;
#[path = "tidy/manifests.rs"]
mod manifests;
#[path = "tidy/names.rs"]
mod names;
#[path = "tidy/papers.rs"]
mod papers;
#[path = "tidy/paths.rs"]
mod paths;
#[path = "tidy/prose.rs"]
mod prose;
#[path = "tidy/side_doors.rs"]
mod side_doors;
#[path = "tidy/sources.rs"]
mod sources;
