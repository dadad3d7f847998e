#!/bin/sh
# Lets loom explore every interleaving of the mailbox's senders and its receiver. Uses a separate target folder, because the flag rebuilds everything.
set -eu
cd "$(dirname "$0")/.."
export RUSTFLAGS="--cfg luna_loom ${RUSTFLAGS:-}"
export LOOM_MAX_PREEMPTIONS="${LOOM_MAX_PREEMPTIONS:-3}"
exec cargo test -p luna-mailbox --test loom_inbox --target-dir target/loom "$@"
