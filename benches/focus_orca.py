#!/usr/bin/python3
"""From the event of a move of the keyboard focus to the words and to the first sound (ATT-2), beside Orca on the same moves.

usage: scripts/desktop-session.sh /usr/bin/python3 benches/focus_orca.py [MOVES]

Presses Tab in tests/fixtures/gtk3_form.py, first while Luna runs, then while Orca does, and prints median and 95th percentile of the
milliseconds from the event, as a third client of the bus receives it: until the words are decided (Luna: Focus.Read.request, Orca:
"SPEECH OUTPUT" in its log) and, for Luna, until the sound device plays the first sample (TTS.Start). Writes target/report/focus.json.

LUNA_BIN   the program (target/release/luna)
Debian packages: python3-gi gir1.2-gtk-3.0 xdotool, and for the comparison orca speech-dispatcher speech-dispatcher-espeak-ng
"""
import json
import os
import re
import shutil
import signal
import statistics
import subprocess
import sys
import threading
import time
import urllib.request
from datetime import datetime
from pathlib import Path

from gi.repository import Gio, GLib

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LUNA = os.environ.get("LUNA_BIN", str(TARGET / "release" / "luna"))
SESSION = Path(os.environ.get("LUNA_SESSION", "/tmp"))
MOVES = int(sys.argv[1]) if len(sys.argv) > 1 else 100
PAUSE_SECONDS = 0.45
CLOCK = re.compile(r"^(\d\d:\d\d:\d\d\.\d+) - SPEECH OUTPUT: '(.*)'")


class Events:
    """When the focus moved, by a client of the accessibility bus of its own."""

    def __init__(self):
        self.times = []
        session = Gio.bus_get_sync(Gio.BusType.SESSION)
        address = session.call_sync("org.a11y.Bus", "/org/a11y/bus", "org.a11y.Bus", "GetAddress", None, None, 0, -1, None).unpack()[0]
        flags = Gio.DBusConnectionFlags.AUTHENTICATION_CLIENT | Gio.DBusConnectionFlags.MESSAGE_BUS_CONNECTION
        self.bus = Gio.DBusConnection.new_for_address_sync(address, flags, None, None)
        self.bus.call_sync(
            "org.a11y.atspi.Registry", "/org/a11y/atspi/registry", "org.a11y.atspi.Registry", "RegisterEvent",
            GLib.Variant("(sass)", ("object:state-changed:focused", [], "")), None, 0, -1, None,
        )
        self.bus.signal_subscribe(None, "org.a11y.atspi.Event.Object", "StateChanged", None, "focused", 0, self.take)
        threading.Thread(target=GLib.MainLoop().run, daemon=True).start()

    def take(self, _bus, _sender, _path, _interface, _member, arguments):
        now = time.time()
        # GTK 3 sends each move twice.
        if arguments.unpack()[1] and (not self.times or now - self.times[-1] > 0.1):
            self.times.append(now)


class Luna:
    """A running Luna and when its events came."""

    def __init__(self):
        self.words, self.sounds = [], []
        home = SESSION / "luna"
        home.mkdir(exist_ok=True)
        self.environment = dict(os.environ, LUNA_RUNTIME_DIR=str(home / "run"), LUNA_CONFIG=str(home / "config.yaml"), LUNA__HTTP__PORT="0")
        self.process = subprocess.Popen([LUNA, "run"], env=self.environment, stdout=subprocess.DEVNULL, stderr=open(SESSION / "luna.log", "w"))
        control = home / "run" / "control.json"
        for _ in range(600):
            if control.exists():
                break
            time.sleep(0.05)
        known = json.loads(control.read_text())
        self.address, self.token = known["address"], known["token"]
        threading.Thread(target=self.listen, daemon=True).start()
        time.sleep(2)
        subprocess.run([LUNA, "ctl", "focus", "on"], env=self.environment, check=True, stdout=subprocess.DEVNULL)
        time.sleep(1)

    def get(self, route):
        request = urllib.request.Request(f"http://{self.address}/{route}", headers={"Authorization": f"Bearer {self.token}"})
        return urllib.request.build_opener(urllib.request.ProxyHandler({})).open(request)

    def listen(self):
        for line in self.get("events"):
            now = time.time()
            name = json.loads(line).get("name")
            if name == "Focus.Read.request":
                self.words.append(now)
            elif name == "TTS.Start":
                self.sounds.append(now)

    def stages(self):
        """Sum and count of Luna's own measurements."""
        text = self.get("metrics").read().decode()
        found = re.findall(r'luna_stage_duration_seconds_(sum|count)\{stage="(focus\w*)"\} (\S+)', text)
        return {f"{stage} {kind}": float(value) for kind, stage, value in found}

    def end(self):
        self.process.send_signal(signal.SIGTERM)
        self.process.wait()


