#!/usr/bin/env python3
"""Breaks Luna on purpose and counts how many breaks the tests notice; `make mutants`, written to report/MUTANTS.md.

For each area, a seeded sample of small changes is built into one copy of its crate, each behind a switch (`if crate::mutants::on(17) { changed } else {
original }`). The crate is compiled once, and the area's tests run once for each change, with LUNA_MUTANT=17. Changes that do not compile, and places that are
not expressions (constants, patterns, arguments of macros), are left out. A change is caught if a test fails or a test binary crashes or hangs.

MUTANTS_AREAS    areas, separated by spaces (all)
MUTANTS_SAMPLE   changes for each area (200)
MUTANTS_SEED     seed of the sample (8)
MUTANTS_ONLY     "survived": tries only the changes of the sample that survived last time or were not tried; the other verdicts are kept
"""

import json
import os
import random
import re
import shutil
import signal
import subprocess
import sys
import threading
import time
from dataclasses import dataclass, field
from pathlib import Path

import tree_sitter
import tree_sitter_rust

ROOT = Path(__file__).resolve().parent.parent
SCRATCH = Path(os.environ.get("MUTANTS_SCRATCH", ROOT / "target/mutants"))
REPORT = Path(os.environ.get("MUTANTS_REPORT", ROOT / "report"))
SAMPLE = int(os.environ.get("MUTANTS_SAMPLE", "200"))
SEED = int(os.environ.get("MUTANTS_SEED", "8"))
ONLY_SURVIVORS = os.environ.get("MUTANTS_ONLY") == "survived"
GOAL = 0.85
PARSER = tree_sitter.Parser(tree_sitter.Language(tree_sitter_rust.language()))


@dataclass
class Area:
    """A part of Luna and the tests that cover it: (arguments of cargo test, filters of test names, and their package if it differs)."""

    name: str
    package: str
    files: list
    tests: list


AREAS = [
    Area(
        "mailbox",
        "luna-mailbox",
        ["priority_lanes.rs", "mailbox.rs"],
        [
            (["--lib"], ["priority_lanes::", "mailbox::"]),
            *[(["--test", name], [], "luna-actor-runtime") for name in ("mailbox", "supervision", "ending")],
        ],
    ),
    Area(
        "inbox",
        "luna-actor-runtime",
        ["inbox.rs", "inbox/*.rs"],
        [(["--lib"], ["inbox::"]), (["--test", "mailbox"], []), (["--test", "supervision"], []), (["--test", "ending"], [])],
    ),
    Area(
        "supervisor",
        "luna-actor-runtime",
        ["supervisor.rs", "supervisor/*.rs", "restart.rs"],
        [(["--lib"], ["restart::", "supervisor::"]), (["--test", "tree"], []), (["--test", "supervision"], []), (["--test", "ending"], [])],
    ),
    # The tables of single cases run first: they are fast and catch most changes.
    Area(
        "ledger",
        "luna-ledger",
        ["*.rs"],
        [
            (["--lib"], [f"tests::{name}" for name in ("rules", "eviction", "turns", "placement", "status")]),
            (["--lib"], ["tests::bound", "tests::reference"]),
        ],
    ),
    Area("focus", "luna-focus", ["machine.rs", "machine/*.rs"], [(["--lib"], ["machine::"])]),
    Area("preservation", "luna-preservation", ["*.rs", "**/*.rs"], [(["--lib"], []), (["--test", "lock_pairs"], [])]),
]


@dataclass
class Mutant:
    """A change of the bytes `start..end` of a file; `template` combines `on(N)` with the original text."""

    file: str
    start: int
    end: int
    line: int
    kind: str
    was: str
    template: str
    number: int = 0
    verdict: str = ""
    key: str = field(default="")


# ---- finding ---------------------------------------------------------------------------------------------------------------

