#!/usr/bin/env bash
# `make mutants`: small deliberate breaks in five areas, and how many of them the tests notice; writes report/MUTANTS.md. Takes about an hour, so it is
# no part of `make test`. What can be set stands in scripts/mutants.py.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
find_cargo || die "no cargo $RUST_NEEDED or newer"
VENV=$CACHE/mutants
# Made whole or not at all.
if [ ! -e "$VENV/ready" ]; then
    rm -rf "$VENV"
    python3 -m venv "$VENV" || die "python3 with its module venv is needed"
    "$VENV/bin/pip" install --quiet tree-sitter==0.26.1 tree-sitter-rust==0.24.2 || die "tree-sitter could not be installed"
    touch "$VENV/ready"
fi
exec nice "$VENV/bin/python" -B scripts/mutants.py
