//! Translating and summarising in the running tree, on doubles of the machine and of the engines: the spoken output, and the effect of
//! stop.

#![allow(clippy::unwrap_used, clippy::expect_used, clippy::panic)]

#[path = "support/world.rs"]
mod world;

use luna_messages::control::Command;
use luna_messages::engine::EngineKind;
use luna_test_support::engine_double::EngineFault;
use world::{MS, World, in_world};

/// Focus mode while a text is being read.
async fn reading(world: &mut World) {
    world.order(Command::FocusOn);
    world.hears("brown fox").await;
}

// BRG-1, BRG-2, TRN-2
#[test]
fn the_text_that_is_read_is_translated_and_spoken_brg_1_brg_2_trn_2() {
    in_world(async |world| {
        reading(world).await;
        world.order(Command::Translate);
        world.hears("Translating").await;
        // The engine double answers this to everything.
        world.hears("word word").await;
        world.order(Command::Repeat);
        world.hears("word word").await;
        world.order(Command::Summarize);
        world.hears("Summarizing").await;
        world.hears("word").await;
        world.expect_reading_works().await;
    });
}

// KER-6, TTS-4
#[test]
fn stop_ends_speech_and_generation_ker_6_tts_4() {
    in_world(async |world| {
        reading(world).await;
        world.engines.order(EngineKind::Llm, EngineFault::HangInRun);
        world.order(Command::Translate);
        world.hears("Translating").await;
        world.pass(MS(3000)).await;
        world.expect_stop_is_obeyed().await;
        world.said.clear();
        world.pass(MS(10_000)).await;
        assert!(world.said.is_empty(), "after stop nothing is said: {:?}", world.said);
        world.expect_reading_works().await;
        world.expect_models_work().await;
    });
}

// KER-9
#[test]
fn where_no_model_is_there_it_is_said_and_the_rest_goes_on_ker_9() {
    in_world(async |world| {
        reading(world).await;
        world.engines.order(EngineKind::Llm, EngineFault::NotThere);
        world.order(Command::Translate);
        world.hears("needs a language model").await;
        world.expect_reading_works().await;
        world.order(Command::Translate);
        world.hears("word").await;
    });
}

// KER-6
#[test]
fn another_text_makes_a_translation_pointless_ker_6() {
    in_world(async |world| {
        reading(world).await;
        world.order(Command::Translate);
        world.hears("Translating").await;
        world.order(Command::FocusOff);
        world.pass(MS(50)).await;
        world.said.clear();
        world.pass(MS(20_000)).await;
        assert!(!world.said.iter().any(|text| text.contains("word")), "{:?}", world.said);
        world.expect_models_work().await;
    });
}