SWAPS = {
    "==": ["!="],
    "!=": ["=="],
    "<": ["<=", ">="],
    "<=": ["<", ">"],
    ">": [">=", "<="],
    ">=": [">", "<"],
    "&&": ["||"],
    "||": ["&&"],
    "+": ["-"],
    "-": ["+"],
    "*": ["+"],
    "/": ["*"],
    "%": ["+"],
}
METHODS = {
    "min": "max",
    "max": "min",
    "is_some": "is_none",
    "is_none": "is_some",
    "is_ok": "is_err",
    "is_err": "is_ok",
    "any": "all",
    "all": "any",
    "is_some_and": "is_none_or",
    "is_none_or": "is_some_and",
    "first": "last",
    "last": "first",
    "min_by_key": "max_by_key",
    "max_by_key": "min_by_key",
    "take_while": "skip_while",
    "starts_with": "ends_with",
    "ends_with": "starts_with",
    "saturating_add": "saturating_sub",
    "pop_front": "pop_back",
    "pop_back": "pop_front",
    "push_front": "push_back",
    "push_back": "push_front",
}
INTEGERS = {f"{sign}{bits}" for sign in "ui" for bits in ("8", "16", "32", "64", "128", "size")}
# Statements whose effect no test has to notice.
UNTESTED = ("tracing::", "debug_assert", "assert")


def returned(kind):
    """Values that a function of this return type can return early."""
    if kind is None:
        return ["()"]
    kind = re.sub(r"\s+", " ", kind).strip()
    if kind == "bool":
        return ["true", "false"]
    if kind in INTEGERS:
        return ["0", "1"]
    if kind.startswith("Option<"):
        return ["None"]
    if kind.startswith("Vec<"):
        return ["Vec::new()"]
    if kind == "String":
        return ["String::new()"]
    if kind == "Duration":
        return ["std::time::Duration::ZERO"]
    if re.match(r"Result<\(\)[,>]", kind):
        return ["Ok(())"]
    return []


def text_of(source, node):
    return source[node.start_byte : node.end_byte].decode()


def is_test(source, node):
    """An item behind #[cfg(test)], #[test], #[cfg(luna_loom)] or in a module of tests."""
    before = node.prev_named_sibling
    while before is not None and before.type in ("attribute_item", "line_comment", "block_comment"):
        words = text_of(source, before)
        if before.type == "attribute_item" and ("cfg(test)" in words or "cfg(luna_loom)" in words or words == "#[test]"):
            return True
        before = before.prev_named_sibling
    return False


def takes_the_rest(source, arm):
    """Whether a later arm of the match has a catch-all pattern."""
    after = arm.next_named_sibling
    while after is not None:
        pattern = after.child_by_field_name("pattern") if after.type == "match_arm" else None
        if pattern is not None and re.fullmatch(r"_|[a-z_]+", text_of(source, pattern)):
            return True
        after = after.next_named_sibling
    return False


