#!/usr/bin/env bash
# `make mutants`: small deliberate breaks in six areas, and how many of them the tests notice; writes report/MUTANTS.md. It takes about an hour, so it is
# not part of `make test`. scripts/mutants.py lists its settings.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
find_cargo || die "no cargo $RUST_NEEDED or newer"
VENV=$CACHE/mutants
# A half-made environment has no `ready` and is made again.
if [ ! -e "$VENV/ready" ]; then
    rm -rf "$VENV"
    python3 -m venv "$VENV" || die "python3 with the module venv is needed"
    "$VENV/bin/pip" install --quiet tree-sitter==0.26.1 tree-sitter-rust==0.24.2 || die "tree-sitter could not be installed"
    touch "$VENV/ready"
fi
exec nice "$VENV/bin/python" -B scripts/mutants.py
