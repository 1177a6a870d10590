"""OO7 over any heap has with pointers the object code of plain C++."""

import os
import re
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
sys.path.insert(0, ROOT)
sys.dont_write_bytecode = True

FOLDER = os.path.join(ROOT, "tests", "lab", "pointer_code")
FUNCTIONS = ["Visit", "VisitAndUpdate", "CountIn", "TraverseUp", "OutOfDate"]
COMPILER = os.environ.get("CXX", "g++")


def last_names(mangled):
    """Of functions and variables: their names without what they are in and what their templates and
    parameters are."""
    told = subprocess.run(["c++filt"], input="\n".join(mangled), check=True, text=True,
                          stdout=subprocess.PIPE).stdout
    found = {}
    for symbol, demangled in zip(mangled, told.splitlines()):
        depth, plain = 0, ""
        for sign in demangled:
            depth += (sign == "<") - (sign == ">")
            if depth == 0 and sign != ">":
                plain += sign
        found[symbol] = plain.split("(")[0].split("::")[-1].split(" ")[-1]
    return found


def functions_of(source, folder, *flags):
    """The instructions of each function, by its name, with the names of what they refer to."""
    path = os.path.join(folder, os.path.basename(source) + ".o")
    subprocess.run([COMPILER, "-std=c++20", "-O2", "-I", ROOT, "-fno-pie", "-fno-rtti", *flags, "-c", source,
                    "-o", path], check=True)
    lines = subprocess.run(["objdump", "-d", "-r", "--no-show-raw-insn", "--no-addresses", path], check=True,
                           text=True, stdout=subprocess.PIPE).stdout.splitlines()
    names = last_names(sorted(set(re.findall(r"_Z\w+", "\n".join(lines)))))
    found, name = {}, None
    for line in lines:
        begin = re.match(r"^<(\w+)>:$", line)
        if begin:
            name = names.get(begin.group(1), begin.group(1))
            found[name] = []
        elif name and line.strip():
            text = re.sub(r"_Z\w+", lambda symbol: names[symbol.group(0)], " ".join(line.split()))
            found[name].append(text)
    return found


class PointerCodeTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.folder = tempfile.TemporaryDirectory(prefix="tenure-code-")
        cls.templates = functions_of(os.path.join(FOLDER, "templates.cc"), cls.folder.name)
        cls.plain = functions_of(os.path.join(FOLDER, "plain.cc"), cls.folder.name)

    @classmethod
    def tearDownClass(cls):
        cls.folder.cleanup()

    def test_pointers_have_the_code_of_plain_cpp(self):
        for name in FUNCTIONS:
            with self.subTest(name):
                # What is small is in line in both, and then in Use.
                self.assertEqual(name in self.templates, name in self.plain)
                self.assertEqual(self.templates.get(name), self.plain.get(name))
        self.assertIn("Visit", self.plain)
        self.assertIn("VisitAndUpdate", self.plain)

    def test_other_code_is_seen_to_differ(self):
        other = functions_of(os.path.join(FOLDER, "plain.cc"), self.folder.name, "-O0")
        self.assertNotEqual(other["Visit"], self.templates["Visit"])


if __name__ == "__main__":
    unittest.main()
