#!/usr/bin/env python3
"""Collects the results of the benches on one page.

report.py FOLDER PAGE [--only] [FAILED…]     FOLDER contains one JSON file per bench: {"title", "goal"?, "rows": […]} or only the rows.
A row: {"name", "unit", "ours", "peer" | "peers": {name: value}, "ratio"?, "goal"?, "better"?: "lower" | "higher"}. FAILED are
benches that failed; the page names them, and the exit code is 1. With --only, the page keeps its other sections, and those of the folder tell themselves when
and where they were measured.
"""

import json
import os
import platform
import subprocess
import sys
import time
from pathlib import Path


def number(value):
    if value is None:
        return ""
    if not isinstance(value, (int, float)):
        return str(value)
    if value == int(value) and abs(value) < 1e15:
        return f"{int(value):,}"
    return f"{value:,.4g}" if abs(value) < 1000 else f"{value:,.0f}"


def peers_of(row):
    peers = row.get("peers", row.get("peer"))
    if peers is None:
        return {}
    if isinstance(peers, dict):
        return {str(name): value for name, value in peers.items()}
    if isinstance(peers, list):
        return {str(p.get("name", "peer")): p.get("value") for p in peers}
    return {"peer": peers}


def ratio_of(row, peers):
    """Our value divided by the peer's: given by the bench, else computed for each peer."""
    if row.get("ratio") is not None:
        return number(row["ratio"])
    ours = row.get("ours")
    if not isinstance(ours, (int, float)):
        return ""
    return " · ".join(number(ours / value) for value in peers.values() if isinstance(value, (int, float)) and value)


def table(rows):
    yield "| what | unit | ours | peers | ours / peer | goal |"
    yield "|---|---|---:|---|---:|---|"
    for row in rows:
        peers = peers_of(row)
        shown = " · ".join(f"{name} {number(value)}".strip() for name, value in peers.items())
        cells = [row["name"], row.get("unit", ""), number(row.get("ours")), shown, ratio_of(row, peers), str(row.get("goal") or "")]
        yield "| " + " | ".join(cell.replace("|", "\\|") for cell in cells) + " |"


def machine():
    model = next((l.split(":", 1)[1].strip() for l in open("/proc/cpuinfo") if l.startswith("model name")), platform.machine())
    rust = subprocess.run(["rustc", "--version"], capture_output=True, text=True).stdout.strip()
    return f"{model}, {os.cpu_count()} cores; load {os.getloadavg()[0]:.1f} at the end; {rust}"


def section(file, measured):
    """Title and lines of one bench. `measured`: a line that tells when, or nothing."""
    content = json.loads(file.read_text(encoding="utf-8"))
    if isinstance(content, list):
        content = {"rows": content}
    title = content.get("title", file.stem)
    lines = [f"## {title}", ""]
    if measured:
        lines += [measured, ""]
    if content.get("goal"):
        lines += [f"Goal: {content['goal']}", ""]
    lines += table(content["rows"])
    if content.get("note"):
        lines += ["", content["note"]]
    return title, "\n".join(lines)


def sections_of(page):
    """What stands before the first section of a page, and its sections by title."""
    before, *sections = page.read_text(encoding="utf-8").rstrip("\n").split("\n\n## ")
    return before, {text.split("\n", 1)[0]: "## " + text for text in sections}


def main():
    folder, page, failed = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3:]
    only = failed[:1] == ["--only"]
    failed = failed[1:] if only else failed
    when = f"{time.strftime('%Y-%m-%d')}; {machine()}."
    if only:
        before, sections = sections_of(page)
    else:
        before = "\n\n".join(
            ["# Measurements", "Written by `make report`. Our figures and those of the peers come from the same run on the same machine.", when]
        )
        sections = {}
    files = sorted(folder.glob("*.json"))
    sections.update(section(file, f"Measured by itself, {when}" if only else None) for file in files)
    if failed:
        sections["Not measured"] = "\n".join(["## Not measured", "", *(f"- {bench}: the bench failed" for bench in failed)])
    page.parent.mkdir(parents=True, exist_ok=True)
    page.write_text("\n\n".join([before, *sections.values()]) + "\n", encoding="utf-8")
    print(f"{page}: {len(files)} benches, {len(failed)} failed")
    sys.exit(1 if failed or not files else 0)


if __name__ == "__main__":
    main()
