#!/usr/bin/env bash
# `make tour`: real programs on a virtual desktop, what Luna says at their places and what Orca says beside it; writes report/TOUR.md.
#
#   scripts/tour.sh [PROGRAM…] [--languages ko,en] [--no-orca]    the programs are the files of tests/tour/places
#   scripts/tour.sh delays [EVENTS] [--pointer]                   how long after a focus event, or after the pointer came to rest, words are
#                                                                 decided and sound begins
#
# LUNA_BIN takes a program that is built already. Half an hour for all programs.
set -uo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT" || exit 1
scripts/setup.sh tour || note "Programs that are missing will be told in the report."
if [ -z "${LUNA_BIN:-}" ]; then
    find_cargo || die "no cargo $RUST_NEEDED or newer"
    cargo build --release --workspace --bins || exit 1
    export LUNA_BIN=$TARGET_DIR/release/luna
    "$LUNA_BIN" models fetch test || note "Not all models could be downloaded: recognition may be missing."
fi
# Debian's own Python, which has the bindings of the accessibility tree.
SCRATCH=$(mktemp -d /tmp/luna-tour.XXXXXX) || die "no folder below /tmp"
trap 'rm -rf "$SCRATCH"' EXIT
if [ "${1:-}" = delays ]; then
    scripts/desktop-session.sh --screen 1600x1000 /usr/bin/python3 scripts/tour/delays.py --scratch "$SCRATCH" --events "${2:-60}" "${@:3}"
    exit
fi
OUT=report/out/tour
programs=() options=()
while [ $# -gt 0 ]; do
    case $1 in
        --languages) options+=("$1" "$2") && shift ;;
        -*) options+=("$1") ;;
        *) programs+=("$1") ;;
    esac
    shift
done
if [ ${#programs[@]} = 0 ]; then
    rm -rf "$OUT"
    mapfile -t programs < <(/usr/bin/python3 -c "import sys; sys.path.insert(0, 'scripts/tour'); import tables; print(*tables.names(), sep='\n')")
fi
mkdir -p "$OUT"
# Each program has a desktop of its own, so that none suffers from what another left behind.
for program in "${programs[@]}"; do
    timeout 1200 scripts/desktop-session.sh --screen 1600x1000 \
        /usr/bin/python3 scripts/tour/tour.py "$program" "${options[@]}" --scratch "$SCRATCH" --out "$OUT" ||
        note "$program: the tour was cut off; see $OUT"
done
/usr/bin/python3 scripts/tour/report.py "$OUT" report/TOUR.md
