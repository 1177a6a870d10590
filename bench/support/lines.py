"""The output of the programs of OO7 and OO1: a line for each part of their work
(bench/support/usage)."""

from typing import Dict, List, NamedTuple

from bench.support.measuring import run


class Part(NamedTuple):
    """A line of a program: open, iteration, chain or commit."""
    what: str
    numbers: Dict[str, float]

    @property
    def ms(self) -> float:
        return self.numbers["elapsed_us"] / 1000


class Process(NamedTuple):
    parts: List[Part]

    @property
    def peak_mb(self) -> float:
        return self.of("memory")[0].numbers["peak_kb"] / 1024

    def of(self, what: str) -> List[Part]:
        return [part for part in self.parts if part.what == what]


def process_of(command: List[str]) -> Process:
    """Runs the program to its end."""
    return Process(parts_of(run(command).output))


def parts_of(output: str) -> List[Part]:
    parts = []
    for line in output.splitlines():
        what, *words = line.split()
        numbers = {name: float(number) for name, number in zip(words[::2], words[1::2])}
        repeats = numbers.pop("repeats", 1)
        for time in ("elapsed_us", "user_us", "system_us"):
            if time in numbers:
                numbers[time] /= repeats
        parts.append(Part(what, numbers))
    return parts
