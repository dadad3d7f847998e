"""The peer of the understanding bench: hassil as it comes, with the same phrases.

The first line on stdin is {"phrases": [[label, phrase], …], "skip": [word, …]}; each further line a list of sentences. Answers each
with one line: {"labels": [label or null, …], "seconds": time of the recognition alone}.
"""

import json
import sys
import time

from hassil import Intents, recognize


def main():
    given = json.loads(sys.stdin.readline())
    intents = {}
    for label, phrase in given["phrases"]:
        intents.setdefault(label, {"data": [{"sentences": []}]})["data"][0]["sentences"].append(phrase)
    known = Intents.from_dict({"language": "ko", "intents": intents, "skip_words": given["skip"]})
    recognize("warm up", known)
    print("ready", flush=True)
    for line in sys.stdin:
        sentences = json.loads(line)
        start = time.perf_counter()
        found = [recognize(sentence, known) for sentence in sentences]
        seconds = time.perf_counter() - start
        print(json.dumps({"labels": [f.intent.name if f else None for f in found], "seconds": seconds}), flush=True)


main()
