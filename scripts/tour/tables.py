"""The tables of places: which program, how a place is found, what must be said there (tests/tour/places/*.yaml)."""

import shutil
from pathlib import Path

import yaml

ROOT = Path(__file__).resolve().parents[2]
TABLES = ROOT / "tests/tour/places"
DOCUMENTS = ROOT / "tests/tour/documents"

PLACE_KEYS = {"id", "at", "before", "after", "focus", "settle", "say", "focus_say", "may", "may_roles", "may_states", "never", "quick", "reads_on"}
SAY_KEYS = {"name", "text", "role", "states", "value", "percent", "description", "message", "headers", "level", "position", "empty", "nothing"}
PROGRAM_KEYS = {
    "title", "packages", "application", "prepare", "command", "window", "ready", "start_seconds", "places", "include", "then",
    "relative", "recognised", "korean", "mouse_review",
}


class TableError(Exception):
    """A table that does not follow the format."""


def check(file, program):
    """Complains about unknown words, so that a slip of the pen is no silent pass."""
    unknown = set(program) - PROGRAM_KEYS
    if unknown:
        raise TableError(f"{file}: unknown {sorted(unknown)}")
    names = set()
    for place in program.get("places", []) + program.get("then", []):
        unknown = set(place) - PLACE_KEYS
        unknown |= {key for what in ("say", "focus_say") for key in place.get(what, {}) if key not in SAY_KEYS}
        if unknown or "say" not in place or "at" not in place:
            raise TableError(f"{file}: {place.get('id')}: unknown {sorted(unknown)}, or without say or at")
        if place["id"] in names:
            raise TableError(f"{file}: {place['id']} stands there twice")
        names.add(place["id"])


def read(file):
    program = yaml.safe_load(file.read_text(encoding="utf-8"))
    check(file.name, program)
    return program


def fill(value, words):
    """Puts the folders into every string of a table."""
    if isinstance(value, str):
        for name, text in words.items():
            value = value.replace("{" + name + "}", text)
        return value
    if isinstance(value, list):
        return [fill(part, words) for part in value]
    if isinstance(value, dict):
        return {key: fill(part, words) for key, part in value.items()}
    return value


def load(name, scratch):
    """One program with all its places, included ones too."""
    program = read(TABLES / f"{name}.yaml")
    places = program.get("places", [])
    if "include" in program:
        places = places + read(TABLES / f"{program['include']}.yaml")["places"]
    program["places"] = places + program.get("then", [])
    program["name"] = name
    return fill(program, {"documents": str(Path(scratch) / "documents"), "scratch": str(scratch)})


def lay_out(scratch):
    """Copies the documents, so that programs leave their locks and histories beside the copies."""
    shutil.copytree(DOCUMENTS, Path(scratch) / "documents", dirs_exist_ok=True)
    for lock in (Path(scratch) / "documents").glob(".~lock*"):
        lock.unlink()


def names():
    """All programs: the tables that have a command."""
    return [file.stem for file in sorted(TABLES.glob("*.yaml")) if "command" in read(file)]


def quick_names():
    """The small programs that have places for `make test`."""
    return [name for name in names() if any(place.get("quick") for place in read(TABLES / f"{name}.yaml")["places"])]


def words():
    return yaml.safe_load((TABLES.parent / "words.yaml").read_text(encoding="utf-8"))
