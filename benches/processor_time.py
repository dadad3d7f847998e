#!/usr/bin/python3
"""Processor time of Luna in focus mode, and of the applications that it watches: while nothing happens, and while a window redraws all the time;
beside Orca in the same session.

usage: scripts/desktop-session.sh /usr/bin/python3 benches/processor_time.py [SECONDS]

Idle: a GTK form is open, and the pointer rests on it. Busy: beside it, a terminal under the pointer writes a line 25 times a second. Prints percent of one core,
Luna with its engines, and writes target/report/processor_time.json. Goals: 2 % while idle, 10 % while busy.

LUNA_BIN   the program (target/release/luna)
Debian packages: python3-gi gir1.2-gtk-3.0 xdotool xfce4-terminal, and for the comparison orca
"""
import json
import os
import shutil
import sys
import tempfile
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "scripts" / "tour"))
os.environ.setdefault("LUNA_BIN", str(Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "release" / "luna"))

import desktop  # noqa: E402
import luna  # noqa: E402

SECONDS = float(sys.argv[1]) if len(sys.argv) > 1 else 20
# Luna keeps the sound device open for 15 s after the last word, so that the next one need not wait; what is under the pointer is read before.
SILENCE = 25
TICKS = os.sysconf("SC_CLK_TCK")
FLOOD = "i=0; while :; do i=$((i+1)); echo \"line $i of a busy window\"; sleep 0.04; done"


def processes():
    """{process: (its parent, its processor time in seconds)}"""
    found = {}
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rsplit(")", 1)[1].split()
            except OSError:
                continue
            found[int(entry.name)] = (int(fields[1]), (int(fields[11]) + int(fields[12])) / TICKS)
    return found


def tree(root, table):
    """The processor time of a process and all below it."""
    total = table.get(root, (0, 0.0))[1]
    return total + sum(tree(child, table) for child, (parent, _) in table.items() if parent == root)


def percent(programs):
    """What each of these programs takes of one core from now on."""
    before, start = processes(), time.monotonic()
    time.sleep(SECONDS)
    after, took = processes(), time.monotonic() - start
    return {name: round(100 * (tree(root, after) - tree(root, before)) / took, 2) for name, root in programs.items()}


class Following(luna.Running):
    """Follows the pointer and the keyboard focus, as by default."""

    @staticmethod
    def focus_settings():
        return {}


def both(reader):
    """Idle, then busy, with the reader running."""
    form = desktop.Program(["/usr/bin/python3", str(ROOT / "tests/fixtures/gtk3_form.py")], dict(os.environ), "/dev/null")
    time.sleep(3)
    desktop.run("xdotool", "mousemove", "200", "150")
    time.sleep(SILENCE)
    reader_id = {"reader": reader.process.pid} if reader else {}
    idle = percent({**reader_id, "form": form.process.pid})
    terminal = desktop.Program(["xfce4-terminal", "--disable-server", "--geometry=100x30+300+200", "-x", "sh", "-c", FLOOD], dict(os.environ), "/dev/null")
    time.sleep(3)
    desktop.run("xdotool", "mousemove", "600", "400")
    time.sleep(SILENCE)
    busy = percent({**reader_id, "terminal": terminal.process.pid})
    terminal.end()
    form.end()
    return {"idle": idle, "busy": busy}


def main():
    results = {"alone": both(None)}
    with tempfile.TemporaryDirectory() as folder:
        running = Following("en", folder, f"{folder}/log")
        results["luna"] = both(running.program)
        running.end()
    if shutil.which("orca"):
        orca = desktop.Program(["orca", "--replace"], dict(os.environ), "/dev/null")
        time.sleep(6)
        results["orca"] = both(orca)
        orca.end()
    for reader, parts in results.items():
        for what, programs in parts.items():
            print(f"{reader:6} {what:5} " + ", ".join(f"{name} {share} %" for name, share in programs.items()))
    report = Path(os.environ.get("CARGO_TARGET_DIR", ROOT / "target")) / "report"
    report.mkdir(parents=True, exist_ok=True)
    (report / "processor_time.json").write_text(json.dumps(results, indent=1))


if __name__ == "__main__":
    main()
