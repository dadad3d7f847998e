#!/usr/bin/env bash
# `make simulate`: a hundred thousand seeds of tests/simulation.rs on all cores, optimised, with progress. LUNA_SIM_SEEDS=a..b selects other seeds.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
find_cargo || die "no cargo $RUST_NEEDED or newer"
export LUNA_SIM_SEEDS=${LUNA_SIM_SEEDS:-0..100000} RUST_BACKTRACE=${RUST_BACKTRACE:-0}
exec cargo test --release -p luna --test simulation random -- --nocapture
