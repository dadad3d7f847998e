#!/usr/bin/python3
"""A window with one long sentence, voiced nearly throughout, so that an end of Luna's sound rarely falls into a silence of the sentence.

usage: long_text.py TITLE X Y VARIANT; prints the place of the label `text` as JSON, then READY.
"""
import json
import sys

import gi

gi.require_version("Gtk", "3.0")
from gi.repository import GLib, Gtk  # noqa: E402

TEXT = (
    "We were all well aware of an early yellow moon over a lonely railway, and a million owls and lions, and no one knew why "
    "an animal ran along a warm river in January or in a lull in a long lazy rain over all our many minor wooden holly arbours, "
    "while a lone mariner and a young woman in a yellow gown rode along the river all morning on an amiable grey mare."
)
window = Gtk.Window(title=sys.argv[1])
window.set_default_size(800, 300)
window.move(int(sys.argv[2]), int(sys.argv[3]))
label = Gtk.Label(label=TEXT, wrap=True, xalign=0)
window.add(label)
window.connect("destroy", Gtk.main_quit)
window.show_all()


def ready():
    _, x, y = window.get_window().get_origin()
    place = label.get_allocation()
    box = {"x": x + place.x, "y": y + place.y, "width": place.width, "height": place.height}
    print(json.dumps({"name": "text"} | box), flush=True)
    print("READY", flush=True)


GLib.timeout_add(500, ready)
Gtk.main()
