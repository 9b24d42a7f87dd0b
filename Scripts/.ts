#!/bin/sh
# Runs tests, and the programs that they start, under a sanitizer, which ends with an error at a finding.
. "$(dirname "$0")/lib.sh"

usage() {
    cat <<'TEXT'
Usage: Scripts/test-sanitizers address|thread [PART] [OPTION...]

  address       finds memory that is used when it is not there (any longer)
  thread        finds threads that get in each other's way

  all           every test, with the servers built with the sanitizer as well; some 15 minutes for the first build
  client        the tests of what a program takes that uses Livery, and of livery
  definitions   the tests of definitions and tweaks, which Scripts/test runs under the thread sanitizer

The part is "all" unless told. Options go to swift test: Scripts/test-sanitizers thread client --filter Cache
TEXT
}

case "${1:-}" in
    address | thread) sanitizer="$1" ;;
    -h | --help) usage; exit ;;
    *) usage >&2; exit 64 ;;
esac
shift
part=all
case "${1:-}" in
    all | client | definitions) part="$1"; shift ;;
    "" | -*) ;;
    *) usage >&2; exit 64 ;;
esac
case "$part" in
    all)
        need_test_packages
        tests=""
        ;;
    client)
        # shellcheck disable=SC2086 # a list of words
        need $build_packages $program_packages
        tests="ConfigModelTests ConfigDefinitionsTests RemoteConfigTests TerminalUITests LiveryAppTests TestSupportTests"
        ;;
    definitions)
        # shellcheck disable=SC2086 # a list of words
        need $build_packages
        tests="ConfigDefinitionsTests"
        ;;
esac

# A package of these tests and what they stand on: to build the rest with the sanitizer would take many times as long.
build=".build-$sanitizer-$part"
folder="$build/package"
# shellcheck disable=SC2046 # a list of words
{
    printf '\nlet wanted = Set("%s".split(separator: " ").map(String.init))\n' "$tests"
    cat <<'SWIFT'
var known: Set<String> = []
var packages: Set<String> = []

@MainActor
func know(_ name: String) {
    guard known.insert(name).inserted else { return }
    for dependency in package.targets.first(where: { $0.name == name })?.dependencies ?? [] {
        switch dependency {
        case .targetItem(let name, _), .byNameItem(let name, _): know(name)
        case .productItem(_, let package, _, _): packages.insert(package ?? "")
        @unknown default: break
        }
    }
}

if !wanted.isEmpty {
    for name in wanted.union(["CTestSupport"]) { know(name) }
    package.targets.removeAll { !known.contains($0.name) }
    package.traits = []
    package.products = []
    package.dependencies.removeAll { dependency in
        guard case .sourceControl(_, let location, _) = dependency.kind else { return true }
        return !packages.contains { location.hasSuffix("/\($0)") }
    }
}
// What tells the thread sanitizer of Swift's locks has to be in each program, not only in the tests.
for target in package.targets where target.type == .executable && target.name != "ServerLoad" {
    target.dependencies.append("CTestSupport")
}
package.targets.append(
    .executableTarget(
        name: "RaceProbe",
        dependencies: ["CTestSupport"],
        path: "Tests/RaceProbe",
        swiftSettings: package.targets.first { $0.name == "ConfigModel" }?.swiftSettings
    )
)
SWIFT
} | small_package "$folder" $(ls -d [A-Z]*/ | tr -d /) .ci README.md config.json
flags="--package-path $folder --scratch-path $build --sanitize=$sanitizer"
[ "$part" != all ] || flags="$flags $all_traits"
say "Building with the $sanitizer sanitizer …"
# shellcheck disable=SC2086 # a list of words
swift build $flags --build-tests >&2
if [ "$sanitizer" = thread ]; then
    say "Looking whether the sanitizer tells a race from a lock …"
    # shellcheck disable=SC2086
    probe="$(swift build $flags --show-bin-path)/RaceProbe"
    "$probe" synchronised || fail "The sanitizer reports a race within a lock."
    if "$probe" 2>/dev/null; then fail "The sanitizer does not report a race."; fi
fi
say "Testing with the $sanitizer sanitizer …"
# shellcheck disable=SC2086
case "$part-$#" in
    all-0) exit 0 ;;
    definitions-0)
        # These compute for long, on one thread.
        swift test --skip-build $flags --skip "ConverterRoundTripTests|RestrictedLinkTests|RolloutTests|ChainPropertyTests"
        ;;
    *) swift test --skip-build $flags "$@" ;;
esac
