//! The defaults of the requirements, one by one (CFG-1).

use super::*;

// CFG-1
#[test]
fn every_key_of_the_requirements_is_there_with_its_default_cfg_1() {
    let values = serde_json::to_value(Config::built_in("default").unwrap()).unwrap();
    for (key, expect) in requirements() {
        assert_eq!(*at(&values, key), expect, "{key}");
    }
    for group in ["engines", "models", "mailbox", "providers", "modes", "mcp", "control"] {
        assert!(values[group].is_object(), "{group}");
    }
}
