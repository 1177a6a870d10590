"""Asks the program witness/Main.m3, which calls interfaces of the library, for answers that tests compare with those
of Python's own modules."""

import os
import random
import shutil
import subprocess
import tempfile
import unittest
from typing import List, Optional, Sequence, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
TENURE = os.path.join(os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))), "bin", "tenure")
LONG = bool(os.environ.get("TENURE_LONG"))

# An operation and its arguments; texts are bytes.
Question = Tuple[str, ...]


class Failed(str):
    """The text of an exception."""


def coded(argument) -> str:
    return (argument if isinstance(argument, bytes) else str(argument).encode("utf-8")).hex()


def answer_of(line: bytes):
    """The results, None for NIL, or the error."""
    kind, *fields = line.decode().split("\t")
    values: List[Optional[bytes]] = [None if field == "-" else bytes.fromhex(field) for field in fields]
    return values if kind == "ok" else Failed(values[0].decode("latin-1"))


class Witness(unittest.TestCase):
    """Has the program, and a random generator whose seed a failure shows."""

    @classmethod
    def setUpClass(cls):
        if not os.path.exists(TENURE):
            raise unittest.SkipTest(f"{TENURE} has not been built")
        directory = tempfile.TemporaryDirectory(prefix="witness-")
        cls.addClassCleanup(directory.cleanup)
        cls.program = os.path.join(directory.name, "witness")
        shutil.copytree(os.path.join(ROOT, "tests", "stdlib", "witness"), os.path.join(directory.name, "sources"))
        subprocess.run([TENURE, "build", "-O2", "-o", cls.program, os.path.join(directory.name, "sources")], check=True)
        cls.seed = random.randrange(10**9)

    def setUp(self):
        self.random = random.Random(self.seed)

    def ask(self, questions: Sequence[Question]) -> list:
        lines = "".join("\t".join([question[0], *map(coded, question[1:])]) + "\n" for question in questions)
        ran = subprocess.run([self.program], input=lines.encode(), stdout=subprocess.PIPE, check=True)
        answers = [answer_of(line) for line in ran.stdout.splitlines()]
        self.assertEqual(len(answers), len(questions))
        return answers

    def compare(self, questions: Sequence[Question], expected: Sequence) -> None:
        """An expected list must be the results; an expected type of exception means that there is an error."""
        for question, answer, value in zip(questions, self.ask(questions), expected):
            if value is ValueError:
                self.assertIsInstance(answer, Failed, f"seed {self.seed}: {question}")
            else:
                self.assertEqual(answer, value, f"seed {self.seed}: {question}")
