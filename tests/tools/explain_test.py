#!/usr/bin/env python3
"""Tests the examples of `tenure explain`: the wrong one gives its message, the right one does not."""

import concurrent.futures
import os
import re
import subprocess
import sys
import tempfile
import unittest
from typing import Dict, List, Set

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import make_explanations  # noqa: E402  (found through the path just added)

TENURE = os.path.join(ROOT, os.environ.get("TENURE_BUILD_DIR", "build"), "bin", "tenure")
# An example is a part of a program: its names may be unused.
UNUSED = {"W0301", "W0401"}
COMMAND = re.compile(r"^-- command (.*)\n?", re.MULTILINE)
# Where the examples say that the library is.
INSTALLED_LIBRARY = "/usr/lib/tenure/lib/stdlib"


def files_of(example: str) -> Dict[str, str]:
    is_made = COMMAND.search(example) is not None
    example = COMMAND.sub("", example)
    if is_made and not example:
        return {}
    if example.startswith("-- file "):
        parts = re.split(r"^-- file (\S+)\n", example + "\n", flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2]))
    begin = "" if re.search(r"^BEGIN", example, re.MULTILINE) else "BEGIN\n"
    return {"Main.m3": f"MODULE Main;\n{example}\n{begin}END Main.\n"}


def codes_of(example: str) -> Set[str]:
    """The codes of the messages about the example."""
    with tempfile.TemporaryDirectory() as directory:
        for name, text in files_of(example).items():
            path = os.path.join(directory, name)
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="latin-1") as file:
                file.write(text)
        commands = [command.replace(INSTALLED_LIBRARY, f"'{ROOT}/stdlib'") for command in COMMAND.findall(example)]
        script = "\n".join(["set -e", *commands, 'exec "$0" build . --dump=llvm'])
        built = subprocess.run(["sh", "-c", script, TENURE], cwd=directory, check=False,
                               stdout=subprocess.DEVNULL, stderr=subprocess.PIPE)
    return set(re.findall(r"(?:error|warning)\[(\w+)\]", built.stderr.decode("latin-1")))


def run(*arguments: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run([TENURE, "explain", *arguments], capture_output=True, text=True, check=False)


class ExplainTest(unittest.TestCase):
    def setUp(self) -> None:
        self.programs = make_explanations.read_programs(
            os.path.join(ROOT, "compiler/diagnostics/examples.txt"))

    def test_the_wrong_example_gives_its_message_and_the_right_one_none(self) -> None:
        def problems(code: str) -> List[str]:
            wrong, right = map(codes_of, self.programs[code])
            errors = {other for other in wrong if other.startswith("M")} - {code}
            if COMMAND.search(self.programs[code][0]):
                errors -= {"M0605"}  # a library without an interface lacks its revelations, too
            found = [] if code in wrong else [f"{code}: the wrong example gives {sorted(wrong)}"]
            if errors:
                found.append(f"{code}: the wrong example has more errors: {sorted(errors)}")
            if right - (UNUSED - {code}):
                found.append(f"{code}: the right example gives {sorted(right)}")
            return found

        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            found = [line for lines in pool.map(problems, self.programs) for line in lines]
        self.assertEqual(found, [])

    def test_an_explanation_shows_both_examples_and_the_rule(self) -> None:
        shown = run("m0703").stdout
        for part in ("Wrong:", "x := 1;", "Right:", "x := 1.0;", "8.1 (Between types)"):
            self.assertIn(part, shown)

    def test_rules_are_found_by_number(self) -> None:
        self.assertIn("Between types", run("8.1").stdout)
        self.assertEqual(run("99.9").returncode, 2)

    def test_the_list_has_every_code(self) -> None:
        listed = re.findall(r"^(\w\d{4})  ", run("--list").stdout, re.MULTILINE)
        messages = make_explanations.read_messages(
            os.path.join(ROOT, "compiler/diagnostics/messages.def"))
        self.assertEqual(listed, [message.code for message in messages])

    def test_every_message_has_an_example(self) -> None:
        messages = make_explanations.read_messages(
            os.path.join(ROOT, "compiler/diagnostics/messages.def"))
        lacking = {message.code for message in messages
                   if message.severity != "note" and message.code not in self.programs}
        self.assertEqual(lacking, set())


if __name__ == "__main__":
    unittest.main()
