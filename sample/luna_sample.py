#!/usr/bin/python3
"""The sample application that `make run` shows on the virtual desktop and reads aloud.

A GTK 3 window of fixed layout with Korean and English text, a table, a list, a password field and pictures of text that are not in the
accessibility tree. Prints READY, then one JSON line: `parts`, each with its name, its box on the screen
[x, y, width, height], the expected words (`|` between alternatives) and the method that finds them (uia, ocr or protected).
"""

import json
import signal

import gi

gi.require_version("Gtk", "3.0")
gi.require_version("PangoCairo", "1.0")
from gi.repository import GLib, Gtk, Pango, PangoCairo  # noqa: E402

# The content of the password field. It may appear nowhere else: all output of Luna is searched for it.
PASSWORD = "marker-7Q2x-geheim"
POSITION = (80, 60)
SIZE = (1040, 720)

FRUIT = [("사과", "1,200원"), ("배", "3,500원"), ("포도", "4,800원")]
ERRANDS = ["Milk and bread", "Call the dentist", "우표 사기"]
NOTES = "The train leaves at nine.\n기차는 아홉 시에 떠납니다.\nBring 2 tickets."
PICTURES = {"picture_en": "Meeting moved to 15:30", "picture_ko": "회의실은 삼층입니다"}


class Sample:
    """The window and the list of its named parts."""

    def __init__(self):
        self.parts = []
        self.window = Gtk.Window(title="Luna 견본 Sample")
        self.window.set_default_size(*SIZE)
        self.window.set_resizable(False)
        self.window.move(*POSITION)
        self.window.connect("destroy", Gtk.main_quit)
        self.place = Gtk.Fixed()
        self.place.set_size_request(*SIZE)
        self.window.add(self.place)

    def put(self, widget, x, y, width=-1, height=-1):
        widget.set_size_request(width, height)
        self.place.put(widget, x, y)
        return widget

    def part(self, name, widget, hear, method="uia", area=None):
        """Registers a part. `hear` are the expected words; `area` is its box inside the widget."""
        self.parts.append((name, widget, hear, method, area))

    def build(self):
        self.build_texts()
        self.build_controls()
        self.build_table()
        self.build_list()
        self.build_pictures()

    def build_texts(self):
        for name, y, text in [
            ("english", 20, "Luna reads what is under the pointer."),
            ("korean", 60, "루나는 가리키는 것을 읽어 줍니다."),
            ("mixed", 100, "파일 report.pdf를 열었습니다. Page 12 of 30."),
        ]:
            label = Gtk.Label(label=text, xalign=0)
            label.set_selectable(False)
            # The start of the text: Luna reads from the sentence under the pointer.
            self.part(name, self.put(label, 24, y, 440, 28), [text], area=lambda w: (0, 0, 100, 28))
        view = Gtk.TextView(editable=False, cursor_visible=False)
        view.get_buffer().set_text(NOTES)
        view.get_accessible().set_name("Notes")
        self.part("notes", self.put(view, 24, 150, 440, 80), ["The train leaves at nine."], area=lambda w: (0, 0, 170, 20))

    def build_controls(self):
        save = Gtk.Button(label="Save document")
        self.part("button_en", self.put(save, 24, 250, 200, 40), ["Save document"])
        close = Gtk.Button(label="창 닫기")
        self.part("button_ko", self.put(close, 240, 250, 200, 40), ["창 닫기"])
        check = Gtk.CheckButton(label="Remind me tomorrow")
        self.part("check", self.put(check, 24, 305, 220, 30), ["Remind me tomorrow"])
        name = Gtk.Entry(text="홍길동")
        name.get_accessible().set_name("이름")
        self.part("entry", self.put(name, 24, 350, 200, 36), ["홍길동"])
        secret = Gtk.Entry(visibility=False, input_purpose=Gtk.InputPurpose.PASSWORD, text=PASSWORD)
        secret.get_accessible().set_name("비밀번호")
        self.part("password", self.put(secret, 240, 350, 200, 36), [], "protected")

    def build_table(self):
        store = Gtk.ListStore(str, str)
        for row in FRUIT:
            store.append(row)
        table = Gtk.TreeView(model=store, enable_search=False)
        for index, title in enumerate(("과일", "가격")):
            column = Gtk.TreeViewColumn(title, Gtk.CellRendererText(), text=index)
            column.set_sizing(Gtk.TreeViewColumnSizing.FIXED)
            column.set_fixed_width(200)
            table.append_column(column)
        self.put(table, 520, 20, 400, 130)

        def cell(row, column):
            def area(widget):
                box = widget.get_cell_area(Gtk.TreePath.new_from_indices([row]), widget.get_column(column))
                x, y = widget.convert_bin_window_to_widget_coords(box.x, box.y)
                return (x, y, box.width, box.height)

            return area

        # A table is read row by row, its header announced (OCR-4).
        self.part("table", table, ["머리글|header", "과일", "가격", "사과", "1,200원"], area=cell(0, 0))
        self.part("table_price", table, ["4,800원"], area=cell(2, 1))

    def build_list(self):
        box = Gtk.ListBox(selection_mode=Gtk.SelectionMode.NONE)
        for index, errand in enumerate(ERRANDS):
            row = Gtk.ListBoxRow()
            row.set_size_request(-1, 34)
            row.add(Gtk.Label(label=errand, xalign=0))
            box.add(row)
            self.part(f"list_{index + 1}", row, [errand])
        self.put(box, 520, 180, 400, 110)

    def build_pictures(self):
        for name, y in [("picture_en", 430), ("picture_ko", 570)]:
            # Far apart, so that the region around one does not contain the other.
            picture = Gtk.DrawingArea()
            picture.connect("draw", draw_text, PICTURES[name])
            self.part(name, self.put(picture, 560, y, 380, 80), [PICTURES[name]], "ocr")

    def report(self):
        parts = []
        for name, widget, hear, method, area in self.parts:
            x, y, width, height = area(widget) if area else (0, 0, widget.get_allocated_width(), widget.get_allocated_height())
            left, top = widget.translate_coordinates(self.window, x, y)
            _, origin_x, origin_y = self.window.get_window().get_origin()
            box = [origin_x + left, origin_y + top, width, height]
            parts.append({"name": name, "box": box, "hear": hear, "method": method})
        print("READY", flush=True)
        print(json.dumps({"title": self.window.get_title(), "parts": parts}, ensure_ascii=False), flush=True)


def draw_text(area, context, text):
    """Black on white, and no accessible text: what a scanned page or a drawing looks like to Luna."""
    context.set_source_rgb(1, 1, 1)
    context.paint()
    layout = PangoCairo.create_layout(context)
    layout.set_font_description(Pango.FontDescription("NanumGothic, DejaVu Sans 22"))
    layout.set_text(text, -1)
    _, logical = layout.get_pixel_extents()
    context.set_source_rgb(0.05, 0.05, 0.05)
    context.move_to((area.get_allocated_width() - logical.width) / 2, (area.get_allocated_height() - logical.height) / 2)
    PangoCairo.show_layout(context, layout)
    return True


def main():
    settings = Gtk.Settings.get_default()
    settings.set_property("gtk-font-name", "NanumGothic 12")
    settings.set_property("gtk-enable-animations", False)
    sample = Sample()
    sample.build()
    sample.window.show_all()
    sample.window.present()
    for number in (signal.SIGINT, signal.SIGTERM):
        GLib.unix_signal_add(GLib.PRIORITY_HIGH, number, Gtk.main_quit)
    # After the window manager has placed the window.
    GLib.timeout_add(600, lambda: sample.report())
    Gtk.main()


if __name__ == "__main__":
    main()
