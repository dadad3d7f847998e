"""Whether a figure grows with the work done: its slope and the confidence bounds of the slope.

Samples of a process's memory are not independent: memory moves in steps and keeps its level. So the samples are first reduced to medians of blocks
(which ignore a single high sample), a line is fitted to these by least squares, and the bounds of its slope are widened by the
autocorrelation of the residuals, using the effective number of independent samples.
Pure functions, without I/O.
"""

import math
from dataclasses import dataclass

# Number of blocks: enough to fit a line, few enough for several samples in each.
BLOCKS = 40
# With fewer samples there is no verdict.
LEAST_SAMPLES = 12
# One-sided 95 % quantiles of Student's t for 1, 2, 3… degrees of freedom; beyond the table, its last value.
T_95 = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725]


@dataclass
class Slope:
    """Growth per unit of work."""

    slope: float
    # The true slope is below this with 95 % confidence.
    upper: float
    # The true slope is above this with 95 % confidence.
    lower: float
    mean: float
    autocorrelation: float


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def block_medians(points, blocks=BLOCKS):
    """(work, value) in order → medians of consecutive blocks of equal size, with at least two points each if that leaves enough blocks."""
    count = min(blocks, max(LEAST_SAMPLES, len(points) // 2), len(points))
    edges = [round(n * len(points) / count) for n in range(count + 1)]
    parts = [points[a:b] for a, b in zip(edges, edges[1:]) if b > a]
    return [(median([x for x, _ in part]), median([y for _, y in part])) for part in parts]


def slope_of(points):
    """The slope of (work, value) with its bounds; None if there are too few points or all have the same work."""
    if len(points) < LEAST_SAMPLES:
        return None
    blocks = block_medians(points)
    n = len(blocks)
    mean_x, mean_y = sum(x for x, _ in blocks) / n, sum(y for _, y in blocks) / n
    spread = sum((x - mean_x) ** 2 for x, _ in blocks)
    if spread == 0:
        return None
    slope = sum((x - mean_x) * (y - mean_y) for x, y in blocks) / spread
    rest = [y - mean_y - slope * (x - mean_x) for x, y in blocks]
    squares = sum(r * r for r in rest)
    if squares == 0:
        return Slope(slope, slope, slope, mean_y, 0.0)
    # For a short series the estimate is on average too low by about (1 + 3 rho) / n; only corrections that widen the bounds are applied.
    rho = sum(a * b for a, b in zip(rest, rest[1:])) / squares
    rho = min(max(rho + (1 + 3 * max(rho, 0)) / n, 0.0), 0.9)
    effective = max(n * (1 - rho) / (1 + rho), 3.0)
    error = math.sqrt(squares / (effective - 2) / (spread * effective / n)) if effective > 2 else math.inf
    # The effective number of independent samples, with the spread of the real ones.
    t = T_95[min(int(effective) - 2, len(T_95)) - 1]
    return Slope(slope, slope + t * error, slope - t * error, mean_y, rho)


def verdict(points, per, goal):
    """(flat, description) for (work, value): whether growth per `per` units of work is at most `goal` with 95 % confidence."""
    found = slope_of(points)
    if found is None:
        return False, f"only {len(points)} samples after the warm-up: nothing can be said"
    slope, upper = found.slope * per, found.upper * per
    flat = upper <= goal
    word = "flat" if flat else ("GROWS" if found.lower > 0 else "NOT SHOWN TO BE FLAT")
    return flat, f"{slope:+.4f}, at most {upper:+.4f} with 95 % confidence (goal {goal}): {word}"
