//! The value of a slider and the like, and the choice of a combo box (ANN-1).

use futures_util::future::{join, join_all, join3};
use luna_messages::element::RangeValue;
use luna_messages::pick::Role;

use super::details::Details;
use super::node::LinuxNode;

const VALUE: &str = "org.a11y.atspi.Value";
const SELECTION: &str = "org.a11y.atspi.Selection";

impl LinuxNode {
    /// The number of the element, its limits and the application's own words for it. `None` if it has none.
    pub(super) async fn range_value(&self, details: &Details) -> Option<RangeValue> {
        if !details.interfaces.has("Value") {
            return None;
        }
        let told = details.attributes.value_text();
        let words = async {
            if told.is_empty() {
                self.property::<String>(VALUE, "Text").await.unwrap_or_default()
            } else {
                told.to_owned()
            }
        };
        let numbers = join3(self.value(), self.property(VALUE, "MinimumValue"), self.property(VALUE, "MaximumValue"));
        let ((now, min, max), words) = join(numbers, words).await;
        let (now, min, max) = (now.ok()?, min.unwrap_or(0.0), max.unwrap_or(0.0));
        // The same number again is no other words for it.
        let text = if words.trim().parse::<f64>().is_ok() { String::new() } else { words.trim().to_owned() };
        Some(RangeValue { now, min, max, text })
    }

    /// The numeric value of a slider or similar. Never requested from a protected element.
    pub(super) async fn value(&self) -> Result<f64, super::call_error::CallError> {
        self.property(VALUE, "CurrentValue").await
    }

    /// The name of the chosen entry of a combo box, by the selection of the box or of the list in it. `None` if neither
    /// tells a selection; empty if nothing is chosen.
    pub(super) async fn chosen(&self, details: &Details) -> Option<String> {
        if details.interfaces.has("Selection")
            && let Some(chosen) = self.chosen_child().await
        {
            return Some(chosen);
        }
        let inside = self.first_children(3).await.unwrap_or_default();
        let answers = join_all(inside.iter().map(|list| async move {
            let interfaces = list.interfaces().await.unwrap_or_default();
            if interfaces.has("Selection") { Some(list.chosen_child().await.unwrap_or_default()) } else { None }
        }));
        answers.await.into_iter().flatten().next()
    }

    async fn chosen_child(&self) -> Option<String> {
        let child = self.reference(SELECTION, "GetSelectedChild", &(0_i32,)).await.ok().flatten()?;
        Some(child.readable_name().await)
    }
}

/// A value as text: the application's own words, else the number; of a progress bar its part of the whole. Pure.
pub(super) fn value_text(role: Role, value: &RangeValue) -> String {
    if !value.text.is_empty() {
        return value.text.clone();
    }
    if role == Role::ProgressBar && value.max > value.min {
        return format!("{} %", number((value.now - value.min) / (value.max - value.min) * 100.0));
    }
    number(value.now)
}

/// A number as spoken: 42 and not 42.0. Pure.
fn number(value: f64) -> String {
    let rounded = (value * 100.0).round() / 100.0;
    format!("{rounded}")
}

#[cfg(test)]
mod tests {
    use super::*;

    // ANN-1
    #[test]
    fn values_are_said_plainly_ann_1() {
        assert_eq!(["42", "0.5", "-3", "0.33"], [42.0, 0.5, -3.0, 0.333].map(number));
        let value = |now, max, text: &str| RangeValue { now, min: 0.0, max, text: text.into() };
        assert_eq!(value_text(Role::Slider, &value(40.0, 200.0, "")), "40");
        assert_eq!(value_text(Role::ProgressBar, &value(0.4, 1.0, "")), "40 %");
        assert_eq!(value_text(Role::ProgressBar, &value(3.0, 0.0, "")), "3");
        assert_eq!(value_text(Role::ProgressBar, &value(0.4, 1.0, "4 of 10")), "4 of 10");
    }
}
