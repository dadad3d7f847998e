//! The manifest.

use super::*;

#[test]
fn the_built_in_manifest_is_well_formed() {
    let manifest = Manifest::built_in().unwrap();
    let need = [
        "whisper-tiny",
        "whisper-base",
        "whisper-small",
        "whisper-medium",
        "whisper-large-v3-turbo",
        "qwen3-4b-instruct-2507",
        "qwen3-4b-thinking-2507",
        "onnxruntime",
        "ppocr-v4-det",
        "ppocr-v4-rec",
        "ppocr-cls",
        "ppocr-v5-rec-korean",
        "espeak-ng",
    ];
    for name in need {
        let model = manifest.expect_model(name).unwrap();
        assert!(!model.licence.is_empty() && !model.purpose.is_empty() && model.memory_mb > 0, "{name}");
    }
    assert_eq!(
        manifest.set("default").unwrap(),
        ["onnxruntime", "ppocr-v6-det-small", "ppocr-v6-rec-small", "ppocr-cls"]
    );
    assert!(manifest.set("all").unwrap().len() > 10);
    for model in &manifest.models {
        for source in model.files.iter().flat_map(|file| &file.sources) {
            if let luna_model_store::FileSource::Url(url) = source {
                assert!(url.starts_with("https://"), "{url}");
            }
        }
    }
}

#[test]
fn a_manifest_that_is_not_well_formed_is_refused() {
    let good = |change: &dyn Fn(String) -> String| {
        let text = "version: 1\nsets: { default: [m] }\nmodels:\n  - name: m\n    task: t\n    purpose: p\n    memory_mb: 1\n    licence: MIT\n    files:\n      - { path: f, format: gguf, bytes: 1, sha256: unknown, sources: [{ path: x }] }\n";
        Manifest::parse(&change(text.to_owned()))
    };
    assert!(good(&|text| text).is_ok());
    for (from, to, expect) in [
        ("version: 1", "version: 2", "version 2"),
        ("[m]", "[n]", "the set names n"),
        ("name: m", "name: ../m", "no plain name"),
        ("path: f", "path: ../../f", "no plain name"),
        ("path: f", "path: f.part", "no plain name"),
        ("bytes: 1,", "", "either bytes or about_bytes"),
        ("sha256: unknown", "sha256: abc", "64 small hexadecimal digits"),
        ("[{ path: x }]", "[]", "needs sources"),
        ("licence: MIT", "license: MIT", "license"),
    ] {
        let error = good(&|text| text.replace(from, to)).unwrap_err().to_string();
        assert!(error.contains(expect), "{from} -> {to}: {error}");
    }
}
