#!/usr/bin/env bash
# Runs a command on a separate virtual desktop: screen, session bus, accessibility bus, window manager, sound device.
#
#   scripts/desktop-session.sh [--screen WxH] [--record FILE.wav] [--compact] [--no-audio] COMMAND…
#
#   --screen WxH    size of the virtual screen (1920x1080; also LUNA_SESSION_SCREEN)
#   --record FILE   records the sound device to a WAV file that is always valid
#   --compact       leaves long silence out of the recording
#   --no-audio      no sound device
#
# Nothing is shared with the person's own desktop: home, configuration and runtime folders are new, and everything is removed
# when the command ends, on INT, TERM and HUP, and even if this script itself is killed. Ends with the command's exit status.
#
# The command gets DISPLAY, DBUS_SESSION_BUS_ADDRESS, PULSE_SERVER (sinks `luna`, the default, and `mic`, whose monitor is the
# default source), LUNA_SESSION (a folder for logs and other files of this session) and LUNA_RECORDING (the WAV file).
set -uo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"

SCREEN=${LUNA_SESSION_SCREEN:-1920x1080} RECORD="" COMPACT="" AUDIO=yes
while [ $# -gt 0 ]; do
    case $1 in
        --screen) SCREEN=$2 && shift 2 ;;
        --record) RECORD=$(realpath -m "$2") && shift 2 ;;
        --compact) COMPACT=--compact && shift ;;
        --no-audio) AUDIO="" && shift ;;
        --) shift && break ;;
        -*) die "unknown option $1" ;;
        *) break ;;
    esac
