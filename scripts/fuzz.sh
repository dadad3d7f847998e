#!/usr/bin/env bash
# `make fuzz`: fuzzes the parsers of foreign text and understanding, each target for FUZZ_SECONDS (600). Arguments select targets by name.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT" || exit 1
find_cargo || die "no cargo $RUST_NEEDED or newer"
FUZZ=$CACHE/tools/cargo-fuzz
if [ ! -x "$FUZZ/bin/cargo-fuzz" ]; then
    say "Installing cargo-fuzz"
    cargo install --quiet --locked --root "$FUZZ" cargo-fuzz
fi
PATH=$FUZZ/bin:$PATH
# Sanitizers need flags of nightly compilers; this variable lets a stable compiler accept them.
export RUSTC_BOOTSTRAP=1
export CARGO_TARGET_DIR=$TARGET_DIR/fuzz
SECONDS_EACH=${FUZZ_SECONDS:-600}
TARGETS=("$@")
if [ ${#TARGETS[@]} = 0 ]; then
    mapfile -t TARGETS < <(cd fuzz/fuzz_targets && ls -- *.rs | sed 's/\.rs$//')
fi
FAILED=()
for target in "${TARGETS[@]}"; do
    say "$target: $SECONDS_EACH seconds"
    corpus=$TARGET_DIR/fuzz/corpus/$target
    mkdir -p "$corpus"
    SEEDS=()
    if [ -d "fuzz/seeds/$target" ]; then SEEDS=("fuzz/seeds/$target"); fi
    cargo fuzz run "$target" "$corpus" "${SEEDS[@]}" -- \
        -max_total_time="$SECONDS_EACH" -max_len=4096 -timeout=10 -artifact_prefix="$TARGET_DIR/fuzz/" -print_final_stats=1 ||
        FAILED+=("$target")
done
if [ ${#FAILED[@]} != 0 ]; then die "findings in: ${FAILED[*]} (inputs in $TARGET_DIR/fuzz)"; fi
say "no findings"
