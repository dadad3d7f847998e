#!/usr/bin/env python3
"""Luna on a virtual desktop: shows the sample application, moves the pointer over its parts, and reports what was read.

Runs inside scripts/desktop-session.sh. Starts the sample and `luna run`, points at each part, waits until it was read aloud
completely, and prints position, method and words, and how loud the sound device was meanwhile. Then it keeps running until Ctrl-C.

LUNA_BIN         the program (target/release/luna)
LUNA_DEMO_EXIT   if set, the demo ends after the summary, with exit code 0 only if every expected word was heard and the marker in
                 the password field appeared nowhere
LUNA_DEMO_PARTS  names of parts, separated by commas (all)
"""

import json
import math
import os
import queue
import re
import signal
import subprocess
import sys
import threading
import time
import unicodedata
from difflib import SequenceMatcher
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
TARGET = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target"))
LUNA = os.environ.get("LUNA_BIN", str(TARGET / "release" / "luna"))
SESSION = Path(os.environ.get("LUNA_SESSION", "/tmp"))
RECORDING = os.environ.get("LUNA_RECORDING")
LOG = SESSION / "luna.log"
READY_SECONDS = 60
READ_SECONDS = 40
OCR_LIKENESS = 0.8  # recognised text is compared by similarity; the benches measure its accuracy
BYTES_A_SECOND = 48_000  # of the recording: 24 kHz, 16 bit, one channel
WAV_HEADER = 44


def out(text=""):
    print(text, flush=True)


def plain(text):
    """Letters and digits only, so that the split into sentences does not matter."""
    return "".join(c for c in unicodedata.normalize("NFKC", text).casefold() if c.isalnum())


class Ended(Exception):
    """The person pressed Ctrl-C, or the session is ending."""


class Recording:
    """The session's WAV recording of its sound device."""

    def mark(self):
        """The current end of the file in bytes."""
        try:
            return max(os.path.getsize(RECORDING), WAV_HEADER) if RECORDING else None
        except OSError:
            return None

    def level(self, since):
        """Loudness since the mark: level of the sound relative to full scale in dB, and its seconds. None without a recording."""
        if since is None:
            return None
        with open(RECORDING, "rb") as file:
            file.seek(since + (since & 1))
            data = file.read()
        samples = memoryview(data[: len(data) & ~1]).cast("h")
        blocks = [samples[i : i + 480] for i in range(0, len(samples), 480)]  # 20 ms each
        loud = [s for s in (sum(v * v for v in block) / len(block) for block in blocks if len(block)) if s > 100]
        if not loud:
            return (-math.inf, 0.0)
        return (10 * math.log10(sum(loud) / len(loud) / 32768**2), len(loud) * 0.02)


class Luna:
    """The running program, controlled by the same commands that a person has."""

    def __init__(self):
        self.log = open(LOG, "wb")
        # Any free port: the person may run another Luna on the default port.
        environment = {"LUNA__HTTP__PORT": "0", **os.environ}
        if os.environ.get("LUNA_PERSON_LANG", "").startswith("ko"):
            environment.setdefault("LUNA__LANGUAGE", "ko")
        # In a separate session: Ctrl-C reaches only this script, which then ends Luna; a second signal would end it at once.
        self.process = subprocess.Popen(
            [LUNA, "run"],
            stdin=subprocess.DEVNULL,
            stdout=self.log,
            stderr=self.log,
            env=environment,
            start_new_session=True,
        )
        self.follower = None
        self.events = queue.Queue()
        self.seen = []  # all event lines, which are searched for the marker

    def control(self, *words):
        return subprocess.run([LUNA, "ctl", *words], capture_output=True, text=True, timeout=20)

    def wait_until_ready(self):
        end = time.monotonic() + READY_SECONDS
        while time.monotonic() < end:
            if self.process.poll() is not None:
                raise RuntimeError(f"luna ended with {self.process.returncode}:\n{tail(LOG)}")
            if self.control("status").returncode == 0:
                return
            time.sleep(0.1)
        raise RuntimeError(f"luna was not ready within {READY_SECONDS} s:\n{tail(LOG)}")

    def follow(self):
        self.follower = subprocess.Popen(
            [LUNA, "ctl", "events", "--follow"],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=self.log,
            text=True,
            start_new_session=True,
        )
        threading.Thread(target=self._read, daemon=True).start()
        time.sleep(0.5)  # until the stream is open

    def _read(self):
        for line in self.follower.stdout:
            self.seen.append(line)
            try:
                self.events.put(json.loads(line))
            except ValueError:
                continue
        self.events.put(None)

    def next_event(self, seconds):
        """(name, data), or None after `seconds`."""
        try:
            event = self.events.get(timeout=max(seconds, 0.01))
        except queue.Empty:
            return None
        if event is None:
            raise RuntimeError(f"the stream of events ended:\n{tail(LOG)}")
        return event.get("name"), event.get("data") or {}

    def forget_events(self):
        while not self.events.empty():
            self.events.get_nowait()

    def end(self):
        for process in (self.process, self.follower):
            if process and process.poll() is None:
                process.terminate()
        for process in (self.process, self.follower):
            try:
                if process:
                    process.wait(timeout=8)
            except subprocess.TimeoutExpired:
                process.kill()


