"""Compares what was said with what must be said, field by field. Pure: no input, no output, no clock."""

import re
import unicodedata

# Languages of judgement: Luna's Korean, Luna's English, and Orca's English.
LANGUAGES = ("ko", "en", "orca")


def normalise(text):
    """Lower case, without punctuation and marks of direction; runs of space are one space."""
    text = unicodedata.normalize("NFKC", str(text)).lower()
    kept = (c if c.isalnum() or c == "%" else " " for c in text if unicodedata.category(c) != "Cf")
    return " ".join("".join(kept).split())


def pattern(phrase):
    """A regular expression for a phrase in normalised text. Spaces may differ, since recognised text loses and gains them."""
    if str(phrase).startswith("re:"):
        return str(phrase)[3:].lower()
    letters = [re.escape(c) for c in normalise(phrase) if c != " "]
    if not letters:
        return None
    body = " ?".join(letters)
    first, last = normalise(phrase)[0], normalise(phrase)[-1]
    if first.isascii() or len(letters) == 1:
        body = r"(?<![0-9a-z])" + body if first.isascii() else r"(?<!\w)" + body
    if last.isascii() or len(letters) == 1:
        body += r"(?![0-9a-z])" if last.isascii() else r"(?!\w)"
    return body


class Said:
    """A sentence from which the fields that were found are taken away; what remains was said too much."""

    def __init__(self, text):
        self.text = normalise(text)
        self.first = {}

    def take(self, phrases, field=None, negative=False):
        """Takes the longest of the phrases that occur away. Of the words for a name or role it is the one that is said first: "entry" may be a
        part of a later word for a state."""
        found = []
        for expression in filter(None, map(pattern, phrases)):
            match = re.search((r"(?<!not )" if negative else "") + expression, self.text)
            if match:
                found.append(match.span())
        if not found:
            return False
        is_by_place = field in ("name", "role")
        start, end = min(found, key=lambda span: (span[0] if is_by_place else 0, span[0] - span[1]))
        self.text = self.text[:start] + "|" * max(1, end - start) + self.text[end:]
        if field:
            self.first.setdefault(field, start)
        return True

    def take_all(self, phrases):
        for phrase in sorted(map(str, phrases), key=len, reverse=True):
            # A pattern could find what was already taken away, without end.
            while self.take([phrase]) and not phrase.startswith("re:"):
                pass

    def rest(self, until=None):
        return " ".join(re.sub(r"\|+", " ", self.text[:until]).split())


def listed(value):
    return value if isinstance(value, list) else [value]


def words_of(table, key, language):
    """The words for a role or state in a language."""
    entry = table[str(key)]
    if language == "orca":
        return entry["en"] + entry.get("orca", [])
    return entry[language]


def phrases_of(field, value, language, words):
    """What counts as having said a field: a list of groups; of each group one phrase must occur."""
    english = language != "ko"
    if field == "role":
        return [[word for role in listed(value) for word in words_of(words["roles"], role, language)]]
    if field == "states":
        return [[word for state in listed(one) for word in words_of(words["states"], state, language)] for one in value]
    if field == "level":
        return [[f"level {value}"] if english else [f"{value}수준", f"수준 {value}"]]
    if field == "position":
        if value == "any":
            return [[r"re:\d+ of \d+"] if english else [r"re:\d+ ?개 중 \d+ ?번째"]]
        index, size = str(value).split("/")
        return [[f"{index} of {size}"] if english else [f"{size}개 중 {index}번째"]]
    if field == "percent":
        spoken = [f"{value} percent", f"{value}%"] if english else [f"{value} 퍼센트", f"{value}%"]
        return [spoken + [str(value)] if language == "orca" else spoken]
    if field == "message":
        return [listed(value)]
    if field == "headers":
        return [[header] for header in value]
    if field == "empty":
        return [words_of(words["states"], "empty", language) + [value]]
    return [listed(value)]


# ANN-1: label or name, role, states, value, position, description. A header may come first; text stands for all.
# The message of an invalid field belongs to its states (ANN-2).
ORDER = ["name", "role", "states", "message", "value", "position", "description"]
# The longest and surest fields are looked for first, so that a short word is not found inside them.
SEARCH = ["text", "name", "description", "message", "value", "percent", "headers", "position", "level", "states", "role", "empty"]


def in_order(first):
    places = [first[field] for field in ORDER if field in first]
    return places == sorted(places)


