//! The volume by the protocol of PulseAudio, which PipeWire speaks, too.

use std::ffi::CString;
use std::io::BufReader;
use std::os::unix::net::UnixStream;
use std::time::Duration;

use luna_messages::desktop_order::{VolumeChange, VolumeState};
use pulseaudio::protocol::{
    self, AuthParams, AuthReply, ChannelVolume, Command, CommandReply, GetSinkInfo, Prop, Props, ProtocolError,
    SetClientNameReply, SetDeviceMuteParams, SetDeviceVolumeParams, SinkInfo, Volume,
};

use super::super::changed;
use crate::PlatformError;

/// Longest wait for each answer of the server.
const ANSWERS: Duration = Duration::from_millis(400);
/// The name by which the server knows the device that sounds by default.
const DEFAULT_DEVICE: &std::ffi::CStr = c"@DEFAULT_SINK@";

/// A conversation with the server.
struct ServerLink {
    socket: BufReader<UnixStream>,
    version: u16,
    sequence: u32,
}

/// Changes the volume of the default device, and returns it as it is afterwards.
pub(super) fn change(change: VolumeChange) -> Result<VolumeState, PlatformError> {
    let mut link = ServerLink::open().map_err(|_| no_server())?;
    let before = link.device().map_err(|_| no_device())?;
    let wished = changed(state(&before), change);
    link.set(&before, wished).map_err(|_| no_device())?;
    link.device().map(|after| state(&after)).map_err(|_| no_device())
}

fn no_server() -> PlatformError {
    PlatformError::unavailable(
        "The sound server does not answer, so the volume stays as it is.",
        "Check that PulseAudio or PipeWire runs (pactl info).",
    )
}

fn no_device() -> PlatformError {
    PlatformError::unavailable(
        "The sound server has no device whose volume can be changed.",
        "Choose a device for sound in the settings of the system.",
    )
}

/// The loudest channel counts, as in the panels of desktops.
fn state(device: &SinkInfo) -> VolumeState {
    let loudest = device.cvolume.channels().iter().map(Volume::as_u32).max().unwrap_or(0);
    let percent = (u64::from(loudest) * 100 + u64::from(Volume::NORM.as_u32()) / 2) / u64::from(Volume::NORM.as_u32());
    VolumeState { percent: u8::try_from(percent).unwrap_or(u8::MAX), muted: device.muted }
}

impl ServerLink {
    fn open() -> Result<Self, ProtocolError> {
        let missing = || ProtocolError::Io(std::io::ErrorKind::NotFound.into());
        let socket = UnixStream::connect(pulseaudio::socket_path_from_env().ok_or_else(missing)?)?;
        socket.set_read_timeout(Some(ANSWERS))?;
        socket.set_write_timeout(Some(ANSWERS))?;
        let cookie = pulseaudio::cookie_path_from_env().and_then(|path| std::fs::read(path).ok());
        let mut link = Self { socket: BufReader::new(socket), version: protocol::MAX_VERSION, sequence: 0 };
        let auth = AuthParams {
            version: protocol::MAX_VERSION,
            supports_shm: false,
            supports_memfd: false,
            cookie: cookie.unwrap_or_default(),
        };
        let answer: AuthReply = link.ask(&Command::Auth(auth))?;
        link.version = answer.version.min(protocol::MAX_VERSION);
        let mut properties = Props::new();
        properties.set(Prop::ApplicationName, c"Luna");
        let _: SetClientNameReply = link.ask(&Command::SetClientName(properties))?;
        Ok(link)
    }

    fn send(&mut self, command: &Command) -> Result<(), ProtocolError> {
        self.sequence += 1;
        protocol::write_command_message(self.socket.get_mut(), self.sequence, command, self.version)
    }

    fn ask<T: CommandReply>(&mut self, command: &Command) -> Result<T, ProtocolError> {
        self.send(command)?;
        protocol::read_reply_message(&mut self.socket, self.version).map(|(_, answer)| answer)
    }

    fn tell(&mut self, command: &Command) -> Result<(), ProtocolError> {
        self.send(command)?;
        protocol::read_ack_message(&mut self.socket).map(|_| ())
    }

    fn device(&mut self) -> Result<SinkInfo, ProtocolError> {
        let name = Some(CString::from(DEFAULT_DEVICE));
        self.ask(&Command::GetSinkInfo(GetSinkInfo { index: None, name }))
    }

    /// Sets what is different; the channels keep their balance.
    fn set(&mut self, device: &SinkInfo, wished: VolumeState) -> Result<(), ProtocolError> {
        let now = state(device);
        let device_index = Some(device.index);
        if wished.percent != now.percent {
            let volume = scaled(device.cvolume, wished.percent);
            let params = SetDeviceVolumeParams { device_index, device_name: None, volume };
            self.tell(&Command::SetSinkVolume(params))?;
        }
        if wished.muted != now.muted {
            let params = SetDeviceMuteParams { device_index, device_name: None, mute: wished.muted };
            self.tell(&Command::SetSinkMute(params))?;
        }
        Ok(())
    }
}

/// The channels at such a percentage of the loudest.
fn scaled(channels: ChannelVolume, percent: u8) -> ChannelVolume {
    let loudest = channels.channels().iter().map(Volume::as_u32).max().unwrap_or(0);
    let wished = u64::from(Volume::NORM.as_u32()) * u64::from(percent) / 100;
    let mut scaled = ChannelVolume::empty();
    for channel in channels.channels() {
        let part = u64::from(channel.as_u32());
        let raw = if loudest == 0 { wished } else { wished * part / u64::from(loudest) };
        scaled.push(Volume::from_u32_clamped(u32::try_from(raw).unwrap_or(u32::MAX)));
    }
    scaled
}
