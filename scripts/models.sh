#!/usr/bin/env bash
# `make models`: downloads the default models into .cache/models (or LUNA_MODELS).
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"
scripts/setup.sh build
find_cargo
cargo build --release --bin luna
exec "$TARGET_DIR/release/luna" models fetch default
