# Sourced by acting.sh: the pages of MiniWoB++ (MIT), unpacked below .cache and never part of the project.
# shellcheck shell=bash

MINIWOB_VERSION=1.1.0
MINIWOB_SHA256=297006e84219d56ad037e843527ed773a4a82509dc43b6031ec4a3ad3e3e61d9
MINIWOB_PAGES=$CACHE/miniwob-$MINIWOB_VERSION/miniwob/html/miniwob

# Downloads them with pip, so that its configured mirrors and proxies apply; nothing of the package is run.
fetch_pages() {
    if [ -e "$MINIWOB_PAGES/click-test.html" ]; then return; fi
    local folder wheel
    folder=$(mktemp -d "$CACHE/miniwob.XXXXXX") || return 1
    if python3 -m pip download --quiet --no-deps --only-binary=:all: --no-input --disable-pip-version-check --progress-bar=off \
        --dest "$folder" "miniwob==$MINIWOB_VERSION"; then
        wheel=$(echo "$folder"/*.whl)
        if echo "$MINIWOB_SHA256  $wheel" | sha256sum --check --quiet; then
            python3 -m zipfile -e "$wheel" "$folder/unpacked" && mv -T "$folder/unpacked" "$CACHE/miniwob-$MINIWOB_VERSION"
        fi
    fi
    rm -rf "$folder"
    [ -e "$MINIWOB_PAGES/click-test.html" ]
}
