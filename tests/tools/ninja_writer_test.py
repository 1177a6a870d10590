import io
import os
import subprocess
import tempfile
import unittest

from ninja_writer import NinjaWriter, kLineWidth


def written(action) -> str:
    text = io.StringIO()
    action(NinjaWriter(text))
    return text.getvalue()


class NinjaWriterTest(unittest.TestCase):
    def test_build_statement(self):
        self.assertEqual(
            written(lambda n: n.build("out", "cc", ["a b.c", "c:d"], implicit="tool",
                                      order_only=["dir"], variables={"flags": "-g"})),
            "build out: cc a$ b.c c$:d | tool || dir\n  flags = -g\n")

    def test_long_lines_are_broken_and_ninja_joins_them(self):
        words = " ".join(f"word{i}" for i in range(60))

        def action(n: NinjaWriter) -> None:
            n.rule("print", f"echo {words} > $out")
            n.build("out", "print")

        text = written(action)
        self.assertLessEqual(max(map(len, text.split("\n"))), kLineWidth)
        with tempfile.TemporaryDirectory() as directory:
            with open(os.path.join(directory, "build.ninja"), "w") as file:
                file.write(text)
            subprocess.run(["ninja", "-C", directory], check=True, stdout=subprocess.DEVNULL)
            with open(os.path.join(directory, "out")) as file:
                self.assertEqual(file.read(), words + "\n")


if __name__ == "__main__":
    unittest.main()