def tail(path, lines=15):
    return "\n".join(path.read_text(errors="replace").splitlines()[-lines:])


def start_sample():
    sample = subprocess.Popen(
        ["/usr/bin/python3", str(ROOT / "sample" / "luna_sample.py")],
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    for line in sample.stdout:
        if line.strip() == "READY":
            return sample, json.loads(sample.stdout.readline())["parts"]
    raise RuntimeError("the sample application did not start")


def point_at(part):
    x, y, width, height = part["box"]
    place = (x + width // 2, y + height // 2)
    subprocess.run(["xdotool", "mousemove", *map(str, place)], check=True)
    return place


def read_part(luna, part, state):
    """Points at a part and collects what is said until it was read completely."""
    heard = {"way": None, "words": [], "notices": [], "failed": None, "finished": False}
    luna.forget_events()
    place = point_at(part)
    if state["focus"] not in ("reading", "targeting"):
        # After a question or a failure Luna does not follow the pointer: switch focus mode off and on, as a person would.
        luna.control("focus", "off")
        luna.forget_events()
        answer = luna.control("focus", "on")
        if answer.returncode != 0:
            raise RuntimeError(f"luna ctl focus on: {answer.stderr.strip()}")
    end = time.monotonic() + READ_SECONDS
    while time.monotonic() < end:
        event = luna.next_event(end - time.monotonic())
        if event is None:
            break
        name, data = event
        if name == "Focus.State":
            state["focus"] = re.sub("[^a-z]", "", str(data.get("state", "")).lower())
        elif name == "Focus.Pick.result":
            heard.update(way=data["method"], words=[], notices=[], failed=None)
        elif name == "Focus.Pick.failed":
            heard.update(way="refused", words=[], notices=[], failed=data["reason"])
            state["focus"] = "waitcmd"
        elif name == "TTS.Start":
            heard["notices" if data.get("notice") else "words"].append(data["text"])
        elif name == "TTS.Stop" and heard["way"] and (heard["notices"] if heard["failed"] else heard["words"]):
            heard["finished"] = bool(data.get("finished"))
            if heard["finished"]:
                break
    if not heard["finished"]:
        state["focus"] = "waitcmd"  # the next part starts with focus mode off and on
    return place, heard


def judge(part, heard):
    """The faults, in words; empty if everything was heard."""
    faults = []
    said = plain(" ".join(heard["words"]))
    if not heard["finished"]:
        faults.append("was not read completely")
    if part["method"] == "protected":
        if heard["words"]:
            faults.append("something was read from the protected field")
        return faults
    if heard["way"] != part["method"]:
        faults.append(f"was found by {heard['way']}, not by {part['method']}")
    for expected in part["hear"]:
        alternatives = [plain(words) for words in expected.split("|")]
        if any(words in said for words in alternatives):
            continue
        likeness = max(SequenceMatcher(None, words, said, autojunk=False).ratio() for words in alternatives)
        if part["method"] != "ocr" or likeness < OCR_LIKENESS:
            faults.append(f"not heard: {expected}")
    return faults


def show(part, place, heard, sound, faults):
    words = " ".join(heard["notices" if heard["failed"] else "words"]) or "(nothing)"
    way = {"uia": "accessibility", "ocr": "recognition", "refused": "protected", None: "-"}[heard["way"]]
    if heard["failed"] and part["method"] != "protected":
        way = "no text"
    level = "not recorded" if sound is None else "silent" if sound[1] == 0 else f"{sound[1]:4.1f} s at {sound[0]:5.1f} dB"
    out(f"  {part['name']:12} {str(place):12} {way:14} {level:20} {words}")
    for fault in faults:
        out(f"  {'':12} !! {fault}")


def tour(luna, parts, recording):
    state = {"focus": "idle"}
    faults = 0
    out(f"  {'part':12} {'pointer':12} {'found by':14} {'sound':20} said")
    for part in parts:
        mark = recording.mark()
        place, heard = read_part(luna, part, state)
        time.sleep(0.25)  # until the end of the sound is in the recording
        sound = recording.level(mark)
        wrong = judge(part, heard)
        if sound is None or sound[1] == 0:
            wrong.append("no sound was recorded")
        faults += len(wrong)
        show(part, place, heard, sound, wrong)
    return faults


def leaks(luna):
    """The places in which the content of the password field appeared; there must be none (PIC-5)."""
    source = (ROOT / "sample" / "luna_sample.py").read_text(encoding="utf-8")
    marker = re.search(r'^PASSWORD = "(.+)"$', source, re.MULTILINE).group(1)
    places = []
    if any(marker in line for line in luna.seen):
        places.append("the events")
    if marker in LOG.read_text(errors="replace"):
        places.append(str(LOG))
    return places


def keep_running(luna):
    out("\nLuna keeps running on this virtual desktop. Ctrl-C ends everything.")
    out(f"  its log          {LOG}")
    if RECORDING:
        out(f"  listen later     {RECORDING} (long silence is left out)")
        out(f"  listen now       parec --server={os.environ['PULSE_SERVER']} -d luna.monitor --raw | paplay --raw")
    out(f"  look and point   DISPLAY={os.environ.get('DISPLAY')} XAUTHORITY={os.environ.get('XAUTHORITY', '')} xdotool mousemove X Y")
    out(f"  give commands    XDG_RUNTIME_DIR={os.environ.get('XDG_RUNTIME_DIR')} {LUNA} ctl focus pause")
    while True:
        event = luna.next_event(3600)
        if event and event[0] == "TTS.Start":
            out(f"  said: {event[1]['text']}")


def main():
    def ended(*_):
        raise Ended

    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, ended)
    luna = sample = None
    status = 1
    try:
        out("==> Starting the sample application")
        sample, parts = start_sample()
        if names := os.environ.get("LUNA_DEMO_PARTS"):
            parts = [part for part in parts if part["name"] in re.split(r"[,\s]+", names)]
        out("==> Starting luna")
        begin = time.monotonic()
        luna = Luna()
        luna.wait_until_ready()
        out(f"    ready after {time.monotonic() - begin:.1f} s")
        out((luna.control("status").stdout or "").rstrip())
        luna.follow()
        out(f"==> Pointing at {len(parts)} places and reading each aloud")
        recording = Recording()
        start = recording.mark()
        faults = tour(luna, parts, recording)
        where = leaks(luna)
        out(f"==> {len(parts)} places, {faults} faults; the content of the password field appeared " + (", ".join(where) or "nowhere"))
        if (whole := recording.level(start)) is None:
            out("    no recording: the session has no sound device")
        else:
            out(f"    recording: {RECORDING} ({whole[1]:.1f} s of sound at {whole[0]:.1f} dB)")
        status = 0 if faults == 0 and not where else 1
        if not os.environ.get("LUNA_DEMO_EXIT"):
            keep_running(luna)
    except Ended:
        out("\n==> Ending")
        status = 0 if not os.environ.get("LUNA_DEMO_EXIT") else 1
    except (RuntimeError, OSError, subprocess.SubprocessError) as error:
        out(f"luna demo: {error}")
    finally:
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, signal.SIG_IGN)
        if luna:
            luna.end()
        if sample:
            sample.terminate()
    sys.exit(status)


if __name__ == "__main__":
    main()
