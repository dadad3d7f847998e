#!/usr/bin/env bash
# Trains the model that tells orders from talk, and measures it:
#
#   scripts/train-talk.sh DATA [OUT]
#
# DATA is the folder that holds 3i4k, clinc150, talk and snips-2017; requests to agents are read from 9-tool-calls
# and 11-clarification beside it, labels of programs from 8-translation and 10-ui-trees. OUT is
# models/order-or-talk/order-or-talk.bin unless given; the figures go into measured.md beside it, wrong sentences to standard output. The same data give the same file. Takes a minute.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
DATA=${1:?usage: scripts/train-talk.sh DATA [OUT]}
OUT=${2:-$ROOT/models/order-or-talk/order-or-talk.bin}
find_cargo || die "no cargo $RUST_NEEDED or newer"
cargo build --manifest-path "$ROOT/crates/nlu/Cargo.toml" --release --example train_talk
"$TARGET_DIR/release/examples/train_talk" "$DATA" "$OUT"
say "$OUT: $(wc -c <"$OUT") bytes; figures: $(dirname "$OUT")/measured.md"
