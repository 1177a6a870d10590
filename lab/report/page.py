"""The parts of docs/laboratory.md: tables, plots, claims."""

import math
import os
from typing import Dict, List, NamedTuple, Sequence, Tuple, Union

from lab.report.claims import Claim


class Table(NamedTuple):
    title: str
    head: List[str]
    rows: List[List[str]]


class Plot(NamedTuple):
    """Lines over x, beside each other as the paper draws them."""
    name: str  # of the file
    title: str
    x: str
    y: str
    lines: Dict[str, Tuple[List[float], List[float]]]
    logarithmic: bool = False  # y


class Text(NamedTuple):
    words: str


Part = Union[Table, Plot, Text]


class Section(NamedTuple):
    title: str
    parts: List[Part]
    claims: List[Claim]


def number(value: float, digits: int = 3) -> str:
    """The number with this many significant digits, without an exponent."""
    if math.isnan(value):
        return "-"
    if value == 0:
        return "0"
    places = max(0, digits - 1 - math.floor(math.log10(abs(value))))
    return f"{value:.{min(places, 6)}f}"


def markdown_table(head: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    lines = ["| " + " | ".join(head) + " |", "|" + "---|" * len(head)]
    lines += ["| " + " | ".join(row) + " |" for row in rows]
    return "\n".join(lines) + "\n"


def draw(plot: Plot, folder: str) -> str:
    """Writes the plot as SVG, the same for the same figures. Returns the file's name."""
    import matplotlib
    matplotlib.use("svg")
    matplotlib.rcParams["svg.hashsalt"] = "lab"
    import matplotlib.pyplot as plt
    figure, axes = plt.subplots(figsize=(6, 4))
    for name, (x, y) in plot.lines.items():
        axes.plot(x, y, marker="o", markersize=3, linewidth=1, label=name)
    axes.set_xlabel(plot.x)
    axes.set_ylabel(plot.y)
    if plot.logarithmic:
        axes.set_yscale("log")
    axes.grid(True, linewidth=0.3)
    axes.legend(fontsize=7)
    figure.tight_layout()
    name = f"lab-{plot.name}.svg"
    figure.savefig(os.path.join(folder, name), metadata={"Date": None})
    plt.close(figure)
    return name


def markdown(section: Section, folder: str) -> str:
    """The section's text. Its pictures go to the folder, beside the page in `pictures`."""
    text = [f"### {section.title}\n"]
    for part in section.parts:
        if isinstance(part, Table):
            text += [f"**{part.title}**\n", markdown_table(part.head, part.rows)]
        elif isinstance(part, Plot):
            text += [f"![{part.title}](pictures/{draw(part, folder)})\n"]
        else:
            text += [part.words + "\n"]
    if section.claims:
        rows = [[claim.where, claim.says, claim.paper, claim.ours, claim.rule,
                 claim.verdict + (": " + claim.because if claim.because else "")]
                for claim in section.claims]
        text += [markdown_table(["", "the paper says", "paper", "here", "holds if", "verdict"], rows)]
    return "\n".join(text)
