#!/usr/bin/env bash
# `make test`: every test, on a virtual desktop, with the default models. Arguments are passed to `cargo test`.
# `make build` (scripts/test.sh --build): only the steps before the tests.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
LOG=$TARGET_DIR/test.log
LOOM_LOG=$TARGET_DIR/loom.log
BUILD_ONLY=""
if [ "${1:-}" = --build ]; then BUILD_ONLY=yes && shift; fi

stage "1/5 What the tests need from the system"
GAPS=""
scripts/setup.sh test || GAPS=yes # setup.sh listed the missing packages; tests that need none of them run
find_cargo || die "no cargo $RUST_NEEDED or newer"

stage "2/5 Building tests and programs"
# The log contains only this run.
rm -f "$LOG"
# One command, so that programs are built with the library features of the tests: two commands would build most crates twice.
# `make lint` checks that the programs do not need these features.
cargo build --workspace --bins --tests --examples

stage "3/5 Models in $LUNA_MODELS"
"$TARGET_DIR/debug/luna" models fetch test || GAPS=yes
if [ -n "$BUILD_ONLY" ]; then
    tell_stages
    [ -z "$GAPS" ] || note "needed packages or models are missing; see above"
    exit 0
fi

stage "4/5 Tests (log: $LOG)"
STATUS=0
[ $# -gt 0 ] || set -- --workspace --no-fail-fast
scripts/desktop-session.sh cargo test "$@" 2>&1 | tee "$LOG" || STATUS=$?

stage "5/5 Interleavings of the mailbox (loom)"
scripts/loom-check.sh 2>&1 | tee "$LOOM_LOG" || STATUS=$?

say "The slowest test programs"
awk '/^ *Running/ { program = $0; sub(/ \(.*/, "", program); sub(/^ *Running (unittests )?/, "", program); split($0, path, "deps/"); sub(/-[0-9a-f]*\).*/, "", path[2]) }
     /^test result:/ { sub(/s$/, "", $NF); printf "%8.1f s  %s  %s\n", $NF, path[2], program }' "$LOG" | sort -rn | sed -n 1,12p

say "Summary lines"
grep -E '^test result:|^error: |^    .*--(test|lib|bin|doc)' "$LOG" || true
grep -E '^test .* (FAILED|failed)' "$LOG" "$LOOM_LOG" || true
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "==> %d tests passed, %d failed, %d ignored\n", passed, failed, ignored }' "$LOG"
tell_stages
[ -z "$GAPS" ] || die "needed packages or models are missing; see above"
exit $STATUS
