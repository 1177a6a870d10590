#!/usr/bin/env python3
"""Makes web pages of the guide and all other documents, with a search, and beside them the pages of
`tenure doc` about the library.

  python3 tools/guide_pages.py [--build-dir DIR] [-o FOLDER]     FOLDER: DIR/guide

The pages need no network and no server: open FOLDER/index.html. Sphinx, MyST and the theme Furo come
from Debian (`build.py guide` installs them). Warnings of Sphinx, such as links that lead nowhere, are
errors."""

import argparse
import os
import shutil
import subprocess
import sys

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


def make_pages(build_dir: str, output: str) -> int:
    """The status of the first step that fails; 0 if all is well."""
    # Debian's Sphinx belongs to Debian's Python, whatever `python3` is.
    sphinx = shutil.which("sphinx-build") or "/usr/bin/sphinx-build"
    made = subprocess.run([sphinx, "-q", "-W", "--keep-going", "-j", "auto", "-b", "html",
                           "-c", os.path.join(ROOT, "tools", "guide"),
                           "-d", os.path.join(build_dir, "guide-doctrees"), ROOT, output])
    if made.returncode != 0:
        return made.returncode
    # The start page is the page of the project's README.
    shutil.copyfile(os.path.join(output, "README.html"), os.path.join(output, "index.html"))
    return subprocess.run([os.path.join(build_dir, "bin", "tenure"), "doc",
                           "-o", os.path.join(output, "library"),
                           "--guide", "../docs/guide/README.html"]).returncode


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build-dir", default=os.path.join(ROOT, "build"), metavar="DIR")
    parser.add_argument("-o", dest="output", metavar="FOLDER")
    arguments = parser.parse_args()
    output = arguments.output or os.path.join(arguments.build_dir, "guide")
    status = make_pages(os.path.abspath(arguments.build_dir), os.path.abspath(output))
    if status == 0:
        print(f"the guide is {output}/index.html")
    return status


if __name__ == "__main__":
    sys.exit(main())
