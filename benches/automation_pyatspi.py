#!/usr/bin/python3
"""The peer of benches/automation.rs: the same actions by a plain Python client of AT-SPI (Debian package python3-pyatspi).

usage: automation_pyatspi.py. Prints ready; each line on standard input is one JSON object, answered by one line.

{"action_kind": …, "window": TITLE, "name": …} finds the element by its name in the window, acts, and waits for the event that shows it; answers {"ms"}.
Deeds: press, toggle (its action), select (its action), number (with "value"), text (with "value"), pointer (a click in its middle).
{"action_kind": "list", "window": TITLE} goes through the window's tree; answers {"ms", "count"}.

In its favour, the window is located once beforehand and not for each action_kind, libatspi's own cache stays on, nothing is understood, nothing is looked at
again before it acts, and it takes the first event of the right kind from the right application for the effect.
"""
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi  # noqa: E402
from gi.repository import GLib  # noqa: E402

EVENTS = {
    "press": "object:state-changed:showing",
    "pointer": "object:state-changed:showing",
    "toggle": "object:state-changed:checked",
    "select": "object:state-changed:checked",
    "number": "object:property-change:accessible-value",
    "text": "object:text-changed",
}
LIMIT_SECONDS = 3
ACTIONS = {"click", "press", "toggle", "activate"}

frames = {}
seen = []


def note(event):
    """An event that was listened for."""
    seen.append(str(event.type))


def frame_of(title):
    """The window with this title."""
    if title not in frames:
        for application in pyatspi.Registry.getDesktop(0):
            for frame in application or []:
                if frame is not None and frame.name == title:
                    frames[title] = frame
                    # GTK tells changes only of elements that somebody asked for once.
                    listed(frame)
    return frames[title]


def name_of(accessible):
    """Its name, else that of the label beside it."""
    if accessible.name:
        return accessible.name
    labels = [one for one in accessible.getRelationSet() if one.getRelationType() == pyatspi.RELATION_LABELLED_BY]
    return labels[0].getTarget(0).name if labels else ""


def is_wanted(accessible, action_kind, name):
    """Whether the element is called so and can do this."""
    if name_of(accessible) != name:
        return False
    states = accessible.getState()
    if not states.contains(pyatspi.STATE_SHOWING):
        return False
    interfaces = pyatspi.listInterfaces(accessible)
    return {
        "number": "Value" in interfaces, "text": "EditableText" in interfaces, "pointer": "Component" in interfaces,
    }.get(action_kind, "Action" in interfaces)


def find(accessible, action_kind, name):
    """The first such element below, in the order of the tree."""
    for child in accessible:
        if child is None:
            continue
        if is_wanted(child, action_kind, name):
            return child
        below = find(child, action_kind, name)
        if below is not None:
            return below
    return None


def do(element, action_kind, value):
    if action_kind == "number":
        element.queryValue().currentValue = value
    elif action_kind == "text":
        element.queryEditableText().setTextContents(value)
    elif action_kind == "pointer":
        box = element.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        pyatspi.Registry.generateMouseEvent(box.x + box.width // 2, box.y + box.height // 2, pyatspi.MOUSE_B1C)
    else:
        action = element.queryAction()
        named = [index for index in range(action.nActions) if action.getName(index) in ACTIONS]
        action.doAction(named[0])


def act(question):
    frame, action_kind, name = frame_of(question["window"]), question["action_kind"], question["name"]
    context = GLib.MainContext.default()
    # What came of Luna's turn.
    while context.iteration(False):
        pass
    seen.clear()
    start = time.perf_counter()
    element = find(frame, action_kind, name)
    if element is None:
        raise SystemExit(f"{name} is not in the window")
    do(element, action_kind, question.get("value"))
    limit = GLib.timeout_add(LIMIT_SECONDS * 1000, lambda: sys.exit(f"no {EVENTS[action_kind]} came of {name}"))
    while not any(event.startswith(EVENTS[action_kind]) for event in seen):
        context.iteration(True)
    GLib.source_remove(limit)
    return {"ms": (time.perf_counter() - start) * 1e3}


def listed(accessible):
    """Of each element below: role, name, states, box, number of actions, text."""
    found = []
    for child in accessible:
        if child is None:
            continue
        box = child.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
        interfaces = pyatspi.listInterfaces(child)
        actions = child.queryAction().nActions if "Action" in interfaces else 0
        text = child.queryText().getText(0, -1) if "Text" in interfaces else ""
        found.append((child.getRole(), child.name, child.description, child.getState(), child.getAttributes(), box, actions, text))
        found.extend(listed(child))
    return found


def elements(question):
    frame = frame_of(question["window"])
    # Without its cache: an application may have changed meanwhile, and Luna asks anew, too.
    frame.clearCache()
    start = time.perf_counter()
    count = len(listed(frame))
    return {"ms": (time.perf_counter() - start) * 1e3, "count": count}


pyatspi.Registry.registerEventListener(note, *set(EVENTS.values()))
print("ready", flush=True)
for line in sys.stdin:
    question = json.loads(line)
    answer = elements(question) if question["action_kind"] == "list" else act(question)
    print(json.dumps(answer), flush=True)
