# SPDX-License-Identifier: Apache-2.0
"""Checks that articles name public declarations alone, and that a topic of its module's catalogue lists each public type, for
Scripts/test-examples: symbols.py OPTION...

The options are those with which the modules are imported. An article may name anything of other packages. Of the declarations
in Sources it may name the public ones of the libraries, and as a type's members (`Type.member`, `Type/member`) its public ones.
"""
import concurrent.futures
import json
import pathlib
import re
import subprocess
import sys
import tempfile

# With the modules whose declarations they export.
LIBRARIES = re.search(r"documentation_targets: \[(.*)\]", pathlib.Path(".spi.yml").read_text())[1].split(", ")
MODULES = [*LIBRARIES, "Essentials"]
KEYWORDS = r"(?:class|struct|enum|actor|protocol|typealias|func|var|let|case)"
DECLARATION = re.compile(rf"^ *(?:@\w+ |[a-z]+(?:\(set\))? )*{KEYWORDS} (\w+)", re.M)
# Those of other platforms are in no symbol graph of this one.
PUBLIC = re.compile(rf"^ *(?:@\w+ |[a-z]+ )*public (?:[a-z]+(?:\(set\))? )*{KEYWORDS} (\w+)", re.M)
# Scripts/examples.py compiles blocks of code.
BLOCK = re.compile(r"^ *```.*?^ *```", re.M | re.S)
SPAN = re.compile(r"(`+)(.+?)\1")
# Types, names of several words, and names that follow a point and have arguments.
NAME = re.compile(r"(?<![\w$/-])(?:[A-Z]\w+|[a-z]+[A-Z]\w*|(?<=\.)\w+(?=\())(?![\w/-])")
MEMBER = re.compile(r"\b([A-Z]\w*)[./](\w+(?:\((?:\w+:)+\))?)")
# The line of a topic.
TOPIC = re.compile(r"^- ``(\w+)``$", re.M)
TYPES = {f"swift.{kind}" for kind in ("class", "enum", "macro", "protocol", "struct")}
# A trait, and a dependency in a manifest.
OTHERS = {"Server", "package"}


def public_symbols(options):
    """The modules and the kinds of the public symbols of the libraries, and their names, each with those of its types."""
    info = subprocess.run(["swiftc", "-print-target-info"], capture_output=True, check=True).stdout
    triple = json.loads(info)["target"]["triple"]

    def extract(module):
        command = ["swift", "symbolgraph-extract", "-module-name", module, "-target", triple]
        command += ["-minimum-access-level", "public", "-output-dir", folder, *options]
        done = subprocess.run(command, capture_output=True, text=True)
        if done.returncode:
            sys.exit(done.stderr)

    with tempfile.TemporaryDirectory(prefix="livery-symbols-") as folder:
        with concurrent.futures.ThreadPoolExecutor(2) as executor:
            list(executor.map(extract, MODULES))
        for graph in pathlib.Path(folder).iterdir():
            for symbol in json.loads(graph.read_text())["symbols"]:
                yield graph.name.removesuffix(".symbols.json"), symbol["kind"]["identifier"], symbol["pathComponents"]


def unknown_names(code, declared, public, members):
    """The names in a span of code that are not those of public declarations."""
    code = re.sub(r'"[^"]*"', '""', code)
    yield from (name for name in NAME.findall(code) if name in declared and name not in public)
    for owner, member in MEMBER.findall(code):
        if owner in members and member not in members[owner] | {"self"}:
            yield f"{owner}.{member}"


def unlisted_types(types):
    """The problems of the types of libraries that not one line of a topic lists."""
    for library in LIBRARIES:
        pages = pathlib.Path("Sources", library).glob("*.docc/*.md")
        listed = [name for page in pages for name in TOPIC.findall(page.read_text())]
        for name in sorted(name for module, name in types if module == library):
            if listed.count(name) != 1:
                yield f"✘ {library}.docc: {listed.count(name)} topics list {name}, which belongs to one"


def main(options):
    sources = [path.read_text() for path in pathlib.Path("Sources").glob("*/**/*.swift")]
    declared = {name for text in sources for name in DECLARATION.findall(text)}
    elsewhere = {name for text in sources for name in PUBLIC.findall(text)}
    public, members, count, types = elsewhere.union(LIBRARIES), {}, 0, set()
    for module, kind, (*owners, name) in public_symbols(options):
        if kind in TYPES and not owners:
            types.add((module, name))
        public.update(re.findall(r"\w+", " ".join([*owners, name])))
        for owner in owners:
            members.setdefault(owner, set(elsewhere)).update([name, name.split("(")[0]])
    problems = list(unlisted_types(types))
    pages = ["README.md", "Documentation/Library.md", *sorted(map(str, pathlib.Path("Sources").glob("*/*.docc/*.md")))]
    for page in pages:
        text = pathlib.Path(page).read_text()
        known = public.union(OTHERS, DECLARATION.findall(text))
        text = BLOCK.sub(lambda block: "\n" * block[0].count("\n"), text)
        for span in SPAN.finditer(text):
            count += 1
            line = text.count("\n", 0, span.start()) + 1
            names = unknown_names(span[2], declared, known, members)
            problems += [f"✘ {page}:{line}: {name} is not public" for name in names]
    print("\n".join([*problems, f"{count} names in {len(pages)} articles, {len(types)} types in topics, {len(problems)} problems."]), file=sys.stderr)
    sys.exit(1 if problems else 0)


main(sys.argv[1:])
