#!/usr/bin/env python3
"""Writes the texts that `tenure explain` prints: for each message of the compiler its text, an
example that is wrong and one that is right (compiler/diagnostics/examples.txt), and the rule of
docs/language.md that the message cites; then the rules by number. Of messages without an example of
their own, a line of a golden test shows one.

For each code and each rule the file has a line `@CODE`, followed by the text up to the next such
line.
"""

import argparse
import os
import re
import sys
from typing import Dict, List, NamedTuple, Optional, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))

MESSAGE = re.compile(r'^TN_MESSAGE\(\w+, "(\w+)", k(\w+), "((?:[^"\\]|\\.)*)", "([^"]*)"\)')
HEADING = re.compile(r"^#{2,3} (\d+(?:\.\d+)?)\.? (.*)$")
ITEM = re.compile(r"^(\d+)\. ")
EXPECTATION = re.compile(r"\(\* expect-(?:error|warning)( above| below)?: (.*?) \*\)\s*$")
SEVERITIES = {"Error": "error", "Warning": "warning", "Note": "note"}
ITEM_LINES_MAX = 40


class Message(NamedTuple):
    code: str
    severity: str
    text: str
    rule: str


def read_messages(path: str) -> List[Message]:
    messages = []
    with open(path, encoding="utf-8") as file:
        for line in file:
            found = MESSAGE.match(line)
            if found:
                text = re.sub(r"\\(.)", r"\1", found.group(3))
                messages.append(Message(found.group(1), SEVERITIES[found.group(2)], text,
                                        found.group(4)))
    return messages


def read_rules(path: str) -> Dict[str, Tuple[str, List[str]]]:
    """Maps a section's number to its title and lines; the lines end at the next heading."""
    rules: Dict[str, Tuple[str, List[str]]] = {}
    lines: Optional[List[str]] = None
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            heading = HEADING.match(line)
            if heading:
                lines = []
                rules[heading.group(1)] = (heading.group(2), lines)
            elif line.startswith("#") or re.match(r"^-{20,}$", line):
                lines = None
            elif lines is not None:
                lines.append(line)
    return rules


def item_of(lines: List[str], number: str) -> List[str]:
    """The numbered item of a section, with the lines that belong to it."""
    item: List[str] = []
    for line in lines:
        begins = ITEM.match(line)
        if begins and item:
            break
        if begins and begins.group(1) == number or item:
            item.append(line)
    return item


def rule_text(rules: Dict[str, Tuple[str, List[str]]], rule: str) -> List[str]:
    """The section, or the item of a section, that a message cites, for example 14.8, 14.8.3 or
    29.58."""
    parts = rule.split(".")
    for length in range(len(parts), 0, -1):
        section = ".".join(parts[:length])
        if section not in rules:
            continue
        title, lines = rules[section]
        shown = item_of(lines, parts[length]) if length < len(parts) else lines
        shown = shown or lines
        text = "\n".join(shown).strip("\n").split("\n")
        if len(text) > ITEM_LINES_MAX:
            text = text[:ITEM_LINES_MAX] + [f"(more in docs/language.md, section {section})"]
        return [f"The rule, docs/language.md {rule} ({title.strip()}):", ""] + [
            "    " + line if line else "" for line in text]
    return []


def rule_numbers(rules: Dict[str, Tuple[str, List[str]]]) -> List[str]:
    """The numbers of all sections, and of the items in them."""
    numbers = []
    for section, (_, lines) in rules.items():
        numbers.append(section)
        items = [found.group(1) for found in map(ITEM.match, lines) if found]
        numbers += [number for item in items if (number := f"{section}.{item}") not in rules]
    return list(dict.fromkeys(numbers))


def pattern_of(message: Message) -> "re.Pattern[str]":
    pieces = re.split(r"(\{\d\})", message.text)
    return re.compile("".join(".+?" if re.fullmatch(r"\{\d\}", piece) else re.escape(piece)
                              for piece in pieces))


