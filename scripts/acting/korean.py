"""Instructions in Korean, by the table of patterns in korean.yaml."""

import re
from functools import cache
from pathlib import Path

import tasks
import yaml

TABLE = Path(__file__).with_name("korean.yaml")
SLOT = re.compile(r"\{(\w+)\}")


class TranslationError(Exception):
    """The table does not follow the format, or has no pattern for an instruction."""


def expression(pattern):
    """A regular expression for a pattern; each slot is a named group."""
    parts = SLOT.split(pattern)
    return "".join(f"(?P<{part}>.+)" if index % 2 else re.escape(part) for index, part in enumerate(parts))


def check(table):
    if sorted(table) != sorted(tasks.NAMES):
        raise TranslationError(f"the table has other tasks: {sorted(set(table) ^ set(tasks.NAMES))}")
    for name, patterns in table.items():
        for pattern in patterns:
            if set(pattern) != {"en", "ko"} or sorted(SLOT.findall(pattern["en"])) != sorted(SLOT.findall(pattern["ko"])):
                raise TranslationError(f"{name}: {pattern}: needs en and ko with the same slots")
    return table


@cache
def patterns():
    return check(yaml.safe_load(TABLE.read_text(encoding="utf-8")))


def translate(name, instruction):
    """An instruction of a task in Korean."""
    for pattern in patterns()[name]:
        found = re.fullmatch(expression(pattern["en"]), instruction)
        if found:
            return SLOT.sub(lambda slot: found[slot[1]], pattern["ko"])
    raise TranslationError(f"{name}: no pattern for {instruction!r}")
