"""An accessibility client of its own, apart from Luna: finds the element of a place and gives its box, or puts the focus on it.

usage: tree.py, with {"application": …, "at": …, "grab": bool} on standard input; prints {"box": [x, y, width, height], …} or {"error": …}.

A program of its own for each question: a call that hangs costs one question, and no cache is stale. At most SIBLINGS children of an
element are looked at: the sheet of LibreOffice says that it has two thousand million.
"""

import json
import re
import sys
import time
import warnings

import gi

gi.require_version("Atspi", "2.0")
from gi.repository import Atspi  # noqa: E402

warnings.simplefilter("ignore")
SIBLINGS = 120
VISITS = 6000
SECONDS = 12


def text_of(element):
    if element.get_role_name() == "password text":
        return ""
    try:
        return Atspi.Text.get_text(element, 0, min(Atspi.Text.get_character_count(element), 20000))
    except Exception:  # pylint: disable=broad-except
        return ""


def matches(expected, value):
    return value is not None and re.fullmatch(str(expected), value) is not None


def fits(element, at):
    roles = at["role"] if isinstance(at.get("role"), list) else [at.get("role")]
    if roles != [None] and element.get_role_name() not in roles:
        return False
    if "name" in at and not matches(at["name"], element.get_name()):
        return False
    if "description" in at and not matches(at["description"], re.sub("<[^>]*>", "", element.get_description() or "")):
        return False
    return "text" not in at or str(at["text"]) in text_of(element) or str(at["text"]) in (element.get_name() or "")


def box_of(element):
    try:
        e = Atspi.Component.get_extents(element, Atspi.CoordType.SCREEN)
    except Exception:  # pylint: disable=broad-except
        return None
    return [e.x, e.y, e.width, e.height] if e.width > 0 and e.height > 0 and e.x > -10000 else None


def walk(element, state):
    """Every element that shows, in the order of the tree."""
    state["visits"] += 1
    if element is None or state["visits"] > VISITS or time.monotonic() > state["until"]:
        return
    yield element
    try:
        count = min(element.get_child_count(), SIBLINGS)
    except Exception:  # pylint: disable=broad-except
        return
    for index in range(count):
        try:
            child = element.get_child_at_index(index)
        except Exception:  # pylint: disable=broad-except
            continue
        if child is not None:
            yield from walk(child, state)


def shows(element):
    try:
        states = element.get_state_set()
        return states.contains(Atspi.StateType.SHOWING) or states.contains(Atspi.StateType.VISIBLE)
    except Exception:  # pylint: disable=broad-except
        return False


def applications(name):
    desktop = Atspi.get_desktop(0)
    for index in range(desktop.get_child_count()):
        application = desktop.get_child_at_index(index)
        if application is not None and name.lower() in (application.get_name() or "").lower():
            yield application


def find(name, at):
    """(element, box): the wanted one of those that fit and show."""
    wanted = at.get("nth", 0)
    in_table = "table" in at
    search = {"role": "table", "name": at["table"]} if in_table else at
    state = {"visits": 0, "until": time.monotonic() + SECONDS}
    for application in applications(name):
        for element in walk(application, state):
            try:
                if not fits(element, search) or not shows(element):
                    continue
            except Exception:  # pylint: disable=broad-except
                continue
            box = box_of(element)
            if box is None or ("beside" in at and not beside(application, box, at["beside"])):
                continue
            if wanted == 0:
                return cell_of(element, at) if in_table else (element, box)
            wanted -= 1
    return None, None


def beside(application, box, name):
    """Whether the label of this name is in the same line as the box: for forms whose fields have no name."""
    for label in walk(application, {"visits": 0, "until": time.monotonic() + SECONDS}):
        if fits(label, {"role": "label", "name": name}):
            its = box_of(label)
            return its is not None and abs(box[1] + box[3] / 2 - its[1] - its[3] / 2) < box[3] / 2
    return False


def cell_of(table, at):
    row, column = at["cell"]
    cell = Atspi.Table.get_accessible_at(table, row, column)
    return cell, box_of(cell)


def range_box(element, part):
    """The box of a piece of the element's text; None if the toolkit does not tell."""
    start = text_of(element).find(part)
    if start < 0:
        return None
    try:
        e = Atspi.Text.get_range_extents(element, start, start + len(part), Atspi.CoordType.SCREEN)
    except Exception:  # pylint: disable=broad-except
        return None
    return [e.x, e.y, e.width, e.height] if e.width > 0 and e.height > 0 else None


def displacement(application):
    """How far LibreOffice tells its own part of a window from where it is drawn: in some sessions by the height of its menu bar, in others not.
    That part is as large as what contains it, and must lie where that lies."""
    for element in walk(application, {"visits": 0, "until": time.monotonic() + SECONDS}):
        try:
            children = [element.get_child_at_index(index) for index in range(min(element.get_child_count(), 4))]
        except Exception:  # pylint: disable=broad-except
            continue
        for child in children:
            if child is not None and child.get_role_name() == "root pane":
                here, there = box_of(child), box_of(element)
                if here and there and here[2:] == there[2:]:
                    return [there[0] - here[0], there[1] - here[1]]
    return [0, 0]


def answer(question):
    at = question["at"]
    element, box = find(question["application"], at)
    if element is None:
        return {"error": "not found in the tree"}
    if question.get("grab"):
        Atspi.Component.grab_focus(element)
    found = {"box": box, "role": element.get_role_name(), "name": element.get_name(), "states": states(element)}
    if at.get("shifted"):
        found["shift"] = displacement(next(applications(question["application"])))
    if "text" in at and "point" not in at:
        found["text_box"] = range_box(element, str(at["text"]))
    return found


def states(element):
    return [state.value_nick for state in element.get_state_set().get_states()]


if __name__ == "__main__":
    Atspi.set_timeout(1500, 3000)
    json.dump(answer(json.load(sys.stdin)), sys.stdout)
