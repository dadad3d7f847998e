//! The properties that are fetched with an element, out of the cache of UI Automation.

use uiautomation::UIElement;
use uiautomation::core::UICacheRequest;
use uiautomation::types::UIProperty;
use uiautomation::variants::Value;

use super::super::uia_properties::{UiaProperties, UiaValue, id};

/// Adds the properties that decide the role. Versions of Windows that don't know a property report nothing for it.
///
/// # Errors
/// If a property that every version knows can't be added.
pub(super) fn add_of_role(request: &UICacheRequest) -> Result<(), uiautomation::Error> {
    // Whether a field is protected must be known.
    request.add_property(UIProperty::IsPassword)?;
    request.add_property(UIProperty::ControlType)?;
    add(request, &id::OF_ROLE);
    Ok(())
}

pub(super) fn add(request: &UICacheRequest, ids: &[i32]) {
    for property in ids.iter().filter_map(|&id| UIProperty::try_from(id).ok()) {
        let _ = request.add_property(property);
    }
}

/// The properties that decide the role, from the cache.
pub(super) fn of_role(element: &UIElement) -> UiaProperties {
    cached(element, &id::OF_ROLE)
}

pub(super) fn cached(element: &UIElement, ids: &[i32]) -> UiaProperties {
    let value = |id: i32| {
        let value = element.get_cached_property_value(UIProperty::try_from(id).ok()?).ok()?.get_value().ok()?;
        Some((id, value_of(value)?))
    };
    ids.iter().filter_map(|&id| value(id)).collect()
}

/// The value, if it is of a type that such a property has.
fn value_of(value: Value) -> Option<UiaValue> {
    Some(match value {
        Value::BOOL(value) => UiaValue::Bool(value),
        Value::I4(value) | Value::INT(value) => UiaValue::Int(value),
        Value::R8(value) => UiaValue::Number(value),
        Value::R4(value) => UiaValue::Number(f64::from(value)),
        Value::STRING(value) => UiaValue::Text(value),
        _ => return None,
    })
}
