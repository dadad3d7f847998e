#!/usr/bin/env python3
"""An hour of twentyfold use with faults; says whether memory, open files, threads and child processes of Luna stay flat.

Runs inside scripts/desktop-session.sh (see scripts/soak.sh). Starts Luna, moves the pointer over windows that open and close, sends commands as
a person would, and injects faults: engines are killed, aborted and stopped, the sound device disappears and returns, applications hang,
thousands of commands arrive at once. After each round Luna must still read a text aloud; figures are sampled while it is idle.

The unit of work is an action: the pointer moves to another text, or a command is sent. An ordinary hour has ORDINARY of them, one in ten seconds; the
run does twenty times as many, so that a leak in an hour of use shows twentyfold. Growth is measured per action, not per time,
and judged by its upper 95 % confidence bound (soak_statistics.py). Growth that depends only on time shows
only a twentieth as clearly.

LUNA_BIN        the program (target/release/luna); its engines are beside it or in LUNA_ENGINE_DIR
SOAK_MINUTES    duration (60)
SOAK_SEED       seed of all random choices (1)
SOAK_REPORT     folder for soak.svg, soak.md and soak.jsonl, the samples (report)
SOAK_JUDGE      a soak.jsonl of an earlier run, which is judged again without a new run
"""

import http.client
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import threading
import time
from pathlib import Path

import soak_statistics

ROOT = Path(__file__).resolve().parent.parent
LUNA = os.environ.get("LUNA_BIN", str(ROOT / "target/release/luna"))
MINUTES = float(os.environ.get("SOAK_MINUTES", "60"))
SEED = int(os.environ.get("SOAK_SEED", "1"))
REPORT = Path(os.environ.get("SOAK_REPORT", ROOT / "report"))
# Share of the work that is not judged, as warm-up: buffers and pools fill once. Each of Luna's threads has its own allocator pool,
# which grows when the thread first handles a storm of commands or the restart of an engine.
WARM_UP = 0.5
# Actions in an ordinary hour of use, and the factor by which the run must exceed it.
ORDINARY, FOLD = 360, 20
# Allowed growth of each figure in an ordinary hour, compared with the upper bound of its slope (95 %). Memory is that of the process alone: heap, stacks and
# shared memory, without pages of files, which the system can reclaim at any time.
MAY_GROW = {"memory MB": 0.1, "open files": 0.1, "threads": 0.1}
# Upper limits: two engines, and for each a successor while the old program ends. The number varies, since a killed engine
# restarts only at its next use.
AT_MOST = {"child processes": 4}
# Open files for each engine: three pipes and the process handle. They are subtracted, so that the varying number of engines does not count.
FILES_OF_A_CHILD = 4
COMMANDS = "focus_on focus_off focus_toggle repeat pause resume pause_toggle slower faster next prev spell numbers bigger pin unpin pin_toggle stop read_row read_table help".split()


def say(text):
    print(f"{time.strftime('%H:%M:%S')} {text}", flush=True)


