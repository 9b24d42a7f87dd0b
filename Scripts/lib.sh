# SPDX-License-Identifier: Apache-2.0
# Functions and settings that the scripts share. Source it; it changes to the root of the project.
set -eu
cd "$(dirname "$0")/.."

say() { printf '%s\n' "$*" >&2; }
fail() { say "$*"; exit 1; }

# need PACKAGE...: installs missing Debian packages; on other systems it lists them.
need() {
    command -v swift >/dev/null || fail "Swift 6.2 or newer is needed: https://www.swift.org/install"
    if [ "$(uname)" = Darwin ]; then
        need_on_macos
        return
    fi
    command -v dpkg-query >/dev/null ||
        fail "cannot install packages here: only Debian is supported; install the equivalents of $*, and use swift build"
    missing=""
    for package in "$@"; do
        case "$(dpkg-query -W -f '${Status}' "$package" 2>/dev/null || true)" in
            *"install ok installed") ;;
            *) missing="$missing $package" ;;
        esac
    done
    [ -n "$missing" ] || return 0
    say "Installing from Debian:$missing"
    as_root=""
    if [ "$(id -u)" != 0 ]; then
        command -v sudo >/dev/null || fail "Not root, and no sudo here. As root: apt-get install$missing"
        as_root="sudo"
    fi
    export DEBIAN_FRONTEND=noninteractive
    $as_root apt-get update -qq >&2
    # shellcheck disable=SC2086 # a list of words
    $as_root apt-get install -y -qq --no-install-recommends $missing >&2
}

# need_stopped PACKAGE...: the same for servers, without starting them after the installation.
need_stopped() {
    policy=/usr/sbin/policy-rc.d
    as_root=""
    [ "$(id -u)" = 0 ] || as_root="sudo"
    if [ "$(uname)" = Darwin ] || [ -e "$policy" ] || dpkg-query -W "$@" >/dev/null 2>&1; then
        need "$@"
        return
    fi
    # Debian's packages run this before they start a service: 101 forbids it.
    trap '$as_root rm -f "$policy"' EXIT
    trap 'exit 1' INT TERM
    printf '#!/bin/sh\nexit 101\n' | $as_root tee "$policy" >/dev/null
    $as_root chmod 755 "$policy"
    need "$@"
    $as_root rm -f "$policy"
    trap - EXIT INT TERM
}

need_on_macos() {
    prefix="$(brew --prefix ncurses 2>/dev/null || true)"
    [ -d "$prefix/include" ] || fail "The system's ncurses is too old. Install a newer one: brew install ncurses tmux"
    export CPATH="$prefix/include" LIBRARY_PATH="$prefix/lib"
}

# small_package FOLDER LINK...: makes a package of parts of this one, for a build that must not touch the main one. What
# comes in at the standard input is added to the manifest; the links lead to the folders and files that it names.
small_package() {
    package="$1"
    shift
    mkdir -p "$package"
    for link in "$@"; do ln -sfn "../../$link" "$package/$link"; done
    cp Package.resolved "$package" 2>/dev/null || true
    cat Package.swift - >"$package/Package.swift.new"
    # SwiftPM does not evaluate an unchanged manifest again.
    cmp -s "$package/Package.swift.new" "$package/Package.swift" || cp "$package/Package.swift.new" "$package/Package.swift"
    rm "$package/Package.swift.new"
}

# The requirements of a build of livery beside the archive of the toolchain, and those of the toolchain. git and libcurl
# only recommend the authorities, without which nothing is fetched.
build_packages="git ca-certificates binutils libxml2 libc6-dev libstdc++-12-dev libcurl4-openssl-dev libncurses-dev libsqlite3-dev zlib1g-dev ncurses-base"

# The additional requirements of a build with the stores that servers share.
store_packages="libmariadb-dev pkg-config"

# The programs that tests start: terminals and their descriptions, shells, clients of servers, makers of file systems and keys.
program_packages="tmux screen ncurses-bin ncurses-term less bash zsh fish curl openssl ca-certificates mount procps python3 jq mandoc"
# The servers that they start.
server_packages="mariadb-server etcd-server etcd-client nginx-light haproxy caddy prometheus"

