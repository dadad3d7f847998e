#!/usr/bin/env bash
# `make report`: runs the benches on a virtual desktop and writes report/REPORT.md. Takes a while; run it on an idle machine.
#
#   scripts/report.sh [BENCH…]    with names, only these are run, and the other sections of the page stay as they are
set -uo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT" || exit 1
# Lines of package and bench.
BENCHES="luna-actor-runtime inbox
luna-listening listening
luna-engine-stt listen_window
luna-engine-ocr ocr
luna-actor-tts speech
luna-platform accessibility
luna start
luna automation
luna preempt
luna listening
luna lock
luna understand
luna-engine-llm llm"

if [ "${1:-}" != inside ]; then
    scripts/setup.sh test || exit 1
    find_cargo || die "no cargo $RUST_NEEDED or newer"
    cargo build --release --workspace --bins || exit 1
    "$TARGET_DIR/release/luna" models fetch test || exit 1
    exec scripts/desktop-session.sh scripts/report.sh inside "$@"
fi
shift

find_cargo
FAILED=() ONLY=()
[ $# -eq 0 ] || ONLY=(--only)
rm -rf "$TARGET_DIR/report"
mkdir -p "$TARGET_DIR/report"
while read -r package bench; do
    if [ $# -gt 0 ] && [[ " $* " != *" $bench "* ]]; then continue; fi
    say "$package: $bench"
    cargo bench -p "$package" --bench "$bench" </dev/null || FAILED+=("$package:$bench")
done <<<"$BENCHES"
python3 scripts/report.py "$TARGET_DIR/report" report/REPORT.md "${ONLY[@]}" "${FAILED[@]}"
