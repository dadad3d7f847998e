#!/usr/bin/env bash
# `make report-acting`: the tasks of MiniWoB++ in Chromium on a virtual desktop, and orders to real programs. Luna gets each instruction as it is, in English and
# in Korean; the page's own reward decides, and the program's own files, windows and tree. Rules only, no model. Writes report/ACTING.md and report/out/*.jsonl.
#
#   scripts/acting.sh pages [--languages en,ko] [--seeds N] [--app] [--hidden] [TASK…]    the tasks stand in scripts/acting/tasks.py
#   scripts/acting.sh programs [PROGRAM…]                                                 the programs stand in scripts/acting/programs
#   scripts/acting.sh                                                                     both; options alone mean pages
#
#   --app      a window without tabs and toolbar
#   --hidden   the instruction does not stand on the page while Luna acts
#
# With any of these the page is report/out/ACTING-tried.md: report/ACTING.md tells of whole runs only.
#
# LUNA_BIN takes a program that is built already. Half an hour for all tasks in both languages, and as long for all programs.
set -uo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
# shellcheck source=scripts/acting/pages.sh
. "$(dirname "$0")/acting/pages.sh"
cd "$ROOT" || exit 1
PART=both
case ${1:-} in
    pages | programs) PART=$1 && shift ;;
    "") ;;
    *) PART=pages ;;
esac
scripts/setup.sh test || die "needed packages are missing; see above"
[ "$PART" = programs ] || fetch_pages || die "the pages of MiniWoB++ could not be downloaded"
[ "$PART" = pages ] || scripts/setup.sh tour || note "Programs that are missing are not tried."
if [ -z "${LUNA_BIN:-}" ]; then
    find_cargo || die "no cargo $RUST_NEEDED or newer"
    cargo build --release --workspace --bins || exit 1
    export LUNA_BIN=$TARGET_DIR/release/luna
fi
# Debian's own Python, as for the tour, whose desktop it shares.
/usr/bin/python3 scripts/acting/acting_test.py || exit 1
SCRATCH=$(mktemp -d /tmp/luna-acting.XXXXXX) || die "no folder below /tmp"
trap 'rm -rf "$SCRATCH"' EXIT
mkdir -p report/out

try_programs() { # [PROGRAM…]
    local out=report/out/programs.jsonl page=report/ACTING.md program language
    if [ $# -gt 0 ]; then
        out=report/out/programs-tried.jsonl page=report/out/ACTING-tried.md
    else
        mapfile -t all < <(cd scripts/acting/programs && for file in *.yaml; do echo "${file%.yaml}"; done)
        set -- "${all[@]}"
    fi
    [ -e "$LUNA_MODELS/onnxruntime" ] || "$LUNA_BIN" models fetch test || note "No text recognition: programs without a tree can't be read."
    rm -f "$out"
    for program in "$@"; do
        # Each on a desktop of its own, so that none suffers from what another left behind.
        for language in en ko; do
            timeout 1800 scripts/desktop-session.sh --screen 1600x1000 /usr/bin/python3 scripts/acting/programs.py "$program" --out "$out" \
                --scratch "$SCRATCH" --language "$language" || note "$program, $language: the run was cut off."
        done
    done
    /usr/bin/python3 scripts/acting/programs_report.py "$out" "$page"
}
if [ "$PART" = programs ]; then
    try_programs "$@"
    exit
fi

OUT=report/out/acting.jsonl PAGE=report/ACTING.md whole=(--whole)
if [ $# -gt 0 ]; then
    OUT=report/out/acting-tried.jsonl PAGE=report/out/ACTING-tried.md whole=()
fi
languages=en,ko options=()
while [ $# -gt 0 ]; do
    case $1 in
        --languages) languages=$2 && shift ;;
        --seeds) options+=("$1" "$2") && shift ;;
        *) options+=("$1") ;;
    esac
    shift
done
rm -f "$OUT"
for language in ${languages//,/ }; do
    scripts/desktop-session.sh --screen 1600x1000 /usr/bin/python3 scripts/acting/episodes.py --pages "$MINIWOB_PAGES" --out "$OUT" \
        --scratch "$SCRATCH" --language "$language" "${options[@]}" || note "$language: the run was cut off; see ${OUT%.jsonl}.$language.log"
done
/usr/bin/python3 scripts/acting/acting_report.py "$OUT" "$PAGE" "${whole[@]}"
[ "$PART" = pages ] || try_programs
