#!/usr/bin/env python3
"""Finds C++ files that are not formatted according to .clang-format. Status 1 if there is such
a file, 3 if clang-format-19 is not installed.

  python3 tools/check_format.py [FILE ...]     these files, or all
"""

import concurrent.futures
import os
import shutil
import subprocess
import sys
from typing import List, Sequence

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FORMATTER = "clang-format-19"
FOLDERS = ["base", "commands", "abi", "gc", "store", "stabilize", "runtime", "dbtool", "node", "compiler",
           "tests", "bench", "lab"]
kFilesAtOnce = 40


def is_formatted(path: str) -> bool:
    """Whether the file with this path from the root must be formatted."""
    return path.split("/")[0] in FOLDERS and path.endswith((".h", ".cc"))


def formatted_files(root: str = ROOT) -> List[str]:
    return sorted(os.path.relpath(os.path.join(folder, name), root)
                  for top in FOLDERS for folder, _, names in os.walk(os.path.join(root, top))
                  for name in names if name.endswith((".h", ".cc")))


def is_installed() -> bool:
    return shutil.which(FORMATTER) is not None


def badly_formatted(files: Sequence[str], root: str = ROOT, workers: int = 1) -> List[str]:
    def look(some: Sequence[str]) -> List[str]:
        ran = subprocess.run([FORMATTER, "--dry-run", "-Werror", "-ferror-limit=1", *some],
                             cwd=root, stderr=subprocess.PIPE, text=True)
        wrong = [line.split(":")[0] for line in ran.stderr.splitlines()
                 if "clang-format-violations" in line]
        if ran.returncode != 0 and not wrong:
            raise RuntimeError(f"{FORMATTER} failed: {ran.stderr}")
        return wrong

    parts = [files[i:i + kFilesAtOnce] for i in range(0, len(files), kFilesAtOnce)]
    with concurrent.futures.ThreadPoolExecutor(max_workers=workers) as pool:
        return sorted({file for found in pool.map(look, parts) for file in found})


def main() -> int:
    if not is_installed():
        print(f"check_format: {FORMATTER} is not installed", file=sys.stderr)
        return 3
    files = [os.path.relpath(os.path.abspath(file), ROOT) for file in sys.argv[1:]]
    wrong = badly_formatted([f for f in files if is_formatted(f)] or
                            ([] if files else formatted_files()),
                            workers=len(os.sched_getaffinity(0)))
    for file in wrong:
        print(f"{file}: run {FORMATTER} -i {file}")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
