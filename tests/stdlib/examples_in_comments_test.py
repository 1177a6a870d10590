"""The examples in the comments of the library's interfaces, which `tenure doc` shows: each module
Main is run, and prints what the next block of code in its comment says."""

import concurrent.futures
import os
import re
import subprocess
import tempfile
import textwrap
import unittest
from typing import List, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))
COMMENT = re.compile(r"^ *\(\*.*?\*\)", re.M | re.S)
WORKERS = 2


def blocks_of(comment: str) -> List[str]:
    """The blocks of lines that are indented by four columns more than the other lines."""
    lines = comment.strip()[2:-2].split("\n")[1:]
    indented = [len(line) - len(line.lstrip()) for line in lines if line.strip()]
    least = min(indented, default=0) + 4
    blocks, block = [], []
    for line in lines + ["x"]:
        if line.strip() and len(line) - len(line.lstrip()) < least:
            if "".join(block).strip():
                blocks.append(textwrap.dedent("\n".join(block)).strip("\n"))
            block = []
        else:
            block.append(line)
    return blocks


def examples_of(text: str) -> List[Tuple[str, str]]:
    """Programs with what they print."""
    found = []
    for comment in COMMENT.findall(text):
        blocks = blocks_of(comment)
        found += [(block, blocks[i + 1] if i + 1 < len(blocks) else "")
                  for i, block in enumerate(blocks) if block.startswith("MODULE Main;")]
    return found


def all_examples() -> List[Tuple[str, str, str]]:
    examples = []
    for parent, _, names in os.walk(os.path.join(ROOT, "stdlib")):
        for name in sorted(names):
            if not name.endswith((".i3", ".ig")):
                continue
            with open(os.path.join(parent, name), encoding="latin-1") as file:
                examples += [(name, program, printed) for program, printed in examples_of(file.read())]
    return sorted(examples)


def lines_of(text: str) -> List[str]:
    return [line.rstrip() for line in text.rstrip("\n").split("\n")]


class ExamplesInCommentsTest(unittest.TestCase):
    def run_example(self, program: str) -> str:
        with tempfile.TemporaryDirectory(prefix="example-") as directory:
            with open(os.path.join(directory, "Main.m3"), "w", encoding="latin-1") as file:
                file.write(program + "\n")
            return subprocess.run([os.path.join(BUILD, "bin", "tenure"), "run", "Main.m3"], text=True,
                                  cwd=directory, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE,
                                  stderr=subprocess.STDOUT).stdout

    def test_examples_print_what_they_say(self):
        examples = all_examples()
        self.assertGreater(len(examples), 10)
        with concurrent.futures.ThreadPoolExecutor(max_workers=WORKERS) as pool:
            printed = list(pool.map(lambda example: self.run_example(example[1]), examples))
        for (name, _, expected), output in zip(examples, printed):
            with self.subTest(interface=name):
                self.assertEqual(lines_of(output), lines_of(expected))

    def test_blocks_are_found_by_their_indentation(self):
        text = ("(* Words.\n\n   Example:\n\n       MODULE Main;\n       BEGIN\n         x\n       END Main.\n\n"
                "   It prints\n\n       1\n        2\n*)\nINTERFACE X;\n(* short *)\nEND X.\n")
        self.assertEqual(examples_of(text), [("MODULE Main;\nBEGIN\n  x\nEND Main.", "1\n 2")])
        self.assertEqual(examples_of("(* One line. *)\nINTERFACE X; END X."), [])


if __name__ == "__main__":
    unittest.main()
