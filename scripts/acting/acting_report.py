#!/usr/bin/env python3
"""The page out of the records of episodes: acting_report.py FILE PAGE [--whole]. With --whole it is only written if no episode is missing."""

import json
import sys
import time
from collections import Counter
from pathlib import Path

sys.path.append(str(Path(__file__).resolve().parents[1] / "tour"))

import programs_report  # noqa: E402
import tasks  # noqa: E402

ROOT = Path(__file__).resolve().parents[2]
LANGUAGES = {"en": "English", "ko": "Korean"}
# Examples of one task and language under the table, the most frequent first.
EXAMPLES = 3


def percentile(values, share):
    """The nearest rank."""
    ordered = sorted(values)
    return ordered[max(0, -(-len(ordered) * share // 100) - 1)]


def times(records):
    """Median and 95th percentile in milliseconds, of the episodes in which Luna did all of it."""
    taken = [record["ms"] for record in records if record["result"] == "success"]
    return f"{percentile(taken, 50)} / {percentile(taken, 95)}" if taken else "–"


def with_outcomes(records, result):
    """The number of episodes with a result, and Luna's own outcomes of them."""
    outcomes = Counter(record["outcome"] for record in records if record["result"] == result)
    told = ", ".join(f"{outcome} {count}" for outcome, count in outcomes.most_common())
    return f"{sum(outcomes.values())} ({told})" if outcomes else "0"


def row(title, records):
    counted = Counter(record["result"] for record in records)
    share = f"{counted['success']} / {len(records)}"
    wrong, unfinished, not_done = (with_outcomes(records, result) for result in ("wrong", "unfinished", "not done"))
    return f"| {title} | {share} | {wrong} | {unfinished} | {counted['asked']} | {not_done} | {times(records)} |"


def cell(text, most):
    shown = " ".join(str(text).replace(str(ROOT), "…").split())
    return (shown[: most - 1] + "…" if len(shown) > most else shown).replace("|", "\\|")


def steps(record):
    """What Luna did, as short as possible."""
    told = [f"{step['action']} {cell(step['target'], 40)} ({step['by'] or 'nothing to do'}{'' if step['verified'] else ', not seen'})" for step in record["steps"]]
    return "; ".join(told) or "–"


def example_rows(records):
    """Failed episodes, those that are alike together."""
    failed = [record for record in records if record["result"] != "success"]
    alike = Counter((record["result"], record["outcome"], tuple(step["action"] for step in record["steps"])) for record in failed)
    for (result, outcome, actions), count in alike.most_common(EXAMPLES):
        record = next(r for r in failed if (r["result"], r["outcome"], tuple(step["action"] for step in r["steps"])) == (result, outcome, actions))
        told = f"{result} ({outcome})" if result in ("unfinished", "not done", "wrong") else result
        yield f"| {count} | {told} | {cell(record['utterance'], 90)} | {cell(steps(record), 130)} | {cell(record['said'], 110)} |"


def language_table(title, records):
    yield f"\n## {title}\n"
    yield "| task | success | wrong | unfinished | asked | not done | ms median / p95 |"
    yield "|---|---:|---|---|---:|---|---:|"
    for name in tasks.NAMES:
        of_task = [record for record in records if record["task"] == name]
        if of_task:
            yield row(name, of_task)
    yield row("**all**", records)


def page(records):
    yield "# Acting"
    yield ""
    yield "Written by `make report-acting`: tasks of MiniWoB++ 1.1.0 in a full Chromium window, with seeds from 1. Luna gets the page's instruction as it is, as the"
    yield "utterance of `luna ctl do`, or its translation by scripts/acting/korean.yaml; it sees the accessibility tree only, and uses rules only, no model. The page's own"
    yield "reward decides: *success* is the whole reward; *wrong*: the page gave less, or was left; *unfinished*: Luna acted, and the page still waits for something;"
    yield "*asked*: Luna asked, and nobody answers; *not done*: Luna did nothing. In brackets stands the outcome that Luna itself reported: a success that is none is the"
    yield "worst. Times are those from the order to Luna's report, of the successes."
    yield ""
    present = [language for language in LANGUAGES if any(record["language"] == language for record in records)]
    shares = []
    for language in present:
        results = [record["result"] for record in records if record["language"] == language]
        shares.append(f"{LANGUAGES[language]} {results.count('success')} / {len(results)} ({100 * results.count('success') / len(results):.1f} %), {results.count('wrong')} wrong")
    yield f"{time.strftime('%Y-%m-%d')}; {'; '.join(shares)}."
    for language in present:
        yield from language_table(LANGUAGES[language], [record for record in records if record["language"] == language])
    yield "\n## What failed\n"
    yield "For each task and language the most frequent kinds with an example. What Luna did: action, target, by what; \"not seen\": no effect was seen.\n"
    for language in present:
        for name in tasks.NAMES:
            rows = list(example_rows([record for record in records if (record["language"], record["task"]) == (language, name)]))
            if rows:
                yield f"\n### {name}, {LANGUAGES[language]}\n"
                yield "| episodes | result | utterance | what Luna did | what Luna said |"
                yield "|---:|---|---|---|---|"
                yield from rows


def missing(records):
    """Episodes of a whole run that were not tried: a run may have been cut off."""
    tried = {(record["language"], record["task"], record["seed"]) for record in records}
    wanted = [(language, name, seed) for language in LANGUAGES for name in tasks.NAMES for seed in range(1, tasks.EPISODES + 1)]
    return [episode for episode in wanted if episode not in tried]


def main():
    file, target = Path(sys.argv[1]), Path(sys.argv[2])
    records = [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []
    if not records:
        print(f"{file}: no episodes")
        return 1
    gone = missing(records)
    if "--whole" in sys.argv and gone:
        print(f"{target} stays as it is: {len(gone)} episodes are missing, the first is {gone[0]}")
        return 1
    target.write_text("\n".join(page(records)).replace("\n\n\n", "\n\n") + "\n" + programs_report.kept(target), encoding="utf-8")
    print(f"{target}: {len(records)} episodes")
    return 0


if __name__ == "__main__":
    sys.exit(main())
