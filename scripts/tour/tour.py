#!/usr/bin/python3
"""The tour of real programs: run inside a virtual desktop (scripts/tour.sh does all of it).

tour.py [PROGRAM…] [--languages ko,en] [--no-orca] [--quick] [--strict] [--points] --scratch FOLDER --out FOLDER

Writes one JSON file a program; report.py makes report/TOUR.md of them. A program that is missing or does not come up is told as such.
--quick visits only the places that are marked so, in the few small programs that have any, without Orca. Exits with 1 if a place can't be
reached, with --strict also if Luna does not say there what it must. --points only finds the places: for making tables.
"""

import argparse
import json
import shutil
import sys
import time
from pathlib import Path

import desktop
import report
import tables
import visit


def missing_command(program):
    return None if shutil.which(program["command"][0]) else program["command"][0]


def only_points(name, scratch, korean):
    """Prints where each place is; takes a picture."""
    program = tables.load(name, scratch)
    stop = visit.Visit(program, scratch, korean)
    try:
        if stop.problem:
            print(f"{name}: {stop.problem}")
            return
        for place in program["places"]:
            stop.prepare(place)
            if place["at"] != "none":
                point, found = stop.point(place["at"])
                print(f"{name} {place['id']:26} {point or found} {found if point else ''}", flush=True)
            if place["at"] == "none" and place.get("focus"):
                stop.lead(place)
                stop.focus(place)
                time.sleep(0.5)
            if place.get("before") or place["at"] == "none":
                desktop.screenshot(Path(scratch) / f"{name}-{place['id']}.png")
            desktop.press(place.get("after", []))
        desktop.screenshot(Path(scratch) / f"{name}.png")
    finally:
        stop.end()


def main():
    options = argparse.ArgumentParser()
    options.add_argument("programs", nargs="*")
    options.add_argument("--languages", default="ko,en")
    options.add_argument("--no-orca", action="store_true")
    options.add_argument("--quick", action="store_true")
    options.add_argument("--strict", action="store_true")
    options.add_argument("--points", action="store_true")
    options.add_argument("--scratch", required=True)
    options.add_argument("--out", required=True)
    arguments = options.parse_args()
    scratch, out = Path(arguments.scratch), Path(arguments.out)
    scratch.mkdir(parents=True, exist_ok=True)
    out.mkdir(parents=True, exist_ok=True)
    korean, bad = visit.korean_locale(scratch), False
    for name in arguments.programs or (tables.quick_names() if arguments.quick else tables.names()):
        begin = time.monotonic()
        program = tables.load(name, scratch)
        if arguments.points:
            only_points(name, scratch, korean)
            continue
        file = out / f"{name}.json"
        # Stands there until the visit is over, so that one that is cut off is told as such.
        file.write_text(json.dumps({"name": name, "title": program["title"], "problem": "the visit was cut off"}), encoding="utf-8")
        absent = missing_command(program)
        if absent:
            result = {"name": name, "title": program["title"], "problem": f"{absent} is not installed"}
        else:
            languages, with_orca = arguments.languages.split(","), not (arguments.no_orca or arguments.quick)
            result = visit.visit_program(name, languages, scratch, korean, with_orca, arguments.quick)
        result["seconds"] = round(time.monotonic() - begin)
        file.write_text(json.dumps(result, ensure_ascii=False, indent=1, default=str), encoding="utf-8")
        print(report.line(result), flush=True)
        problems = report.problems(result, arguments.strict)
        print("".join(f"  {problem}\n" for problem in problems), end="", flush=True)
        bad = bad or bool(problems)
    return 1 if bad and (arguments.quick or arguments.strict) else 0


if __name__ == "__main__":
    sys.exit(main())
