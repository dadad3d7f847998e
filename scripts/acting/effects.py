"""Whether an order had its effect, seen by other means than Luna's: files, windows, the clipboard, and the accessibility tree read by the tour's client."""

import json
import re
import time
from pathlib import Path

import desktop

OBSERVE = Path(__file__).with_name("observe.py")
SELECTION = (
    "import gi,sys; gi.require_version('Gtk','3.0'); from gi.repository import Gtk, Gdk;"
    "print(Gtk.Clipboard.get(Gdk.Atom.intern(sys.argv[1], False)).wait_for_text() or '', end='')"
)
PICTURE = (
    "import gi,sys,hashlib; gi.require_version('Gdk','3.0'); from gi.repository import Gdk;"
    "box=[int(part) for part in sys.argv[1:]];"
    "print(hashlib.sha256(Gdk.pixbuf_get_from_window(Gdk.get_default_root_window(),*box).get_pixels()).hexdigest()[:16])"
)
OBSERVE_SECONDS = 15


def file_holds(condition):
    """Whether a file `has` a text, `lacks` one, or `is` one, spaces at its ends aside."""
    try:
        text = Path(condition["path"]).read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False
    lines = {"has": lambda part: part in text, "lacks": lambda part: part not in text, "is": lambda part: part.strip() == text.strip()}
    return all(test(str(condition[word])) for word, test in lines.items() if word in condition)


def active():
    """(id, title) of the active window."""
    window = desktop.run("xdotool", "getactivewindow").strip()
    return window, desktop.run("xdotool", "getwindowname", window).strip() if window else ""


class Effects:
    """The conditions of one program that runs."""

    def __init__(self, table, window, program, environment):
        self.table, self.window, self.program, self.environment = table, window, program, environment

    def observe(self, **question):
        reply = desktop.run("/usr/bin/python3", str(OBSERVE), seconds=OBSERVE_SECONDS, text=json.dumps({"application": self.table["application"], **question}))
        try:
            return json.loads(reply)
        except json.JSONDecodeError:
            return None

    def all_hold(self, conditions):
        if not all(self.holds(condition) for condition in conditions if "element" not in condition):
            return False
        elements = [condition["element"] for condition in conditions if "element" in condition]
        answer = self.observe(checks=elements) if elements else {"held": []}
        return answer is not None and all(answer["held"])

    def holds(self, condition):
        (word, value), = condition.items()
        if word == "file":
            return file_holds(value)
        if word == "title":
            return re.search(value, active()[1]) is not None
        if word == "window":
            return any(re.search(value, title) for _, title in desktop.windows())
        if word == "no_window":
            return not any(re.search(value, title) for _, title in desktop.windows())
        if word in ("clipboard", "selection"):
            name = "CLIPBOARD" if word == "clipboard" else "PRIMARY"
            return desktop.run("/usr/bin/python3", "-c", SELECTION, name).strip() == value
        if word == "ended":
            return self.program.process.poll() == value
        states = desktop.run("xprop", "-id", self.window, "_NET_WM_STATE", "WM_STATE")
        if word == "size":
            return value in states
        if word == "minimised":
            return ("window state: Iconic" in states) == value
        raise ValueError(word)

    def shown(self):
        """What stays as it is if nothing is done: the windows, and what the program's tree shows; the picture of a program that has none."""
        titles = sorted(title for _, title in desktop.windows())
        shows = (self.observe(digest=True) or {}).get("shows") if self.table.get("application") else self.picture()
        return titles, active()[1], self.program.process.poll(), shows, desktop.run("xprop", "-id", self.window, "_NET_WM_STATE")

    def picture(self):
        """The pointer does not lie on a button, which it would highlight."""
        desktop.park()
        time.sleep(0.3)
        box = desktop.origin(self.window)
        return box and desktop.run("/usr/bin/python3", "-c", PICTURE, *map(str, box)).strip()
