#!/usr/bin/env python3
"""Orders on a real program: Luna gets each as `luna ctl do`, and its effect is looked for apart from Luna. One JSON object a line.

usage, inside scripts/desktop-session.sh: programs.py PROGRAM --out FILE --scratch FOLDER --language en|ko [--only ID,…]

Before each order the program is brought into the state that the order needs by xdotool; after one that was not right it is started anew.
"""

import argparse
import json
import os
import shutil
import subprocess
import sys
import time
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import desktop  # noqa: E402
import programs_tables as tables  # noqa: E402
from effects import Effects  # noqa: E402
from orders import Orders  # noqa: E402
from visit import ask_tree, korean_locale  # noqa: E402

START_SECONDS = 45
# An effect may come a moment after Luna's report.
EFFECT_SECONDS = 2.5
TYPED_SECONDS = 15


def judge(expected, report, held, is_same):
    """right; wrong: something else happened, or it acted on what it had to ask about; unfinished: Luna says that it could not do all of it; asked; refused:
    nothing happened.

    `held`: whether the conditions of the order hold; `is_same`: whether nothing was done that matters."""
    asked = report["outcome"] in ("clarify", "confirm")
    if expected == "done" and held:
        return "right"
    if not is_same:
        acted = any(step["by"] for step in report["steps"])
        if expected == "done" and asked:
            return "asked"
        return "unfinished" if acted and expected == "done" and report["outcome"] != "success" else "wrong"
    found = "asked" if asked else "refused"
    if expected == found and (asked or report["outcome"] != "success"):
        return "right"
    # It says that it did something that nobody sees.
    return "wrong" if report["outcome"] == "success" else found


def forget_settings():
    """Each start is a first one. The home of this session is its own (scripts/desktop-session.sh)."""
    home = Path(os.environ["HOME"])
    if Path(os.environ["LUNA_SESSION"]) not in home.parents:
        raise RuntimeError("this is no session of its own")
    for folder in [*(home / ".config").iterdir(), home / ".local", home / ".mozilla"]:
        if folder.name != "openbox":
            shutil.rmtree(folder, ignore_errors=True)


def recognition(scratch):
    """A folder with the models of text recognition alone: programs without a tree are read by it, and no language model takes part."""
    folder = Path(scratch) / "recognition"
    folder.mkdir(exist_ok=True)
    for model in Path(os.environ["LUNA_MODELS"]).iterdir():
        if model.name.startswith(("ppocr", "onnxruntime", "verified")) and not (folder / model.name).exists():
            (folder / model.name).symlink_to(model.resolve())
    return folder