def find(file, source):
    found = []

    def add(node, kind, template, was=None):
        found.append(Mutant(file, node.start_byte, node.end_byte, node.start_point[0] + 1, kind, was or text_of(source, node), template))

    def visit(node):
        kind = node.type
        if kind in ("const_item", "static_item", "attribute_item", "inner_attribute_item", "macro_definition", "token_tree", "enum_item", "struct_item", "const_block"):
            return
        if kind in ("mod_item", "function_item", "impl_item", "use_declaration") and is_test(source, node):
            return
        if kind == "function_item":
            head = text_of(source, node).split("{", 1)[0]
            name, body = node.child_by_field_name("name"), node.child_by_field_name("body")
            if re.search(r"\bconst\s+(unsafe\s+)?fn\b", head) or text_of(source, name) == "fmt" or body is None:
                return
            kind_of = node.child_by_field_name("return_type")
            for value in returned(text_of(source, kind_of) if kind_of is not None else None):
                what = f"the body of {text_of(source, name)} → {value}"
                add(body, what, "{ if @ON { return " + value + "; } @ORIGINAL }", was=f"fn {text_of(source, name)}")
        elif kind == "binary_expression":
            left, operator, right = node.child_by_field_name("left"), node.child_by_field_name("operator"), node.child_by_field_name("right")
            word = text_of(source, operator)
            if "let " not in text_of(source, node).split("{")[0]:
                for other in SWAPS.get(word, []):
                    changed = f"{text_of(source, left)} {other} {text_of(source, right)}"
                    add(node, f"{word} → {other}", "(if @ON { " + changed + " } else { @ORIGINAL })")
        elif kind == "unary_expression" and text_of(source, node).startswith("!"):
            add(node, "! dropped", "(if @ON { " + text_of(source, node)[1:] + " } else { @ORIGINAL })")
        elif kind in ("if_expression", "while_expression"):
            condition = node.child_by_field_name("condition")
            if condition is not None and condition.type not in ("let_condition", "let_chain"):
                add(condition, "condition negated", "(@ON ^ (@ORIGINAL))")
            elif condition is not None and condition.type == "let_chain":
                for part in condition.named_children:
                    if part.type != "let_condition":
                        add(part, "condition negated", "(@ON ^ (@ORIGINAL))")
        elif kind == "match_arm":
            pattern = node.child_by_field_name("pattern")
            guard = pattern.child_by_field_name("condition") if pattern is not None else None
            if guard is not None and guard.type not in ("let_condition", "let_chain"):
                add(guard, "guard → true", "(@ON || (@ORIGINAL))")
                add(guard, "guard → false", "(!@ON && (@ORIGINAL))")
            elif guard is None and pattern is not None and takes_the_rest(source, node):
                # A later catch-all arm then handles the case.
                add(pattern, "arm dropped", "@ORIGINAL if !@ON")
        elif kind == "expression_statement":
            inner = node.named_children[0] if node.named_children else None
            words = text_of(source, node)
            droppable = inner is not None and inner.type in ("call_expression", "assignment_expression", "compound_assignment_expr", "macro_invocation", "await_expression", "try_expression")
            if droppable and words.endswith(";") and not words.startswith(UNTESTED):
                add(node, "statement dropped", "if !@ON { @ORIGINAL }")
            if inner is not None and inner.type == "compound_assignment_expr":
                operator = inner.child_by_field_name("operator")
                other = {"+=": "-=", "-=": "+=", "|=": "&=", "&=": "|="}.get(text_of(source, operator))
                if other:
                    changed = f"{text_of(source, inner.child_by_field_name('left'))} {other} {text_of(source, inner.child_by_field_name('right'))};"
                    add(node, f"{text_of(source, operator)} → {other}", "if @ON { " + changed + " } else { @ORIGINAL }")
        elif kind == "integer_literal":
            words = text_of(source, node)
            if re.fullmatch(r"[0-9_]+", words) and node.parent.type not in ("match_pattern", "range_pattern", "or_pattern", "tuple_pattern", "tuple_struct_pattern", "array_type", "slice_pattern", "field_expression", "captured_pattern", "field_pattern", "literal_pattern"):
                value = int(words.replace("_", ""))
                add(node, f"{words} → {value + 1}", "(if @ON { " + str(value + 1) + " } else { @ORIGINAL })")
                if value > 0:
                    add(node, f"{words} → {value - 1}", "(if @ON { " + str(value - 1) + " } else { @ORIGINAL })")
        elif kind == "boolean_literal" and node.parent.type not in ("match_pattern", "or_pattern", "tuple_pattern", "tuple_struct_pattern", "field_pattern"):
            other = "false" if text_of(source, node) == "true" else "true"
            add(node, f"{text_of(source, node)} → {other}", "(@ON ^ @ORIGINAL)")
        elif kind == "call_expression":
            function = node.child_by_field_name("function")
            if function.type == "field_expression":
                name = text_of(source, function.child_by_field_name("field"))
                if name in METHODS:
                    part = function.child_by_field_name("field")
                    changed = source[node.start_byte : part.start_byte].decode() + METHODS[name] + source[part.end_byte : node.end_byte].decode()
                    add(node, f"{name} → {METHODS[name]}", "(if @ON { " + changed + " } else { @ORIGINAL })")
        elif kind == "range_expression":
            words = [child for child in node.children if not child.is_named and child.type in ("..", "..=")]
            if words and len(node.named_children) == 2:
                other = "..=" if words[0].type == ".." else ".."
                changed = source[node.start_byte : words[0].start_byte].decode() + other + source[words[0].end_byte : node.end_byte].decode()
                if node.parent.type in ("index_expression",):
                    whole = node.parent
                    index = source[whole.start_byte : node.start_byte].decode() + changed + source[node.end_byte : whole.end_byte].decode()
                    before = whole.parent
                    if before.type == "reference_expression":
                        lead = source[before.start_byte : whole.start_byte].decode()
                        add(before, f"{words[0].type} → {other}", "(if @ON { " + lead + index + " } else { @ORIGINAL })")
        for child in node.children:
            # Type arguments and parameters contain no expressions.
            if child.type not in ("type_arguments", "type_parameters", "parameters"):
                visit(child)

    visit(PARSER.parse(source).root_node)
    return found


