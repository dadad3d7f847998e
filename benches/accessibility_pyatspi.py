#!/usr/bin/python3
"""The peer of benches/accessibility.rs: the same picks by a plain Python client of AT-SPI (Debian package python3-pyatspi).

usage: accessibility_pyatspi.py ROUNDS, with one JSON list on standard input: [{"title": …, "points": [[x, y], …]}, …]
Prints one JSON list: for each window {"micros": [one a pick], "texts": [one a point]}.

In its favour, windows are located once beforehand and not for each pick, and libatspi's own cache stays on.
"""
import json
import sys
import time

import gi

gi.require_version("Atspi", "2.0")
import pyatspi  # noqa: E402

ROUNDS = int(sys.argv[1])
ACTS = {
    pyatspi.ROLE_PUSH_BUTTON, pyatspi.ROLE_LINK, pyatspi.ROLE_MENU_ITEM, pyatspi.ROLE_MENU, pyatspi.ROLE_PAGE_TAB, pyatspi.ROLE_CHECK_BOX,
    pyatspi.ROLE_RADIO_BUTTON, pyatspi.ROLE_TABLE_CELL, pyatspi.ROLE_LIST_ITEM, pyatspi.ROLE_PARAGRAPH, pyatspi.ROLE_HEADING,
}


def frame_of(title):
    """The window with this title."""
    for application in pyatspi.Registry.getDesktop(0):
        if application is None:
            continue
        for frame in application:
            if frame is not None and frame.name.startswith(title):
                return frame
    raise SystemExit("no window %r" % title)


def text_of(accessible):
    """Text of the text interface with what is embedded in it, else the name."""
    if accessible.getRole() == pyatspi.ROLE_PASSWORD_TEXT:
        return ""
    try:
        interface = accessible.queryText()
        text = interface.getText(0, interface.characterCount)
    except NotImplementedError:
        text = ""
    if "\ufffc" in text:
        parts = [text_of(child) for child in accessible if child.getRole() != pyatspi.ROLE_STATIC]
        for part in parts:
            text = text.replace("\ufffc", part, 1)
    return text.strip() or accessible.name


def pick(frame, x, y):
    """The result of a pick as in Luna: role, text, box, offset, id, enabled, and the path to the window."""
    current = frame
    while True:
        below = current.queryComponent().getAccessibleAtPoint(x, y, pyatspi.DESKTOP_COORDS)
        if below is None or below == current:
            break
        current = below
    way = [current]
    target = current
    path = []
    above = current
    while above is not None and above != frame:
        path.append(above.getIndexInParent())
        above = above.parent
        way.append(above)
    for step in way[:6]:
        if step is None or step.getRole() == pyatspi.ROLE_PASSWORD_TEXT:
            return None
    for step in way[:6]:
        if step.getRole() in ACTS:
            target = step
            break
    box = target.queryComponent().getExtents(pyatspi.DESKTOP_COORDS)
    text = text_of(target)
    try:
        offset = target.queryText().getOffsetAtPoint(x, y, pyatspi.DESKTOP_COORDS)
    except NotImplementedError:
        offset = -1
    enabled = target.getState().contains(pyatspi.STATE_ENABLED)
    attributes = target.getAttributes()
    return target.getRole(), text, (box.x, box.y, box.width, box.height), offset, attributes, enabled, path


results = []
for window in json.load(sys.stdin):
    frame = frame_of(window["title"])
    texts = []
    for x, y in window["points"]:
        found = pick(frame, x, y)
        texts.append(found[1] if found else "")
    micros = []
    for _ in range(ROUNDS):
        for x, y in window["points"]:
            start = time.perf_counter()
            pick(frame, x, y)
            micros.append((time.perf_counter() - start) * 1e6)
    results.append({"micros": micros, "texts": texts})
json.dump(results, sys.stdout)