class Luna:
    """The running Luna and its control interface."""

    def __init__(self, home):
        self.home = Path(home)
        env = dict(os.environ, LUNA_RUNTIME_DIR=str(self.home / "run"), LUNA_CONFIG=str(self.home / "config.yaml"), LUNA__LANGUAGE="ko", LUNA__HTTP__PORT="0")
        self.log = open(self.home / "luna.log", "wb")
        self.process = subprocess.Popen([LUNA, "run", "--json"], env=env, stdin=subprocess.DEVNULL, stdout=self.log, stderr=self.log)
        control = self.home / "run/control.json"
        until = time.monotonic() + 30
        while not control.exists():
            if time.monotonic() > until or self.process.poll() is not None:
                raise SystemExit(f"Luna did not start; its log: {self.home / 'luna.log'}")
            time.sleep(0.05)
        control = json.loads(control.read_text())
        self.address, self.token = control["address"], control["token"]
        self.said = []
        self.heard = threading.Condition()
        threading.Thread(target=self._listen, daemon=True).start()

    def _request(self, method, path, body=None, timeout=5):
        connection = http.client.HTTPConnection(self.address, timeout=timeout)
        headers = {"Authorization": f"Bearer {self.token}", "Content-Type": "application/json"}
        connection.request(method, path, body, headers)
        return connection, connection.getresponse()

    def _listen(self):
        connection, answer = self._request("GET", "/events", timeout=None)
        for line in answer:
            try:
                event = json.loads(line)
            except ValueError:
                continue
            if event.get("name") == "TTS.Start":
                with self.heard:
                    self.said.append(event["data"]["text"])
                    self.heard.notify_all()

    def order(self, command):
        """Sends a command; returns the seconds until it was accepted."""
        begin = time.monotonic()
        connection, answer = self._request("POST", "/command", json.dumps({"command": command}))
        answer.read()
        connection.close()
        return time.monotonic() - begin

    def status(self):
        connection, answer = self._request("GET", "/status")
        status = json.loads(answer.read())
        connection.close()
        return status

    def metrics(self):
        connection, answer = self._request("GET", "/metrics")
        text = answer.read().decode()
        connection.close()
        return text

    def hears(self, part, seconds):
        """Waits until a sentence that contains `part` is spoken; False after the time."""
        until = time.monotonic() + seconds
        with self.heard:
            while True:
                if any(part in text for text in self.said):
                    self.said.clear()
                    return True
                left = until - time.monotonic()
                if left <= 0 or not self.heard.wait(left):
                    return False

    def forget(self):
        with self.heard:
            self.said.clear()

    def children(self):
        found = []
        for stat in Path("/proc").glob("[0-9]*/stat"):
            try:
                if int(stat.read_text().rsplit(") ", 1)[1].split()[1]) == self.process.pid:
                    found.append(int(stat.parent.name))
            except (OSError, IndexError):
                pass
        return found

    def figures(self):
        proc = Path(f"/proc/{self.process.pid}")
        status = dict(line.split(":", 1) for line in (proc / "status").read_text().splitlines() if ":" in line)
        return {
            "memory MB": (int(status["RssAnon"].split()[0]) + int(status["RssShmem"].split()[0])) / 1024,
            "resident MB": int(status["VmRSS"].split()[0]) / 1024,
            "open files": len(list((proc / "fd").iterdir())),
            "threads": int(status["Threads"]),
            "child processes": len(self.children()),
        }


def pointer(x, y):
    subprocess.run(["xdotool", "mousemove", str(x), str(y)], check=False)


