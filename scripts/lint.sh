#!/usr/bin/env bash
# `make lint`: formatting, clippy without warnings, shell syntax, and, if cargo-deny is installed, licences and advisories.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
scripts/setup.sh lint # exits with a message if rustfmt or clippy can't be installed
find_cargo
stage "cargo fmt"
cargo fmt --all --check
stage "cargo clippy"
cargo clippy --workspace --all-targets -- -D warnings
stage "cargo check of the programs alone"
# Built together with tests, programs may use features of libraries that only the tests enable.
cargo check --workspace --bins
stage "shell scripts"
for script in scripts/*.sh .ci/run; do bash -n "$script"; done
if command -v shellcheck >/dev/null; then
    shellcheck -x --severity=warning scripts/*.sh .ci/run
else
    note "shellcheck is not installed: only the syntax was checked."
fi
if command -v cargo-deny >/dev/null; then
    stage "cargo deny"
    cargo deny check
else
    note "cargo-deny is not installed: licences and advisories of dependencies were not checked."
fi
tell_stages
