#!/usr/bin/python3
"""report/TOUR.md out of the JSON files of the tour: report.py FOLDER PAGE"""

import json
import sys
import time
from pathlib import Path

import compare
import tables

WORDS = tables.words()


def outcomes(result, kind, who):
    """[(language, place, outcome)] of all places that have this kind (pointer, focus) and this speaker (luna, orca)."""
    for language, places in result.get("passes", {}).items():
        for place in places:
            visited = place.get(kind)
            if visited and who in visited:
                yield language, place, visited[who]


def not_found(result):
    for places in result.get("passes", {}).values():
        for place in places:
            for kind in ("pointer", "focus"):
                if "not_found" in place.get(kind, {}):
                    yield place["id"], kind, place[kind]["not_found"]


def count(result, kind, who, language=None):
    """(right, all); None if there is none."""
    found = [outcome for spoken, _, outcome in outcomes(result, kind, who) if language in (None, spoken)]
    return (sum(outcome["right"] for outcome in found), len(found)) if found else None


def orca_right(result, kind):
    """Orca has no place of its own to fail by saying too much: its fields count."""
    found = [outcome for _, _, outcome in outcomes(result, kind, "orca") if outcome["said"]]
    return (sum(all(outcome["fields"].values()) for outcome in found), len(found)) if found else None


def lacking(result):
    """Places at which Orca said a field that Luna did not: [(place, kind, fields)]."""
    for language, places in result.get("passes", {}).items():
        for place in places:
            for kind in ("pointer", "focus"):
                visited = place.get(kind, {})
                if "orca" in visited and "luna" in visited:
                    fields = compare.missing_beside(visited["orca"], visited["luna"])
                    if visited["orca"]["said"] and all(visited["orca"]["fields"].values()) and place.get("say"):
                        fields += compare.unnamed_fields(place, visited["orca"], visited["luna"]["said"], language, WORDS)
                    if fields:
                        yield place["id"], kind, fields


def share(pair):
    return "–" if pair is None else f"{pair[0]} / {pair[1]}"


def line(result):
    """One row of the table."""
    if "problem" in result:
        return f"| {result['title']} | not visited: {result['problem']} | | | | | | |"
    pointer, focus = count(result, "pointer", "luna"), count(result, "focus", "luna")
    fields = sum(len(fields) for _, _, fields in lacking(result))
    places = len(next(iter(result["passes"].values())))
    unreached = len(list(not_found(result)))
    return (
        f"| {result['title']} | {places} | {share(pointer)} | {share(focus)} | {share(orca_right(result, 'pointer'))} |"
        f" {share(orca_right(result, 'focus'))} | {fields} | {unreached} |"
    )


def misses(result, strict=False):
    for kind in ("pointer", "focus"):
        for language, place, outcome in outcomes(result, kind, "luna"):
            if outcome["right"] or (outcome.get("absent") and not strict):
                continue
            wrong = [field for field, said in outcome["fields"].items() if not said]
            parts = [f"not said: {', '.join(wrong)}"] if wrong else []
            parts += [f"too much: {outcome['extra'][:80]}"] if outcome["extra"] and kind == "pointer" else []
            parts += [] if outcome["order"] else ["order"]
            parts += ["a secret was said"] if outcome.get("leaks") else []
            said = " ".join(outcome["said"].split())[:110].replace("|", "\\|")
            yield f"| {place['id']} | {kind} {language} | {'; '.join(parts)} | {said} |"


def problems(result, strict):
    """Why the visit does not pass: what was not reached and, if it is strict, each miss."""
    if "problem" in result:
        return [f"{result['title']}: {result['problem']}"]
    found = [f"{place} ({kind}) was not reached: {why}" for place, kind, why in not_found(result)]
    return found + (list(misses(result, strict=True)) if strict else [])


def total(results, kind, who, language=None):
    pairs = [count(result, kind, who, language) for result in results]
    pairs = [pair for pair in pairs if pair]
    return share((sum(p[0] for p in pairs), sum(p[1] for p in pairs))) if pairs else "–"


def page(results):
    yield "# The tour"
    yield ""
    yield "Written by `make tour`: what Luna says at places of real programs, and what Orca says beside it. A place is right if every field that it must"
    yield "tell (tests/tour/places) is told, nothing of another element is, and the order is that of ANN-1. Orca's English is measured by its fields alone."
    yield "Both languages of Luna count. \"Unreached\" are places that the tour's own client did not find."
    yield ""
    yield f"{time.strftime('%Y-%m-%d')}; {len(results)} programs; pointer Korean {total(results, 'pointer', 'luna', 'ko')}, English {total(results, 'pointer', 'luna', 'en')};"
    yield f"focus Korean {total(results, 'focus', 'luna', 'ko')}, English {total(results, 'focus', 'luna', 'en')}."
    yield ""
    yield "| program | places | Luna right (pointer) | Luna right (focus) | Orca right (pointer) | Orca right (focus) | fields that only Orca said | unreached |"
    yield "|---|---:|---:|---:|---:|---:|---:|---:|"
    yield from (line(result) for result in results)
    for result in results:
        rows = list(misses(result))
        beside, gone = list(lacking(result)), list(not_found(result))
        if not rows and not beside and not gone:
            continue
        yield f"\n## {result['title']}\n"
        if rows:
            yield "| place | by | wrong | what Luna said |"
            yield "|---|---|---|---|"
            yield from rows
        if beside:
            yield "\nFields that only Orca said: " + "; ".join(f"{place} ({kind}): {', '.join(fields)}" for place, kind, fields in beside) + "."
        if gone:
            yield "\nUnreached: " + "; ".join(f"{place} ({kind}): {why}" for place, kind, why in gone) + "."


def main():
    folder, target = Path(sys.argv[1]), Path(sys.argv[2])
    results = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    target.write_text("\n".join(page(results)) + "\n", encoding="utf-8")
    print(f"{target}: {len(results)} programs")
    return 0 if results else 1


if __name__ == "__main__":
    sys.exit(main())
