# SPDX-License-Identifier: Apache-2.0
"""Compiles every example of Swift in pages and in doc comments, for Scripts/test-examples: examples.py COMPILER OPTION...

An example of a page has the imports that the page shows up to there, and one that needs a file has those before it; one of a doc comment has its module and the modules that apps
use with it. GIVEN declares what examples take for granted, such as an address.
"""

import concurrent.futures
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
PAGES = ["*.md", "Documentation/*.md", "Benchmarks/*.md", "Examples/**/*.md", "Sources/*/*.docc/**/*.md"]
# The manifest of a package is compiled by Scripts/test-package.
NOT_COMPILED = re.compile(r"^\.(package|target)\(", re.MULTILINE)
# Declarations that only the top of a file can have; such an example is compiled by itself.
FILE_SCOPE = re.compile(r"^(public |private |package )?(extension|protocol|actor|macro) |^@(main|Suite|Test)|@Test", re.MULTILINE)
# Examples need not use every value.
UNUSED = re.compile(r"never used|never mutated|never read|is unused|will never be executed")
COMMON = [
    "ConfigDefinitions", "ConfigModel", "ConfigRules", "ConfigWire", "Configuration", "Foundation", "RemoteConfig",
]
# Only public declarations have examples for users.
HIDDEN = re.compile(r"(package|internal|private|fileprivate) ")
GIVEN = """
import ConfigDefinitions
import ConfigModel
import ConfigStore
import ConfigStoreTesting
import Configuration
import Foundation
import RemoteConfig

let url = URL(filePath: "/")
let source = FileSource(path: "config.json")
let cache = ConfigCache(app: "org.example.app", version: "1.0.0", folder: "/var/lib/app")
let service = RemoteConfigService(source: source)
let state = service.state
let vault = Vault()

actor Vault {
    var token: String { "" }
    func renew() {}
}

struct MyPlace: StorePlace {
    func open(now: @escaping @Sendable () -> Timestamp) async throws -> any EntryStore { throw CancellationError() }
    func close(_ store: any EntryStore) async throws {}
}
"""


class Example:
    def __init__(self, place, code, imports, before=None):
        self.place, self.imports, self.before = place, imports, before
        lines = code.split("\n")
        self.body = [line for line in lines if not line.startswith("import ")]
        self.is_file = bool(FILE_SCOPE.search(code))

    def source(self, name):
        """The example with its place in what the compiler reports: as a function unless it needs a file."""
        head = [f"import {module}" for module in self.imports] + (self.before.body if self.is_file and self.before else [])
        file, line = self.place.rsplit(":", 1)
        body = [f'#sourceLocation(file: "{file}", line: {line})', *self.body, "#sourceLocation()"]
        if self.is_file:
            return "\n".join([*head, *body, ""])
        return "\n".join([*head, f"func {name}() async throws {{", *body, "}", ""])


def blocks(text, mark):
    """The blocks of Swift in a text whose lines may begin with a mark: the number of the first line, the code, the line behind
    the marked ones."""
    fence = re.compile(rf"^\s*{mark}\s*```(.*)$")
    start, code, found_blocks = None, [], []
    for number, line in enumerate(text.split("\n"), 1):
        if mark and not line.strip().startswith(mark):
            yield from ((*block, line.strip()) for block in found_blocks)
            found_blocks = []
        found = fence.match(line)
        if found and start is None:
            start, code = (number + 1 if found[1].strip() == "swift" else 0), []
        elif found:
            if start:
                found_blocks.append((start, "\n".join(code)))
            start = None
        elif start:
            code.append(re.sub(rf"^\s*{mark} ?", "", line) if mark else line)
    yield from ((*block, "") for block in found_blocks)


def examples_of_page(path):
    imports, before = [], None
    for number, code, _ in blocks(path.read_text(), ""):
        if NOT_COMPILED.search(code):
            continue
        imports += [name for name in re.findall(r"^import (\w+)", code, re.MULTILINE) if name not in imports]
        example = Example(f"{path.relative_to(ROOT)}:{number}", code, list(imports), before)
        before = example if example.is_file else before
        yield example


def examples_of_comments(path, module):
    for number, code, described in blocks(path.read_text(), "///"):
        if HIDDEN.match(described):
            continue
        own = re.findall(r"^import (\w+)", code, re.MULTILINE)
        yield Example(f"{path.relative_to(ROOT)}:{number}", code, dict.fromkeys([module, *COMMON, *own, *(["Testing"] if "#expect" in code else [])]))


def all_examples():
    listed = re.search(r"documentation_targets: \[(.*)\]", (ROOT / ".spi.yml").read_text())[1]
    for path in sorted({path for pattern in PAGES for path in ROOT.glob(pattern)}):
        yield from examples_of_page(path)
    for module in listed.split(", "):
        for path in sorted((ROOT / "Sources" / module).rglob("*.swift")):
            if ".docc" not in str(path):
                yield from examples_of_comments(path, module)


def problems(compiler, files):
    """The errors and warnings of the compiler, without those about unused values."""
    done = subprocess.run([*compiler, "-typecheck", "-swift-version", "6", *files], capture_output=True, text=True)
    lines = [line for line in done.stderr.split("\n") if re.search(r"^\S.*: (error|warning): ", line)]
    found = [line for line in lines if ": error: " in line or not UNUSED.search(line)]
    return found or (["the compiler failed:\n" + done.stderr] if done.returncode and not lines else [])


def main(compiler):
    examples = list(all_examples())
    with tempfile.TemporaryDirectory(prefix="livery-examples-") as name:
        folder = pathlib.Path(name)
        given = folder / "Given.swift"
        given.write_text(GIVEN)
        together, alone = [given], []
        for number, example in enumerate(examples):
            # A file of this name may have statements at its top.
            file = folder / (f"{number}/main.swift" if example.is_file else f"Example{number}.swift")
            file.parent.mkdir(exist_ok=True)
            file.write_text(example.source(f"example{number}"))
            (alone if example.is_file else together).append(file)
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            calls = [together, *([given, file] for file in alone)]
            found = [line for lines in executor.map(lambda files: problems(compiler, files), calls) for line in lines]
    for line in sorted(set(found)):
        print(f"✘ {line}", file=sys.stderr)
    print(f"{len(examples)} examples of Swift were compiled, {len(set(found))} problems.", file=sys.stderr)
    sys.exit(1 if found else 0)


main(sys.argv[1:])
