#!/usr/bin/env bash
# Checks that the code compiles for Windows without clippy warnings. Works on Debian without a Windows machine and without
# root: the compiler comes from Debian packages, unpacked (never installed) into the person's cache, and the standard library is built once.
#
#   scripts/windows-check.sh                  clippy on the packages below, warnings are errors
#   scripts/windows-check.sh check            another cargo subcommand with its arguments
#   LUNA_WINDOWS_PACKAGES="luna-nlu" …        other packages
#   LUNA_WINDOWS_CHECK_DIR=DIR …              where the compiler is kept (about 1.5 GB)
#
# Exit 0: clean, or SKIPPED with the reason on the last line, if the compiler or the crates are not available on this machine.
# Exit 1: an error in the code or in this script.
set -euo pipefail

root=$(cd "$(dirname "${BASH_SOURCE[0]}")/.." && pwd)
store=${LUNA_WINDOWS_CHECK_DIR:-${XDG_CACHE_HOME:-$HOME/.cache}/luna-windows-check}
triple=x86_64-pc-windows-gnu
# Without the engines that compile native libraries (whisper.cpp, llama.cpp), which have no Windows build here, and without what depends on them.
packages=${LUNA_WINDOWS_PACKAGES:-luna-messages luna-text luna-nlu luna-preservation luna-llm-tasks luna-focus luna-speech luna-ledger luna-engine-protocol luna-mailbox luna-actor-runtime luna-engine-host luna-platform luna-config luna-model-store luna-engine-speech-espeak luna-engine-ocr}
target_dir=$root/target/windows-check

say() { printf 'windows-check: %s\n' "$*" >&2; }
skip() { printf 'windows-check: SKIPPED (%s)\n' "$*"; exit 0; }
fail() { printf 'windows-check: FAILED (%s)\n' "$*"; exit 1; }

# Whether the log of a failed command shows a network problem and not an error in the code.
network_trouble() {
    grep -qiE 'resolve host|failed to download|network failure|could not connect|connection (refused|reset|timed out)|timed out|spurious network|failed to fetch|temporary failure|offline' "$1"
}

# --- The compiler -----------------------------------------------------------------------------------------------------------------------

# The first dependency of $1 that matches a name pattern: names of library packages contain changing version numbers.
dependency() { apt-cache depends --important "$1" 2>/dev/null | awk -v start="^$2" '$1 == "Depends:" && $2 ~ start { print $2; exit }'; }

package_list() {
    local std git
    std=$(dependency libstd-rust-web-dev libstd-rust-web-)
    git=$(dependency cargo-web libgit2-)
    echo rustc-web cargo-web rust-web-clippy rust-web-src libstd-rust-web-dev "$std" "$(dependency "$std" libllvm)"
    # Libraries that cargo loads.
    echo "$git" "$(dependency "$git" libhttp-parser)" "$(dependency cargo-web libssh2)"
    echo "$(dependency "$git" libmbedtls)" "$(dependency "$git" libmbedx509)" "$(dependency "$git" libmbedcrypto)"
    # Compiler and linker for C, which std and some build scripts call.
    echo gcc-mingw-w64-x86-64-posix gcc-mingw-w64-x86-64-posix-runtime gcc-mingw-w64-base
    echo binutils-mingw-w64-x86-64 mingw-w64-common mingw-w64-x86-64-dev
}

