"""The web pages of the documents, where Sphinx is installed (python3 build.py guide)."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest

ROOT = os.path.dirname(os.path.dirname(os.path.dirname(os.path.abspath(__file__))))
BUILD = os.path.abspath(os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build")))


@unittest.skipUnless(shutil.which("sphinx-build"), "Sphinx is not installed")
class GuidePagesTest(unittest.TestCase):
    """Sphinx takes warnings, such as links that lead nowhere, for errors."""

    @classmethod
    def setUpClass(cls):
        cls.directory = tempfile.TemporaryDirectory(prefix="guide-pages-")
        cls.pages = cls.directory.name
        made = subprocess.run([sys.executable, os.path.join(ROOT, "tools", "guide_pages.py"),
                               "--build-dir", BUILD, "-o", cls.pages],
                              stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True)
        assert made.returncode == 0, made.stdout

    @classmethod
    def tearDownClass(cls):
        cls.directory.cleanup()

    def read(self, path: str) -> str:
        with open(os.path.join(self.pages, path), encoding="utf-8") as file:
            return file.read()

    def test_every_page_of_the_guide_is_there_and_found_from_the_start(self):
        start = self.read("index.html")
        for parent, _, names in os.walk(os.path.join(ROOT, "docs", "guide")):
            for name in names:
                if not name.endswith(".md"):
                    continue
                page = os.path.relpath(os.path.join(parent, name[:-3] + ".html"), ROOT)
                self.assertTrue(os.path.exists(os.path.join(self.pages, page)), page)
                self.assertIn(f'href="{page}"', start)

    def test_pages_link_to_the_interfaces_of_the_library(self):
        page = self.read("docs/guide/transactions.html")
        target = re.search(r'href="([^"]*library/Transaction\.html)"', page).group(1)
        self.assertTrue(os.path.exists(os.path.join(self.pages, "docs", "guide", target)))
        self.assertIn('library/index.html"', page)

    def test_the_search_knows_words_of_the_text(self):
        index = self.read("searchindex.js")
        for word in ("checkpoint", "salvag", "enumer"):  # stems
            self.assertIn(word, index)

    def test_code_is_coloured(self):
        self.assertRegex(self.read("docs/guide/first-hour.html"), r'<span class="k">MODULE</span>')


if __name__ == "__main__":
    unittest.main()
