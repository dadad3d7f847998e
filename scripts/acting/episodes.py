#!/usr/bin/env python3
"""Episodes of MiniWoB++: the page's instruction goes to Luna as it is, the page's reward decides. One JSON object a line.

usage, inside scripts/desktop-session.sh: episodes.py --pages FOLDER --out FILE --scratch FOLDER --language en|ko [--app] [--hidden] [TASK…]
"""

import argparse
import json
import shutil
import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import desktop  # noqa: E402
import korean  # noqa: E402
import tasks  # noqa: E402
from browser import Browser, BrowserError  # noqa: E402
from orders import Orders  # noqa: E402


def judge(report, reward):
    """success; wrong: the page gave less than the whole reward, or was left; unfinished: Luna acted, and the page still waits; asked; not done."""
    if reward is None or (reward.done and not reward.is_whole):
        return "wrong"
    if reward.is_whole:
        return "success"
    if any(step["by"] for step in report["steps"]):
        return "unfinished"
    return "asked" if report["outcome"] in ("clarify", "confirm") else "not done"


class Session:
    """A Luna and a browser; the browser is started anew if an episode may have left something open in it."""

    def __init__(self, options):
        self.options, self.scratch = options, Path(options.scratch)
        self.luna = Orders(options.language, self.scratch / "luna", Path(options.out).with_suffix(f".{options.language}.log"))
        self.browser = None

    def fresh_browser(self):
        if self.browser:
            self.browser.end()
        profile = self.scratch / "chromium"
        shutil.rmtree(profile, ignore_errors=True)
        self.browser = Browser(profile, self.scratch / "chromium.log", self.options.app)

    def begin(self, name, seed):
        return tasks.begin(self.browser, self.options.pages, name, seed, self.options.hidden)

    def episode(self, name, seed):
        """The record of one episode."""
        if self.browser is None:
            self.fresh_browser()
        try:
            instruction = self.begin(name, seed)
        except BrowserError:
            self.fresh_browser()
            instruction = self.begin(name, seed)
        utterance = korean.translate(name, instruction) if self.options.language == "ko" else instruction
        report, milliseconds = self.luna.carry_out(utterance)
        reward = self.reward()
        self.luna.forget()
        result = judge(report, reward)
        if result != "success" and not (reward and reward.done):
            self.tidy_up()
        return {
            "language": self.options.language, "task": name, "seed": seed, "utterance": utterance, "result": result, **report,
            "ms": milliseconds, "reward": reward and reward.raw, "reason": reward.reason if reward else "another page",
        }

    def tidy_up(self):
        """Closes a menu or bubble of the browser that may be open; a browser with other tabs, or whose window was left, is started anew."""
        desktop.press(["Escape", "Escape"], between=0.05)
        try:
            is_alone = [page["targetId"] for page in self.browser.pages()] == [self.browser.page]
        except BrowserError:
            is_alone = False
        if not is_alone or "Chromium" not in desktop.run("xdotool", "getactivewindow", "getwindowname"):
            self.fresh_browser()

    def reward(self):
        try:
            return tasks.decided(self.browser)
        except BrowserError:
            return None

    def end(self):
        if self.browser:
            self.browser.end()
        self.luna.end()


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("tasks", nargs="*", default=tasks.NAMES)
    for name in ("--pages", "--out", "--scratch"):
        parser.add_argument(name, required=True)
    parser.add_argument("--language", choices=("en", "ko"), required=True)
    parser.add_argument("--seeds", type=int, default=tasks.EPISODES, help="episodes of each task, with the seeds from 1")
    parser.add_argument("--app", action="store_true", help="a window without tabs and toolbar")
    parser.add_argument("--hidden", action="store_true", help="the instruction does not stand on the page while Luna acts")
    options = parser.parse_args()
    if unknown := set(options.tasks) - set(tasks.NAMES):
        parser.error(f"unknown tasks: {', '.join(sorted(unknown))}")
    session = Session(options)
    try:
        with open(options.out, "a", encoding="utf-8") as out:
            for name in options.tasks:
                results = []
                for seed in range(1, options.seeds + 1):
                    record = session.episode(name, seed)
                    print(json.dumps(record, ensure_ascii=False), file=out, flush=True)
                    results.append(record["result"])
                print(f"{options.language} {name:20} {results.count('success'):2} of {len(results)}", flush=True)
    finally:
        session.end()


if __name__ == "__main__":
    main()
