#!/usr/bin/env python3
"""Checks before a commit: the C++ files of the commit are formatted, and every #include keeps to
the layers. Takes a second or two. Status 1 if a check fails.

  python3 tools/pre_commit.py              checks what is in Git's index
  python3 tools/pre_commit.py install      makes Git run it before each commit (git commit
                                           --no-verify leaves it out once)
"""

import os
import subprocess
import sys
import tempfile
from typing import List

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
sys.path.insert(0, os.path.join(ROOT, "tools"))
sys.dont_write_bytecode = True

import check_format  # noqa: E402
import check_layers  # noqa: E402

HOOK = "#!/bin/sh\n# Made by tools/pre_commit.py install.\nexec python3 tools/pre_commit.py\n"


def git(root: str, *arguments: str) -> str:
    return subprocess.run(["git", *arguments], cwd=root, check=True, text=True,
                          stdout=subprocess.PIPE).stdout


def staged(root: str) -> List[str]:
    """The files that the commit adds or changes."""
    names = git(root, "diff", "--cached", "--name-only", "-z", "--diff-filter=ACMR")
    return [name for name in names.split("\0") if name]


def problems(root: str) -> List[str]:
    """The errors in the files of the index, even if the working folder has newer versions."""
    files = staged(root)
    found = []
    with tempfile.TemporaryDirectory(prefix="pre-commit-") as copy:
        git(root, "checkout-index", "--all", f"--prefix={copy}/")
        formatted = [file for file in files if check_format.is_formatted(file)]
        if not check_format.is_installed():
            print(f"pre_commit: {check_format.FORMATTER} is not installed: formats are not checked",
                  file=sys.stderr)
        elif formatted:
            found += [f"{file}: run {check_format.FORMATTER} -i {file}"
                      for file in check_format.badly_formatted(formatted, copy)]
        found += check_layers.check_tree(copy)[1]
    return found


def install(root: str) -> None:
    folder = git(root, "rev-parse", "--git-path", "hooks").strip()
    path = os.path.join(root, folder, "pre-commit")
    if os.path.exists(path):
        with open(path, encoding="utf-8") as file:
            if file.read() != HOOK:
                sys.exit(f"pre_commit: {path} is another hook; call tools/pre_commit.py from it")
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with open(path, "w", encoding="utf-8") as file:
        file.write(HOOK)
    os.chmod(path, 0o755)
    print(f"pre_commit: installed as {path}")


def main() -> int:
    if sys.argv[1:] == ["install"]:
        install(ROOT)
        return 0
    if sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    found = problems(ROOT)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
