#!/usr/bin/env bash
# `make run`: installs, builds and starts Luna. It runs on the person's desktop or, if there is no display, on a virtual desktop
# with a sample application (see demo.py). LUNA_HEADLESS=1 uses the virtual desktop even if there is a display.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
cd "$ROOT"

say "1/4 What Luna needs from the system"
GAPS=""
scripts/setup.sh run || GAPS=yes # setup.sh listed the missing packages; the rest works without them
find_cargo || die "no cargo $RUST_NEEDED or newer"

say "2/4 Building (the first time takes minutes)"
cargo build --release --workspace --bins

say "3/4 Models in $LUNA_MODELS"
"$TARGET_DIR/release/luna" models fetch default ||
    note "Not all models could be downloaded. Luna runs without them and says what it can't do; the next start tries again."

if on_real_desktop; then
    say "4/4 Luna runs on this desktop. Ctrl+Alt+Super+O (Super: the Windows key) switches reading on and off; Ctrl-C here ends it."
    exec "$TARGET_DIR/release/luna" run
fi
[ -z "$GAPS" ] || die "no display here, and the virtual desktop needs the packages listed above as NEEDED. Luna is built: $TARGET_DIR/release/luna"
say "4/4 No display here: Luna runs on a virtual desktop with a sample application"
mkdir -p "$CACHE/demo"
exec scripts/desktop-session.sh --record "$CACHE/demo/luna.wav" --compact "$ROOT/scripts/demo.py"
