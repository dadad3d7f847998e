#!/usr/bin/env bash
# `make test`: every test, on a virtual desktop, with the default models. Arguments are handed to `cargo test`.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
LOG=$TARGET_DIR/test.log

say "1/5 What the tests need from the system"
GAPS=""
scripts/setup.sh test || GAPS=yes # what is missing was listed; the tests that can run do
find_cargo || die "no cargo $RUST_NEEDED or newer"

say "2/5 Building the programs"
cargo build --workspace --bins

say "3/5 Models in $LUNA_MODELS"
"$TARGET_DIR/debug/luna" models fetch test || GAPS=yes

say "4/5 Tests (log: $LOG)"
mkdir -p "$TARGET_DIR"
STATUS=0
[ $# -gt 0 ] || set -- --workspace --no-fail-fast
scripts/desktop-session.sh cargo test "$@" 2>&1 | tee "$LOG" || STATUS=$?

say "5/5 Interleavings of the inbox (loom)"
scripts/loom-check.sh || STATUS=$?

say "Closing lines"
grep -E '^test result:|^error: |^    .*--(test|lib|bin|doc)' "$LOG" || true
grep -E '^test .* (FAILED|failed)' "$LOG" || true
awk '/^test result:/ { passed += $4; failed += $6; ignored += $8 }
     END { printf "==> %d tests passed, %d failed, %d ignored\n", passed, failed, ignored }' "$LOG"
[ -z "$GAPS" ] || die "needed packages or models are missing; see above"
exit $STATUS
