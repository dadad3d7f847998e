"""Tests of the table of patterns and of the judgement: python3 scripts/acting/acting_test.py"""

import sys
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import episodes  # noqa: E402
import korean  # noqa: E402
import tasks  # noqa: E402


def fails(call, *arguments):
    try:
        call(*arguments)
    except korean.TranslationError:
        return True
    return False


def translations():
    check = lambda name, instruction, expect: (korean.translate(name, instruction) == expect) or sys.exit(f"{name}: {korean.translate(name, instruction)}")
    check("click-checkboxes", "Select nothing and click Submit.", "아무것도 선택하지 말고 Submit 눌러 줘.")
    check("click-checkboxes", "Select 91YPF, i6V and click Submit.", "91YPF, i6V 선택하고 Submit 눌러 줘.")
    check("click-menu", "Select Evy>Tammara", "Evy>Tammara 선택해 줘.")
    check("choose-list", r"Select A\1 and B from the list and click Submit.", r"목록에서 A\1 and B 선택하고 Submit 눌러 줘.")
    assert fails(korean.translate, "click-tab", "Click on the tab.")
    assert fails(korean.translate, "click-test", "Click the button?")  # a dot is a dot
    assert fails(korean.check, {name: [{"en": "{a}", "ko": "{b}"}] for name in tasks.NAMES})
    assert fails(korean.check, {"click-tab": []})


def judgements():
    def check(expect, outcome, reward, *by):
        report = {"outcome": outcome, "steps": [{"by": one} for one in by]}
        found = episodes.judge(report, reward)
        assert found == expect, (expect, found, report, reward)

    open_page = tasks.Reward(False, 0)
    check("success", "success", tasks.Reward(True, 1), "tree")
    check("success", "failed", tasks.Reward(True, 1))  # the reward decides, not what Luna says of it
    check("wrong", "success", tasks.Reward(True, -1), "tree")
    check("wrong", "success", tasks.Reward(True, 0.5), "tree")
    check("wrong", "success", None, "tree")  # the page was left
    check("unfinished", "success", open_page, "tree")
    check("unfinished", "failed", open_page, "keys", None)
    check("asked", "clarify", open_page)
    check("asked", "confirm", open_page, None)
    check("not done", "failed", open_page)
    check("not done", "none", open_page)


if __name__ == "__main__":
    translations()
    judgements()
    print("acting_test: passed")
