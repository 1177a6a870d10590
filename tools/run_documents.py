#!/usr/bin/env python3
"""Does what documents show: writes their files, runs their commands, compares what is printed.

  python3 tools/run_documents.py [FILE ...]            these documents, or all that have commands
  python3 tools/run_documents.py --update [FILE ...]   writes what was printed into the documents

A document is Markdown with these blocks of code, which are followed in their order, in one empty
folder for each document, with `tenure` on the PATH and the folder `examples` beside:

- ```console: a line that begins with `$ ` is a command; the lines up to the next one are all that
  it prints, on both streams. A command goes on in the next line after a `\\`, and up to the line END
  after <<END. The commands of a document share one shell, so `cd` and variables last.
- ```console title="second terminal" (or any other title): the same in another shell. Its last
  command may go on when its lines have come: a server. `$ ^C` interrupts it.
- any other language but `text`: a file, if the first line is a comment with its name, such as
  (* count/Main.m3 *), % people/src/m3makefile, /* area.c */ or # ask.py. A block without a name is
  an error: it would be code that nobody has tried.
- ```text: neither code nor output: a picture.

Blanks at the ends of lines do not count. In expected output `...` stands for any text within a line, and a line `...` for any number of lines.
The temporary folder appears as /home/you, and the build folder as /home/you/tenure/build."""

import argparse
import concurrent.futures
import os
import re
import select
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from typing import Dict, List, NamedTuple, Optional, Tuple

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
BUILD = os.environ.get("TENURE_BUILD_DIR", os.path.join(ROOT, "build"))
HOME = "/home/you"
TIMEOUT_S = 300
START_TIMEOUT_S = 100  # for what a command that goes on prints first
FENCE = re.compile(r"^```(\w*)(?: title=\"([^\"]*)\")?\s*$")
FILE_NAME = re.compile(r"^(?:\(\* (\S+) \*\)|% (\S+)|/\* (\S+) \*/|# (\S+)|// (\S+))$")
HERE_DOCUMENT = re.compile(r"<<-?'?(\w+)'?")
END_MARK = "--end of command--"


class Command(NamedTuple):
    text: str
    expected: List[str]
    line: int        # of the document, from 1: where the command begins
    first: int       # the index of the first line of expected output, from 0
    terminal: str    # the title of the block; empty: the first terminal
    is_last: bool    # of its block


class File(NamedTuple):
    path: str
    text: str


class Problem(Exception):
    """An error in a document, and its place."""


def read(path: str) -> str:
    with open(path, encoding="utf-8") as file:
        return file.read()


def commands_of(lines: List[str], start: int, terminal: str) -> List[Command]:
    """The commands of a block whose first line has the index `start` in the document."""
    found: List[Command] = []
    at = 0
    while at < len(lines):
        if not lines[at].startswith("$ "):
            raise Problem(f"line {start + at + 1}: output without a command")
        line = start + at + 1
        text = lines[at][2:]
        at += 1
        while text.endswith("\\") and at < len(lines):
            text += "\n" + lines[at]
            at += 1
        here = HERE_DOCUMENT.search(text)
        while here and at < len(lines):
            text += "\n" + lines[at]
            at += 1
            if lines[at - 1] == here.group(1):
                break
        first = at
        while at < len(lines) and not lines[at].startswith("$ "):
            at += 1
        expected = [expected.rstrip() for expected in lines[first:at]]
        found.append(Command(text, expected, line, start + first, terminal, at == len(lines)))
    return found


def steps_of(text: str) -> List[object]:
    """The files and commands of a document."""
    steps: List[object] = []
    lines = text.split("\n")
    at = 0
    while at < len(lines):
        fence = FENCE.match(lines[at])
        if not fence:
            if lines[at].startswith("```"):
                raise Problem(f"line {at + 1}: `{lines[at]}` is not of the form ```language")
            at += 1
            continue
        end = next((i for i in range(at + 1, len(lines)) if lines[i] == "```"), None)
        if end is None:
            raise Problem(f"line {at + 1}: this block of code does not end")
        language, title = fence.group(1), fence.group(2) or ""
        block = lines[at + 1:end]
        if language == "console":
            steps += commands_of(block, at + 1, title)
        elif language != "text":
            name = FILE_NAME.match(block[0] if block else "")
            if not name:
                raise Problem(f"line {at + 1}: this block of code does not begin with the name of a file")
            steps.append(File(next(part for part in name.groups() if part), "\n".join(block) + "\n"))
        at = end + 1
    return steps


