//! What the kernel tells of batteries.

use std::path::Path;

use luna_messages::desktop_order::BatteryState;

use crate::PlatformError;

/// Where the kernel lists what feeds the machine.
pub(super) const SUPPLIES: &str = "/sys/class/power_supply";

/// The battery of the machine itself, not of a mouse; `None` if there is none.
pub(super) fn read(supplies: &Path) -> Result<Option<BatteryState>, PlatformError> {
    // A machine without the folder has nothing of the kind.
    let Ok(entries) = std::fs::read_dir(supplies) else { return Ok(None) };
    let (mut percent, mut plugged_in, mut discharges) = (None::<u8>, false, false);
    for entry in entries.flatten() {
        let value = |name: &str| std::fs::read_to_string(entry.path().join(name)).unwrap_or_default().trim().to_owned();
        match value("type").as_str() {
            "Mains" | "USB" => plugged_in |= value("online") == "1",
            // A mouse or a headset tells that it is a device.
            "Battery" if value("scope") != "Device" => {
                if let Ok(capacity) = value("capacity").parse::<u8>() {
                    percent = Some(percent.map_or(capacity, |other| other.max(capacity)).min(100));
                    discharges |= value("status") == "Discharging";
                }
            }
            _ => {}
        }
    }
    Ok(percent.map(|percent| BatteryState { percent, plugged_in: plugged_in && !discharges }))
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    /// Supplies by their name, each with its files.
    type Supplies<'a> = &'a [(&'a str, &'a [(&'a str, &'a str)])];

    fn check(supplies: Supplies<'_>, expect: Option<BatteryState>) {
        let folder = std::env::temp_dir().join(format!("luna-battery-{}-{:p}", std::process::id(), supplies));
        for (name, files) in supplies {
            std::fs::create_dir_all(folder.join(name)).unwrap();
            for (file, content) in *files {
                std::fs::write(folder.join(name).join(file), format!("{content}\n")).unwrap();
            }
        }
        let found = read(&folder);
        let _ = std::fs::remove_dir_all(&folder);
        assert_eq!(found, Ok(expect), "{supplies:?}");
    }

    // DSL-6
    #[test]
    fn the_battery_of_the_machine_is_told_and_no_other_dsl_6() {
        let battery = |percent, plugged_in| Some(BatteryState { percent, plugged_in });
        let mains: (&str, &[(&str, &str)]) = ("AC", &[("type", "Mains"), ("online", "1")]);
        let full: &[(&str, &str)] = &[("type", "Battery"), ("capacity", "80"), ("status", "Full")];
        let used: &[(&str, &str)] = &[("type", "Battery"), ("capacity", "35"), ("status", "Discharging")];
        let mouse: &[(&str, &str)] = &[("type", "Battery"), ("scope", "Device"), ("capacity", "90")];
        check(&[], None);
        check(&[mains], None);
        check(&[mains, ("BAT0", full)], battery(80, true));
        check(&[("BAT0", used)], battery(35, false));
        check(&[("hid", mouse)], None);
        check(&[("hid", mouse), ("BAT0", used)], battery(35, false));
        check(&[("BAT0", &[("type", "Battery"), ("capacity", "much")])], None);
    }
}
