"""Words of other languages are names like any others: in every position, and in random programs."""

import os
import random
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import legal_programs  # noqa: E402
import random_programs  # noqa: E402

BUILD_DIR = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(
    legal_programs.ROOT, "build")))
TENURE = os.path.join(BUILD_DIR, "bin", "tenure")
FEW, MANY = 15, 2000  # random programs
LONG = bool(os.environ.get("TENURE_LONG"))


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class LegalProgramsTest(unittest.TestCase):
    def build_and_run(self, directory):
        program = os.path.join(directory, "program")
        built = subprocess.run([TENURE, "build", "-w", "-O0", directory, "-o", program],
                               stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        self.assertEqual((built.returncode, built.stdout[:3000]), (0, ""))
        return subprocess.run([program], stdout=subprocess.PIPE, text=True).stdout

    def test_each_word_in_every_position(self):
        words = [legal_programs.spellings(word) for word in legal_programs.foreign_words()]
        self.assertGreater(len(words), 350)  # the tables were found
        with tempfile.TemporaryDirectory(prefix="tenure-words-") as directory:
            for number in range(3):
                spelled = [s[number] for s in words if len(s) > number]
                legal_programs.write(directory, "Main.m3", legal_programs.word_program(spelled))
                checked = subprocess.run([TENURE, "check", "-w", directory], text=True,
                                         stdout=subprocess.PIPE, stderr=subprocess.STDOUT)
                self.assertEqual((checked.returncode, checked.stdout[:3000]), (0, ""))
            # What the words mean: some of them run, beside a word that no table has.
            run = ["neutral"] + [s[0] for s in words[::1 if LONG else 12]]
            legal_programs.write(directory, "Main.m3", legal_programs.word_program(run))
            self.assertEqual(self.build_and_run(directory), "done\n")

    def test_words_as_names_of_units(self):
        words = [legal_programs.spellings(word)[0] for word in legal_programs.foreign_words()]
        with tempfile.TemporaryDirectory(prefix="tenure-units-") as directory:
            expected = legal_programs.word_units(words[::1 if LONG else 6], directory)
            self.assertEqual(self.build_and_run(directory), expected)

    def check_renamed(self, seeds):
        reports = [legal_programs.check_renamed(seed, TENURE) for seed in seeds]
        self.assertEqual([report for report in reports if report], [])

    def test_random_programs_with_other_names(self):
        start = random.randrange(10**6)
        self.check_renamed(range(start, start + FEW))

    def test_a_renamed_program_prints_what_the_evaluator_says(self):
        with tempfile.TemporaryDirectory(prefix="tenure-legal-") as directory:
            generator = legal_programs.Renamed(1000)
            self.assertIsNone(random_programs.find_fault(generator, TENURE, directory))

    @unittest.skipUnless(LONG, "long")
    def test_many_random_programs_with_other_names(self):
        start = random.randrange(10**6)
        self.check_renamed(range(start, start + MANY))


if __name__ == "__main__":
    unittest.main()
