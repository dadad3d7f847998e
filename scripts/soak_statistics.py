"""Whether a figure grows with the work that was done: its slope, and how large the slope may really be.

Memory of a process is no list of independent measurements: it moves in steps and remembers them. So the samples are first reduced to medians of blocks
(a single high sample then counts for nothing), a line is laid through these by least squares, and the bound of its slope is widened by the
autocorrelation of what the line leaves over, as if there were only as many measurements as are worth an independent one.
Pure: numbers in, numbers out.
"""

import math
from dataclasses import dataclass

# Blocks that the samples are reduced to: enough for a line, few enough that each median has some samples.
BLOCKS = 40
# Fewer samples say nothing.
LEAST_SAMPLES = 12
# One-sided 95 % quantiles of Student's t for 1, 2, 3… degrees of freedom; beyond the table, its last value.
T_95 = [6.314, 2.920, 2.353, 2.132, 2.015, 1.943, 1.895, 1.860, 1.833, 1.812, 1.796, 1.782, 1.771, 1.761, 1.753, 1.746, 1.740, 1.734, 1.729, 1.725]


@dataclass
class Slope:
    """Growth for each unit of work."""

    slope: float
    # The true slope lies below this with 95 % confidence.
    upper: float
    # And above this with 95 % confidence.
    lower: float
    mean: float
    autocorrelation: float


def median(values):
    ordered = sorted(values)
    middle = len(ordered) // 2
    return ordered[middle] if len(ordered) % 2 else (ordered[middle - 1] + ordered[middle]) / 2


def block_medians(points, blocks=BLOCKS):
    """(work, value) in order → medians of consecutive blocks of the same number of points, at least two points each where that leaves enough blocks."""
    count = min(blocks, max(LEAST_SAMPLES, len(points) // 2), len(points))
    edges = [round(n * len(points) / count) for n in range(count + 1)]
    parts = [points[a:b] for a, b in zip(edges, edges[1:]) if b > a]
    return [(median([x for x, _ in part]), median([y for _, y in part])) for part in parts]


def slope_of(points):
    """The slope of (work, value), with its bounds; None where there are too few points or all at the same place."""
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
    # The estimate of a short series is too low on average by about (1 + 3 rho) / n; only what widens the bound counts.
    rho = sum(a * b for a, b in zip(rest, rest[1:])) / squares
    rho = min(max(rho + (1 + 3 * max(rho, 0)) / n, 0.0), 0.9)
    effective = max(n * (1 - rho) / (1 + rho), 3.0)
    error = math.sqrt(squares / (effective - 2) / (spread * effective / n)) if effective > 2 else math.inf
    # As many measurements as are worth an independent one, spread as wide as the real ones.
    t = T_95[min(int(effective) - 2, len(T_95)) - 1]
    return Slope(slope, slope + t * error, slope - t * error, mean_y, rho)


def verdict(points, per, goal):
    """(flat, words) for (work, value): whether growth for `per` units of work is at most `goal` with 95 % confidence."""
    found = slope_of(points)
    if found is None:
        return False, f"only {len(points)} samples after the warm-up: nothing can be said"
    slope, upper = found.slope * per, found.upper * per
    flat = upper <= goal
    word = "flat" if flat else ("GROWS" if found.lower > 0 else "NOT SHOWN TO BE FLAT")
    return flat, f"{slope:+.4f}, at most {upper:+.4f} with 95 % confidence (goal {goal}): {word}"