def move(events):
    """Presses Tab MOVES times; returns when each event came."""
    begun = len(events.times)
    for _ in range(MOVES):
        subprocess.run(["xdotool", "key", "Tab"], check=True)
        time.sleep(PAUSE_SECONDS)
    return events.times[begun:]


def delays(moved, answered):
    """Milliseconds from each move to the first answer before the next move."""
    found = []
    for at, after in zip(moved, [*moved[1:], float("inf")]):
        answers = [answer for answer in answered if at <= answer < after]
        if answers:
            found.append((answers[0] - at) * 1000)
    return found


def quantiles(values):
    values = sorted(values)
    return statistics.median(values), values[min(len(values) - 1, int(0.95 * len(values)))]


def orca_speaks(events):
    """When the focus moved and when Orca had its words."""
    log = SESSION / "orca.log"
    subprocess.run(["speech-dispatcher", "-d"], check=False, stderr=subprocess.DEVNULL)
    orca = subprocess.Popen(["orca", f"--debug-file={log}", "--replace"], stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    time.sleep(6)
    moved = move(events)
    orca.terminate()
    orca.wait()
    today = datetime.now().date()
    spoken = []
    for line in log.read_text(errors="replace").splitlines():
        if match := CLOCK.match(line):
            spoken.append(datetime.combine(today, datetime.strptime(match[1], "%H:%M:%S.%f").time()).timestamp())
    return moved, spoken


def main():
    form = subprocess.Popen(
        ["/usr/bin/python3", str(ROOT / "tests/fixtures/gtk3_form.py"), "Form 양식"], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    )
    form.stdout.readline()
    events = Events()
    ticks = os.sysconf("SC_CLK_TCK")

    def paid(process):
        fields = Path(f"/proc/{process}/stat").read_text().rsplit(") ", 1)[1].split()
        return (int(fields[11]) + int(fields[12])) / ticks * 1000

    luna = Luna()
    before = paid(form.pid)
    moved = move(events)
    cost = (paid(form.pid) - before) / max(1, len(moved))
    words, sounds, stages = delays(moved, luna.words), delays(moved, luna.sounds), luna.stages()
    luna.end()
    rows = [("event to words", words), ("event to first sound", sounds)]
    print(f"{len(moved)} moves; the form paid {cost:.2f} ms of processor time for each while Luna ran. Luna's own stages: {stages}")
    peer, peer_cost = [], 0.0
    if shutil.which("orca"):
        before = paid(form.pid)
        moved, spoken = orca_speaks(events)
        peer_cost = (paid(form.pid) - before) / max(1, len(moved))
        peer = delays(moved, spoken)
        print(f"{len(moved)} moves; the form paid {peer_cost:.2f} ms for each while Orca ran.")
    form.terminate()
    report = []
    print(f"{'':<22} {'':>7} {'Luna (ms)':>10} {'Orca (ms)':>10} {'answered':>9}")
    for name, ours in rows:
        theirs = quantiles(peer) if peer and name == "event to words" else (None, None)
        for label, one, other in zip(("median", "p95"), quantiles(ours), theirs):
            shown = "" if other is None else f"{other:.1f}"
            print(f"{name:<22} {label:>7} {one:>10.1f} {shown:>10} {len(ours):>9}")
            ratio = None if other is None else one / other
            report.append({"name": f"{name}, {label}", "unit": "ms", "ours": one, "peer": other, "ratio": ratio})
    folder = TARGET / "report"
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "focus.json").write_text(json.dumps(report, indent=2))


if __name__ == "__main__":
    main()
