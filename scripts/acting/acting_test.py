"""Tests of the table of patterns and of the judgement: python3 scripts/acting/acting_test.py"""

import sys
import tempfile
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import episodes  # noqa: E402
import korean  # noqa: E402
import programs  # noqa: E402
import programs_report  # noqa: E402
import programs_tables  # noqa: E402
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


def orders_to_programs():
    def check(expect, expected, outcome, held, is_same, *by):
        report = {"outcome": outcome, "steps": [{"by": one} for one in by]}
        found = programs.judge(expected, report, held, is_same)
        assert found == expect, (expect, found, expected, report, held, is_same)

    check("right", "done", "success", True, False, "tree")
    check("right", "done", "failed", True, False, "tree")  # the effect decides, not what Luna says of it
    check("wrong", "done", "success", False, False, "tree")
    check("wrong", "done", "success", False, True)  # a success that nobody sees
    check("unfinished", "done", "failed", False, False, "tree", None)
    check("wrong", "done", "failed", False, False)
    check("asked", "done", "clarify", False, True)
    check("asked", "done", "confirm", False, False, "tree", None)  # a menu on the way is open
    check("refused", "done", "failed", False, True)
    check("right", "asked", "confirm", False, True)
    check("wrong", "asked", "confirm", True, False, "tree")  # it asked after it was done
    check("wrong", "asked", "success", True, False, "tree")
    check("refused", "asked", "none", False, True)
    check("right", "refused", "failed", False, True)
    check("asked", "refused", "clarify", False, True)
    check("wrong", "refused", "success", False, True)


def tables_of_programs():
    order = {"id": "a", "kind": "press", "en": "press A", "check": [{"title": "A"}]}
    program = {"title": "A", "command": ["a"], "window": "A", "orders": [order]}
    programs_tables.check("a", program)
    slips = [{"check": []}, {"check": [{"titel": "A"}]}, {"kind": "pres"}, {"en": "A", "fr": "A"}, {"check": [{"file": {"path": "a", "hat": "b"}}]}]
    for slip in slips:
        try:
            programs_tables.check("a", {**program, "orders": [{**order, **slip}]})
        except programs_tables.TableError:
            continue
        sys.exit(f"the slip {slip} was not noticed")
    try:
        programs_tables.check("a", {**program, "orders": [order, order]})
        sys.exit("the same order twice was not noticed")
    except programs_tables.TableError:
        pass


def parts_of_the_page():
    record = {"program": "a", "title": "A", "language": "en", "id": "x", "kind": "press", "utterance": "press A", "result": "wrong", "outcome": "success", "steps": [], "said": "", "ms": 5}
    with tempfile.TemporaryDirectory() as folder:
        page = Path(folder) / "page.md"
        assert programs_report.kept(page) == ""
        section = "\n".join(programs_report.section([record], {"a/en/x": "refused"}))
        assert "| refused | wrong (success) |" in section, section
        page.write_text(f"# Acting\n\n{section}\n", encoding="utf-8")
        assert programs_report.kept(page).strip() == section.strip()


if __name__ == "__main__":
    translations()
    judgements()
    orders_to_programs()
    tables_of_programs()
    parts_of_the_page()
    print("acting_test: passed")
