//! The desktop on Windows.

use std::time::{Duration, Instant};

use luna_messages::desktop_order::{BatteryState, LocalTime, TopWindow, VolumeChange, VolumeState, WindowArrangement};
use windows::Win32::Foundation::{HWND, LPARAM, WPARAM};
use windows::Win32::Media::Audio::Endpoints::IAudioEndpointVolume;
use windows::Win32::Media::Audio::{IMMDeviceEnumerator, MMDeviceEnumerator, eConsole, eRender};
use windows::Win32::System::Com::{CLSCTX_ALL, COINIT_MULTITHREADED, CoCreateInstance, CoInitializeEx};
use windows::Win32::System::Power::{GetSystemPowerStatus, SYSTEM_POWER_STATUS};
use windows::Win32::UI::WindowsAndMessaging::{
    EnumWindows, GW_OWNER, GWL_EXSTYLE, GetClassNameW, GetForegroundWindow, GetWindow, GetWindowLongW, GetWindowTextW,
    IsIconic, IsWindow, IsWindowVisible, IsZoomed, PostMessageW, SW_MAXIMIZE, SW_MINIMIZE, SW_RESTORE,
    SetForegroundWindow, ShowWindow, WM_CLOSE, WS_EX_TOOLWINDOW,
};
use windows::core::BOOL;

use super::{DesktopControl, changed, time};
use crate::PlatformError;

/// Longest wait until a window is as wished, and the pause between two looks.
const SEEN: Duration = Duration::from_millis(500);
/// The same until it is closed: programs save what they have to.
const CLOSED: Duration = Duration::from_millis(1500);
const LOOKS: Duration = Duration::from_millis(20);
/// What Windows reports as the charge of a battery that it does not know.
const UNKNOWN_CHARGE: u8 = 255;
/// The bit of a machine without a battery.
const NO_BATTERY: u8 = 128;

/// The desktop of the session.
#[derive(Debug, Clone, Copy, Default)]
pub struct WindowsDesktop;

fn no_device() -> PlatformError {
    PlatformError::unavailable(
        "Windows has no device whose volume can be changed.",
        "Choose a device for sound in the settings of Windows.",
    )
}

fn endpoint() -> windows::core::Result<IAudioEndpointVolume> {
    // SAFETY: COM is initialised for this thread before its interfaces are used; they are released when they are dropped.
    unsafe {
        // A thread that was initialised in another way keeps that, which works as well.
        let _ = CoInitializeEx(None, COINIT_MULTITHREADED);
        let devices: IMMDeviceEnumerator = CoCreateInstance(&MMDeviceEnumerator, None, CLSCTX_ALL)?;
        devices.GetDefaultAudioEndpoint(eRender, eConsole)?.Activate(CLSCTX_ALL, None)
    }
}

fn state(endpoint: &IAudioEndpointVolume) -> windows::core::Result<VolumeState> {
    // SAFETY: the interface is alive; both calls only return values.
    let (level, muted) = unsafe { (endpoint.GetMasterVolumeLevelScalar()?, endpoint.GetMute()?) };
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "within 0 to 100")]
    let percent = (level * 100.0).round().clamp(0.0, 100.0) as u8;
    Ok(VolumeState { percent, muted: muted.as_bool() })
}

fn set(endpoint: &IAudioEndpointVolume, change: VolumeChange) -> windows::core::Result<VolumeState> {
    let wished = changed(state(endpoint)?, change);
    // SAFETY: the interface is alive; no context is passed.
    unsafe {
        endpoint.SetMasterVolumeLevelScalar(f32::from(wished.percent) / 100.0, std::ptr::null())?;
        endpoint.SetMute(wished.muted, std::ptr::null())?;
    }
    state(endpoint)
}

fn text_of(read: impl Fn(&mut [u16]) -> i32) -> String {
    let mut buffer = [0_u16; 256];
    let length = usize::try_from(read(&mut buffer)).unwrap_or(0);
    String::from_utf16_lossy(buffer.get(..length).unwrap_or_default())
}

