#!/usr/bin/env python3
"""Makes engines/ocr/data/letters.bin, the model of letters by which the OCR engine tells words from nonsense.

    scripts/letters.py --korean FILE... --english FILE... [--output FILE]

Texts are plain, or the strings of a program (.resw), or SNIPS training data (.json). The committed model was made from, for Korean, the Korean half
of songys/Chatbot_data (MIT) and the Korean strings of microsoft/terminal (MIT, tests/samples/windows-terminal); for English, gunthercox/chatterbot-corpus
(BSD-3-Clause), the English strings of microsoft/terminal and the SNIPS data of 2017 (CC0). Only counts of letters are kept.

The file: costs in eighths of a bit, a byte each, 255 for more.
  11,172 bytes  a Hangul syllable, in the order of Unicode
  29 * 399      onset and vowel of a syllable (21 * onset + vowel) after a coda (0 to 27; 28: at the beginning of a word), in addition to the cost of
                the syllable, plus 128: negative if they often meet
  27 * 27 * 27  a Latin letter after two letters (1 to 26, regardless of case; 0: none, at the beginning or, as the third, at the end of a word)
"""

import argparse
import json
import math
import re
from collections import Counter

SYLLABLES, ONSETS_VOWELS, CODAS, LATIN = 11172, 19 * 21, 28, 27
BEGINNING = 28


def text_of(path):
    raw = open(path, encoding="utf-8", errors="replace").read()
    if path.endswith(".resw"):
        return "\n".join(re.findall(r"<value>(.*?)</value>", raw, re.S))
    if path.endswith(".json"):
        (examples,) = json.loads(raw).values()
        return "\n".join("".join(part["text"] for part in example["data"]) for example in examples)
    return raw


def in_eighths(bits):
    return max(0, min(255, round(8 * bits)))


def korean(text):
    """The tables of Hangul."""
    words = [[ord(char) - 0xAC00 for char in word] for word in re.findall("[가-힣]+", text)]
    seen = Counter(syllable for word in words for syllable in word)
    all_seen = sum(seen.values())
    onset, vowel, coda = Counter(), Counter(), Counter()
    for syllable, count in seen.items():
        onset[syllable // 588] += count
        vowel[syllable // 28 % 21] += count
        coda[syllable % 28] += count

    def share(counter, key, kinds):
        return (counter[key] + 1) / (sum(counter.values()) + kinds)

    def syllable_share(syllable):
        by_jamo = share(onset, syllable // 588, 19) * share(vowel, syllable // 28 % 21, 21) * share(coda, syllable % 28, 28)
        return 0.95 * seen[syllable] / all_seen + 0.05 * by_jamo

    table = bytearray(in_eighths(-math.log2(syllable_share(syllable))) for syllable in range(SYLLABLES))
    pairs, heads = Counter(), Counter()
    for word in words:
        before = BEGINNING
        for syllable in word:
            pairs[before, syllable // 28] += 1
            heads[before] += 1
            before = syllable % 28
    anywhere = Counter()
    for (_, head), count in pairs.items():
        anywhere[head] += count
    for before in range(CODAS + 1):
        for head in range(ONSETS_VOWELS):
            usual = share(anywhere, head, ONSETS_VOWELS)
            # Rare contexts are drawn to the usual share.
            here = (pairs[before, head] + 20 * usual) / (heads[before] + 20)
            table.append(max(0, min(255, 128 + round(-8 * math.log2(here / usual)))))
    return table


def english(text):
    """The table of Latin letters."""
    pairs, triples, singles = Counter(), Counter(), Counter()
    for word in re.findall("[a-z]+", text.lower()):
        letters = [0, 0] + [ord(char) - 96 for char in word] + [0]
        for first, second, third in zip(letters, letters[1:], letters[2:]):
            triples[first, second, third] += 1
            pairs[second, third] += 1
            singles[third] += 1
    after_two, after_one = Counter(), Counter()
    for (first, second, _), count in triples.items():
        after_two[first, second] += count
        after_one[second] += count
    table = bytearray()
    for first in range(LATIN):
        for second in range(LATIN):
            for third in range(LATIN):
                one = (singles[third] + 1) / (sum(singles.values()) + LATIN)
                two = (pairs[second, third] + 4 * one) / (after_one[second] + 4)
                three = (triples[first, second, third] + 4 * two) / (after_two[first, second] + 4)
                table.append(in_eighths(-math.log2(three)))
    return table


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--korean", nargs="+", required=True)
    parser.add_argument("--english", nargs="+", required=True)
    parser.add_argument("--output", default="engines/ocr/data/letters.bin")
    arguments = parser.parse_args()
    table = korean("\n".join(map(text_of, arguments.korean))) + english("\n".join(map(text_of, arguments.english)))
    with open(arguments.output, "wb") as file:
        file.write(table)
    print(f"{arguments.output}: {len(table)} bytes")


main()