# need_test_packages: installs what the tests need.
need_test_packages() {
    # shellcheck disable=SC2086 # lists of words
    case "$(uname)" in
        Darwin) need $build_packages tmux ;;
        *)
            need $build_packages $store_packages $picture_packages $program_packages
            need_stopped $server_packages
            ;;
    esac
}

# run_tests OPTION...: runs all tests, which these options of swift build have built. In groups, as a test that computes, or
# waits for a real terminal or server, blocks a thread that others need; and in two lanes, as most tests wait.
# shellcheck disable=SC2086 # lists of words
run_tests() {
    flags="$*"
    bundle="$(swift build $flags --show-bin-path)/liveryPackageTests.xctest"
    stores="SQLiteStoreTests|MariaDBStoreTests|EtcdStoreTests"
    programs="IntegrationTests|TestSupportTests"
    load="LosslessTests|LegacyClientTests|GeneratedRequestTests|ManyConnectionsTests|ManyReplicasTests"
    # These use little of the processor: they wait for servers that are killed.
    waits="ServerCrashTests"
    # With the thread sanitizer, no program starts under a small `ulimit -f`, and each has a thread that wakes it up when idle.
    unfit=IdleTests
    [ "${sanitizer:-}" != thread ] || unfit="IdleTests|copiesBeyondAFileSizeLimitFailAndLeaveNothing"
    tests="" lane="" output="$(mktemp)"
    trap 'kill $tests $lane 2>/dev/null || true; rm -f "$output" "$output".*' EXIT
    trap 'exit 1' INT TERM
    # These and those of idle programs need an otherwise idle machine.
    group ${client_flag:-} --filter RemoteConfigTests
    {
        trap 'kill $tests 2>/dev/null || true' EXIT
        trap 'exit 1' TERM
        group --filter "$programs" --skip "$unfit|$load|$waits"
        group --filter "$waits"
        group --filter "$stores"
        group --filter "ConfigHubTests|ConfigServerTests"
    } >"$output" 2>&1 &
    lane=$!
    screens="LiveryAppTests|LiveryCommandsTests|LiveryScreensTests"
    group --filter "$screens"
    group --skip "$screens|RemoteConfigTests|ConfigHubTests|ConfigServerTests|$stores|$programs"
    group --filter "$load"
    say "Waiting for the tests of the programs and of the stores …"
    wait $lane && lane="" || fail "$(cat "$output")"
    cat "$output"
    [ "${sanitizer:-}" = thread ] || group --filter IdleTests
}

# run_quick_tests [MODULE...]: builds and runs the unit tests of these modules, from a debug build in a separate folder, in
# which a change compiles a few files. Tests that repeat something many times or start programs are left out.
run_quick_tests() {
    need $build_packages
    modules="ConfigClient ConfigDefinitions ConfigModel ConfigRules ConfigSchemas ConfigWire Files HTTPTransport LiveryApp \
LiveryCommands LiveryScreens Observing RemoteConfig TerminalUI TextPatterns"
    for module in "$@"; do
        case " $modules " in
            *" $module "*) ;;
            *) fail "--quick cannot test '$module'; modules: $modules" ;;
        esac
    done
    export LIVERY_TESTS="${*:-$modules}"
    flags="--scratch-path .build-quick --disable-default-traits -debug-info-format none -Xcc -O0"
    [ -d .build-quick ] || say "Building (two to four minutes the first time, then seconds) …"
    swift build $flags --product liveryPackageTests >&2
    bundle="$(swift build $flags --show-bin-path)/liveryPackageTests.xctest"
    output="$(mktemp)"
    trap 'rm -f "$output" "$output".*' EXIT
    group --skip "Generated|TransportProcessTests|TmuxWidthTests|AThousandWatches|thousandsOfReconnects"
}

# build_examples FOLDER --scratch-path BUILD OPTION...: builds a package of the examples with its tests.
build_examples() { swift build --build-tests --package-path "$@" >&2; }