# ---- building --------------------------------------------------------------------------------------------------------------

SWITCH = """
/// The deliberate break that is active.
#[allow(missing_docs, clippy::all, clippy::pedantic)]
pub mod mutants {
    pub fn on(number: u32) -> bool {
        static ON: std::sync::OnceLock<u32> = std::sync::OnceLock::new();
        *ON.get_or_init(|| std::env::var("LUNA_MUTANT").ok().and_then(|text| text.parse().ok()).unwrap_or(0)) == number
    }
}
"""


def render(source, mutants):
    """The source with all changes built in, each between markers so that a compiler error can be traced to it."""
    mutants = sorted(mutants, key=lambda m: (m.start, -m.end, m.number))

    def part(start, end, inside):
        out, at, index = [], start, 0
        while index < len(inside):
            outer = inside[index]
            same = [m for m in inside[index:] if (m.start, m.end) == (outer.start, outer.end)]
            deeper = [m for m in inside[index:] if outer.start <= m.start and m.end <= outer.end and m not in same]
            out.append(source[at : outer.start].decode())
            text = part(outer.start, outer.end, deeper)
            for mutant in same:
                built = mutant.template.replace("@ON", f"crate::mutants::on({mutant.number})").replace("@ORIGINAL", text)
                text = f"/*<{mutant.number}*/{built}/*{mutant.number}>*/"
            out.append(text)
            at = outer.end
            index += len(same) + len(deeper)
        out.append(source[at:end].decode())
        return "".join(out)

    return part(0, len(source), mutants)


def crate_folder(area):
    return "crates/" + area.package.removeprefix("luna-")