class Session:
    """A Luna and one program."""

    def __init__(self, options):
        self.options, self.scratch = options, Path(options.scratch)
        self.luna = Orders(options.language, self.scratch / "luna", Path(options.out).with_suffix(f".{options.name}.{options.language}.log"), recognition(self.scratch))
        self.program = self.window = self.table = None
        self.environment = dict(os.environ)

    def start(self):
        """Starts the program with its files as they were."""
        self.stop()
        files = self.scratch / "files"
        shutil.rmtree(files, ignore_errors=True)
        files.mkdir(parents=True)
        self.table = tables.load(self.options.name, files)
        for name, content in self.table.get("files", {}).items():
            (files / name).write_text(content, encoding="utf-8")
        self.environment = dict(os.environ, **self.table.get("env", {}))
        if self.table.get("locale"):
            self.environment |= {"LOCPATH": korean_locale(self.scratch), "LANG": self.table["locale"], "LC_ALL": self.table["locale"]}
        self.program = desktop.Program(self.table["command"], self.environment, self.scratch / "program.log")
        self.window = desktop.wait_for(lambda: desktop.window_titled(self.table["window"]), START_SECONDS)
        if self.window is None:
            raise RuntimeError(f"no window {self.table['window']!r}")
        if "ready" in self.table and not desktop.wait_for(lambda: "box" in ask_tree(self.table["application"], self.table["ready"]), START_SECONDS, 0.5):
            raise RuntimeError(f"its tree shows no {self.table['ready']}")
        time.sleep(self.table.get("wait", 2))
        desktop.run("wmctrl", "-i", "-a", self.window)
        time.sleep(0.5)
        self.prepare(self.table.get("start", []))

    def stop(self):
        if self.program:
            self.program.end()
            desktop.wait_for(lambda: not desktop.windows(), 5)
            forget_settings()
        self.program = None

    def click_on(self, role, name):
        found = ask_tree(self.table["application"], {"role": role, "name": name})
        if "box" not in found:
            raise RuntimeError(f"no {role} {name} to click on before the order: {found.get('error')}")
        x, y, width, height = found["box"]
        desktop.press([f"click:{x + width // 2},{y + height // 2}"])

    def prepare(self, steps):
        """What a person does by hand: keys, `type:TEXT`, `pause:SECONDS`, `click-on:ROLE:NAME`, and `click-in:X,Y` of the window."""
        for step in steps:
            word, _, rest = str(step).partition(":")
            if word == "type":
                desktop.run("xdotool", "type", "--delay", "15", rest, seconds=TYPED_SECONDS)
            elif word == "pause":
                time.sleep(float(rest))
            elif word == "click-on":
                self.click_on(*rest.split(":", 1))
            elif word == "click-in":
                box, (x, y) = desktop.origin(self.window), map(int, rest.split(","))
                desktop.press([f"click:{box[0] + x},{box[1] + y}"] if box else [])
            else:
                desktop.press([step], between=0.15)
            time.sleep(0.2)
        if steps:
            time.sleep(0.5)

    def order(self, order):
        """The record of one order."""
        if self.program is None or order.get("fresh") or not self.program.alive():
            self.start()
        # The same order with the folder of this start.
        order = next(one for one in self.table["orders"] if one["id"] == order["id"])
        self.prepare(order.get("before", []))
        effects = Effects(self.table, self.window, self.program, self.environment)
        conditions = order.get("check", [])
        before = effects.shown()
        if conditions and effects.all_hold(conditions):
            raise RuntimeError(f"{self.options.name}: {order['id']}: its conditions hold before it")
        report, milliseconds = self.luna.carry_out(order[self.options.language])
        expected, is_same = tables.expected(order), False
        if report["outcome"] != "success":
            # Before anything else is done.
            time.sleep(order.get("settle", 0.5))
            is_same = effects.shown() == before
        self.prepare(order.get("then", []))
        held = bool(conditions) and bool(desktop.wait_for(lambda: effects.all_hold(conditions), EFFECT_SECONDS if expected == "done" else 0, 0.3))
        if expected != "done" and conditions:
            # What may not happen to something that is asked about stands in the conditions; a menu on the way to it may be open.
            is_same = not held
        self.luna.forget()
        result = judge(expected, report, held, is_same)
        if result != "right":
            self.stop()
        return {
            "program": self.options.name, "title": self.table["title"], "language": self.options.language, "id": order["id"], "kind": order["kind"],
            "utterance": order[self.options.language], "expected": expected, "result": result, **report, "ms": milliseconds,
        }

    def end(self):
        self.stop()
        self.luna.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("name", choices=tables.names())
    for name in ("--out", "--scratch"):
        parser.add_argument(name, required=True)
    parser.add_argument("--language", choices=sorted(tables.LANGUAGES), required=True)
    parser.add_argument("--only", help="ids of orders, with commas")
    options = parser.parse_args()
    orders = [order for order in tables.load(options.name, options.scratch)["orders"] if options.language in order]
    if options.only:
        orders = [order for order in orders if order["id"] in options.only.split(",")]
    if not orders:
        return
    session = Session(options)
    try:
        with open(options.out, "a", encoding="utf-8") as out:
            for order in orders:
                try:
                    record = session.order(order)
                except RuntimeError as problem:
                    session.stop()
                    print(f"{options.name} {options.language} {order['id']}: not tried: {problem}", flush=True)
                    continue
                print(json.dumps(record, ensure_ascii=False), file=out, flush=True)
                by = ",".join(str(step["by"]) for step in record["steps"])
                print(f"{options.name} {options.language} {order['id']:22} {record['result']:8} {record['outcome']:8} {record['ms']:5} ms {by:12} {record['said']}", flush=True)
    finally:
        session.end()


if __name__ == "__main__":
    main()
