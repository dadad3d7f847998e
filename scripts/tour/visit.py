"""Visits one program: starts it, goes to every place by pointer and by keyboard, and writes down what Luna and Orca say there."""

import json
import os
import subprocess
import time
from pathlib import Path

import compare
import desktop
import luna
import orca
import tables

TREE = Path(__file__).with_name("tree.py")


def ask_tree(application, at, grab=False, seconds=25):
    question = json.dumps({"application": application, "at": at, "grab": grab})
    reply = desktop.run("/usr/bin/python3", str(TREE), seconds=seconds, text=question)
    try:
        return json.loads(reply)
    except json.JSONDecodeError:
        return {"error": "the tree did not answer"}


def korean_locale(scratch):
    """A Korean locale of its own, so that nothing has to be set up on the machine; None if it can't be made."""
    folder = Path(scratch) / "locale"
    folder.mkdir(parents=True, exist_ok=True)
    done = subprocess.run(["localedef", "-i", "ko_KR", "-f", "UTF-8", str(folder / "ko_KR.UTF-8")], capture_output=True, check=False)
    return str(folder) if done.returncode <= 1 else None


class Visit:
    """One program on the screen."""

    def __init__(self, program, scratch, korean):
        self.table, self.scratch = program, Path(scratch)
        tables.lay_out(scratch)
        for command in program.get("prepare", []):
            subprocess.run(command, shell=True, check=False)
        environment = dict(os.environ)
        if program.get("korean") and korean:
            environment.update(LOCPATH=korean, LANG="ko_KR.UTF-8", LC_ALL="ko_KR.UTF-8")
        self.program = desktop.Program(program["command"], environment, self.scratch / f"{program['name']}.log")
        self.window = None
        self.problem = self.come_up()

    def come_up(self):
        """Waits for the window and, if there is a tree, for the element by which the program is known to be ready."""
        seconds = self.table.get("start_seconds", 25)
        title = self.table["window"]["title"]
        self.window = desktop.wait_for(lambda: desktop.window_titled(title), seconds)
        if self.window is None:
            return f"no window \"{title}\" within {seconds} s"
        time.sleep(0.5)
        if "box" in self.table["window"]:
            desktop.place_window(self.window, self.table["window"]["box"])
        # A program without a tree has nothing to tell that it is drawn.
        time.sleep(0 if "ready" in self.table else 1)
        if "ready" in self.table:
            look = lambda: "box" in ask_tree(self.table["application"], self.table["ready"])
            if not desktop.wait_for(look, seconds):
                return f"its tree shows no {self.table['ready']} within {seconds} s"
        time.sleep(0.3)
        return None

    def point(self, at):
        """(point, what was found) of a place, or (None, why not)."""
        if "window" in at:
            box = desktop.origin(self.window)
            return ([box[0] + at["window"][0], box[1] + at["window"][1]], {}) if box else (None, "the window is gone")
        found = ask_tree(self.table["application"], at)
        if "error" in found or not found.get("box"):
            return None, found.get("error", "it has no box")
        x, y, width, height = found["box"]
        if "point" in at:
            x, y = x + at["point"][0], y + at["point"][1]
        elif found.get("text_box"):
            x, y, width, height = found["text_box"]
            x, y = x + min(width, 60) // 2, y + height // 2
        else:
            x, y = x + width // 2, y + height // 2
        if "shift" in found:
            x, y = x + found["shift"][0], y + found["shift"][1]
        if self.table.get("relative"):
            left, top = desktop.origin(self.window)[:2]
            x, y = x + left + self.table["relative"][0], y + top + self.table["relative"][1]
        return [x, y], found

    def prepare(self, place):
        for step in place.get("before", []):
            if step.startswith("grab:"):
                _, role, name = step.split(":", 2)
                ask_tree(self.table["application"], {"role": role, **({"name": name} if name else {})}, grab=True)
                time.sleep(0.5)
            elif step.startswith("pause:"):
                time.sleep(float(step[6:]))
            elif step == "activate":
                desktop.run("wmctrl", "-i", "-a", self.window)
                time.sleep(0.5)
            elif step.startswith("click-on:"):
                _, role, name = step.split(":", 2)
                point, _ = self.point({"role": role, "name": name})
                if point:
                    desktop.press([f"click:{point[0]},{point[1]}"])
            else:
                desktop.press([step])
        if place.get("before"):
            time.sleep(place.get("settle", 0.7))

    def lead(self, place):
        """Presses all keys but the last, which only lead to the place."""
        if place["focus"] != "grab" and len(place["focus"]) > 1:
            desktop.press(place["focus"][:-1])
            time.sleep(0.6)

    def focus(self, place):
        """Puts the keyboard focus on the place; whether that was possible."""
        if place["focus"] == "grab":
            return "box" in ask_tree(self.table["application"], place["at"], grab=True)
        desktop.press(place["focus"][-1:])
        return True

    def end(self):
        self.program.end()