class Sample:
    """The sample application."""

    def __init__(self, x, y):
        self.process = subprocess.Popen(
            ["/usr/bin/python3", str(ROOT / "tests/fixtures/gtk3_sample.py"), "Soak", str(x), str(y)], stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
        )
        self.places = {}
        for line in self.process.stdout:
            if line.strip() == "READY":
                break
            try:
                place = json.loads(line)
                self.places[place["name"]] = (place["x"] + min(30, place["width"] // 2), place["y"] + place["height"] // 2)
            except ValueError:
                pass
        time.sleep(1)

    def signal(self, number):
        self.process.send_signal(number)

    def close(self):
        self.signal(signal.SIGCONT)
        self.process.kill()
        self.process.wait()


class Trouble:
    """The injected faults by name; `heal` undoes those that do not end by themselves."""

    def __init__(self, luna, chance):
        self.luna, self.chance, self.count = luna, chance, {}
        self.stopped, self.sink = [], None

    def inject(self, sample):
        kind = self.chance.choice(["kill", "kill", "abort", "freeze", "storm", "device", "application"])
        self.count[kind] = self.count.get(kind, 0) + 1
        children = self.luna.children()
        if kind in ("kill", "abort", "freeze") and children:
            child = self.chance.choice(children)
            number = {"kill": signal.SIGKILL, "abort": signal.SIGABRT, "freeze": signal.SIGSTOP}[kind]
            try:
                os.kill(child, number)
            except ProcessLookupError:
                pass
            if kind == "freeze":
                self.stopped.append(child)
        elif kind == "storm":
            self.storm()
        elif kind == "device":
            listed = subprocess.run(["pactl", "list", "short", "modules"], capture_output=True, text=True).stdout
            for line in listed.splitlines():
                if "module-null-sink" in line and "sink_name=luna" in line:
                    self.sink = line.split("\t")[2]
                    subprocess.run(["pactl", "unload-module", line.split("\t")[0]], check=False)
        elif kind == "application":
            sample.signal(signal.SIGSTOP)

    def storm(self):
        connection = http.client.HTTPConnection(self.luna.address, timeout=10)
        headers = {"Authorization": f"Bearer {self.luna.token}", "Content-Type": "application/json"}
        for _ in range(2000):
            connection.request("POST", "/command", json.dumps({"command": self.chance.choice(COMMANDS)}), headers)
            connection.getresponse().read()
        connection.close()

    def heal(self, sample):
        sample.signal(signal.SIGCONT)
        if self.sink is not None:
            subprocess.run(["pactl", "load-module", "module-null-sink", *self.sink.split()], check=False, stdout=subprocess.DEVNULL)
            subprocess.run(["pactl", "set-default-sink", "luna"], check=False)
            self.sink = None
        # Luna itself ends a stopped engine after a missed health check; idle engines are continued here.
        for child in self.stopped:
            try:
                os.kill(child, signal.SIGCONT)
            except ProcessLookupError:
                pass
        self.stopped = []


def judge(samples):
    """The verdict on each figure, the failures and a description of the load. A sample is (seconds, actions so far, figures)."""
    verdicts, failed = {}, []
    for _, _, figures in samples:
        figures["open files"] -= FILES_OF_A_CHILD * figures["child processes"]
    for name, limit in AT_MOST.items():
        most = max(figures[name] for _, _, figures in samples)
        verdicts[name] = f"{most} at most (limit {limit})"
        if most > limit:
            failed.append(f"{name}: {verdicts[name]}")
    rest = [(actions, figures) for _, actions, figures in samples if actions >= samples[-1][1] * WARM_UP]
    for name, goal in MAY_GROW.items():
        values = [figures[name] for _, figures in rest]
        flat, words = soak_statistics.verdict([(actions, figures[name]) for actions, figures in rest], ORDINARY, goal)
        verdicts[name] = f"mean {sum(values) / len(values):.1f}; growth in an ordinary hour {words}"
        if not flat:
            failed.append(f"{name}: {verdicts[name]}")
    hours, fold = samples[-1][0] / 3600, samples[-1][1] / ORDINARY / (samples[-1][0] / 3600)
    load = f"{samples[-1][1]} actions in {hours * 60:.0f} minutes: {fold:.1f} times the {ORDINARY} of an ordinary hour"
    if fold < FOLD:
        failed.append(f"the load was too small: {load}, and not {FOLD} times")
    return verdicts, failed, load


def picture(samples, verdicts, title):
    """One small chart per figure, as SVG."""
    width, height, left, top = 900, 150, 70, 40
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{top + len(verdicts) * (height + 40)}" font-family="sans-serif" font-size="12">']
    out.append('<rect width="100%" height="100%" fill="white"/>')
    out.append(f'<text x="10" y="20" font-size="15">{title}</text>')
    last, warm_from = samples[-1][0] or 1, next(t for t, actions, _ in samples if actions >= samples[-1][1] * WARM_UP)
    for row, name in enumerate(verdicts):
        y0 = top + row * (height + 40)
        values = [figures[name] for _, _, figures in samples]
        low, high = min(values + [0]), max(values) * 1.15 or 1
        place = lambda t, v: (left + t / last * (width - left - 20), y0 + 20 + height - (v - low) / (high - low) * height)
        out.append(f'<text x="10" y="{y0 + 12}">{name}: {verdicts[name]}</text>')
        out.append(f'<rect x="{left}" y="{y0 + 20}" width="{width - left - 20}" height="{height}" fill="none" stroke="#999"/>')
        warm = left + warm_from / last * (width - left - 20)
        out.append(f'<rect x="{left}" y="{y0 + 20}" width="{warm - left:.1f}" height="{height}" fill="#eee"/>')
        for value in (low, high / 2, high):
            y = place(0, value)[1]
            out.append(f'<text x="{left - 6}" y="{y + 4:.1f}" text-anchor="end">{value:.0f}</text>')
        for minute in range(0, int(last / 60) + 1, max(1, int(last / 600))):
            x = place(minute * 60, low)[0]
            out.append(f'<text x="{x:.1f}" y="{y0 + height + 34}" text-anchor="middle">{minute} min</text>')
        points = " ".join("{:.1f},{:.1f}".format(*place(t, figures[name])) for t, _, figures in samples)
        out.append(f'<polyline points="{points}" fill="none" stroke="#06c" stroke-width="1.5"/>')
    out.append("</svg>")
    return "\n".join(out)


def use(luna, sample, chance, trouble):
    """A round of use with one fault. Returns the number of actions and the slowest acceptance of a command in seconds."""
    places = list(sample.places.values()) + [(1900, 1060)]
    slowest, actions = 0.0, 50
    luna.order("focus_on")
    for step in range(actions - 2):
        if chance.random() < 0.5:
            pointer(*chance.choice(places))
        else:
            slowest = max(slowest, luna.order(chance.choice(COMMANDS)))
        if step == actions // 2:
            trouble.inject(sample)
        time.sleep(chance.uniform(0.02, 0.4))
    trouble.heal(sample)
    luna.order("stop")
    luna.order("focus_off")
    return actions, slowest


def reads(luna, sample):
    """Whether Luna still reads a text after the faults; a frozen engine may take its deadline of 15 s."""
    for _ in range(4):
        luna.forget()
        pointer(*sample.places["label_en"])
        luna.order("focus_on")
        if luna.hears("quick brown fox", 15):
            return True
        luna.order("focus_off")
    return False


def run():
    """Uses Luna for MINUTES. Returns the samples, the failures and a description of the run."""
    for tool in ("xdotool", "pactl"):
        if subprocess.run(["sh", "-c", f"command -v {tool}"], stdout=subprocess.DEVNULL).returncode:
            raise SystemExit(f"{tool} is not installed; scripts/setup.sh test installs it")
    chance = random.Random(SEED)
    home = tempfile.TemporaryDirectory(prefix="luna-soak.")
    luna = Luna(home.name)
    trouble, samples, rounds, failed, slowest, actions = Trouble(luna, chance), [], 0, [], 0.0, 0
    REPORT.mkdir(parents=True, exist_ok=True)
    kept = open(REPORT / "soak.jsonl", "w")
    begin, end = time.monotonic(), time.monotonic() + MINUTES * 60
    sample = Sample(60, 60)
    try:
        while time.monotonic() < end:
            rounds += 1
            if rounds % 5 == 0:
                sample.close()
                sample = Sample(chance.randrange(0, 400), chance.randrange(0, 200))
            done, slow = use(luna, sample, chance, trouble)
            actions, slowest = actions + done, max(slowest, slow)
            time.sleep(1)
            if luna.process.poll() is not None:
                failed.append(f"round {rounds}: Luna ended with {luna.process.returncode}")
                break
            if not reads(luna, sample):
                failed.append(f"round {rounds}: nothing was read: {json.dumps(luna.status()['capabilities'])}")
            luna.order("stop")
            luna.order("focus_off")
            pointer(1900, 1060)
            time.sleep(2)
            samples.append((time.monotonic() - begin, actions, luna.figures()))
            kept.write(json.dumps(samples[-1]) + "\n")
            kept.flush()
            if rounds % 10 == 1:
                say(f"round {rounds}: {samples[-1][1:]}, trouble {trouble.count}, failed {len(failed)}")
        metrics = luna.metrics() if luna.process.poll() is None else ""
    finally:
        sample.close()
        if luna.process.poll() is None:
            luna.process.send_signal(signal.SIGTERM)
            try:
                code = luna.process.wait(10)
                if code != 0:
                    failed.append(f"Luna ended with {code}")
            except subprocess.TimeoutExpired:
                failed.append("Luna did not end within 10 s")
                luna.process.kill()
    count = lambda name: sum(float(line.rsplit(" ", 1)[1]) for line in metrics.splitlines() if line.startswith(name))
    troubles = ", ".join(f"{kind} {n}" for kind, n in sorted(trouble.count.items()))
    words = [
        f"{rounds} rounds, seed {SEED}. Trouble: {troubles}.",
        f"Actors restarted: {count('luna_actor_restarts_total'):.0f}; engines started: {count('luna_engine_starts_total'):.0f}; sentences spoken: {count('luna_speech_sentences_total'):.0f}; slowest acceptance of a command: {slowest * 1000:.0f} ms.",
    ]
    return samples, failed, words


def main():
    if "SOAK_JUDGE" in os.environ:
        samples = [json.loads(line) for line in open(os.environ["SOAK_JUDGE"])]
        failed, words = [], ["Judged again from its samples."]
    else:
        samples, failed, words = run()
    if not samples:
        raise SystemExit("; ".join(failed) or "no sample was taken: SOAK_MINUTES is too small")
    verdicts, grows, load = judge(samples)
    failed += grows
    (REPORT / "soak.svg").write_text(picture(samples, verdicts, f"Luna, {samples[-1][0] / 60:.0f} minutes of twentyfold use with faults (grey: warm-up)"))
    lines = [
        "# Soak",
        "",
        f"Written by `make soak`. {load}. {words[0]}",
        *words[1:],
        "",
        *(f"- {name}: {verdict}" for name, verdict in verdicts.items()),
        "",
        *([f"FAILED: {what}" for what in failed] or ["All is flat, and a text was read after every round."]),
        "",
        "![memory, open files, threads and child processes over time](soak.svg)",
    ]
    (REPORT / "soak.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    sys.exit(1 if failed else 0)


if __name__ == "__main__":
    main()