# Unpacks into a new folder that is renamed at the end, so that an interrupted download leaves nothing incomplete.
unpack_compiler() {
    local fresh=$store/compiler.new names log=$store/apt.log tool
    rm -rf "$fresh"
    mkdir -p "$fresh/packages"
    names=$(package_list | tr '\n' ' ')
    say "downloading the compiler's packages into $store"
    # shellcheck disable=SC2086  # a list of names
    if ! (cd "$fresh/packages" && apt-get -o APT::Sandbox::User= -qq download $names) >"$log" 2>&1; then
        tail -n 3 "$log" >&2
        rm -rf "$fresh"
        skip "Debian packages could not be downloaded; see $log"
    fi
    for file in "$fresh"/packages/*.deb; do dpkg-deb -x "$file" "$fresh"; done
    rm -rf "$fresh/packages"
    # Debian selects the thread model with update-alternatives, which runs only on installation.
    for tool in gcc cpp gcc-ar gcc-nm gcc-ranlib; do
        ln -sf "x86_64-w64-mingw32-$tool-posix" "$fresh/usr/bin/x86_64-w64-mingw32-$tool"
    done
    rm -rf "$store/compiler"
    mv "$fresh" "$store/compiler"
}

use_compiler() {
    local usr=$store/compiler/usr
    unset RUSTUP_TOOLCHAIN RUSTFLAGS CARGO_ENCODED_RUSTFLAGS RUSTC_WRAPPER RUSTC_WORKSPACE_WRAPPER
    export PATH=$usr/bin:$PATH LD_LIBRARY_PATH=$usr/lib/x86_64-linux-gnu
    export RUSTC=$usr/bin/rustc RUSTDOC=$usr/bin/rustdoc
    export CARGO_TARGET_X86_64_PC_WINDOWS_GNU_LINKER=x86_64-w64-mingw32-gcc
    export CC_x86_64_pc_windows_gnu=x86_64-w64-mingw32-gcc AR_x86_64_pc_windows_gnu=x86_64-w64-mingw32-ar
    rustc --version >/dev/null || fail "the unpacked compiler does not run; remove $store/compiler and try again"
}

# Debian has no std for this triple. rustc looks for it in its own folder, so std is built and copied there.
build_std() {
    local lib=$store/compiler/usr/lib/rustlib/$triple/lib work=$store/std log=$store/std.log
    [ -e "$lib/complete" ] && return
    say "building the standard library for $triple (some minutes, once)"
    rm -rf "$work" "$lib"
    mkdir -p "$work/src" "$lib"
    printf '[package]\nname = "empty"\nversion = "0.0.0"\nedition = "2024"\n\n[workspace]\n' >"$work/Cargo.toml"
    printf '#![no_std]\n' >"$work/src/lib.rs"
    # Building std is a nightly feature; this variable enables it in a stable compiler, only for this command.
    if ! (cd "$work" && RUSTC_BOOTSTRAP=1 CARGO_TARGET_DIR=$work/target cargo build --release --target "$triple" \
        -Zbuild-std=std,panic_abort,proc_macro,test) >"$log" 2>&1; then
        tail -n 5 "$log" >&2
        network_trouble "$log" && skip "the crates of the standard library could not be downloaded; see $log"
        fail "the standard library did not build; see $log"
    fi
    cp "$work/target/$triple/release/deps/"*.rlib "$lib/"
    rm -f "$lib"/libempty-*
    rm -rf "$work"
    touch "$lib/complete"
}

# --- The check --------------------------------------------------------------------------------------------------------------------------

[ "$(uname -s)-$(uname -m)" = Linux-x86_64 ] || skip "it needs Linux on x86-64"
mkdir -p "$store"
exec 9>"$store/lock"
flock 9 # two concurrent runs would overwrite each other

if [ ! -e "$store/compiler/usr/bin/rustc" ]; then
    for tool in apt-get apt-cache dpkg-deb gcc; do
        command -v "$tool" >/dev/null || skip "$tool is not installed; it is needed to unpack the compiler"
    done
    apt-cache show rustc-web >/dev/null 2>&1 || skip "the Debian package rustc-web is not known here; try: apt-get update"
    unpack_compiler
fi
use_compiler
build_std

cd "$root"
export CARGO_TARGET_DIR=$target_dir
log=$store/fetch.log
cargo metadata --no-deps --format-version 1 >/dev/null || fail "the workspace does not load"
if ! cargo fetch --target "$triple" >"$log" 2>&1; then
    tail -n 5 "$log" >&2
    network_trouble "$log" && skip "crates could not be downloaded; see $log"
    fail "the dependencies do not resolve; see $log"
fi

selected=()
for name in $packages; do selected+=(--package "$name"); done
say "$(rustc --version) for $triple: $packages"
if [ $# -gt 0 ]; then
    command=$1
    shift
    cargo "$command" --target "$triple" "${selected[@]}" "$@" || fail "cargo $command"
else
    # On this target thread-locals with destructors use keys, and clippy does not see that their initialisers are const.
    cargo clippy --target "$triple" "${selected[@]}" -- -D warnings -A clippy::missing_const_for_thread_local || fail "cargo clippy"
fi
echo "windows-check: PASSED ($packages)"
