"""Reads a golden test: a Modula-3 file with its expectations in comments (docs in run_golden.py)."""

import os
import re
import shlex
from dataclasses import dataclass, field
from typing import Dict, List, Optional, Tuple

PHASES = ("lex", "parse", "check", "lower", "run", "persist")
SUFFIXES = {"MODULE": ".m3", "INTERFACE": ".i3", "GENERIC MODULE": ".mg",
            "GENERIC INTERFACE": ".ig"}

HEADER = re.compile(r"^\(\*\s*golden:(.*?)\*\)\s*$")
UNIT_MARK = re.compile(r"^\(\*\s*unit:\s*([\w.]+)\s*\*\)\s*$")
DIRECTIVE = re.compile(
    r"\(\*\s*(expect-error|expect-warning|expect-status|expect-stderr|expect|args|stdin|restart|"
    r"crash)\b(?:[ \t]+(above|below|after-write))?[ \t]*(:?)(?:[ ](.*?))?[ \t]*\*\)")
UNIT_NAME = re.compile(
    r"^\s*(?:UNSAFE\s+)?(GENERIC\s+)?(MODULE|INTERFACE)\s+([A-Za-z]\w*)", re.MULTILINE)
# Tasks run in threads of their own (stdlib/thread/Task.i3).
STARTS_THREADS = re.compile(r"\bThread\.Fork\b|\bTask\.(Run|Group)\b")
# A line that holds only a directive: `above` and `below` skip such lines.
DIRECTIVE_LINE = re.compile(r"^\s*\(\*\s*(expect|args|stdin|restart|crash)\b.*\*\)\s*$")


class BadTest(Exception):
    """The test itself is malformed."""


@dataclass
class Diagnostic:
    """A diagnostic, expected or printed; its line is that of the test file, counted from 1."""
    line: int
    kind: str  # error, warning
    text: str

    def __str__(self) -> str:
        return f"line {self.line}: {self.kind}: {self.text}"


@dataclass
class Step:
    """One run of the program, and its expectations."""
    stdout: List[str] = field(default_factory=list)
    stderr: List[str] = field(default_factory=list)
    status: int = 0
    args: List[str] = field(default_factory=list)
    stdin: List[str] = field(default_factory=list)
    crash_after_write: Optional[int] = None


@dataclass
class GoldenTest:
    path: str
    phase: str
    companions: List[str]        # files of tests/golden that are part of the program
    compiler_flags: List[str]
    runtime_flags: List[str]     # @M3...
    stress: int                  # number of allocations between the collections of a stress run
    only_tenure_gc: bool         # needs our own collector
    diagnostics: List[Diagnostic]
    steps: List[Step]
    units: Dict[str, str]        # file name -> text, lines where they are in the test file
    lines: List[str]

    def starts_threads(self) -> bool:
        """Whether the program starts threads, and does not say what runs them."""
        return any(STARTS_THREADS.search(line) for line in self.lines) and \
            not any(flag.startswith("@M3threads=") for flag in self.runtime_flags)


def parse_header(line: str) -> Tuple[str, List[str], List[str]]:
    """Returns the phase, the names after `with`, and the options."""
    match = HEADER.match(line)
    if not match:
        raise BadTest("the first line must be (* golden: PHASE *)")
    companions, options = [], []
    phase, *rest = [part.strip() for part in match.group(1).split(",")]
    if phase not in PHASES:
        raise BadTest(f"phase '{phase}' is none of {', '.join(PHASES)}")
    with_list = False
    for part in rest:
        words = part.split()
        if words and words[0] == "with":
            with_list, words = True, words[1:]
        for word in words:
            if word.startswith(("-", "@M3", "stress=", "tenure-gc")):
                with_list = False
                options.append(word)
            elif with_list and word != "and":
                companions.append(word)
            elif word != "and":
                raise BadTest(f"'{word}' in the first line is not understood")
    return phase, companions, options


def stress_of(options: List[str]) -> int:
    for option in options:
        if option.startswith("stress="):
            if not option[7:].isdigit() or int(option[7:]) < 1:
                raise BadTest(f"'{option}' in the first line: expected a number from 1")
            return int(option[7:])
    return 1


def neighbour(lines: List[str], number: int, step: int) -> int:
    """The nearest line in that direction that does not hold only a directive."""
    number += step
    while 1 <= number <= len(lines) and (
            DIRECTIVE_LINE.match(lines[number - 1]) or not lines[number - 1].strip()):
        number += step
    return number


