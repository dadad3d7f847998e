"""The section "Real programs" of report/ACTING.md, out of the records of programs.py: programs_report.py FILE PAGE

The other parts of the page stay as they are. What Luna did when each order was tried for the first time is kept in programs/first-sight.json.
"""

import json
import sys
import time
from collections import Counter
from pathlib import Path

FIRST_SIGHT = Path(__file__).with_name("programs") / "first-sight.json"
BEGIN, END = "<!-- real programs -->", "<!-- end of real programs -->"
LANGUAGES = {"en": "English", "ko": "Korean"}
RESULTS = ("right", "wrong", "unfinished", "asked", "refused")


def key(record):
    return f"{record['program']}/{record['language']}/{record['id']}"


def cell(text, most):
    shown = " ".join(str(text).split())
    return (shown[: most - 1] + "…" if len(shown) > most else shown).replace("|", "\\|")


def percentile(values, share):
    """The nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def milliseconds(records):
    taken = [record["ms"] for record in records if record["result"] == "right"]
    return f"{percentile(taken, 50)} / {percentile(taken, 95)}" if taken else "–"


def shares(records, first):
    """Right at first sight, and each result now."""
    counted = Counter(record["result"] for record in records)
    at_first = [first[key(record)] for record in records if key(record) in first]
    return [f"{at_first.count('right')} / {len(at_first)}", f"{counted['right']} / {len(records)}", *(str(counted[result]) for result in RESULTS[1:])]


def means(record):
    told = [step["by"] or "itself" for step in record["steps"]]
    return ", ".join(dict.fromkeys(told)) or "–"


def program_rows(records, first):
    for title in dict.fromkeys(record["title"] for record in records):
        for language in LANGUAGES:
            some = [record for record in records if (record["title"], record["language"]) == (title, language)]
            if some:
                yield f"| {title}, {LANGUAGES[language]} | {' | '.join(shares(some, first))} | {milliseconds(some)} |"


def of_earlier(records):
    """What is said if not all orders are of this run: a record may tell that it is kept from an earlier one (`kept`)."""
    kept_ones = sum(bool(record.get("kept")) for record in records)
    if kept_ones:
        yield f"{len(records) - kept_ones} orders were tried again after Luna was mended; of the other {kept_ones} the first result stands, also in the columns of now."


def not_right(records, first):
    for record in records:
        if record["result"] != "right":
            told = f"{record['result']} ({record['outcome']})"
            at_first = first.get(key(record), "–")
            yield f"| {record['program']}, {record['id']} | {cell(record['utterance'], 70)} | {at_first} | {told} | {means(record)} | {cell(record['said'], 100)} |"


def section(records, first):
    yield BEGIN
    yield "## Real programs"
    yield ""
    yield "Orders to programs that nobody here wrote, as `luna ctl do`; rules only, and text recognition for the programs without an accessibility tree. The orders stand"
    yield "in scripts/acting/programs/*.yaml and were written before Luna's results were seen. Their effects are looked for apart from Luna: in the program's saved file, its"
    yield "windows, the clipboard, its exit status, or its tree as the tour's own client reads it. *right*: the effect is there; of an order that is ambiguous, dangerous or about"
    yield "something that isn't there: Luna asked or refused, and nothing was done; *wrong*: something else was done, or nothing, and Luna calls it a success; *unfinished*: a step was"
    yield "done, and Luna says that another was not; *asked* and *refused*: nothing was done. *At first sight*: the first time that each order was tried; the rest is this run."
    yield ""
    yield f"{time.strftime('%Y-%m-%d')}. Times are those from the order to Luna's report, of the right ones; no language pack of LibreOffice is among the packages, so that only Mousepad is tried in Korean."
    yield from of_earlier(records)
    yield ""
    yield "| program, orders in | right at first sight | right | wrong | unfinished | asked | refused | ms median / p95 |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    yield from program_rows(records, first)
    yield f"| **all** | {' | '.join(shares(records, first))} | {milliseconds(records)} |"
    yield ""
    yield "| kind of order | right at first sight | right | wrong | unfinished | asked | refused | ms median / p95 |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    for kind in dict.fromkeys(record["kind"] for record in records):
        some = [record for record in records if record["kind"] == kind]
        yield f"| {kind} | {' | '.join(shares(some, first))} | {milliseconds(some)} |"
    yield ""
    yield "Each order that was not right:"
    yield ""
    yield "| program, order | utterance | at first sight | now (Luna's outcome) | by | what Luna said |"
    yield "|---|---|---|---|---|---|"
    yield from not_right(records, first)
    yield END


def kept(page):
    """The section that stands in a page, with an empty line before it; an empty text if there is none. For who writes the rest of the page anew."""
    text = page.read_text(encoding="utf-8") if page.exists() else ""
    return f"\n{BEGIN}{text.split(BEGIN, 1)[1].split(END, 1)[0]}{END}\n" if BEGIN in text and END in text else ""


def main():
    file, page = Path(sys.argv[1]), Path(sys.argv[2])
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    if not records:
        print(f"{file}: no orders")
        return 1
    first = json.loads(FIRST_SIGHT.read_text(encoding="utf-8")) if FIRST_SIGHT.exists() else {}
    new = {key(record): record["result"] for record in records if key(record) not in first}
    if new:
        first.update(new)
        FIRST_SIGHT.write_text(json.dumps(first, indent=0, sort_keys=True) + "\n", encoding="utf-8")
    text = page.read_text(encoding="utf-8") if page.exists() else "# Acting\n"
    rest = text.replace(kept(page).strip("\n"), "").rstrip()
    page.write_text(rest + "\n\n" + "\n".join(section(records, first)) + "\n", encoding="utf-8")
    print(f"{page}: {len(records)} orders, {sum(record['result'] == 'right' for record in records)} right")
    return 0


if __name__ == "__main__":
    sys.exit(main())