class Guide:
    """Goes through the places of a program with one language of Luna; Orca goes along if it is given."""

    def __init__(self, visit, language, words, scratch, reader=None):
        self.visit, self.language, self.words, self.scratch, self.reader = visit, language, words, scratch, reader
        self.running = None

    def start_luna(self, places):
        if any(place.get("focus") for place in places) and luna.follows_focus():
            self.running = luna.Running(self.language, Path(self.scratch) / "running", Path(self.scratch) / "luna.log")

    def all(self, places):
        self.start_luna(places)
        try:
            return [self.one(place) for place in places]
        finally:
            if self.running:
                self.running.end()

    def one(self, place):
        result = {"id": place["id"], "say": place.get("say"), "focus_say": place.get("focus_say")}
        self.visit.prepare(place)
        if place["at"] != "none":
            result["pointer"] = self.by_pointer(place)
        if place.get("focus"):
            result["focus"] = self.by_focus(place)
        if place.get("after"):
            desktop.press(place["after"])
            time.sleep(0.4)
        return result

    def by_pointer(self, place):
        point, found = self.visit.point(place["at"])
        if point is None:
            desktop.screenshot(Path(self.scratch) / f"{self.visit.table['name']}-{place['id']}.png")
            return {"not_found": found}
        mark = self.reader.mark() if self.reader else 0
        desktop.point_at(*point)
        outcome = {"point": point, "element": {key: found.get(key) for key in ("role", "name", "states")}}
        if self.reader and self.visit.table.get("mouse_review", True):
            self.reader.wait(mark)
            outcome["orca"] = self.orca(place, mark)
        answer = luna.read_at(point, self.language, Path(self.scratch) / "reading")
        judged = compare.judge(place, answer["said"], self.language, self.words)
        outcome["luna"] = {**answer, **judged}
        return outcome

    def orca(self, place, mark, focus=False):
        heard = self.reader.since(mark)
        return {"said": heard["said"], "orca_fields": heard["fields"], **compare.judge(place, heard["said"], "orca", self.words, focus)}

    def by_focus(self, place):
        desktop.park()
        self.visit.lead(place)
        time.sleep(0.2)
        mark = self.reader.mark() if self.reader else 0
        before = len(self.running.events) if self.running else 0
        if not self.visit.focus(place):
            return {"not_found": "the element to focus is not in the tree"}
        time.sleep(place.get("settle", 0))
        outcome = {}
        if self.reader:
            self.reader.wait(mark)
            outcome["orca"] = self.orca(place, mark, focus=True)
        if self.running:
            self.running.wait(before)
            said = self.running.said_since(before)
            outcome["luna"] = {"said": said, **compare.judge(place, said, self.language, self.words, focus=True)}
            self.running.silence()
        else:
            outcome["luna"] = {"said": "", "absent": True, **compare.judge(place, "", self.language, self.words, focus=True)}
        return outcome


def visit_program(name, languages, scratch, korean, with_orca=True, quick=False):
    """All passes over one program: Orca goes along in the first."""
    words, passes = tables.words(), {}
    for language in languages:
        program = tables.load(name, scratch)
        reader = orca.Orca(scratch, program.get("mouse_review", True)) if with_orca and not passes else None
        visit = Visit(program, scratch, korean)
        try:
            if visit.problem:
                desktop.screenshot(Path(scratch) / f"{name}-problem.png")
                return {"name": name, "title": program["title"], "problem": visit.problem}
            passes[language] = Guide(visit, language, words, scratch, reader).all([place for place in program["places"] if place.get("quick") or not quick])
            desktop.screenshot(Path(scratch) / f"{name}.png")
        finally:
            visit.end()
            if reader:
                reader.end()
    return {"name": name, "title": program["title"], "recognised": program.get("recognised", False), "passes": passes}