def parse_directives(lines: List[str]) -> Tuple[List[Diagnostic], List[Step]]:
    diagnostics, steps = [], [Step()]
    for number, line in enumerate(lines, 1):
        for match in DIRECTIVE.finditer(line):
            word, where, colon, text = match.groups()
            text = text or ""
            step = steps[-1]
            if word in ("expect-error", "expect-warning"):
                at = {"above": neighbour(lines, number, -1), "below": neighbour(lines, number, 1),
                      None: number}[where]
                diagnostics.append(Diagnostic(at, word[len("expect-"):], text))
            elif word == "restart":
                steps.append(Step())
            elif word == "crash":
                if where != "after-write" or not text.strip().isdigit():
                    raise BadTest(f"line {number}: expected (* crash after-write N *)")
                step.crash_after_write = int(text)
            elif not colon:
                continue  # ordinary prose that begins with the word
            elif word == "expect":
                step.stdout.append(text)
            elif word == "expect-stderr":
                step.stderr.append(text)
            elif word == "expect-status":
                step.status = int(text)
            elif word == "args":
                step.args = shlex.split(text)
            elif word == "stdin":
                step.stdin.append(text)
    return diagnostics, steps


def file_name_of(text: str) -> Optional[str]:
    match = UNIT_NAME.search(text)
    if not match:
        return None
    generic, kind, name = match.groups()
    return name + SUFFIXES[f"GENERIC {kind}" if generic else kind]


def split_units(lines: List[str]) -> Dict[str, str]:
    """The units of the file. A unit after a (* unit: Name.i3 *) line, which may also be Name.c or
    m3makefile, is padded with empty lines, so that every line keeps its number."""
    starts = [(0, None)] + [(index, match.group(1)) for index, line in enumerate(lines)
                            if (match := UNIT_MARK.match(line))]
    units = {}
    for position, (start, name) in enumerate(starts):
        end = starts[position + 1][0] if position + 1 < len(starts) else len(lines)
        own = start if name is None else start + 1
        text = "\n" * own + "\n".join(lines[own:end]) + "\n"
        if name is None and len(starts) > 1 and not UNIT_NAME.search(text):
            continue  # only the header before the first mark
        units[name or file_name_of(text) or "Main.m3"] = text
    return units


def read_golden_test(path: str, golden_root: str) -> GoldenTest:
    with open(path, encoding="utf-8", newline="\n", errors="surrogateescape") as file:
        lines = file.read().split("\n")
    if lines[-1] == "":
        lines.pop()
    phase, names, options = parse_header(lines[0] if lines else "")
    companions = []
    for name in names:
        found = [os.path.join(golden_root, name + suffix) for suffix in SUFFIXES.values()
                 if os.path.exists(os.path.join(golden_root, name + suffix))]
        if not found:
            raise BadTest(f"'with {name}': there is no {name}.m3 or .i3 in {golden_root}")
        companions += found
    diagnostics, steps = parse_directives(lines)
    return GoldenTest(path, phase, companions, [o for o in options if o.startswith("-")],
                      [o for o in options if o.startswith("@M3")], stress_of(options),
                      "tenure-gc" in options, diagnostics, steps,
                      split_units(lines), lines)


def updated_lines(lines: List[str], diagnostics: Optional[List[Diagnostic]],
                  steps: Optional[List[Step]]) -> List[str]:
    """The lines of the test with the expectations replaced by the results. None keeps an
    expectation."""
    result = list(enumerate(lines, 1))
    if diagnostics is not None:
        result = [(n, line) for n, line in result
                  if not re.match(r"^\s*\(\* expect-(error|warning)\b.*\*\)\s*$", line)]
        inline = re.compile(r"\s*\(\* expect-(?:error|warning):.*?\*\)")
        result = [(n, inline.sub("", line)) for n, line in result]
        for diagnostic in reversed(sorted(diagnostics, key=lambda d: d.line)):
            index = next((i for i, (n, _) in enumerate(result) if n == diagnostic.line), None)
            if index is None:
                continue  # the diagnostic is in another file, so it cannot be written here
            indent = re.match(r"\s*", result[index][1]).group()
            result.insert(index + 1, (
                -1, f"{indent}(* expect-{diagnostic.kind} above: {diagnostic.text} *)"))
    if steps is None:
        return [line for _, line in result]

    output, index, placed = [], 0, False
    expectation = re.compile(r"^\s*\(\* (expect|expect-status|expect-stderr):.*\*\)\s*$")

    def place(step: Step) -> None:
        output.extend(f"(* expect: {line} *)" if line else "(* expect: *)" for line in step.stdout)
        output.extend(f"(* expect-stderr: {line} *)" for line in step.stderr)
        if step.status:
            output.append(f"(* expect-status: {step.status} *)")

    for _, line in result:
        if expectation.match(line):
            if not placed:
                place(steps[index])
                placed = True
            continue
        if re.match(r"^\s*\(\* restart \*\)", line):
            if not placed:
                place(steps[index])
            index, placed = index + 1, False
        output.append(line)
    if not placed:
        place(steps[index])
    return output
