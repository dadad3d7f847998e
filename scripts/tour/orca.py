"""Orca beside Luna: what it says, with the fields of its speech generator, from its debug file."""

import os
import re
import time
from pathlib import Path

import desktop

# Written before Orca starts: every line of the debug file is there at once, and what is under the pointer is said, too. Speech goes to Orca's
# own speech dispatcher as usual.
CUSTOM = """import orca.debug
import orca.settings
if orca.debug.debugFile:
    orca.debug.debugFile.reconfigure(line_buffering=True)
orca.settings.enableMouseReview = {}
"""
SPOKEN = re.compile(r"^([0-9:.]+) - SPEECH OUTPUT: '(.*)' ?\{")
FIELD = re.compile(r"^\s+GENERATION TIME: [0-9.]+  ---->  (\w+)=\[(.*)\]$")
START = re.compile(r"^[0-9:.]+ - SPEECH GENERATOR: Starting (\w+) generation for \[([^|\]]*)\| ?(.*)\]")

# Names of Orca's generator for the fields of ANN-1; its other steps only arrange these.
FIELDS = {
    "labelOrName": "name", "label": "name", "name": "name", "labelAndName": "name", "roleName": "role", "required": "required", "invalid": "invalid",
    "readOnly": "read_only", "availability": "disabled", "expandableState": "expanded", "checkedState": "checked", "cellCheckedState": "checked",
    "radioState": "checked", "toggleState": "pressed", "switchState": "on", "menuItemCheckedState": "checked", "hasPopup": "has_menu",
    "placeholderText": "placeholder", "description": "description", "currentLineText": "value", "displayedText": "value", "textContent": "value",
    "value": "value", "percentage": "value", "positionInList": "position", "nodeLevel": "level", "headingRole": "level", "rowHeader": "header",
    "columnHeader": "header", "newRowHeader": "header", "newColumnHeader": "header", "visitedState": "visited",
}


class Orca:
    """A running Orca. `mark` and `since` bracket what it said of one place."""

    def __init__(self, folder, mouse_review=True):
        self.log = Path(folder) / "orca.log"
        own = Path(os.environ["XDG_DATA_HOME"]) / "orca"
        own.mkdir(parents=True, exist_ok=True)
        (own / "orca-customizations.py").write_text(CUSTOM.format(mouse_review))
        self.still = 0
        self.start()

    def start(self):
        """Waits for its greeting; one that does not come within some seconds never does, so it is started anew."""
        for _ in range(3):
            self.log.unlink(missing_ok=True)
            self.program = desktop.Program(["orca", f"--debug-file={self.log}", "--replace"])
            if desktop.wait_for(lambda: self.log.exists() and "SPEECH OUTPUT" in self.read(), 15):
                return
            self.program.end()

    def read(self, start=0):
        with open(self.log, encoding="utf-8", errors="replace") as log:
            log.seek(start)
            return log.read()

    def mark(self):
        return self.log.stat().st_size if self.log.exists() else 0

    def wait(self, mark, first=1.2, quiet=0.5, most=5):
        """Waits until Orca has said something and is quiet again."""
        begin = last = time.monotonic()
        size, spoke = mark, False
        while time.monotonic() - begin < most:
            time.sleep(0.1)
            now = self.mark()
            if now != size:
                spoke = spoke or "SPEECH OUTPUT" in self.read(size)
                size, last = now, time.monotonic()
            silent = time.monotonic() - last
            if (spoke and silent > quiet) or silent > first:
                break
        self.revive(size == mark)

    def revive(self, still):
        """Starts Orca anew if it has written nothing for three places: it hangs now and then, and the rest would count as silence."""
        self.still = self.still + 1 if still else 0
        if self.still == 3:
            self.still = 0
            self.program.end()
            self.start()

    def since(self, mark):
        return parse(self.read(mark))

    def end(self):
        self.program.end()


KEYS = {"tab", "shift", "ctrl", "control", "alt", "escape", "down", "up", "left", "right", "home", "space", "return", "enter"}


def is_echo(text):
    """Whether Orca only repeats the keys that were pressed: that is no announcement."""
    parts = text.lower().split()
    names = [part for part in parts if part in KEYS or re.fullmatch(r"f\d+", part)]
    return bool(names) and all(part in names or len(part) == 1 for part in parts)


def parse(log):
    """{"said": everything spoken, "times": [clock], "fields": {field: text}} of a piece of the debug file."""
    said, times, fields, block = [], [], {}, None
    for line in log.splitlines():
        spoken, field, start = SPOKEN.match(line), FIELD.match(line), START.match(line)
        if start:
            block = start.group(1)
        elif field and block != "ancestor" and FIELDS.get(field.group(1)) and field.group(2).strip():
            fields[FIELDS[field.group(1)]] = field.group(2)
        elif spoken:
            if not is_echo(spoken.group(2)) and spoken.group(2) != "Screen reader on.":
                times.append(spoken.group(1))
                said.append(spoken.group(2))
    return {"said": " ".join(said), "times": times, "fields": fields}
