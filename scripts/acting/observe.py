"""What a program shows, read apart from Luna by the tour's own client of the accessibility tree; a program of its own for each question, as tree.py.

usage: observe.py, with {"application": …, "checks": [{element}…]} on standard input; prints {"held": [bool…], "shows": …}.

An element has the keys by which the tour finds places, and what is asked of it: `has` and `lacks` (states), `value` (its number), `gone` (that nothing fits).
`shows` is a digest of everything that the application's windows show, without what follows pointer and focus: it tells whether anything was done at all.
"""

import hashlib
import json
import re
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import tree  # noqa: E402
from tree import Atspi  # noqa: E402

SECONDS = 6
# What Luna's own order may change without doing anything: the focus, and what floats beside the pointer.
KEPT = (Atspi.StateType.SHOWING, Atspi.StateType.CHECKED, Atspi.StateType.PRESSED, Atspi.StateType.SELECTED, Atspi.StateType.EXPANDED, Atspi.StateType.SENSITIVE)
PASSING = ("tool tip", "notification", "status bar")


def number_of(element):
    try:
        return Atspi.Value.get_current_value(element)
    except Exception:  # pylint: disable=broad-except
        return None


def holds(element, check):
    """Whether what is asked of an element is so."""
    states = element.get_state_set()
    named = {state.value_nick for state in states.get_states()}
    if not set(check.get("has", [])) <= named or set(check.get("lacks", [])) & named:
        return False
    return "value" not in check or (number_of(element) is not None and abs(number_of(element) - check["value"]) < 0.001)


def fits(element, check):
    try:
        return tree.fits(element, check) and tree.shows(element) and holds(element, check)
    except Exception:  # pylint: disable=broad-except
        return False


def told(element):
    """An element as a line of the digest; None if it does not show."""
    try:
        role, states = element.get_role_name(), element.get_state_set()
        # GTK 4 says of nothing but windows that it shows.
        if not tree.shows(element) or role in PASSING:
            return None
        kept = "".join("1" if states.contains(state) else "0" for state in KEPT)
        # Chromium tells at each tab how much memory it takes.
        name = re.sub(r"\s+", " ", re.sub(r"\d[\d.,]* MB", "", element.get_name() or ""))
        return f"{role}|{name}|{kept}|{tree.text_of(element)[:2000]}"
    except Exception:  # pylint: disable=broad-except
        return None


def observe(question):
    until = time.monotonic() + SECONDS
    elements = []
    for application in tree.applications(question["application"]):
        elements += list(tree.walk(application, {"visits": 0, "until": until}))
    checks = question.get("checks", [])
    found = [any(fits(element, check) for element in elements) for check in checks]
    lines = sorted(line for line in map(told, elements) if line) if question.get("digest") else []
    return {
        "held": [is_there != bool(check.get("gone")) for is_there, check in zip(found, checks)],
        "shows": hashlib.sha256("\n".join(lines).encode()).hexdigest()[:16],
        "lines": lines if question.get("lines") else len(lines),
    }


if __name__ == "__main__":
    Atspi.set_timeout(1500, 3000)
    json.dump(observe(json.load(sys.stdin)), sys.stdout)
