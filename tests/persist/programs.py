"""Tests of programs that are built once: where the tools are, and a directory with the program."""

import os
import shutil
import subprocess
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
TENURE = os.path.join(os.path.abspath(BUILD), "bin", "tenure")


def build_program(directory: str, text: str) -> str:
    """The program of the module Main with this text; both lie in `directory`."""
    source = os.path.join(directory, "Main.m3")
    with open(source, "w", encoding="utf-8") as file:
        file.write(text)
    program = os.path.join(directory, "program")
    subprocess.run([TENURE, "build", source, "-o", program], check=True, stdout=subprocess.DEVNULL)
    return program


class ProgramTestCase(unittest.TestCase):
    """The class's `text` is built to `program`, in `directory`, before its tests."""

    text = ""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.mkdtemp(prefix="tenure-persist-")
        cls.program = build_program(cls.directory, cls.text)

    @classmethod
    def tearDownClass(cls):
        shutil.rmtree(cls.directory)