# test_examples FOLDER --scratch-path BUILD OPTION...: runs the tests of a package that build_examples has built. Their output is
# kept in files whose names begin with $output.
test_examples() {
    flags="--package-path $*"
    bundle="$3/release/$(sed -n 's/^    name: "\(.*\)",/\1/p' "$1/Package.swift")PackageTests.xctest"
    group
}

# group OPTION...: runs the tests that these options of swift test select, and repeats the failures at the end, below the
# long log. Where possible, the bundle runs without swift test, which would take five seconds more each time, and make
# another one wait.
# shellcheck disable=SC2086 # a list of words
group() {
    log="$(mktemp "$output.XXXXXX")"
    if [ "$(uname)" = Darwin ]; then
        swift test --skip-build $flags $test_width "$@" &
        tests=$!
        wait $tests && tests=""
        return
    fi
    "$bundle" --testing-library swift-testing $test_width "$@" >"$log" 2>&1 &
    tests=$!
    # Ends by itself, after the last line.
    tail -n +1 -f -s 0.1 --pid=$tests "$log" &
    reader=$!
    if wait $tests; then failed=""; else failed=yes; fi
    tests=""
    wait $reader || true
    [ -z "$failed" ] || fail "Failures:
$(grep -a -A 2 '✘' "$log" | cut -c 1-600)"
}

# The documentation and the sanitizers include all stores, except on macOS, where the servers are not installed: there
# SQLite is the only store.
all_traits="--enable-all-traits"
# The traits become flags of the compiler in the order of a hashed set; in another order than last time, everything is rebuilt.
export SWIFT_DETERMINISTIC_HASHING=1
# Releases have all stores, and read JSON alone: a YAML parser links all of Foundation, 44 MB.
store_traits="--traits MariaDB,Etcd"
[ "$(uname)" != Darwin ] || all_traits="" store_traits=""
# Programs that a script starts or tests are built module by module, as releases are, but without optimization: that
# takes a quarter less of the processor than a debug build, in which several compilers read each module. A debug build
# also has checks of the parser of arguments in it, with which each start of livery takes three times as long.
quick_flags="-c release -debug-info-format none -Xswiftc -Onone -Xcc -O0"
[ "$(uname)" = Darwin ] || quick_flags="$quick_flags -Xswiftc -use-ld=lld"
# One job compiles a module and writes its interface. A separate job for the interface would read and check the module a second
# time, which takes a tenth of the processor time of the build.
testable_flags="$quick_flags -Xswiftc -enable-testing -Xswiftc -no-emit-module-separately-wmo"
# The index is for finding tests: it needs none of the system's modules.
testable_flags="$testable_flags -Xswiftc -index-ignore-system-modules"
# Several packages are built in one folder: the plan of another one must not be taken for theirs.
testable_flags="$testable_flags --disable-build-manifest-caching"
# In a separate folder, so that neither `swift build` nor a release is rebuilt after it.
test_build=.build-test
test_flags="--scratch-path $test_build $testable_flags"

# test_products: prints the folder of what the tests have been built into. A build that ends replaces the link to it.
test_products() { (cd "$test_build/release" && pwd -P); }

# use_test_build: sets the variables of the build of the tests, with which its modules are compiled.
use_test_build() {
    # The plugin is tested once a night, by .ci/nightly.
    export LIVERY_PLUGINS=none
    # The modules with which most tests compute are optimized: that takes less time than it saves.
    export LIVERY_OPTIMIZED_TARGETS="Basics ConfigModel ConfigRules ConfigSchemas TerminalUI TextPatterns"
    # All traits; on macOS the default ones, since the stores that servers share are not installed there.
    export LIVERY_TRAITS=all
    [ "$(uname)" != Darwin ] || LIVERY_TRAITS=default
}
# The number of tests that run at once. Otherwise hundreds of them run with their programs, and on a slow machine each
# exceeds its time limit.
test_width="--experimental-maximum-parallelization-width 8"

# The requirements of pictures of real windows.
picture_packages="xvfb xterm kitty imagemagick x11-utils xdotool fonts-dejavu-core fonts-noto-color-emoji libgl1-mesa-dri"

