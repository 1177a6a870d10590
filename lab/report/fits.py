"""Least squares, and how far a figure can be trusted."""

import statistics
from typing import List, NamedTuple, Sequence, Tuple


def solve(matrix: List[List[float]], right: List[float]) -> List[float]:
    """The solution of a system of linear equations, by elimination with pivots."""
    n = len(right)
    rows = [list(row) + [value] for row, value in zip(matrix, right)]
    for column in range(n):
        pivot = max(range(column, n), key=lambda row: abs(rows[row][column]))
        rows[column], rows[pivot] = rows[pivot], rows[column]
        if abs(rows[column][column]) < 1e-30:
            raise ValueError("the columns of a fit depend on each other")
        for row in range(n):
            if row != column:
                factor = rows[row][column] / rows[column][column]
                rows[row] = [a - factor * b for a, b in zip(rows[row], rows[column])]
    return [rows[i][n] / rows[i][i] for i in range(n)]


class Fit(NamedTuple):
    constants: List[float]
    r2: float              # the share of the variance that the fit explains
    held_out_error: float  # mean relative error at points that a fit without them predicts


def _constants(columns: Sequence[Sequence[float]], values: Sequence[float]) -> List[float]:
    # Columns are scaled to about 1, so that bytes and objects can stand in one matrix.
    scales = [max(abs(x) for x in column) or 1.0 for column in columns]
    scaled = [[x / scale for x in column] for column, scale in zip(columns, scales)]
    matrix = [[sum(a * b for a, b in zip(left, right)) for right in scaled] for left in scaled]
    right = [sum(a * y for a, y in zip(column, values)) for column in scaled]
    return [x / scale for x, scale in zip(solve(matrix, right), scales)]


def _predicted(columns: Sequence[Sequence[float]], constants: Sequence[float]) -> List[float]:
    return [sum(c * column[i] for c, column in zip(constants, columns))
            for i in range(len(columns[0]))]


def fit(columns: Sequence[Sequence[float]], values: Sequence[float]) -> Fit:
    """values = the sum of constants times columns. For an intercept one column is all 1."""
    constants = _constants(columns, values)
    predicted = _predicted(columns, constants)
    mean = statistics.fmean(values)
    total = sum((y - mean) ** 2 for y in values)
    left = sum((y - p) ** 2 for y, p in zip(values, predicted))
    r2 = 1.0 if total == 0 else 1 - left / total
    # Every third point is held out.
    kept = [i for i in range(len(values)) if i % 3 != 1]
    out = [i for i in range(len(values)) if i % 3 == 1]
    error = 0.0
    if out and len(kept) > len(columns):
        try:
            without = _constants([[column[i] for i in kept] for column in columns],
                                 [values[i] for i in kept])
            guesses = _predicted(columns, without)
            error = statistics.fmean(abs(guesses[i] - values[i]) / abs(values[i]) for i in out)
        except ValueError:
            error = float("nan")
    return Fit(constants, r2, error)


def line(x: Sequence[float], y: Sequence[float]) -> Fit:
    """y = a + b x."""
    return fit([[1.0] * len(x), list(x)], y)


class Samples(NamedTuple):
    """A figure, once for each run."""
    values: List[float]

    @property
    def median(self) -> float:
        return statistics.median(self.values)

    @property
    def spread(self) -> float:
        """Half the range, as a share of the median."""
        if len(self.values) < 2 or self.median == 0:
            return 0.0
        return abs((max(self.values) - min(self.values)) / 2 / self.median)


def ratio(left: Samples, right: Samples) -> Tuple[float, float]:
    """The ratio of the medians, and how far off it may be."""
    if right.median == 0:
        return float("nan"), 0.0
    return left.median / right.median, left.spread + right.spread
