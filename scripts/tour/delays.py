#!/usr/bin/python3
"""How long after a focus event Luna and Orca have decided their words, and how long until Luna's sound begins. Both hear the same events.
With `--pointer`: how long after the pointer came to rest on an element Luna has decided its words, and how long until the sound begins.

delays.py --scratch FOLDER [--events N] [--pointer]

A third client of the accessibility bus writes down when each focus event arrives; Luna's times come from its event stream, Orca's from its
debug file, all by the clock of this machine. Also: processor time that Luna, Orca and the application spent. Prints one JSON object.
"""

import argparse
import datetime
import json
import os
import statistics
import subprocess
import sys
import threading
import time
from pathlib import Path

import desktop
import luna
import orca
import tables
import visit

# Seconds between two keys.
PAUSE = 1.5

LISTENER = """
import sys, time, warnings
warnings.simplefilter("ignore")
import gi
gi.require_version("Atspi", "2.0")
from gi.repository import Atspi
def heard(event):
    if event.detail1 == 1:
        print(time.time(), flush=True)
listener = Atspi.EventListener.new(heard)
listener.register("object:state-changed:focused")
Atspi.event_main()
"""


class FocusClock:
    """Times of focus events as an idle client receives them."""

    def __init__(self):
        self.times = []
        self.process = subprocess.Popen(["/usr/bin/python3", "-c", LISTENER], stdout=subprocess.PIPE, text=True, start_new_session=True)
        threading.Thread(target=self.collect, daemon=True).start()

    def collect(self):
        for line in self.process.stdout:
            self.times.append(float(line))

    def end(self):
        self.process.kill()


def processor_seconds(pid):
    """Processor time of a process and of the children it has waited for or still has."""
    total = 0.0
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text().rsplit(")", 1)[1].split()
        except OSError:
            continue
        if int(folder.name) == pid or int(fields[1]) == pid:
            total += (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")
    return total


def clock_time(text):
    """Orca writes the time of day."""
    today = datetime.datetime.now()
    time_of_day = datetime.datetime.strptime(text, "%H:%M:%S.%f").time()
    return datetime.datetime.combine(today.date(), time_of_day).timestamp()


def first_after(times, pressed, moment):
    """From the focus event to the first of the times after the key; a little below 0 if this listener was served last."""
    later = [t for t in times if pressed < t < pressed + PAUSE]
    return min(later) - moment if later else None


def spread(delays):
    """Milliseconds: p50 and p95 of those that were, and how many were not."""
    found = sorted(d * 1000 for d in delays if d is not None)
    if not found:
        return {"answered": 0, "of": len(delays)}
    return {
        "p50": round(statistics.median(found), 1), "p95": round(found[min(len(found) - 1, int(len(found) * 0.95))], 1),
        "answered": len(found), "of": len(delays),
    }


def measure(events, scratch):
    # Orca comes first: it hangs at its start if a window is there already.
    reader = orca.Orca(scratch)
    running = luna.Running("en", Path(scratch) / "running", Path(scratch) / "luna.log")
    program = visit.Visit(tables.load("zenity-form", scratch), scratch, visit.korean_locale(scratch))
    clock = FocusClock()
    try:
        if program.problem:
            return {"problem": program.problem}
        time.sleep(2)
        desktop.park()
        who = {"luna": running.program, "orca": reader.program, "application": program.program}
        before = {name: processor_seconds(each.process.pid) for name, each in who.items()}
        words, sound, orca_words, mark = [], [], [], reader.mark()
        moments = []
        for _ in range(events):
            seen, pressed = len(clock.times), time.time()
            desktop.press(["Tab"], PAUSE)
            moments += [(pressed, moment) for moment in clock.times[seen : seen + 1]]
        time.sleep(1)
        spoken = [clock_time(moment) for moment in reader.since(mark)["times"]]
        asked = [moment for moment, event in running.events if event["name"] in ("Focus.Read.request", "Focus.Pick.result")]
        sounded = [moment for moment, event in running.events if event["name"] == "TTS.Start" and not event["data"].get("notice")]
        for pressed, moment in moments:
            words.append(first_after(asked, pressed, moment))
            sound.append(first_after(sounded, pressed, moment))
            orca_words.append(first_after(spoken, pressed, moment))
        spent = {name: round((processor_seconds(each.process.pid) - before[name]) * 1000 / max(1, len(moments)), 2) for name, each in who.items()}
        stages = [line for line in running.metrics().splitlines() if line.startswith("luna_stage_duration_seconds_sum")]
        return {
            "events": len(moments), "luna_words_ms": spread(words), "luna_sound_ms": spread(sound), "orca_words_ms": spread(orca_words),
            "processor_ms_per_event": spent, "stages": stages,
        }
    finally:
        clock.end()
        running.end()
        reader.end()
        program.end()


def measure_pointer(events, scratch):
    """Without Orca, which follows the pointer only if asked to, and then at once."""
    running = luna.Running("en", Path(scratch) / "running", Path(scratch) / "luna.log", source="pointer")
    program = visit.Visit(tables.load("zenity-form", scratch), scratch, visit.korean_locale(scratch))
    try:
        if program.problem:
            return {"problem": program.problem}
        places = [place for place in program.table["places"] if place["at"] != "none" and not place.get("before")]
        points = [point for point, _ in (program.point(place["at"]) for place in places) if point]
        if len(points) < 2:
            return {"problem": "the form has fewer than two places to point at"}
        words, sound = [], []
        for visited in range(events):
            x, y = points[visited % len(points)]
            desktop.point_at(x - 2, y)
            # Counted from before the last move, so that its own time counts, too.
            rest = time.time()
            desktop.run("xdotool", "mousemove", str(x), str(y))
            time.sleep(PAUSE)
            named = lambda *names: [moment for moment, event in running.events if event["name"] in names]
            words.append(first_after(named("Focus.Pick.result"), rest, rest))
            sound.append(first_after(named("TTS.Start"), rest, rest))
        return {"events": events, "places": len(points), "luna_words_ms": spread(words), "luna_sound_ms": spread(sound)}
    finally:
        running.end()
        program.end()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("--scratch", required=True)
    options.add_argument("--events", type=int, default=60)
    options.add_argument("--pointer", action="store_true")
    arguments = options.parse_args()
    result = (measure_pointer if arguments.pointer else measure)(arguments.events, arguments.scratch)
    print(json.dumps(result, ensure_ascii=False, indent=1))
    return 1 if "problem" in result else 0


if __name__ == "__main__":
    sys.exit(main())
