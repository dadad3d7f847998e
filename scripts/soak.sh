#!/usr/bin/env bash
# `make soak`: an hour of twentyfold use with faults on a virtual desktop; memory may grow by at most 0.1 MB in an ordinary hour of use; open files,
# threads and child processes must stay flat. SOAK_MINUTES=60 sets the duration. Writes report/soak.svg and report/soak.md; exits with 1 if something grows.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
if [ -z "${LUNA_BIN:-}" ]; then
    scripts/setup.sh test || die "needed packages are missing; see above"
    find_cargo
    cargo build --release --workspace --bins
    export LUNA_BIN=$TARGET_DIR/release/luna
    "$LUNA_BIN" models fetch test || note "Not all models could be downloaded: recognition may be missing."
fi
exec scripts/desktop-session.sh python3 scripts/soak.py "$@"
