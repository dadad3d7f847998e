"""The tables of orders for real programs (scripts/acting/programs/*.yaml), and their checks."""

import os
import sys
from pathlib import Path

import yaml

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

from tables import TableError, fill  # noqa: E402

FOLDER = Path(__file__).with_name("programs")
LANGUAGES = {"en", "ko"}
KINDS = {"press", "menu", "toggle", "tab", "value", "typing", "key", "undo", "window", "ambiguous", "dangerous", "absent"}
# What each kind expects if the order does not say it.
EXPECTED = {"ambiguous": "asked", "dangerous": "asked", "absent": "refused"}
PROGRAM_KEYS = {"title", "command", "application", "window", "files", "env", "locale", "ready", "wait", "start", "orders"}
ORDER_KEYS = {"id", "kind", "en", "ko", "before", "then", "check", "expect", "fresh", "settle", "note"}
CHECK_KEYS = {"element", "file", "title", "window", "no_window", "clipboard", "selection", "ended", "size", "minimised"}
FILE_KEYS = {"path", "has", "lacks", "is"}


def check(name, program):
    """Complains about what the format does not know, so that a slip of the pen is no silent pass."""
    unknown = set(program) - PROGRAM_KEYS
    if unknown or not {"title", "command", "window", "orders"} <= set(program):
        raise TableError(f"{name}: unknown {sorted(unknown)}, or without title, command, window or orders")
    ids = set()
    for order in program["orders"]:
        where = f"{name}: {order.get('id')}"
        unknown = set(order) - ORDER_KEYS
        conditions = order.get("check", [])
        unknown |= {key for condition in conditions for key in condition if key not in CHECK_KEYS or len(condition) != 1}
        unknown |= {key for condition in conditions for key in condition.get("file", {}) if key not in FILE_KEYS}
        if unknown or order.get("kind") not in KINDS or not LANGUAGES & set(order):
            raise TableError(f"{where}: unknown {sorted(unknown)}, or without kind or utterance")
        # An order that may do something needs something that can't hold by itself.
        if expected(order) == "done" and not conditions:
            raise TableError(f"{where}: nothing to check")
        if order["id"] in ids:
            raise TableError(f"{where}: stands there twice")
        ids.add(order["id"])


def expected(order):
    """done, asked or refused."""
    return order.get("expect") or EXPECTED.get(order["kind"], "done")


def names():
    return sorted(file.stem for file in FOLDER.glob("*.yaml"))


def load(name, scratch):
    program = yaml.safe_load((FOLDER / f"{name}.yaml").read_text(encoding="utf-8"))
    check(name, program)
    return {**fill(program, {"scratch": str(scratch), "home": os.environ["HOME"]}), "name": name}
