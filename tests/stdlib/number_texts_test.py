"""Fmt, FmtBuf, Convert, Scan and Lex on random numbers and texts (number_texts.py): some ten thousand values; with
TENURE_LONG set two million of each kind."""

import os
import random
import sys
import tempfile
import unittest

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import number_texts  # noqa: E402

TENURE = os.path.join(os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(number_texts.ROOT, "build"))),
                      "bin", "tenure")
VALUES = 2_000_000 if os.environ.get("TENURE_LONG") else 4_000


@unittest.skipUnless(os.path.exists(TENURE), f"{TENURE} has not been built")
class NumberTextsTest(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="number-texts-")
        cls.addClassCleanup(cls.directory.cleanup)
        cls.programs = [number_texts.build(TENURE, cls.directory.name, level) for level in number_texts.LEVELS]
        cls.seed = random.randrange(10**9)

    def check(self, kinds):
        for kind in kinds:
            self.assertEqual(number_texts.differences(self.programs, kind, VALUES, self.seed), [])

    def test_reals_as_texts(self):
        self.check("f")

    def test_longreals_as_texts(self):
        self.check("d")

    def test_extendeds_as_texts(self):
        self.check("x")

    def test_integers_as_texts(self):
        self.check("i")

    def test_texts_as_reals(self):
        self.check("FDX")

    def test_texts_as_integers(self):
        self.check("I")

    def test_literals(self):
        count = 5_000 if os.environ.get("TENURE_LONG") else 600
        with tempfile.TemporaryDirectory(prefix="number-literals-") as directory:
            self.assertEqual(number_texts.wrong_literals(TENURE, directory, count, self.seed), [])


class OracleTest(unittest.TestCase):
    """The two ways in which the oracle finds the shortest digits agree where both can be used."""

    def test_exact_integers_find_the_digits_of_repr(self):
        maker, of = number_texts.Maker(1), number_texts.LONGREAL
        for _ in range(2000):
            magnitude = max(1, maker.bits(of) & ~of.sign)
            if magnitude < of.infinity:
                self.assertEqual(of.shortest(magnitude), of.shortest_by_integers(magnitude))


if __name__ == "__main__":
    unittest.main()
