"""The peer of the lock's bench: the checks of translate-toolkit's pofilter that look for what must stay the same.

Reads a file of JSON lines {"source", "target"}; runs the given number of rounds over them with those checks, or with `all`; answers with one line
of JSON: the seconds of the checks (without reading and starting Python), and for each pair whether no check failed.
"""

import json
import sys
import time

from translate.filters import checks
from translate.storage import po

# The checks of pofilter for numbers, addresses, code and placeholders; those for style and punctuation are left out, to its advantage.
FILTERS = ["numbers", "urls", "emails", "filepaths", "functions", "printf", "pythonbraceformat", "variables", "xmltags", "options"]


def main():
    pairs = [json.loads(line) for line in open(sys.argv[1], encoding="utf-8")]
    rounds = int(sys.argv[2])
    config = checks.CheckerConfig(targetlanguage="ko")
    if len(sys.argv) > 3:
        # As the program runs it: every check.
        checker = checks.TeeChecker(checkerconfig=config)
    else:
        checker = checks.StandardChecker(checkerconfig=config, limitfilters=FILTERS)
    units = []
    for pair in pairs:
        unit = po.pounit(source=pair["source"])
        unit.target = pair["target"]
        units.append(unit)
    right = []
    begin = time.perf_counter()
    for _ in range(rounds):
        right = [not checker.run_filters(unit) for unit in units]
    seconds = time.perf_counter() - begin
    print(json.dumps({"seconds": seconds, "ok": right}))


main()
