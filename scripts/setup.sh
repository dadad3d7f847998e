#!/usr/bin/env bash
# Installs the packages that Luna needs and that are missing, without questions; quick if nothing is missing.
#
#   scripts/setup.sh run|test|lint|build|tour
#
# Packages that can't be installed (no root, another distribution, no network) are listed with their purpose. Exits with 1 only
# if the goal can't be reached without them. LUNA_SETUP_OFFLINE=1 installs nothing and only lists what is missing.
set -euo pipefail
# shellcheck source=scripts/env.sh
. "$(dirname "$0")/env.sh"
GOAL=${1:-run}
case $GOAL in
    build) GROUPS_WANTED="build" ;;
    lint) GROUPS_WANTED="build" ;;
    run)
        GROUPS_WANTED="build run"
        on_real_desktop || GROUPS_WANTED="$GROUPS_WANTED desktop"
        ;;
    test) GROUPS_WANTED="build run desktop test" ;;
    tour) GROUPS_WANTED="build run desktop test tour" ;;
    *) die "usage: scripts/setup.sh run|test|lint|build|tour" ;;
esac
RUST_PACKAGES=(cargo-web rustc-web)
if [ "$GOAL" = lint ]; then RUST_PACKAGES+=(rustfmt-web rust-web-clippy); fi
UNPACKED_ONLY=" prometheus " # if installed, it would start at every boot of the person's machine
PROBLEM=""                   # the reason if nothing could be installed
mkdir -p "$CACHE/setup"

# ---- what is installed ---------------------------------------------------------------------------------------------------

declare -A NEED PROBE PURPOSE
LIST=()
while read -r group need package probe purpose; do
    case $group in "" | "#"*) continue ;; esac
    case " $GROUPS_WANTED " in *" $group "*) ;; *) continue ;; esac
    LIST+=("$package")
    NEED[$package]=$need PROBE[$package]=$probe PURPOSE[$package]=$purpose
done <"$ROOT/scripts/packages.txt"

is_debian() { [ -e /etc/debian_version ] && command -v apt-get >/dev/null && command -v dpkg-query >/dev/null; }

probe() { # KIND:VALUE, for machines without dpkg and for software installed in another way
    local value=${1#*:}
    case $1 in
        cmd:*) command -v "$value" >/dev/null ;;
        lib:*) { ldconfig -p 2>/dev/null || /sbin/ldconfig -p 2>/dev/null; } | grep -qF "$value" ;;
        pc:*) pkg-config --exists "$value" 2>/dev/null ;;
        file:*) [ -e "$value" ] ;;
        py:*) /usr/bin/python3 -c "import $value" 2>/dev/null ;;
        *) return 1 ;;
    esac
}

find_missing() { # sets MISSING
    MISSING=()
    local package installed=" "
    if is_debian; then
        # dpkg-query fails if one of the packages is unknown.
        installed=" $({ dpkg-query -W -f '${Package} ${db:Status-Status}\n' "${LIST[@]}" 2>/dev/null || true; } |
            awk '$2 == "installed" { printf "%s ", $1 }')"
    fi
    for package in "${LIST[@]}"; do
        case $installed in *" $package "*) continue ;; esac
        if probe "${PROBE[$package]}"; then continue; fi
        MISSING+=("$package")
    done
}

rust_parts_missing() { # prints the missing Rust tools
    find_cargo || { echo "cargo"; return; }
    if [ "$GOAL" = lint ]; then
        (cd / && cargo fmt --version >/dev/null 2>&1) || echo "rustfmt"
        (cd / && cargo clippy --version >/dev/null 2>&1) || echo "clippy"
    fi
}

# ---- installing ----------------------------------------------------------------------------------------------------------

as_root() {
    if [ "$(id -u)" = 0 ]; then "$@"; else sudo -n "$@"; fi
}

may_try() { # sets PROBLEM if not
    if [ -n "${LUNA_SETUP_OFFLINE:-}" ]; then PROBLEM="LUNA_SETUP_OFFLINE is set"; return 1; fi
    if ! is_debian; then PROBLEM="this is not a Debian system"; return 1; fi
}

may_install() { # sets PROBLEM if not
    if [ "$(id -u)" != 0 ] && ! sudo -n true 2>/dev/null; then
        PROBLEM="packages can only be installed by root or with a sudo that needs no password"
        return 1
    fi
}

apt() {
    # --no-remove: installing for Luna never removes other packages.
    as_root env DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a apt-get -qq -o Acquire::Retries=3 -o Dpkg::Use-Pty=0 \
        -o DPkg::Lock::Timeout=300 "$@" </dev/null >>"$LOG" 2>&1
}

