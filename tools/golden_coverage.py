"""Coverage of docs/language.md and compiler/diagnostics/messages.def by the text of the
tests: the sections that no program names, and the messages that no test expects.
run_golden.py --coverage prints more, from a run."""

import os
import re
from typing import Dict, Iterator, List, Set, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
SECTION = re.compile(r"^##+ (\d+(?:\.\d+)?)\.? +(.*)$", re.MULTILINE)
RULES_NAMED = re.compile(r"language\.md ((?:\d+(?:\.\d+)*(?:, )?)+)")
MESSAGE = re.compile(r'TN_MESSAGE\(\s*(\w+),\s*"([MW]\d+)",\s*\w+,\s*"((?:[^"\\]|\\.)*)"')
CODE = re.compile(r"\b[MW]\d{4}\b")
EXPECTED = re.compile(r"\(\*\s*expect-(?:error|warning)\b[^:]*:\s*(.*?)\s*\*\)")


def read(path: str) -> str:
    with open(path, encoding="utf-8", errors="replace") as file:
        return file.read()


def files_below(folder: str, suffixes: Tuple[str, ...]) -> Iterator[str]:
    for directory, _, names in os.walk(os.path.join(ROOT, folder)):
        yield from (os.path.join(directory, name) for name in sorted(names)
                    if name.endswith(suffixes))


def rules_named(text: str) -> Set[str]:
    """The rules named by `(language.md 14.8, 20)` in the comments before a program's code."""
    return {rule for names in RULES_NAMED.findall(text[:2000])
            for rule in re.findall(r"[\d.]*\d", names)}


def sections() -> List[Tuple[str, str]]:
    return SECTION.findall(read(os.path.join(ROOT, "docs/language.md")))


def sections_without_program() -> List[str]:
    """The sections that no running golden program names, neither the section nor one of its
    parts."""
    named: Set[str] = set()
    for phase in ("run", "persist"):
        for path in files_below("tests/golden/" + phase, (".m3",)):
            named |= rules_named(read(path))
    return [f"{section} {title}" for section, title in sections()
            if not any(rule == section or rule.startswith(section + ".") for rule in named)]


def messages() -> Dict[str, str]:
    """Maps the codes of errors and warnings to their wording."""
    text = read(os.path.join(ROOT, "compiler/diagnostics/messages.def"))
    return {code: wording.replace('\\"', '"').replace("\\\\", "\\")
            for _, code, wording in MESSAGE.findall(text)}


def is_expectation_of(text: str, wording: str) -> bool:
    """Whether the text, without its code and rule, is an instance of the message, or a part of
    the message that distinguishes it from others. Advice may follow."""
    text = re.sub(r"^[MW]\d{4}: | \([\d.]+\)$", "", text)
    parts = re.split(r"\{\d+\}", wording)
    instance = ".*".join(re.escape(part) for part in parts) + "(?:[;:] .*)?"
    return (re.fullmatch(instance, text) is not None
            or (len(text) > 15 and text in wording))


def codes_of_other_tests() -> Set[str]:
    """The codes that tests in C++ and Python, and the tables of mistakes, name."""
    paths = [*files_below("tests", (".cc", ".py")), *files_below("tests/mistakes", (".txt",))]
    return {code for path in paths for code in CODE.findall(read(path))}


def messages_without_test() -> List[str]:
    """The messages that no golden test expects and whose code no other test names."""
    expected: Set[str] = set()
    for path in files_below("tests/golden", (".m3", ".i3")):
        expected.update(EXPECTED.findall(read(path)))
    codes = codes_of_other_tests().union(code for text in expected for code in CODE.findall(text))
    return [f"{code}: {wording}" for code, wording in messages().items()
            if code not in codes and not any(is_expectation_of(text, wording) for text in expected)]
