//! What is wired to what.

use std::sync::atomic::AtomicUsize;

use luna_engine_host::ModelPlan;
use luna_engine_protocol::LoadSpec;
use luna_messages::capability::Unavailable;

use super::*;

#[test]
fn every_configured_hot_key_has_a_command_and_can_be_parsed() {
    let config = Config::built_in("default").unwrap();
    let wanted = config.control.hot_keys.values().flatten().count();
    assert!(wanted >= 5);
    assert_eq!(crate::hot_keys::configured(&config).len(), wanted);
}

// GPU-7, VOI-1
#[test]
fn a_model_is_there_although_its_memory_is_anothers_gpu_7_voi_1() {
    let live = LiveConfig::new(Config::built_in("default").unwrap());
    let mut wiring = Wiring::new(&live, &System::of_this_machine());
    let admissions = Arc::new(AtomicUsize::new(0));
    let counted = admissions.clone();
    wiring.admission = Some(Arc::new(move |_, _| {
        counted.fetch_add(1, Ordering::Relaxed);
        let reason = "Another luna command uses the memory for models.".to_owned();
        Err(Unavailable { reason, remedy: "Wait until it ends.".to_owned() })
    }));
    let model = || ModelPlan {
        name: "whisper".to_owned(),
        file: "whisper.bin".into(),
        memory_estimate: 1,
        standby: false,
        spec: Arc::new(|_| LoadSpec::Speech(engines::speech_load())),
    };
    wiring.stt_model = Some(Arc::new(move || Ok(model())));
    wiring.prepare_listening();
    while !wiring.speech_model.is_there() {
        assert_eq!(admissions.load(Ordering::Relaxed), 0, "looking takes no memory");
        std::thread::yield_now();
    }
    assert_eq!(admissions.load(Ordering::Relaxed), 0, "looking takes no memory");
    // What loads it asks for the memory.
    assert!((wiring.find_stt_model())().is_err());
    assert_eq!(admissions.load(Ordering::Relaxed), 1);
}