done
[ $# -gt 0 ] || die "usage: scripts/desktop-session.sh [options] COMMAND…"
for tool in Xvfb dbus-daemon gdbus openbox; do
    command -v $tool >/dev/null || die "$tool is not installed; scripts/setup.sh run installs it"
done

# ---- separate folders ----------------------------------------------------------------------------------------------------

# HOME changes below: keep cargo and rustup of the person's home usable.
export CARGO_HOME=${CARGO_HOME:-$HOME/.cargo}
if [ -d "${RUSTUP_HOME:-$HOME/.rustup}" ]; then export RUSTUP_HOME=${RUSTUP_HOME:-$HOME/.rustup}; fi

# Below /tmp, because the path of a socket may have at most 107 bytes.
DIR=$(mktemp -d /tmp/luna-desktop.XXXXXX) || die "no folder below /tmp"
mkdir -p "$DIR/home" "$DIR/run" && chmod 700 "$DIR" "$DIR/run"

# Every process of the session has this folder in its environment, so that clean_up finds all of them, whatever started them.
session_processes() {
    local environment pid
    for environment in /proc/[0-9]*/environ; do
        if grep -qzxF "LUNA_SESSION=$DIR" "$environment" 2>/dev/null; then
            pid=${environment#/proc/}
            echo "${pid%/environ}"
        fi
    done
}

clean_up() {
    local signal pids
    for signal in TERM TERM KILL; do
        pids=$(session_processes)
        [ -n "$pids" ] || break
        # shellcheck disable=SC2086
        kill -$signal $pids 2>/dev/null
        for _ in $(seq 20); do
            [ -n "$(session_processes)" ] || break 2
            sleep 0.05
        done
    done
    rm -rf "$DIR"
}

COMMAND_PID=""
finish() { # asks the command to end; the EXIT trap does the rest
    trap '' INT TERM HUP
    if [ -n "$COMMAND_PID" ]; then
        kill -TERM "$COMMAND_PID" 2>/dev/null
        for _ in $(seq 200); do
            kill -0 "$COMMAND_PID" 2>/dev/null || break
            sleep 0.05
        done
    fi
    exit "$1"
}
trap clean_up EXIT
trap 'finish 130' INT
trap 'finish 143' TERM HUP

# Cleans up if this script is killed. This process is not part of the session and ignores Ctrl-C.
OWNER=$$
(
    trap '' INT TERM HUP
    trap - EXIT
    exec </dev/null >/dev/null 2>&1
    tail --pid=$OWNER -f /dev/null
    [ -d "$DIR" ] && clean_up
) &
disown

# Services are started with setsid, so that Ctrl-C reaches only the command, which needs its services until it has ended.

# ---- screen --------------------------------------------------------------------------------------------------------------

export LUNA_SESSION=$DIR HOME=$DIR/home XDG_RUNTIME_DIR=$DIR/run TMPDIR=/tmp
export XDG_CONFIG_HOME=$HOME/.config XDG_CACHE_HOME=$HOME/.cache XDG_DATA_HOME=$HOME/.local/share XDG_STATE_HOME=$HOME/.local/state
export LUNA_PERSON_LANG=${LC_ALL:-${LC_MESSAGES:-${LANG:-}}}
export LANG=C.UTF-8 LC_ALL=C.UTF-8 GDK_BACKEND=x11 QT_QPA_PLATFORM=xcb LIBGL_ALWAYS_SOFTWARE=1 XDG_SESSION_TYPE=x11
unset WAYLAND_DISPLAY DBUS_SESSION_BUS_ADDRESS AT_SPI_BUS_ADDRESS SESSION_MANAGER NO_AT_BRIDGE GTK_A11Y GTK_MODULES XAUTHORITY \
    PULSE_SERVER PULSE_SINK PULSE_SOURCE
mkdir -p "$XDG_CONFIG_HOME" "$XDG_CACHE_HOME" "$XDG_DATA_HOME" "$XDG_STATE_HOME"

wait_for() { # SECONDS COMMAND…: waits until the command succeeds
    local tries=$(($1 * 20))
    shift
    while ! "$@" >/dev/null 2>&1; do
        tries=$((tries - 1))
        [ $tries -gt 0 ] || return 1
        sleep 0.05
    done
}

AUTH=()
if command -v xauth >/dev/null && command -v mcookie >/dev/null; then
    COOKIE=$(mcookie)
    xauth -f "$DIR/server-auth" add :0 . "$COOKIE" 2>/dev/null && AUTH=(-auth "$DIR/server-auth")
fi
# The server chooses a free display number itself, which avoids races with other virtual screens.
setsid Xvfb -displayfd 3 -screen 0 "${SCREEN}x24" -dpi 96 -nolisten tcp -noreset "${AUTH[@]}" 3>"$DIR/display" >"$DIR/xvfb.log" 2>&1 &
wait_for 20 test -s "$DIR/display" || die "Xvfb did not start: $(tail -n 3 "$DIR/xvfb.log")"
DISPLAY=:$(cat "$DIR/display")
export DISPLAY
if [ ${#AUTH[@]} -gt 0 ]; then
    export XAUTHORITY=$DIR/auth
    xauth -f "$XAUTHORITY" add "$DISPLAY" . "$COOKIE" 2>/dev/null
fi

# ---- buses and window manager --------------------------------------------------------------------------------------------

# Services that the bus starts inherit its environment, so these variables are set before it starts.
export PULSE_RUNTIME_PATH=$DIR/run/pulse PULSE_STATE_PATH=$DIR/pulse-state PULSE_SERVER=unix:$DIR/run/pulse/native
setsid dbus-daemon --session --nofork --nopidfile --nosyslog --address="unix:path=$DIR/run/bus" --print-address=3 \
    3>"$DIR/bus-address" >"$DIR/bus.log" 2>&1 &
wait_for 20 test -s "$DIR/bus-address" || die "the session bus did not start: $(tail -n 3 "$DIR/bus.log")"
DBUS_SESSION_BUS_ADDRESS=$(cat "$DIR/bus-address")
export DBUS_SESSION_BUS_ADDRESS

a11y() { gdbus call --session --dest org.a11y.Bus --object-path /org/a11y/bus --method "$@"; }
enable_accessibility() {
    gsettings set org.gnome.desktop.interface toolkit-accessibility true 2>/dev/null
    a11y org.freedesktop.DBus.Properties.Set org.a11y.Status IsEnabled "<true>" >/dev/null &&
        a11y org.freedesktop.DBus.Properties.Set org.a11y.Status ScreenReaderEnabled "<true>" >/dev/null || return 1
    # Starts the registry before any application: the first client of a bus without a registry may fail to register.
    local address
    address=$(a11y org.a11y.Bus.GetAddress | sed "s/^('//; s/',)\$//")
    gdbus call --address "$address" --dest org.a11y.atspi.Registry --object-path /org/a11y/atspi/accessible/root \
        --method org.freedesktop.DBus.Properties.Get org.a11y.atspi.Accessible ChildCount >/dev/null
}
enable_accessibility 2>"$DIR/a11y.log" || note "No accessibility bus: $(tail -n 2 "$DIR/a11y.log")"

# openbox gets no key bindings, so that Luna can grab all keys.
if [ -e /etc/xdg/openbox/rc.xml ]; then
    mkdir -p "$XDG_CONFIG_HOME/openbox"
    sed '/<keyboard>/,/<\/keyboard>/{//!d}' /etc/xdg/openbox/rc.xml >"$XDG_CONFIG_HOME/openbox/rc.xml"
fi
setsid openbox --sm-disable </dev/null >"$DIR/openbox.log" 2>&1 &
if command -v xprop >/dev/null; then
    wait_for 10 sh -c 'xprop -root _NET_SUPPORTING_WM_CHECK | grep -q "window id"' || note "The window manager did not start."
else
    sleep 0.5
fi

# ---- sound ---------------------------------------------------------------------------------------------------------------

if [ -n "$AUDIO" ] && ! command -v pulseaudio >/dev/null; then
    note "pulseaudio is not installed: this desktop has no sound device."
    AUDIO=""
fi
if [ -n "$AUDIO" ]; then
    mkdir -p "$PULSE_RUNTIME_PATH" "$PULSE_STATE_PATH" && chmod 700 "$PULSE_RUNTIME_PATH"
    setsid pulseaudio -n --daemonize=no --use-pid-file=no --exit-idle-time=-1 --disable-shm=yes --realtime=no --high-priority=no \
        --log-target="file:$DIR/pulse.log" \
        -L "module-native-protocol-unix auth-anonymous=1 socket=$PULSE_RUNTIME_PATH/native" \
        -L "module-null-sink sink_name=luna rate=48000 channels=2 sink_properties=device.description=Luna" \
        -L "module-null-sink sink_name=mic rate=48000 channels=1 sink_properties=device.description=Microphone" \
        </dev/null >"$DIR/pulse.out" 2>&1 &
    if wait_for 20 pactl info; then
        pactl set-default-sink luna && pactl set-default-source mic.monitor
        # Sends the sound of ALSA programs to the same device.
        export ALSA_CONFIG_PATH=$DIR/asound.conf
        printf '%s\n' '</usr/share/alsa/alsa.conf>' 'pcm.!default { type pulse }' 'ctl.!default { type pulse }' >"$ALSA_CONFIG_PATH"
    else
        note "PulseAudio did not start: $(tail -n 3 "$DIR/pulse.log" "$DIR/pulse.out" 2>/dev/null)"
        unset PULSE_SERVER
        AUDIO=""
    fi
fi
if [ -n "$RECORD" ] && [ -n "$AUDIO" ]; then
    export LUNA_RECORDING=$RECORD
    mkdir -p "$(dirname "$RECORD")"
    setsid parec -d luna.monitor --format=s16le --rate=24000 --channels=1 --raw --latency-msec=40 2>"$DIR/parec.log" |
        setsid python3 "$ROOT/scripts/wav_writer.py" $COMPACT "$RECORD" 2>"$DIR/wav.log" &
    wait_for 20 test -s "$RECORD" || note "The recording did not start: $(cat "$DIR/parec.log" "$DIR/wav.log")"
fi

# ---- the command ---------------------------------------------------------------------------------------------------------

# In the background, so that this script handles signals while it runs; with the signal handling of a foreground command.
env --default-signal=INT --default-signal=QUIT "$@" <&0 &
COMMAND_PID=$!
wait "$COMMAND_PID"
STATUS=$?
COMMAND_PID=""
exit $STATUS
