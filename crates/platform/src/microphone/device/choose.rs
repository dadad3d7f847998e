//! Which device is the microphone.

use cpal::traits::{DeviceTrait, HostTrait};

use super::InputKind;
use crate::PlatformError;
use crate::audio::device as output;

/// End of the name of what a loudspeaker plays: PulseAudio and PipeWire name it by the output and this.
const MONITOR: &str = ".monitor";

/// The available audio hosts of this platform, the preferred host first.
pub fn hosts() -> Vec<cpal::Host> {
    #[cfg(target_os = "linux")]
    return crate::audio::sound_server::host().into_iter().chain(cpal::host_from_id(cpal::HostId::Alsa).ok()).collect();
    #[cfg(not(target_os = "linux"))]
    vec![cpal::default_host()]
}

pub fn name(device: &cpal::Device) -> Option<String> {
    device.description().ok().map(|d| d.name().to_owned())
}

/// The device from which sound of that kind is taken.
pub fn find(kind: InputKind, host: &cpal::Host, wanted: Option<&str>) -> Option<cpal::Device> {
    match kind {
        InputKind::Microphone => find_microphone(host, wanted),
        InputKind::Loopback => find_loopback(host, wanted),
    }
}

/// The format in which the device is opened.
pub fn config(kind: InputKind, device: &cpal::Device) -> Result<cpal::SupportedStreamConfig, cpal::Error> {
    match kind {
        // WASAPI takes what an output plays if that is opened as an input.
        InputKind::Loopback if !cfg!(target_os = "linux") => device.default_output_config(),
        InputKind::Loopback | InputKind::Microphone => device.default_input_config(),
    }
}

/// What the output plays that is wanted by name, or the default one: its monitor on Linux, else the output itself.
fn find_loopback(host: &cpal::Host, wanted: Option<&str>) -> Option<cpal::Device> {
    let played = output::find(host, wanted)?;
    if cfg!(target_os = "linux") {
        let monitor = format!("{}{MONITOR}", id(&played));
        return host.input_devices().ok()?.find(|device| id(device) == monitor);
    }
    Some(played)
}

/// The device that is wanted by name, microphones first; or the default one, or the first one if the default one is none.
fn find_microphone(host: &cpal::Host, wanted: Option<&str>) -> Option<cpal::Device> {
    let Some(wanted) = wanted else {
        let default = host.default_input_device().filter(|device| !is_monitor(device));
        return default.or_else(|| host.input_devices().ok()?.find(|device| !is_monitor(device)));
    };
    let wanted = wanted.to_lowercase();
    let is_wanted = |device: &cpal::Device| {
        id(device).to_lowercase().contains(&wanted)
            || name(device).is_some_and(|name| name.to_lowercase().contains(&wanted))
    };
    let mut found: Vec<cpal::Device> = host.input_devices().ok()?.filter(is_wanted).collect();
    found.sort_by_key(is_monitor);
    found.into_iter().next()
}

/// Names of the devices, the default device first, microphones before what loudspeakers play.
pub fn names() -> Result<Vec<String>, PlatformError> {
    let mut names = Vec::new();
    for host in hosts() {
        let mut others: Vec<cpal::Device> = host.input_devices().into_iter().flatten().collect();
        others.sort_by_key(is_monitor);
        for name in find_microphone(&host, None).into_iter().chain(others).filter_map(|device| name(&device)) {
            if !names.contains(&name) {
                names.push(name);
            }
        }
        // ALSA lists the sound server's devices a second time.
        if !names.is_empty() {
            break;
        }
    }
    if names.is_empty() { Err(missing(InputKind::Microphone, None)) } else { Ok(names) }
}

/// The error if there is no device.
pub fn missing(kind: InputKind, wanted: Option<&str>) -> PlatformError {
    match (kind, wanted) {
        (InputKind::Microphone, Some(name)) => PlatformError::unavailable(
            format!("There is no microphone whose name contains \"{name}\"."),
            "Choose one that `luna doctor` lists, or none for the default microphone.",
        ),
        (InputKind::Microphone, None) => PlatformError::unavailable("There is no microphone.", kind.remedy()),
        (InputKind::Loopback, Some(name)) => PlatformError::unavailable(
            format!("There is no sound device whose name contains \"{name}\" and whose sound can be taken."),
            kind.remedy(),
        ),
        (InputKind::Loopback, None) => {
            PlatformError::unavailable("There is no sound device whose sound can be taken.", kind.remedy())
        }
    }
}

/// Whether the device is what a loudspeaker plays. A sound server without a microphone makes it the default one, and Luna would hear only itself.
fn is_monitor(device: &cpal::Device) -> bool {
    is_monitor_id(&id(device))
}

fn is_monitor_id(id: &str) -> bool {
    cfg!(target_os = "linux") && id.ends_with(MONITOR)
}

fn id(device: &cpal::Device) -> String {
    device.id().map(|id| id.to_string()).unwrap_or_default()
}

#[cfg(test)]
mod tests {
    use super::*;

    // BRG-4
    #[cfg(target_os = "linux")]
    #[test]
    fn what_a_loudspeaker_plays_is_no_microphone_brg_4() {
        for (id, expect) in [
            ("pulseaudio:alsa_output.pci-0000_00_1f.3.analog-stereo.monitor", true),
            ("pulseaudio:alsa_input.pci-0000_00_1f.3.analog-stereo", false),
            ("pulseaudio:alsa_input.usb-monitor_speaker", false),
            ("alsa:default", false),
        ] {
            assert_eq!(is_monitor_id(id), expect, "{id}");
        }
    }
}
