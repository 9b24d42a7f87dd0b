# SPDX-License-Identifier: Apache-2.0
"""Finds the lines of shell in pages, in the comments of files, and in the help of programs, for Scripts/test-pages."""

import concurrent.futures
import json
import re
import subprocess


class Failure(Exception):
    """A difference from what a page promises."""


class Line:
    """A line of shell, which continues after an open quotation mark or a backslash."""

    def __init__(self, place, text):
        self.place, self.text, self.output = place, text, []

    @property
    def words(self):
        return re.sub(r"\s+# .*", "", self.text.replace("\\\n", " ")).strip()


def is_complete(text):
    check = subprocess.run(["bash", "-n", "-c", text], capture_output=True, text=True)
    return check.returncode == 0 and not text.rstrip(" ").endswith("\\")


def shell_lines(page, numbered):
    """The lines of shell in these lines with their numbers."""
    found, begun, start = [], "", 0
    for number, text in numbered:
        if not begun and not text.strip():
            continue
        start = start if begun else number
        begun += text + "\n"
        if is_complete(begun[:-1]):
            found.append(Line(f"{page}:{start}", begun[:-1]))
            begun = ""
    if begun:
        raise Failure(f"{page}:{start}: this has no end: {begun}")
    return found


def console_lines(page, numbered):
    """The lines after a `$`, each with what it prints."""
    found = []
    for number, text in numbered:
        if text.startswith("$ "):
            found.append(Line(f"{page}:{number}", text[2:]))
        else:
            found[-1].output.append(text)
    return found


def lines_of_markdown(page, text):
    found, block, language = [], [], None
    for number, line in enumerate(text.split("\n"), 1):
        if not line.lstrip().startswith("```"):
            block.append((number, line))
        elif language is None:
            block, language = [], line.strip().strip("`")
        else:
            if language == "sh":
                found += shell_lines(page, block)
            elif language == "console":
                found += console_lines(page, block)
            elif not language and any(re.match(r"(livery|livery-server|swift|curl|etcdctl|sudo) ", x) for _, x in block):
                raise Failure(f"{page}:{number}: this looks like shell; begin it with ```sh")
            language = None
    return found


def lines_of_script(page, text):
    return shell_lines(page, enumerate(text.split("\n"), 1))


def lines_of_comments(page, text):
    """The indented blocks of a file's comments, without excerpts of files."""
    numbered = enumerate(text.split("\n"), 1)
    block = [(number, line[4:]) for number, line in numbered if line.startswith("#   ")]
    return shell_lines(page, block) if not any(line.startswith("[") for _, line in block) else []


def lines_of_help(page, text):
    """The lines below EXAMPLES: indented twice below a line that ends with a colon, or else once."""
    section = re.search(r"^EXAMPLES?\n(.*?)(^$|\Z)", text, re.MULTILINE | re.DOTALL)
    if not section:
        return []
    lines = section[1].rstrip("\n").split("\n")
    has_words = any(re.match(r"  \S.*:$", line) for line in lines)
    examples = [line for line in lines if not has_words or line.startswith("    ")]
    return shell_lines(page, [("EXAMPLES", line) for line in examples])


def commands_with_examples(program):
    """The commands of a program that have examples, each as a list of words."""
    text = subprocess.run([program, "--experimental-dump-help"], capture_output=True, check=True).stdout
    pending = [[json.loads(text)["command"]]]
    while pending:
        path = pending.pop(0)
        if "EXAMPLE" in path[-1].get("discussion", ""):
            yield [command["commandName"] for command in path]
        pending += [path + [command] for command in path[-1].get("subcommands", [])]


def pages_of_files(root, patterns):
    """The files that have lines of shell, by their names below the root, with these lines."""
    pages = {}
    for file in sorted({file for pattern in patterns for file in root.glob(pattern) if file.is_file()}):
        name = str(file.relative_to(root))
        lines = {".md": lines_of_markdown, ".sh": lines_of_script}.get(file.suffix, lines_of_comments)
        pages[name] = lines(name, file.read_text(errors="replace"))
    return {name: lines for name, lines in pages.items() if lines}


def pages_of_help(program):
    """The commands of a program whose help has lines of shell, with these lines."""

    def page(words):
        shown = subprocess.run([program, *words[1:], "--help"], capture_output=True, text=True, check=True)
        return " ".join(words), lines_of_help(" ".join(words), shown.stdout)

    with concurrent.futures.ThreadPoolExecutor(4) as executor:
        return dict(executor.map(page, commands_with_examples(program)))