def judge(place, said, language, words, focus=False):
    """What of a place was said: {"fields": {field: found}, "extra": rest, "order": kept, "right": all in all}."""
    must = place.get("focus_say", place["say"]) if focus else place["say"]
    leaks = [secret for secret in place.get("never", []) if secret.lower() in said.lower()]
    if must.get("nothing"):
        sentence = Said(said)
        empty = not sentence.text or sentence.take(words["nothing"]["en" if language == "orca" else language])
        return {"fields": {"nothing": empty}, "extra": "" if empty else sentence.text, "order": True, "right": empty and not leaks}
    sentence, fields = Said(said), {}
    for field in (field for field in SEARCH if field in must):
        groups = phrases_of(field, must[field], language, words)
        negative = field == "states" and language != "ko"
        found = [sentence.take(group, "value" if field == "percent" else field, negative) for group in groups]
        if field == "states":
            fields.update({f"state {'/'.join(listed(state))}": hit for state, hit in zip(must["states"], found)})
        else:
            fields[field] = all(found)
    if not fields.get("role", True) and "has_submenu" in must.get("states", []):
        # "Side Pane, menu": one word says both.
        fields["role"] = fields["state has_submenu"]
    sentence.take_all(allowed(place, must, language, words))
    order = in_order(sentence.first)
    # An editor or page is read on from the line that is pointed at: only what comes before that line is too much.
    extra = sentence.rest(until=sentence.first.get("text") if place.get("reads_on") else None)
    right = all(fields.values()) and not leaks and (focus or (not extra and order))
    return {"fields": fields, "extra": extra, "order": order, "leaks": leaks, "right": right}


# Keys of a menu item, as in "Shift+Ctrl+V".
SHORTCUT = r"re:(?<!\w)(shift|ctrl|alt)( (shift|ctrl|alt))* \w+"


# "Age column, 42": what a header is the header of.
HEADER_WORDS = {"ko": ["행", "열"], "en": ["row", "column"]}


def allowed(place, must, language, words):
    """What may be said besides."""
    base = "en" if language == "orca" else language
    phrases = [*place.get("may", []), SHORTCUT]
    for kind, key in (("roles", "may_roles"), ("states", "may_states")):
        for name in place.get(key, []):
            phrases += words_of(words[kind], name, language)
    if "headers" in must:
        phrases += HEADER_WORDS[base]
    for role in listed(must.get("role", [])) + place.get("may_roles", []):
        phrases += words_of(words["roles"], role, language)  # a second word of the same role, too
        for state in words["usual"].get(role, []):
            phrases += words_of(words["states"], state, language)
        if role in words["positions"] and "position" not in must:
            phrases += phrases_of("position", "any", language, words)[0]
    return phrases + words["fillers"][base]


def missing_beside(orca, luna):
    """Fields that Orca said and Luna did not."""
    return [field for field, said in orca["fields"].items() if said and field != "nothing" and not luna["fields"].get(field)]


# Fields of Orca's generator that are words of a role or state; the others are texts of the program.
WORDED = {"role": "roles", "required": "states", "invalid": "states", "read_only": "states", "disabled": "states", "expanded": "states",
          "checked": "states", "pressed": "states", "on": "states", "has_menu": "states", "visited": "states"}


def keys_of(table, text):
    """The roles or states that Orca's word may mean."""
    wanted = normalise(text)
    return [key for key, entry in table.items() if wanted in map(normalise, entry["en"] + entry.get("orca", []))]


def unnamed_fields(place, orca, luna_said, language, words):
    """Fields that Orca said at the right element although the table does not ask for them, and that Luna does not say either way."""
    must, lacking = place["say"], []
    asked = {"name", "text", "value", "percent", "level", "empty"} & set(must)
    for field, spoken in orca.get("orca_fields", {}).items():
        sentence = Said(luna_said)
        if field in WORDED:
            kind = WORDED[field]
            keys = keys_of(words[kind], spoken)
            if {"roles": "role"}.get(kind, kind) in must:
                continue
            phrases = [word for key in keys for word in words_of(words[kind], key, language)]
            if keys and not sentence.take(phrases):
                lacking.append(f"{field} ({spoken})")
        elif field in ("description", "placeholder", "position") and field not in must:
            phrases = [spoken] if field != "position" else [r"re:\d+"]
            if not ({"description"} & set(must)) and not sentence.take(phrases):
                lacking.append(f"{field} ({spoken[:30]})")
        elif field == "name" and not asked and not sentence.take([spoken]):
            lacking.append(f"name ({spoken[:30]})")
    return lacking
