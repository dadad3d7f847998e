"""Luna as a person would use it: `luna read` at a place, and a running Luna whose events tell what it says."""

import json
import os
import subprocess
import threading
import time
import urllib.request
from pathlib import Path

import desktop


def binary():
    return os.environ["LUNA_BIN"]


def environment(folder, language, **more):
    """Own runtime folder and configuration; the models are shared."""
    folder = Path(folder)
    (folder / "run").mkdir(parents=True, exist_ok=True)
    return dict(
        os.environ, LUNA_RUNTIME_DIR=str(folder / "run"), LUNA_CONFIG=str(folder / "config.yaml"), LUNA__LANGUAGE=language,
        LUNA__HTTP__PORT="0", **more,
    )


def sentence(report):
    """What would be said: `said`, else the text that was picked, else everything recognised."""
    picked = report.get("picked") or {}
    for source in (report, picked):
        if source.get("said"):
            return source["said"]
    return picked.get("text") or " ".join(block.get("text", "") for block in report.get("blocks", []))


def read_at(point, language, folder, seconds=30):
    """{"said", "method", "report", "seconds"} for a place on the screen; what is told on standard error counts as said."""
    start = time.monotonic()
    command = [binary(), "read", "--at", f"{point[0]},{point[1]}", "--json"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, env=environment(folder, language))
    except subprocess.TimeoutExpired:
        return {"said": "", "error": f"no answer within {seconds} s", "seconds": seconds}
    took = time.monotonic() - start
    try:
        report = json.loads(done.stdout)
    except json.JSONDecodeError:
        return {"said": told(done.stderr), "error": done.stderr.strip()[-300:], "seconds": took}
    method = (report.get("picked") or {}).get("method")
    kept = {key: value for key, value in report.items() if key != "blocks"}
    return {"said": sentence(report), "method": method, "report": kept, "seconds": took}


def told(stderr):
    """The last line of an error message, without the program's name."""
    lines = [line for line in stderr.splitlines() if not line.endswith("the built-in defaults hold.")]
    return lines[-1].removeprefix("luna:").removeprefix("Error:").strip() if lines else ""


class Running:
    """A running Luna that follows the keyboard focus, or the pointer; every event is kept with the time at which it came."""

    def __init__(self, language, folder, log, source="focus"):
        self.folder = Path(folder)
        self.environment = environment(folder, language, **self.settings_of(source))
        control = self.folder / "run/control.json"
        control.unlink(missing_ok=True)
        self.program = desktop.Program([binary(), "run", "--json"], self.environment, log)
        self.events = []
        if not desktop.wait_for(control.exists, 30):
            self.program.end()
            raise RuntimeError(f"Luna did not start; see {log}")
        time.sleep(0.3)
        control = json.loads(control.read_text())
        self.address, self.token = control["address"], control["token"]
        threading.Thread(target=self.listen, daemon=True).start()
        desktop.run(binary(), "ctl", "focus", "on", env=self.environment)
        time.sleep(0.5)

    @staticmethod
    def settings_of(source):
        """The other source stays out of it, so that what is heard comes from this one alone."""
        return {"LUNA__FOCUS_MODE__SOURCES": json.dumps([source])} if follows_focus() else {}

    def open(self, route):
        request = urllib.request.Request(f"http://{self.address}/{route}", headers={"Authorization": f"Bearer {self.token}"})
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}))
        return opener.open(request, timeout=None if route == "events" else 10)

    def listen(self):
        try:
            for line in self.open("events"):
                self.events.append((time.time(), json.loads(line)))
        except (OSError, ValueError):
            return

    def metrics(self):
        return self.open("metrics").read().decode()

    def since(self, mark):
        return self.events[mark:]

    def wait(self, mark, most=1.5, quiet=0.2):
        """Waits until something was decided to be said and nothing more follows at once."""
        spoken = lambda: [moment for moment, event in self.since(mark) if event["name"] in ("Focus.Read.request", "TTS.Start")]
        if desktop.wait_for(spoken, most, 0.02):
            desktop.wait_for(lambda: time.time() - spoken()[-1] > quiet and self.all_begun(mark), 8, 0.02)

    def all_begun(self, mark):
        """Whether the whole text is known: by its request, else because its last sentence has begun to sound."""
        events = [event for _, event in self.since(mark)]
        progress = [event["data"] for event in events if event["name"] == "TTS.Progress"]
        return any(event["name"] == "Focus.Read.request" for event in events) or not progress or progress[-1]["idx"] + 1 >= progress[-1]["of"]

    def said_since(self, mark):
        """The texts that Luna decided to say, in order; notices of its own state are left out."""
        requests = [e["data"]["text"] for _, e in self.since(mark) if e["name"] == "Focus.Read.request"]
        if requests:
            return " ".join(requests)
        return " ".join(e["data"]["text"] for _, e in self.since(mark) if e["name"] == "TTS.Start" and not e["data"].get("notice"))

    def silence(self):
        desktop.run(binary(), "ctl", "focus", "stop", env=self.environment)

    def end(self):
        self.program.end()


def follows_focus():
    """Whether this Luna can follow the keyboard focus: its schema knows the sources of attention (ATT-1)."""
    schema = desktop.run(binary(), "config", "schema", seconds=20)
    return '"sources"' in schema