def line_pattern(line: str) -> str:
    return "[^\n]*".join(re.escape(part) for part in line.split("..."))


def is_as_expected(expected: List[str], printed: List[str]) -> bool:
    pattern = "".join("(?:[^\n]*\n)*?" if line == "..." else line_pattern(line) + "\n"
                      for line in expected)
    return re.fullmatch(pattern, "".join(line + "\n" for line in printed)) is not None


def updated(expected: List[str], printed: List[str]) -> List[str]:
    """The printed lines; where a `...` in an expected line still fits, the expected line."""
    patterns = [line for line in expected if "..." in line and line != "..."]
    return [next((pattern for pattern in patterns if re.fullmatch(line_pattern(pattern), line)), line)
            for line in printed]


class Terminal:
    """A shell that takes one command after the other."""

    def __init__(self, directory: str, environment: Dict[str, str]):
        self.shell = subprocess.Popen(["bash", "--noprofile", "--norc"], cwd=directory,
                                      env=environment, stdin=subprocess.PIPE,
                                      stdout=subprocess.PIPE, stderr=subprocess.STDOUT,
                                      start_new_session=True)
        self.output = ""
        self.is_busy = False

    def run(self, command: str, expected: Optional[List[str]], may_go_on: bool, clean) -> List[str]:
        """What the command prints, in lines. With may_go_on the command need not end once it has
        printed the expected lines; if they are None (an update), once it is silent for a second."""
        quoted = "'" + command.replace("'", "'\\''") + "'"
        self.output = ""
        script = f"eval {quoted} < /dev/null\n(s=$?; printf '\\n{END_MARK}\\n'; exit $s)\n"
        self.shell.stdin.write(script.encode())
        self.shell.stdin.flush()
        self.is_busy = True
        give_up = time.monotonic() + TIMEOUT_S
        mark = "\n" + END_MARK + "\n"
        while mark not in self.output:
            if not self.wait_for_output(1.0 if may_go_on else give_up - time.monotonic()):
                if may_go_on and (expected is None or is_as_expected(expected, self.lines(clean))):
                    return self.lines(clean)
                if may_go_on and time.monotonic() < give_up - TIMEOUT_S + START_TIMEOUT_S:
                    continue
                raise Problem(f"the command does not end; so far it has printed:\n{self.output}")
            if may_go_on and expected and is_as_expected(expected, self.lines(clean)):
                return self.lines(clean)
        self.is_busy = False
        self.output = self.output.replace(mark, "", 1)
        return self.lines(clean)

    def lines(self, clean) -> List[str]:
        lines = [line.rstrip() for line in clean(self.output).split("\n")]
        return lines[:-1] if lines[-1] == "" else lines

    def wait_for_output(self, seconds: float) -> bool:
        ready, _, _ = select.select([self.shell.stdout], [], [], max(0.0, seconds))
        if not ready:
            return False
        data = os.read(self.shell.stdout.fileno(), 1 << 16)
        if not data:
            raise Problem(f"the shell has ended; before, it has printed:\n{self.output}")
        self.output += data.decode(errors="replace")
        return True

    def interrupt(self) -> None:
        """^C at the command that goes on."""
        for child in children(self.shell.pid):
            os.kill(child, signal.SIGINT)
        give_up = time.monotonic() + 20
        while "\n" + END_MARK + "\n" not in self.output and time.monotonic() < give_up:
            if not self.wait_for_output(give_up - time.monotonic()):
                raise Problem("the command does not end after ^C")
        self.is_busy = False

    def close(self) -> None:
        try:
            os.killpg(self.shell.pid, signal.SIGKILL)
        except ProcessLookupError:
            pass
        self.shell.communicate()


def children(pid: int) -> List[int]:
    found = []
    for entry in os.listdir("/proc"):
        if not entry.isdigit():
            continue
        try:
            if int(read(f"/proc/{entry}/stat").rpartition(")")[2].split()[1]) == pid:
                found.append(int(entry))
        except (OSError, ValueError):
            pass
    return found


class Outcome(NamedTuple):
    problems: List[str]
    commands: int
    text: str  # of the document, as it should be