fn top_window(window: HWND, active: HWND) -> Option<TopWindow> {
    // SAFETY: the handle of a closed window yields false, null or 0; the buffers outlive the calls, which get their lengths.
    unsafe {
        let is_tool = GetWindowLongW(window, GWL_EXSTYLE).cast_unsigned() & WS_EX_TOOLWINDOW.0 != 0;
        let is_owned = GetWindow(window, GW_OWNER).is_ok_and(|owner| !owner.is_invalid());
        let title = text_of(|buffer| GetWindowTextW(window, buffer));
        if !IsWindowVisible(window).as_bool() || is_tool || is_owned || title.is_empty() {
            return None;
        }
        Some(TopWindow {
            handle: window.0.addr() as u64,
            title,
            application: text_of(|buffer| GetClassNameW(window, buffer)),
            is_active: window == active,
            is_minimised: IsIconic(window).as_bool(),
        })
    }
}

/// Collects handles for [`EnumWindows`].
extern "system" fn collect(window: HWND, into: LPARAM) -> BOOL {
    // SAFETY: the address is that of the vector of `windows`, which outlives the enumeration and is not used meanwhile.
    unsafe { (*std::ptr::with_exposed_provenance_mut::<Vec<HWND>>(into.0.cast_unsigned())).push(window) };
    true.into()
}

impl DesktopControl for WindowsDesktop {
    fn change_volume(&self, change: VolumeChange) -> Result<VolumeState, PlatformError> {
        endpoint().and_then(|endpoint| set(&endpoint, change)).map_err(|_| no_device())
    }

    fn battery(&self) -> Result<Option<BatteryState>, PlatformError> {
        let mut status = SYSTEM_POWER_STATUS::default();
        // SAFETY: `status` outlives the call and may be written.
        unsafe { GetSystemPowerStatus(&raw mut status) }.map_err(|_| {
            PlatformError::unavailable("Windows does not tell of the battery.", "Try again in a moment.")
        })?;
        let is_known = status.BatteryFlag & NO_BATTERY == 0 && status.BatteryLifePercent != UNKNOWN_CHARGE;
        let plugged_in = status.ACLineStatus == 1;
        Ok(is_known.then_some(BatteryState { percent: status.BatteryLifePercent.min(100), plugged_in }))
    }

    fn local_time(&self) -> LocalTime {
        time::local()
    }

    fn windows(&self) -> Result<Vec<TopWindow>, PlatformError> {
        let mut handles: Vec<HWND> = Vec::new();
        let into = LPARAM((&raw mut handles).expose_provenance().cast_signed());
        // SAFETY: `handles` outlives the enumeration; the windows come in their order, topmost first.
        let (listed, active) = unsafe { (EnumWindows(Some(collect), into), GetForegroundWindow()) };
        listed
            .map_err(|_| PlatformError::unavailable("Windows does not tell its windows.", "Try again in a moment."))?;
        let mut found: Vec<TopWindow> = handles.into_iter().filter_map(|window| top_window(window, active)).collect();
        found.sort_by_key(|window| !window.is_active);
        Ok(found)
    }

    fn arrange(&self, window: u64, how: WindowArrangement) -> Result<bool, PlatformError> {
        let window = HWND(std::ptr::without_provenance_mut(usize::try_from(window).unwrap_or(0)));
        // SAFETY: takes only the handle, which may be that of a closed window.
        unsafe {
            if !IsWindow(Some(window)).as_bool() {
                return Err(PlatformError::Gone);
            }
            let _ = match how {
                WindowArrangement::Activate if IsIconic(window).as_bool() => ShowWindow(window, SW_RESTORE),
                WindowArrangement::Activate => true.into(),
                WindowArrangement::Minimise => ShowWindow(window, SW_MINIMIZE),
                WindowArrangement::Maximise => ShowWindow(window, SW_MAXIMIZE),
                // As the button of its title bar; the program may ask the person first.
                WindowArrangement::Close => PostMessageW(Some(window), WM_CLOSE, WPARAM(0), LPARAM(0)).is_ok().into(),
            };
            if how == WindowArrangement::Activate {
                let _ = SetForegroundWindow(window);
            }
        }
        let until = Instant::now() + if how == WindowArrangement::Close { CLOSED } else { SEEN };
        loop {
            // SAFETY: as above.
            let is_so = unsafe {
                match how {
                    WindowArrangement::Activate => GetForegroundWindow() == window,
                    WindowArrangement::Minimise => IsIconic(window).as_bool(),
                    WindowArrangement::Maximise => IsZoomed(window).as_bool(),
                    WindowArrangement::Close => !IsWindow(Some(window)).as_bool() || !IsWindowVisible(window).as_bool(),
                }
            };
            if is_so || Instant::now() >= until {
                return Ok(is_so);
            }
            std::thread::sleep(LOOKS);
        }
    }
}