class Example(NamedTuple):
    expected: str
    source: str    # the line that the message is about
    path: str


def code_near(lines: List[str], index: int, step: int) -> str:
    index += step
    while 0 <= index < len(lines):
        if lines[index].strip() and not lines[index].lstrip().startswith("(* expect"):
            return lines[index]
        index += step
    return ""


def read_examples(folder: str) -> List[Example]:
    examples = []
    for directory, folders, names in os.walk(folder):
        folders.sort()
        for name in sorted(names):
            if not name.endswith(".m3"):
                continue
            path = os.path.join(directory, name)
            with open(path, encoding="latin-1") as file:
                lines = file.read().split("\n")
            for index, line in enumerate(lines):
                found = EXPECTATION.search(line)
                if not found:
                    continue
                place = (found.group(1) or "").strip()
                source = (line[:found.start()] if not place
                          else code_near(lines, index, -1 if place == "above" else 1))
                if source.strip() and len(source) < 200 and source.isprintable():
                    examples.append(Example(found.group(2), source.strip(),
                                            os.path.relpath(path, folder)))
    return examples


def example_of(message: Message, examples: List[Example]) -> Optional[Example]:
    pattern = pattern_of(message)
    for example in examples:
        if pattern.search(example.expected):
            return example
    # An expectation may be only a part of the message.
    for example in examples:
        expected = re.sub(r" \([\d.]+\)$", "", example.expected)
        if len(expected) > 15 and expected in message.text:
            return example
    return None


def read_programs(path: str) -> Dict[str, Tuple[str, str]]:
    """Maps a code to the wrong example and the right one."""
    programs = {}
    with open(path, encoding="utf-8") as file:
        for block in re.split(r"^@", file.read(), flags=re.MULTILINE)[1:]:
            code, _, rest = block.partition("\n")
            _, found, both = rest.partition("-- wrong\n")
            if found:
                wrong, _, right = both.partition("-- right\n")
                programs[code.strip()] = (wrong.strip("\n"), right.strip("\n"))
    return programs


def shown_program(text: str) -> List[str]:
    lines = [re.sub(r"^-- command (.*)$", r"$ \1", re.sub(r"^-- file (\S+)$", r"(* \1 *)", line))
             for line in text.split("\n")]
    return ["", *("    " + line if line else "" for line in lines), ""]


def explanation(message: Message, rules, examples: List[Example],
                programs: Dict[str, Tuple[str, str]]) -> str:
    text = re.sub(r"(\{\d\})+", "...", message.text)
    lines = [f"{message.severity}[{message.code}]: {text}", ""]
    if message.code in programs:
        wrong, right = programs[message.code]
        lines += ["Wrong:"] + shown_program(wrong) + ["Right:"] + shown_program(right)
    rule = rule_text(rules, message.rule) if message.rule else []
    if rule:
        lines += rule + [""]
    example = None if message.code in programs else example_of(message, examples)
    if example:
        lines += ["For example, this line", "", "    " + example.source, "", "gives", "",
                  f"    {message.severity}[{message.code}]: {example.expected}", ""]
    return "\n".join(lines)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("output", metavar="FILE")
    output = parser.parse_args().output
    messages = read_messages(os.path.join(ROOT, "compiler/diagnostics/messages.def"))
    rules = read_rules(os.path.join(ROOT, "docs/language.md"))
    examples = read_examples(os.path.join(ROOT, "tests/golden"))
    programs = read_programs(os.path.join(ROOT, "compiler/diagnostics/examples.txt"))
    if not messages or not rules or not programs:
        sys.exit("make_explanations: found no messages, no rules, or no examples")
    with open(output, "w", encoding="utf-8") as file:
        for message in messages:
            file.write(f"@{message.code}\n{explanation(message, rules, examples, programs)}")
        for number in rule_numbers(rules):
            file.write(f"@{number}\n" + "\n".join(rule_text(rules, number)) + "\n")


if __name__ == "__main__":
    main()
