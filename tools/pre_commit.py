#!/usr/bin/env python3
"""Checks before a commit: the C++ files of the commit are formatted, every #include keeps to the layers, and the
message's title has at most 72 characters. Takes a second or two. Status 1 if a check fails.

  python3 tools/pre_commit.py              checks what is in Git's index
  python3 tools/pre_commit.py message FILE checks the message of a commit
  python3 tools/pre_commit.py install      makes Git run both before each commit (git commit --no-verify leaves them
                                           out once)
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

MADE = "#!/bin/sh\n# Made by tools/pre_commit.py install.\n"
HOOKS = {"pre-commit": MADE + "exec python3 tools/pre_commit.py\n",
         "commit-msg": MADE + 'exec python3 tools/pre_commit.py message "$1"\n'}
MOST_TITLE = 72


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


def message_problems(message: str) -> List[str]:
    """The errors in a commit's message, as Git gives it to a hook: comments are Git's own lines."""
    lines = [line for line in message.split("\n") if not line.startswith("#")]
    title = next((line for line in lines if line.strip()), "")
    # Git writes these by itself, around another title.
    if title.startswith(("Merge ", "Revert ", "fixup! ", "squash! ")):
        return []
    found = []
    if len(title) > MOST_TITLE:
        found.append(f"the title has {len(title)} characters, more than {MOST_TITLE}: say why in the body")
    rest = lines[lines.index(title) + 1:] if title else []
    if rest and rest[0].strip():
        found.append("an empty line stands between the title and the body")
    return found


def install(root: str) -> None:
    folder = os.path.join(root, git(root, "rev-parse", "--git-path", "hooks").strip())
    os.makedirs(folder, exist_ok=True)
    for name, hook in HOOKS.items():
        path = os.path.join(folder, name)
        if os.path.exists(path):
            with open(path, encoding="utf-8") as file:
                if file.read() != hook:
                    sys.exit(f"pre_commit: {path} is another hook; call tools/pre_commit.py from it")
        with open(path, "w", encoding="utf-8") as file:
            file.write(hook)
        os.chmod(path, 0o755)
        print(f"pre_commit: installed as {path}")


def main() -> int:
    if sys.argv[1:] == ["install"]:
        install(ROOT)
        return 0
    if sys.argv[1:2] == ["message"] and len(sys.argv) == 3:
        with open(sys.argv[2], encoding="utf-8") as file:
            found = message_problems(file.read())
    elif sys.argv[1:]:
        print(__doc__, file=sys.stderr)
        return 2
    else:
        found = problems(ROOT)
    for problem in found:
        print(problem, file=sys.stderr)
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
