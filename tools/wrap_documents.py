#!/usr/bin/env python3
"""Wraps paragraphs and items of lists in Markdown files that have a line over 120 columns. Tables,
headings, code and paragraphs without such a line stay as they are.

  python3 tools/wrap_documents.py [FILE ...]     these files, or all documents of the project
"""

import os
import re
import subprocess
import sys
import textwrap
from typing import List

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LONGEST_LINE = 120
GENERATED = {"docs/performance.md", "docs/laboratory.md"}  # by bench/report and lab
ITEM = re.compile(r"^\s*(?:[-*]|\d+\.)\s+")
OTHER_BLOCK = re.compile(r"^\s*(?:\||#|>|<!--|```)")
NO_BREAK = "\x01"


def documents(root: str = ROOT) -> List[str]:
    listed = subprocess.run(["git", "ls-files", "*.md"], cwd=root, stdout=subprocess.PIPE, text=True)
    return [path for path in listed.stdout.split("\n") if path and path not in GENERATED]


def long_lines(text: str) -> List[int]:
    """Numbers of the lines that are too long, but for those of tables and code."""
    found, code = [], False
    for number, line in enumerate(text.split("\n"), 1):
        if line.lstrip().startswith("```"):
            code = not code
        elif not code and len(line) > LONGEST_LINE and not line.lstrip().startswith("|"):
            found.append(number)
    return found


def fill(lines: List[str]) -> List[str]:
    """The paragraph or item in lines that are short enough."""
    item = ITEM.match(lines[0])
    begin = item.group(0) if item else re.match(r"\s*", lines[0]).group(0)
    text = " ".join([lines[0][len(begin):]] + [line.strip() for line in lines[1:]])
    # A line break within `code` would be shown as a blank; we keep code on one line.
    text = re.sub(r"`[^`]+`", lambda code: code.group(0).replace(" ", NO_BREAK), text)
    filled = textwrap.wrap(text, LONGEST_LINE - 2, initial_indent=begin,
                           subsequent_indent=" " * len(begin), break_long_words=False,
                           break_on_hyphens=False)
    filled = [line.replace(NO_BREAK, " ") for line in filled]
    # A continuation that looks like an item or a table would become one.
    if any(ITEM.match(line) or OTHER_BLOCK.match(line) for line in filled[1:]):
        return lines
    return filled


def wrap(text: str) -> str:
    lines, wrapped, code, i = text.split("\n"), [], False, 0
    while i < len(lines):
        line = lines[i]
        starts_code = line.startswith("    ") and not ITEM.match(line) and (
            not wrapped or not wrapped[-1].strip())
        if line.lstrip().startswith("```"):
            code = not code
        if code or not line.strip() or OTHER_BLOCK.match(line) or starts_code:
            wrapped.append(line)
            i += 1
            continue
        end = i + 1
        while end < len(lines) and lines[end].strip() and not ITEM.match(lines[end]) \
                and not OTHER_BLOCK.match(lines[end]):
            end += 1
        paragraph = lines[i:end]
        too_long = any(len(part) > LONGEST_LINE for part in paragraph)
        breaks = any(part.endswith("  ") for part in paragraph)
        wrapped += fill(paragraph) if too_long and not breaks else paragraph
        i = end
    return "\n".join(wrapped)


def main() -> None:
    for path in sys.argv[1:] or [os.path.join(ROOT, name) for name in documents()]:
        with open(path, encoding="utf-8") as file:
            text = file.read()
        wrapped = wrap(text)
        if wrapped != text:
            with open(path, "w", encoding="utf-8") as file:
                file.write(wrapped)
            print(f"wrapped {path}")


if __name__ == "__main__":
    main()
