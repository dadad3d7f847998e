"""The tasks of MiniWoB++ that are tried, and how an episode of one begins and is decided."""

import json
import time
from dataclasses import dataclass
from pathlib import Path

import desktop
from browser import BrowserError

NAMES = [
    "click-button", "click-link", "click-test", "click-test-2", "click-dialog", "click-tab", "click-option", "click-checkboxes", "choose-list",
    "enter-text", "enter-text-dynamic", "focus-text", "focus-text-2", "click-collapsible", "use-spinner", "click-menu", "login-user", "enter-date",
    "click-widget",
]
EPISODES = 20

READY = "typeof core === 'object' && core.cover_div !== null && document.fonts.status === 'loaded'"
# The page ends an episode after ten seconds, which a slow machine may need by itself.
BEGIN = "core.EPISODE_MAX_TIME = 600000; Math.seedrandom({seed}); core.startEpisodeReal(); core.getUtterance()"
HIDE = "document.getElementById('query').style.visibility = 'hidden'"
STATE = "typeof WOB_DONE_GLOBAL === 'undefined' ? null : [WOB_DONE_GLOBAL, WOB_RAW_REWARD_GLOBAL, WOB_REWARD_REASON]"
# An accessibility client apart from Luna, which sees when the new page is in the tree: what Luna does not find then is its own doing.
TREE = Path(__file__).resolve().parents[1] / "tour/tree.py"
TREE_SECONDS = 10
SETTLE_SECONDS = 0.3
# Scripts of the page that run after the last event.
REWARD_SECONDS = 0.3


@dataclass
class Reward:
    """What the page decided. Some tasks give a part of the whole reward, 1, for a part of what was asked."""

    done: bool
    raw: float
    reason: str | None = None

    @property
    def is_whole(self):
        return self.done and self.raw >= 1


def begin(browser, pages, name, seed, is_hidden=False):
    """Loads the page and starts its episode; the instruction. `is_hidden`: it is taken off the page."""
    browser.open((Path(pages) / f"{name}.html").as_uri(), READY)
    instruction = browser.evaluate(BEGIN.format(seed=json.dumps(seed)))
    if not desktop.wait_for(lambda: is_in_tree(instruction), TREE_SECONDS):
        raise BrowserError("the page is not in the accessibility tree")
    if is_hidden:
        browser.evaluate(HIDE)
    time.sleep(SETTLE_SECONDS)
    return instruction


def is_in_tree(instruction):
    """Whether the instruction's first words are; the page may put marks around later ones."""
    question = {"application": "Chromium", "at": {"role": ["section", "static"], "text": instruction[:6]}}
    return '"box"' in desktop.run("/usr/bin/python3", str(TREE), text=json.dumps(question))


def decided(browser):
    """The reward; None if the browser shows another page."""
    until = time.monotonic() + REWARD_SECONDS
    while True:
        state = browser.evaluate(STATE)
        if state is None or state[0] or time.monotonic() > until:
            return state and Reward(*state)
        time.sleep(0.05)
