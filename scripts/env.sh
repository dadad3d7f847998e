# Sourced by the other scripts: paths, messages to the person, helpers.
# shellcheck shell=bash

ROOT=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
CACHE=$ROOT/.cache
export TARGET_DIR=${CARGO_TARGET_DIR:-$ROOT/target}
RUST_NEEDED=$(sed -n 's/^rust-version = "\(.*\)"/\1/p' "$ROOT/Cargo.toml")
export LUNA_MODELS=${LUNA_MODELS:-$CACHE/models}
# Needed if TARGET_DIR is elsewhere: the program looks for the file beside itself and in the folders above.
export LUNA_ORDER_OR_TALK=${LUNA_ORDER_OR_TALK:-$ROOT/models/order-or-talk/order-or-talk.bin}
# Tools that were unpacked without being installed (see setup.sh).
export PATH=$PATH:$CACHE/tools/usr/bin

# ccache reuses compiled C++ across target folders.
if command -v ccache >/dev/null; then
    export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache CCACHE_NOHASHDIR=1 CCACHE_BASEDIR=$ROOT
fi

say() { printf '\033[1m==>\033[0m %s\n' "$*" >&2; }
note() { printf '    %s\n' "$*" >&2; }
die() {
    printf '\033[1mluna:\033[0m %s\n' "$*" >&2
    exit 1
}
# No escape sequences without a terminal.
if [ ! -t 2 ]; then
    say() { printf '==> %s\n' "$*" >&2; }
    die() {
        printf 'luna: %s\n' "$*" >&2
        exit 1
    }
fi

# stage NAME: prints a heading. tell_stages prints how long each stage took; the file $LUNA_STEPS gets the same lines, for the calling script.
STAGE=""
STAGE_BEGIN=0
STAGE_LINES=()
stage() {
    end_stage
    STAGE=$1 STAGE_BEGIN=$SECONDS
    say "$1"
}
end_stage() {
    [ -n "$STAGE" ] || return 0
    STAGE_LINES+=("$(printf '%6d s  %s' $((SECONDS - STAGE_BEGIN)) "$STAGE")")
    if [ -n "${LUNA_STEPS:-}" ]; then printf '%s\n' "${STAGE_LINES[-1]}" >>"$LUNA_STEPS"; fi
    STAGE=""
}
tell_stages() {
    end_stage
    say "Times"
    local line
    for line in "${STAGE_LINES[@]}"; do note "$line"; done
}

# at_least HAVE WANT: compares dotted version numbers.
at_least() { [ "$(printf '%s\n%s\n' "$2" "$1" | sort -V | head -n 1)" = "$2" ]; }

# Puts a cargo that is new enough first on PATH; fails if there is none.
find_cargo() {
    local dir version
    for dir in "" "${CARGO_HOME:-$HOME/.cargo}/bin" /usr/bin; do
        if [ -n "$dir" ] && [ ! -x "$dir/cargo" ]; then continue; fi
        # From the root directory, so that no toolchain override of a checkout applies.
        version=$(cd / && "${dir:+$dir/}cargo" --version 2>/dev/null | awk '{ print $2 }') || continue
        if [ -n "$version" ] && at_least "${version%%-*}" "$RUST_NEEDED"; then
            if [ -n "$dir" ]; then PATH=$dir:$PATH; fi
            return 0
        fi
    done
    return 1
}

# Whether a person uses this desktop: there is a display, and LUNA_HEADLESS is not set.
on_real_desktop() {
    if [ -n "${LUNA_HEADLESS:-}" ]; then return 1; fi
    if [ -n "${WAYLAND_DISPLAY:-}" ] && [ -S "${XDG_RUNTIME_DIR:-/nowhere}/$WAYLAND_DISPLAY" ]; then return 0; fi
    case ${DISPLAY:-} in
        "") return 1 ;;
        :*)
            local number=${DISPLAY#:}
            [ -S "/tmp/.X11-unix/X${number%%.*}" ]
            ;;
        *) return 0 ;;
    esac
}