class Follower:
    """Runs the commands of one document."""

    def __init__(self, document: str, directory: str, update: bool):
        self.document, self.directory, self.update = document, directory, update
        self.terminals: Dict[str, Terminal] = {}
        self.problems: List[str] = []
        self.changes: List[Tuple[int, int, List[str]]] = []
        self.environment = {
            name: value for name, value in os.environ.items() if not name.startswith("TENURE_")}
        self.environment.update(PATH=os.path.join(os.path.abspath(BUILD), "bin") + os.pathsep + os.environ["PATH"],
                                HOME=directory, LC_ALL="C.UTF-8", TERM="dumb")

    def clean(self, text: str) -> str:
        return text.replace(self.directory, HOME).replace(os.path.abspath(BUILD), HOME + "/tenure/build")

    def follow(self, steps: List[object]) -> None:
        try:
            for step in steps:
                if isinstance(step, File):
                    self.write(step)
                else:
                    self.run(step)
        finally:
            for terminal in self.terminals.values():
                terminal.close()

    def write(self, file: File) -> None:
        path = os.path.join(self.directory, file.path)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "w", encoding="utf-8") as written:
            written.write(file.text)

    def run(self, command: Command) -> None:
        terminal = self.terminals.get(command.terminal)
        if terminal is None:
            terminal = Terminal(self.directory, self.environment)
            self.terminals[command.terminal] = terminal
        if command.text == "^C":
            terminal.interrupt()
            return
        place = f"{self.document}:{command.line}: $ {command.text}"
        if terminal.is_busy:
            raise Problem(f"{place}\nthe command before has not ended")
        may_go_on = command.terminal != "" and command.is_last
        try:
            printed = terminal.run(command.text, None if self.update else command.expected,
                                   may_go_on, self.clean)
        except Problem as problem:
            raise Problem(f"{place}\n{problem}") from None
        if is_as_expected(command.expected, printed):
            return
        self.changes.append((command.first, len(command.expected), updated(command.expected, printed)))
        self.problems.append("\n".join([place, "  expected:"] + ["    " + line for line in command.expected]
                                       + ["  printed:"] + ["    " + line for line in printed]))


def follow(document: str, update: bool = False) -> Outcome:
    """Follows a document whose path is relative to ROOT."""
    text = read(os.path.join(ROOT, document))
    with tempfile.TemporaryDirectory(prefix="document-") as directory:
        shutil.copytree(os.path.join(ROOT, "examples"), os.path.join(directory, "examples"),
                        ignore=shutil.ignore_patterns(".tenure"))
        follower = Follower(document, os.path.realpath(directory), update)
        try:
            steps = steps_of(text)
            follower.follow(steps)
        except Problem as problem:
            where = "" if document in str(problem) else document + ", "
            follower.problems.append(where + str(problem))
            steps = []
    lines = text.split("\n")
    for first, count, printed in reversed(follower.changes):
        lines[first:first + count] = printed
    return Outcome(follower.problems, sum(isinstance(step, Command) for step in steps), "\n".join(lines))


def documents() -> List[str]:
    """The documents that have commands, the longest first."""
    found = ["README.md"]
    for folder in ("docs/guide", "examples"):
        for parent, _, names in os.walk(os.path.join(ROOT, folder)):
            found += [os.path.relpath(os.path.join(parent, name), ROOT)
                      for name in names if name.endswith(".md")]
    texts = {path: read(os.path.join(ROOT, path)) for path in found}
    return sorted((path for path in found if "```" in texts[path]),
                  key=lambda path: (-texts[path].count("\n$ "), path))


def follow_all(paths: List[str], jobs: int, update: bool = False) -> Dict[str, Outcome]:
    with concurrent.futures.ThreadPoolExecutor(max_workers=jobs) as pool:
        return dict(zip(paths, pool.map(lambda path: follow(path, update), paths)))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__,
                                     formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("files", nargs="*", metavar="FILE")
    parser.add_argument("--update", action="store_true")
    parser.add_argument("-j", "--jobs", type=int, default=len(os.sched_getaffinity(0)))
    arguments = parser.parse_args()
    paths = [os.path.relpath(os.path.abspath(path), ROOT) for path in arguments.files] or documents()
    wrong = 0
    for path, outcome in follow_all(paths, arguments.jobs, arguments.update).items():
        if arguments.update:
            if outcome.text != read(os.path.join(ROOT, path)):
                print(f"{path} updated")
                with open(os.path.join(ROOT, path), "w", encoding="utf-8") as file:
                    file.write(outcome.text)
            # Problems that an update cannot mend.
            left = [problem for problem in outcome.problems if "  printed:" not in problem]
        else:
            left = outcome.problems
        for problem in left:
            print(problem)
        wrong += len(left)
    print(f"{len(paths)} documents, {wrong} problems")
    return 1 if wrong else 0


if __name__ == "__main__":
    sys.exit(main())
