#!/usr/bin/env python3
"""Runs ninja and shows its steps, for build.py.

  build_steps.py BUILD_FILE TARGET ...

Before a long build it says what will be compiled and how long that takes. On a terminal ninja then shows one line that
moves; in a pipe, or with CI=true, a line is printed for each quarter of the build, and all that compilers say.
"""

import json
import os
import re
import signal
import subprocess
import sys
import time
from typing import Dict, List

# Processor time of a compilation, as a mean over a build of everything: to say how long a build will take.
kCompilationSeconds = 3.0
# A build of fewer steps is over before its progress would be of use.
kManySteps = 20
# A line of ninja: `[FINISHED/ALL] STEP`.
STEP = re.compile(r"\[(\d+)/(\d+)\] (.*)")


def say(text: str) -> None:
    print(f"build.py: {text}", flush=True)


def in_words(seconds: float) -> str:
    return f"{seconds:.0f} s" if seconds < 90 else f"{seconds / 60:.0f} minutes"


def is_watched() -> bool:
    """Somebody looks at the output while it comes."""
    return sys.stdout.isatty() and os.environ.get("CI") != "true"


class FewLines:
    """Prints what compilers say, and of ninja's steps only those that complete a quarter of the build."""

    def __init__(self) -> None:
        self.start, self.next_quarter = time.monotonic(), 1

    def read(self, line: str) -> None:
        step = STEP.match(line)
        if not step:
            if not line.startswith("ninja: no work to do"):
                print(line, end="", flush=True)
            return
        finished, steps = int(step[1]), int(step[2])
        if 4 * finished < self.next_quarter * steps or steps < kManySteps:
            return
        self.next_quarter = 4 * finished // steps + 1
        say(f"built {finished} of {steps} steps in {in_words(time.monotonic() - self.start)}")


def say_how_long(build_file: str, targets: List[str]) -> None:
    dry = subprocess.run(["ninja", "-f", build_file, "-n", *targets], stdout=subprocess.PIPE,
                         stderr=subprocess.DEVNULL, text=True)
    steps = [step[3] for step in map(STEP.match, dry.stdout.splitlines()) if step]
    compilations = sum(step.startswith(("C++ ", "C ", "precompile ")) for step in steps)
    if len(steps) < kManySteps:
        return
    processors = len(os.sched_getaffinity(0))
    say(f"{len(steps)} steps, {compilations} of them compilations: about "
        f"{in_words(compilations * kCompilationSeconds / processors)} with {processors} "
        f"processor{'s' if processors > 1 else ''}, less if ccache has seen them")


def compile_commands(database: str) -> List[Dict[str, str]]:
    """How each file is compiled, for editors and clang-tidy, from what `ninja -t compdb cxx cc group` prints."""
    entries = json.loads(database)
    # `printf ... FILES > GROUP`: files that are compiled together.
    groups = {entry["output"]: entry["command"].rpartition(" > ")[0].split()[3:]
              for entry in entries if entry["command"].startswith("printf ")}
    commands = []
    for entry in entries:
        if entry["output"] in groups:
            continue
        # The rule also notes the time (configure.py); tools need the compiler's call alone, and have no use for what
        # GCC precompiled.
        command = next(part for part in entry["command"].split(" && ") if " -c " in part)
        command = re.sub(r"^( *\w+=\S+)* *(ccache )?", "", command)
        command = re.sub(r"(-fpch-preprocess [^/]*)?-include \S+ ", "", command)
        for file in groups.get(entry["file"], [entry["file"]]):
            commands.append({**entry, "file": file, "command": command.replace(f" {entry['file']} ", f" {file} ")})
    return commands


def main() -> int:
    build_file, *targets = sys.argv[1:]
    say_how_long(build_file, targets)
    command = ["ninja", "-f", build_file, *targets]
    if is_watched():
        os.execvp("ninja", command)
    ninja = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace",
                             env=dict(os.environ, NINJA_STATUS="[%f/%t] "))
    # Ninja ends its compilers and removes what they left unfinished. A terminal has sent it SIGINT itself.
    signal.signal(signal.SIGTERM, lambda *_: ninja.send_signal(signal.SIGTERM))
    signal.signal(signal.SIGINT, lambda *_: None)
    lines = FewLines()
    for line in ninja.stdout:
        lines.read(line)
    return ninja.wait()


if __name__ == "__main__":
    sys.exit(main())
