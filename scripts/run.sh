#!/usr/bin/env bash
# `make run`: from nothing to Luna running. On a desktop it runs there; if there is no display, on a virtual one of its own
# that shows a sample application (see demo.py). LUNA_HEADLESS=1 asks for the virtual one although there is a display.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"

say "1/4 What Luna needs from the system"
GAPS=""
scripts/setup.sh run || GAPS=yes # what is missing was listed; what can be done without it is done
find_cargo || die "no cargo $RUST_NEEDED or newer"

say "2/4 Building (the first time takes minutes)"
cargo build --release --workspace --bins

say "3/4 Models in $LUNA_MODELS"
"$TARGET_DIR/release/luna" models fetch default ||
    note "Not all models could be fetched. Luna runs without them and says what it can't do; the next start tries again."

if on_real_desktop; then
    say "4/4 Luna runs on this desktop. Ctrl+Alt+L switches reading on and off; Ctrl-C here ends it."
    exec "$TARGET_DIR/release/luna" run
fi
[ -z "$GAPS" ] || die "no display here, and the virtual desktop needs what is listed above as NEEDED. Luna is built: $TARGET_DIR/release/luna"
say "4/4 No display here: Luna runs on a virtual desktop with a sample application"
mkdir -p "$CACHE/demo"
exec scripts/desktop-session.sh --record "$CACHE/demo/luna.wav" --compact "$ROOT/scripts/demo.py"
