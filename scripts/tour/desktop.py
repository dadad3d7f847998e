"""The virtual desktop: windows, pointer, keys, programs. Everything has a deadline."""

import os
import re
import signal
import subprocess
import time


def run(*command, seconds=10, text=None, env=None):
    """Runs a small tool; its output, or an empty text if it fails or takes too long."""
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, input=text, env=env)
    except (subprocess.TimeoutExpired, FileNotFoundError):
        return ""
    return done.stdout


def wait_for(look, seconds, pause=0.2):
    """Polls until `look` returns something; None after the deadline."""
    until = time.monotonic() + seconds
    while True:
        found = look()
        if found or time.monotonic() > until:
            return found
        time.sleep(pause)


class Program:
    """A program in a process group of its own, ended with all that it started."""

    def __init__(self, command, env=None, log=None):
        output = open(log, "wb") if log else subprocess.DEVNULL
        self.process = subprocess.Popen(
            command, stdin=subprocess.DEVNULL, stdout=output, stderr=output, env=env, start_new_session=True
        )

    def alive(self):
        return self.process.poll() is None

    def end(self):
        for kind, seconds in ((signal.SIGTERM, 3), (signal.SIGKILL, 3)):
            try:
                os.killpg(self.process.pid, kind)
            except ProcessLookupError:
                return
            wait_for(lambda: not group_lives(self.process.pid), seconds, 0.1)
            self.process.poll()


def group_lives(group):
    try:
        os.killpg(group, 0)
    except ProcessLookupError:
        return False
    return True


def windows():
    """[(id, title)] of the managed windows."""
    lines = (line.split(None, 3) for line in run("wmctrl", "-l").splitlines())
    return [(parts[0], parts[3] if len(parts) > 3 else "") for parts in lines]


def window_titled(part):
    return next((window for window, title in windows() if part in title), None)


def origin(window):
    """The upper left corner of a window's content on the screen, and its size."""
    info = run("xwininfo", "-id", window)
    number = lambda label: int(re.search(label + r":\s+(-?\d+)", info).group(1))
    try:
        return [number("Absolute upper-left X"), number("Absolute upper-left Y"), number("Width"), number("Height")]
    except AttributeError:
        return None


def place_window(window, box):
    """Moves and sizes a window; a size of 0 is left alone."""
    x, y, width, height = (value if index < 2 else value or -1 for index, value in enumerate(box))
    run("wmctrl", "-i", "-r", window, "-b", "remove,maximized_vert,maximized_horz")
    run("wmctrl", "-i", "-r", window, "-e", f"0,{x},{y},{width},{height}")
    run("wmctrl", "-i", "-a", window)
    time.sleep(0.5)


def point_at(x, y):
    """Moves the pointer there in small steps, as a hand does: toolkits and Orca need more than one event."""
    for step in (12, 6, 3, 1, 0):
        run("xdotool", "mousemove", str(x - step), str(y))
        time.sleep(0.03)


def park():
    """Takes the pointer to the lowest right corner, clear of all windows."""
    width, height = run("xdotool", "getdisplaygeometry").split()
    run("xdotool", "mousemove", str(int(width) - 2), str(int(height) - 2))


def press(keys, between=0.3):
    """Presses keys one after another; `click:X,Y` clicks there."""
    for key in keys:
        if key.startswith("click:"):
            x, y = key[6:].split(",")
            run("xdotool", "mousemove", x, y, "click", "1")
        else:
            run("xdotool", "key", "--clearmodifiers", key)
        time.sleep(between)


def screenshot(path):
    script = (
        "import gi,sys; gi.require_version('Gdk','3.0'); from gi.repository import Gdk;"
        "r=Gdk.get_default_root_window();"
        "Gdk.pixbuf_get_from_window(r,0,0,r.get_width(),r.get_height()).savev(sys.argv[1],'png',[],[])"
    )
    run("/usr/bin/python3", "-c", script, str(path))
