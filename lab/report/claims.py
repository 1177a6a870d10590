"""A paper's statements about its figures, and whether ours agree. Rules give the verdicts."""

import math
from typing import NamedTuple

from lab.report.fits import Samples, ratio

HOLDS, FAILS, UNTOLD = "holds", "does not hold", "cannot be told here"


class Claim(NamedTuple):
    where: str    # table or figure of the paper
    says: str     # the claim
    paper: str    # the paper's figure
    ours: str     # ours, with how far off it may be
    rule: str     # when the claim holds
    verdict: str
    because: str  # why it cannot be told; else empty


def _bounds(low: float, high: float) -> str:
    if high == math.inf:
        return f"at least {low:g}"
    if low == -math.inf:
        return f"at most {high:g}"
    return f"{low:g} to {high:g}"


def judge(value: float, off: float, low: float, high: float) -> str:
    """Of a value that may be `off`, as a share of itself: whether all of it lies within the bounds,
    none of it, or some of it."""
    if math.isnan(value):
        return UNTOLD
    least, most = sorted((value * (1 - off), value * (1 + off)))
    if low <= least and most <= high:
        return HOLDS
    if most < low or high < least:
        return FAILS
    return UNTOLD


def of_ratio(where: str, says: str, paper: str, what: str, left: Samples, right: Samples,
             low: float, high: float) -> Claim:
    """A claim about the ratio of two figures. `what` names the ratio."""
    value, off = ratio(left, right)
    runs = min(len(left.values), len(right.values))
    verdict = judge(value, off, low, high) if runs > 1 else UNTOLD
    because = ""
    if verdict == UNTOLD:
        because = ("one of the figures is 0" if math.isnan(value) else "there is only one run"
                   if runs < 2 else "the bound lies within what runs differ by")
    return Claim(where, says, paper, f"{value:.2f} (may be {100 * off:.0f} % off)",
                 f"{what}: {_bounds(low, high)}", verdict, because)


def of_value(where: str, says: str, paper: str, what: str, value: float, low: float,
             high: float) -> Claim:
    """A claim about one figure that is counted or computed."""
    return Claim(where, says, paper, f"{value:.3g}", f"{what}: {_bounds(low, high)}",
                 judge(value, 0.0, low, high), "")


def untold(where: str, says: str, paper: str, because: str) -> Claim:
    """A claim about something that is not measured here."""
    return Claim(where, says, paper, "-", "-", UNTOLD, because)
