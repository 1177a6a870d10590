"""The tutorial and the cookbook, as a reader would type them in."""

import os
import re
import subprocess
import tempfile
import unittest
from typing import List, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
BLOCK = re.compile(r"^```(\w*)\n(.*?)^```$", re.M | re.S)
NAME = re.compile(r"(?:\(\* (\S+) \*\)|% (\S+))$")


def commands(text: str) -> List[Tuple[str, List[str]]]:
    """Each line behind a `$`, with the lines that it is said to print."""
    found: List[Tuple[str, List[str]]] = []
    for line in text.splitlines():
        if line.startswith("$ "):
            found.append((line[2:], []))
        else:
            found[-1][1].append(line)
    return found


class DocumentTest(unittest.TestCase):
    def follow(self, document: str) -> int:
        """Writes the files that the document shows, and runs its commands; how many there were."""
        count = 0
        with open(os.path.join(ROOT, "docs", document), encoding="utf-8") as file:
            blocks = BLOCK.findall(file.read())
        with tempfile.TemporaryDirectory(prefix="document-") as directory:
            path = os.path.join(BUILD, "bin") + os.pathsep + os.environ["PATH"]
            for language, text in blocks:
                first, _, rest = text.partition("\n")
                name = NAME.match(first)
                if name and language != "console":
                    self.write(os.path.join(directory, name.group(1) or name.group(2)), rest)
                if language != "console":
                    continue
                for command, lines in commands(text):
                    ran = subprocess.run(["bash", "-c", command], cwd=directory, text=True,
                                         env=dict(os.environ, PATH=path), stdin=subprocess.DEVNULL,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                    self.assertEqual(ran.stdout.splitlines(), lines, command)
                    count += 1
        return count

    def write(self, path: str, text: str) -> None:
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)

    def test_the_tutorial(self):
        self.assertGreater(self.follow("tutorial.md"), 10)

    def test_the_cookbook(self):
        self.assertGreater(self.follow("cookbook.md"), 4)

    def test_the_first_program_is_that_of_the_readme(self):
        first = []
        for document in ("README.md", "docs/tutorial.md"):
            with open(os.path.join(ROOT, document), encoding="utf-8") as file:
                text = next(text for language, text in BLOCK.findall(file.read())
                            if language == "modula3")
            first.append(text[text.index("MODULE Main"):])
        self.assertEqual(first[0], first[1])


if __name__ == "__main__":
    unittest.main()
