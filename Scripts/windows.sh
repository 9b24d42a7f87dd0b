# SPDX-License-Identifier: Apache-2.0
# Shared by the scripts that take pictures of real terminal windows, on a virtual screen (Xvfb). Source it after
# lib.sh. Sets $folder, which is removed at the end, when the started programs are ended.
[ "$(uname)" = Linux ] || fail "Pictures are taken with Xvfb, on Linux."
# shellcheck disable=SC2086 # lists of words
need $build_packages $picture_packages

# LIVERY names the program; without it a release is built.
if [ -z "${LIVERY:-}" ]; then
    build_program livery
    LIVERY="$program"
fi
export LIVERY

folder="$(mktemp -d)"
# The processes that were started, newest first.
started=""
finish() {
    stop_started
    rm -rf "$folder"
}
trap finish EXIT
trap 'exit 1' INT TERM

# stop_started: ends the started programs, and waits for that.
stop_started() {
    # shellcheck disable=SC2086 # a list of words
    [ -z "$started" ] || kill $started 2>/dev/null || true
    started=""
    wait 2>/dev/null || true
}

# wait_for COMMAND...: until it succeeds, at most some 60 seconds.
wait_for() {
    attempts=0
    until "$@" >/dev/null 2>&1; do
        attempts=$((attempts + 1))
        if [ "$attempts" -ge 600 ]; then
            cat "$folder/screen.log" "$folder/window.log" >&2 || true
            fail "timed out waiting for: $*"
        fi
        sleep 0.1
    done
}

# start_screen SIZE [OPTION...]: starts a screen of so many pixels, with these options of Xvfb.
start_screen() {
    size="$1"
    shift
    : >"$folder/display"
    Xvfb -displayfd 3 -screen 0 "${size}x24" -nolisten tcp -noreset "$@" 3>"$folder/display" 2>"$folder/screen.log" &
    started="$!"
    wait_for test -s "$folder/display"
    DISPLAY=":$(cat "$folder/display")"
    export DISPLAY LC_ALL=C.UTF-8 XDG_CONFIG_HOME="$folder" XDG_CACHE_HOME="$folder" LIBGL_ALWAYS_SOFTWARE=1
    wait_for xwininfo -root
}

# open_kitty COLUMNS ROWS COMMAND...: opens a window, which the program in it names.
open_kitty() {
    columns="$1" rows="$2"
    shift 2
    kitty --config NONE -o font_size=13 -o "initial_window_width=${columns}c" -o "initial_window_height=${rows}c" \
        -o remember_window_size=no -o window_padding_width=0 -o shell_integration=disabled \
        -o update_check_interval=0 -o cursor_blink_interval=0 -o confirm_os_window_close=0 "$@" \
        2>>"$folder/window.log" &
    started="$! $started"
}

# window_named TEXT: the id of the first window whose title begins so.
window_named() {
    xwininfo -root -children | awk -v start="\"$1" 'index($0, start) {print $1; exit}'
}