install_packages() { # all together, else one by one, so that an unknown package doesn't block the others
    local package
    if [ $# = 0 ]; then return; fi
    if ! apt install -y --no-remove --no-install-recommends "$@"; then
        for package in "$@"; do
            apt install -y --no-remove --no-install-recommends "$package" || true
        done
    fi
}

unpack_package() { # for a tool that must not be installed as a service
    local into=$CACHE/setup/deb
    rm -rf "$into" && mkdir -p "$into"
    (cd "$into" && apt-get -qq -o APT::Sandbox::User= -o Acquire::Retries=3 download "$1") >>"$LOG" 2>&1 || return 0
    mkdir -p "$CACHE/tools"
    dpkg -x "$into"/*.deb "$CACHE/tools" >>"$LOG" 2>&1 || true
    rm -rf "$into"
}

forbid_services() { # keeps services of the packages from starting
    if [ -e /usr/sbin/policy-rc.d ]; then return; fi
    trap 'as_root rm -f /usr/sbin/policy-rc.d' EXIT
    printf '#!/bin/sh\nexit 101\n' | as_root tee /usr/sbin/policy-rc.d >/dev/null
    as_root chmod 755 /usr/sbin/policy-rc.d
}

install_missing() {
    local package to_install=() to_unpack=()
    LOG=$CACHE/setup/apt.log
    : >"$LOG"
    for package in "${MISSING[@]}"; do
        case $UNPACKED_ONLY in *" $package "*) to_unpack+=("$package") ;; *) to_install+=("$package") ;; esac
    done
    case $RUST_MISSING in
        "") ;;
        # A cargo from elsewhere without rustfmt or clippy is not mixed with Debian's packages.
        *cargo*) to_install+=("${RUST_PACKAGES[@]}") ;;
        *) if [ "$(command -v cargo)" = /usr/bin/cargo ]; then to_install+=("${RUST_PACKAGES[@]}"); fi ;;
    esac
    if may_install; then
        say "Installing: ${to_install[*]} ${to_unpack[*]} (log: $LOG)"
        forbid_services
        apt update || note "The package lists could not be updated; trying with the present ones."
        install_packages "${to_install[@]}"
        PROBLEM="apt-get could not install them; its log is $LOG"
    fi
    for package in "${to_unpack[@]}"; do unpack_package "$package"; done
}

# ---- main ----------------------------------------------------------------------------------------------------------------

find_missing
RUST_MISSING=$(rust_parts_missing | tr '\n' ' ')
if [ ${#MISSING[@]} -gt 0 ] || [ -n "$RUST_MISSING" ]; then
    # Packages that could not be installed within the last hour are not tried again at every start.
    STAMP=$CACHE/setup/unavailable-$GOAL
    WANTED="${MISSING[*]} $RUST_MISSING"
    if [ -z "${LUNA_SETUP_AGAIN:-}" ] && [ "$(cat "$STAMP" 2>/dev/null)" = "$WANTED" ] &&
        [ -n "$(find "$STAMP" -mmin -60 2>/dev/null)" ]; then
        PROBLEM="they could not be installed within the last hour (LUNA_SETUP_AGAIN=1 tries again)"
    elif may_try; then
        install_missing
        find_missing
        RUST_MISSING=$(rust_parts_missing | tr '\n' ' ')
        printf '%s' "${MISSING[*]} $RUST_MISSING" >"$STAMP"
    fi
fi

STATUS=0
if [ ${#MISSING[@]} -gt 0 ]; then
    say "Missing packages ($PROBLEM):"
    for package in "${MISSING[@]}"; do
        if [ "${NEED[$package]}" = need ]; then
            note "$(printf '%-28s NEEDED:   %s' "$package" "${PURPOSE[$package]}")"
            STATUS=1
        else
            note "$(printf '%-28s optional: %s' "$package" "${PURPOSE[$package]}")"
        fi
    done
    note "By hand on Debian or Ubuntu:  apt-get install --no-install-recommends ${MISSING[*]}"
fi
if [ -n "$RUST_MISSING" ]; then
    STATUS=1
    say "Missing Rust tools: ${RUST_MISSING% } (needed to build; $RUST_NEEDED or newer)"
    case $RUST_MISSING in
        *cargo*)
            note "found: $(command -v cargo >/dev/null && cargo --version || echo none)${PROBLEM:+ ($PROBLEM)}"
            note "Debian 12:   apt-get install --no-install-recommends ${RUST_PACKAGES[*]}   (replaces the packages cargo and rustc)"
            note "elsewhere:   https://rustup.rs, or, if rustup is installed: rustup update stable"
            ;;
        *) note "with rustup: rustup component add rustfmt clippy;   Debian 12: apt-get install rustfmt-web rust-web-clippy" ;;
    esac
fi
if [ $STATUS != 0 ]; then note "The goal \"$GOAL\" can't be reached without the packages marked as needed."; fi
exit $STATUS