# With the Swift libraries linked into it, a program does not search for them and starts three times as fast. With those of C++,
# which link_static_libraries finds, the loader looks up 3,300 names less, and a seventh is saved again. Without
# symbols for other libraries to find, and with short relocations, by the linker that comes with Swift, it is a tenth smaller,
# in memory too. Each function has a section, so that the linker removes unused ones, keeps one of several equal ones, and places
# those side by side that a start and a change run (Scripts/order): a fifth of the memory. Types that the compiler knows are
# reached by calls and not by their names, for which the runtime would search the whole program: a fifth of the instructions of a
# start.
static_libraries=.build/static-libraries
release_flags="-c release"
[ "$(uname)" = Darwin ] || {
    release_flags="$release_flags --static-swift-stdlib -Xswiftc -use-ld=lld -Xlinker --no-export-dynamic"
    release_flags="$release_flags -Xlinker --icf=all -Xlinker --no-warn-symbol-ordering"
    release_flags="$release_flags -Xlinker --symbol-ordering-file=Packaging/livery.order"
    release_flags="$release_flags -Xlinker -L$static_libraries -Xswiftc -Xclang-linker -Xswiftc -static-libgcc"
    release_flags="$release_flags -Xlinker -z -Xlinker pack-relative-relocs"
    release_flags="$release_flags -Xswiftc -Xfrontend -Xswiftc -function-sections"
    release_flags="$release_flags -Xswiftc -Xfrontend -Xswiftc -disable-concrete-type-metadata-mangled-name-accessors"
}

# No path of the folder in which it is built is in a release, so that one from another folder is the same. A path that a
# shell would split into words is left unchanged.
case "$PWD" in
    *[[:space:]]*) ;;
    *) release_flags="$release_flags -Xswiftc -file-prefix-map -Xswiftc $PWD=. -Xcc -ffile-prefix-map=$PWD=." ;;
esac

# The version of Livery, which is written down in one place.
livery_version() {
    sed -n 's/.*static let livery = SemanticVersion(\([0-9]*\), \([0-9]*\), \([0-9]*\)).*/\1.\2.\3/p' \
        Sources/ConfigModel/Versions/SemanticVersion.swift
}

# strip_program FILE: removes what only debuggers and the next build read. What names a build by its folder goes as well, which
# only the toolchain's own tool removes without making the relocations writable (GNU's drops PT_GNU_RELRO).
strip_program() {
    case "$(uname)" in
        Darwin) strip "$1" ;;
        *)
            if ! command -v llvm-objcopy >/dev/null; then
                say "The toolchain has no llvm-objcopy: $1 will differ from one of another folder."
                strip --strip-all "$1"
                return
            fi
            llvm-objcopy --strip-all --remove-section=.comment --remove-section=.note --remove-section=.swift_modhash \
                --remove-section=.note.gnu.build-id "$1"
            ;;
    esac
}

# link_static_libraries: makes the folder where the linker looks first. It has libraries that are archives alone: beside a shared
# one, that would be taken.
link_static_libraries() {
    archive="$(clang -print-file-name=libstdc++.a 2>/dev/null || true)"
    case "$archive" in
        /*) mkdir -p "$static_libraries" && ln -sf "$archive" "$static_libraries" ;;
    esac
}

# build_program NAME [OPTION...]: builds a release of a program, linked statically with Swift's libraries, with these
# options of swift build. Its path is in $program then.
build_program() {
    name="$1"
    shift
    say "Building $name (the first time takes a few minutes) …"
    link_static_libraries
    # shellcheck disable=SC2086 # a list of words
    swift build $release_flags "$@" --product "$name" >&2
    # shellcheck disable=SC2086
    program="$(swift build $release_flags --show-bin-path)/$name"
}

# check_order PROGRAM: fails if the program lacks more than one in twenty of the functions that are placed side by side.
check_order() {
    gone="$(nm "$1" | cut -d ' ' -f 3- | LC_ALL=C sort -u | LC_ALL=C comm -13 - Packaging/livery.order | wc -l)"
    [ $((gone * 20)) -le "$(wc -l <Packaging/livery.order)" ] ||
        fail "Packaging/livery.order is out of date: the program lacks $gone of its functions; run: Scripts/order"
}