def copy_workspace(copy, instead):
    """Copies the files that git lists, some with other contents. Identical files are not written again, so that cargo does not rebuild them."""
    names = subprocess.run(["git", "-c", "safe.directory=*", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, capture_output=True, check=True).stdout
    for name in names.decode().split("\0"):
        if name and (ROOT / name).is_file():
            target = copy / name
            data = instead[name].encode() if name in instead else (ROOT / name).read_bytes()
            if not target.exists() or target.read_bytes() != data:
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_bytes(data)


def build(area, copy):
    """Builds the tests. Returns (executables in the order of area.tests, errors as [(file, byte, message)])."""
    executables, errors = [], []
    for arguments, filters, *package in area.tests:
        command = ["cargo", "test", "--no-run", "--message-format=json", "-p", *(package or [area.package]), *arguments]
        env = dict(os.environ, CARGO_TARGET_DIR=str(SCRATCH / "build"))
        done = subprocess.run(command, cwd=copy, env=env, capture_output=True, text=True)
        for line in done.stdout.splitlines():
            try:
                message = json.loads(line)
            except ValueError:
                continue
            if message.get("reason") == "compiler-message" and message["message"]["level"] == "error":
                spans = [s for s in message["message"]["spans"] if s["is_primary"]] or message["message"]["spans"]
                errors += [(s["file_name"], s["byte_start"], message["message"]["message"]) for s in spans]
            if message.get("reason") == "compiler-artifact" and message.get("executable") and message["profile"]["test"]:
                executables.append((message["executable"], filters))
        if done.returncode and not errors:
            raise SystemExit(f"the build of {area.name} failed for another reason than a change:\n{done.stderr[-3000:]}")
        if errors:
            return [], errors
    return executables, []


def culprits(copy, errors, texts):
    """Numbers of the innermost changes around each error."""
    bad = set()
    for file, at, message in errors:
        text = texts.get(file)
        if text is None:
            continue
        before = text.encode()[:at].decode(errors="ignore")
        open_ones = []
        for mark in re.finditer(r"/\*<(\d+)\*/|/\*(\d+)>\*/", before):
            if mark.group(1):
                open_ones.append(int(mark.group(1)))
            elif open_ones and open_ones[-1] == int(mark.group(2)):
                open_ones.pop()
        if open_ones:
            bad.add(open_ones[-1])
        else:
            # The error is reported after the change: blame the last change before it.
            closed = [int(m.group(1)) for m in re.finditer(r"/\*(\d+)>\*/", before)]
            bad.update(closed[-1:])
    return bad


def prepare(area, copy):
    """Chooses the sample, builds it in and drops changes that do not compile. Returns the mutants, the executables and both counts."""
    folder = ROOT / crate_folder(area) / "src"
    files = sorted({path for pattern in area.files for path in folder.glob(pattern)})
    files = [path for path in files if "tests" not in path.parts and path.name != "tests.rs"]
    sources = {str(path.relative_to(ROOT)): path.read_bytes() for path in files}
    everything = [mutant for file, source in sources.items() for mutant in find(file, source)]
    random.Random(SEED).shuffle(everything)
    for number, mutant in enumerate(everything, 1):
        mutant.number = number
        mutant.key = f"{mutant.file}|{mutant.kind}|{mutant.was}|{mutant.line}"
    chosen, spare, dropped = everything[: SAMPLE * 8 // 5], everything[SAMPLE * 8 // 5 :], 0
    manifest, root = f"{crate_folder(area)}/Cargo.toml", f"{crate_folder(area)}/src/lib.rs"
    others = {
        manifest: (ROOT / manifest).read_text().replace("[lints]\nworkspace = true\n", ""),
        root: (ROOT / root).read_text() + SWITCH,
    }
    while True:
        texts = {file: render(source, [m for m in chosen if m.file == file]) for file, source in sources.items()}
        if root in texts:
            texts[root] += SWITCH
        copy_workspace(copy, {**others, **texts})
        executables, errors = build(area, copy)
        # The next area overwrites executables of the same names.
        executables = [(shutil.copy(path, copy / f"tests-{index}"), filters) for index, (path, filters) in enumerate(executables)]
        if executables:
            break
        bad = culprits(copy, errors, texts)
        if not bad:
            raise SystemExit(f"{area.name}: no change explains these errors: {errors[:5]}")
        dropped += len(bad)
        chosen = [m for m in chosen if m.number not in bad]
        while len(chosen) < SAMPLE and spare:
            chosen += [spare.pop(0) for _ in range(min(60, len(spare)))]
        print(f"{area.name}: {len(bad)} changes do not compile", flush=True)
    return chosen[:SAMPLE], executables, len(everything), dropped


# ---- running ---------------------------------------------------------------------------------------------------------------


def run_tests(executables, number, copy, package, limits):
    """(verdict, seconds). Stops at the first test that fails."""
    begin = time.monotonic()
    for index, (executable, filters) in enumerate(executables):
        limit = limits[index] if limits else 600
        env = dict(os.environ, LUNA_MUTANT=str(number), RUST_BACKTRACE="0", PROPTEST_DISABLE_FAILURE_PERSISTENCE="1", PROPTEST_RNG_SEED=str(SEED))
        env.setdefault("RUST_TEST_THREADS", "2")
        child = subprocess.Popen([executable, *filters], cwd=copy / package, env=env, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL, start_new_session=True, text=True, errors="replace")

        def end():
            try:
                os.killpg(child.pid, signal.SIGKILL)
            except ProcessLookupError:
                pass

        hung = []
        timer = threading.Timer(limit, lambda: (hung.append(True), end()))
        timer.start()
        failed, ran = None, 0
        for line in child.stdout:
            ran += line.startswith("test ")
            if line.startswith("test ") and "FAILED" in line:
                failed = line.split()[1]
                end()
                break
        child.wait()
        timer.cancel()
        if failed:
            return f"caught by {failed}", time.monotonic() - begin
        if hung:
            return "caught: the tests hang", time.monotonic() - begin
        if child.returncode != 0:
            return f"caught: the tests end with {child.returncode}", time.monotonic() - begin
        if number == 0 and ran == 0:
            raise SystemExit(f"{executable}: no test name matches any of {filters}")
    return "survived", time.monotonic() - begin


def save_verdicts(area, mutants, everything, dropped):
    """Saves the verdicts so far, so that an interrupted run is not lost."""
    shown = [
        dict(key=m.key, file=m.file, line=m.line, kind=m.kind, was=" ".join(m.was.split())[:160], verdict=m.verdict, number=m.number)
        for m in mutants
        if m.verdict
    ]
    data = dict(area=area.name, everything=everything, dropped=dropped, mutants=shown)
    (SCRATCH / f"{area.name}.json").write_text(json.dumps(data, indent=1, ensure_ascii=False))


def main():
    wanted = os.environ.get("MUTANTS_AREAS", "").split() or [area.name for area in AREAS]
    REPORT.mkdir(parents=True, exist_ok=True)
    for area in sorted((area for area in AREAS if area.name in wanted), key=lambda area: wanted.index(area.name)):
        copy, kept = SCRATCH / area.name, SCRATCH / f"{area.name}.json"
        copy.mkdir(parents=True, exist_ok=True)
        before = {}
        if ONLY_SURVIVORS and kept.exists():
            before = {m["key"]: m for m in json.loads(kept.read_text())["mutants"]}
        mutants, executables, everything, dropped = prepare(area, copy)
        limits = []
        for one in executables:
            verdict, seconds = run_tests([one], 0, copy, crate_folder(area), None)
            if verdict != "survived":
                raise SystemExit(f"{area.name}: the tests fail without a change: {verdict}")
            limits.append(seconds * 3 + 20)
        print(f"{area.name}: {len(mutants)} of {everything} changes; unchanged the tests take {sum(limits) / 3 - 20 * len(limits) / 3:.1f} s", flush=True)
        for mutant in mutants:
            old = before.get(mutant.key)
            if old and old["verdict"].startswith("caught"):
                mutant.verdict = old["verdict"]
        for index, mutant in enumerate(mutants):
            if mutant.verdict:
                continue
            mutant.verdict, seconds = run_tests(executables, mutant.number, copy, crate_folder(area), limits)
            save_verdicts(area, mutants, everything, dropped)
            if mutant.verdict == "survived":
                print(f"{area.name}: survived ({seconds:.0f} s): {mutant.file}:{mutant.line}: {mutant.kind}: {' '.join(mutant.was.split())[:100]}", flush=True)
            elif index % 20 == 0:
                print(f"{area.name}: {index}: {mutant.verdict} ({seconds:.1f} s)", flush=True)
        save_verdicts(area, mutants, everything, dropped)
        caught = sum(m.verdict.startswith("caught") for m in mutants)
        print(f"{area.name}: {caught} of {len(mutants)} caught, {caught / len(mutants):.1%}", flush=True)
    sys.exit(write_report())


def note_on(notes, mutant):
    """The note on a survivor in report/mutants.json, found by file, change and text; if these are ambiguous (`1 → 0` of `1`), by the whole line as well."""
    key = f"{mutant['file']}|{mutant['kind']}|{mutant['was']}"
    lines = (ROOT / mutant["file"]).read_text().splitlines()
    line = lines[mutant["line"] - 1].strip() if mutant["line"] <= len(lines) else ""
    survivors = notes.get("survivors", {})
    return survivors.get(f"{key}|{line}") or survivors.get(key, "")


def write_report():
    """Writes report/MUTANTS.md for all areas that were run, with the notes on survivors from report/mutants.json."""
    notes_file = REPORT / "mutants.json"
    notes = json.loads(notes_file.read_text()) if notes_file.exists() else {}
    lines = [
        "# Deliberate breaks",
        "",
        f"Written by `make mutants`: for each area {SAMPLE} small changes, sampled with seed {SEED}; a change is caught if a test of the area fails, crashes or hangs.",
        "The notes on survivors come from `report/mutants.json`.",
        "",
        "| area | possible changes | sampled | caught | share | first run |",
        "|---|---|---|---|---|---|",
    ]
    survivors, code = [], 0
    for area in AREAS:
        kept = SCRATCH / f"{area.name}.json"
        if not kept.exists():
            continue
        data = json.loads(kept.read_text())
        caught = [m for m in data["mutants"] if m["verdict"].startswith("caught")]
        share = caught and len(caught) / len(data["mutants"]) or 0
        code |= share < GOAL
        first = notes.get("first", {}).get(area.name, "")
        lines.append(f"| {area.name} | {data['everything']} | {len(data['mutants'])} | {len(caught)} | {share:.1%} | {first} |")
        survivors += [(area.name, m) for m in data["mutants"] if m["verdict"] == "survived"]
    lines += ["", "## Survivors", "", "| area | place | change | of | note |", "|---|---|---|---|---|"]
    for name, m in survivors:
        note = note_on(notes, m)
        was, kind = (text.replace("|", "\\|") for text in (m["was"][:90], m["kind"]))
        lines.append(f"| {name} | {m['file'].split('src/')[-1]}:{m['line']} | {kind} | `{was}` | {note} |")
    (REPORT / "MUTANTS.md").write_text("\n".join(lines) + "\n")
    print("\n".join(lines))
    return int(code)


if __name__ == "__main__":
    main()
