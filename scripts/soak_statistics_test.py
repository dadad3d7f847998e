"""Synthetic hours of memory samples: leaks are reported, noise is not. Run by tests/soak.rs; by hand: `python3 scripts/soak_statistics_test.py`."""

import random
import unittest

from soak_statistics import block_medians, slope_of, verdict

# One hour with the work of twenty ordinary hours, sampled every fifteen seconds; an ordinary hour is 360 units of work.
HOUR, SAMPLES, FOLD = 360, 240, 20
GOAL = 0.1


def memory(seed, per_hour, noise=0.3, memory=0.0, spikes=0.0):
    """MB over an hour of twentyfold work. `memory`: share of the previous deviation that a sample keeps; `spikes`: share of samples that are 8 MB too high."""
    chance, deviation, points = random.Random(seed), 0.0, []
    for n in range(SAMPLES):
        work = n / SAMPLES * HOUR * FOLD
        deviation = memory * deviation + chance.gauss(0, noise)
        spike = 8.0 if chance.random() < spikes else 0.0
        points.append((work, 40 + per_hour * work / HOUR + deviation + spike))
    return points


def flat(points):
    return verdict(points, HOUR, GOAL)[0]


class Statistics(unittest.TestCase):
    def test_a_leak_of_three_megabytes_an_hour_is_a_leak(self):
        # 3 MB in an ordinary hour, and 3 MB in an hour of the run, which is 0.15 MB in each of its twenty ordinary hours.
        for per_hour in (3.0, 0.15):
            for seed in range(50):
                self.assertFalse(flat(memory(seed, per_hour)), f"{per_hour} MB an hour, seed {seed}")
                self.assertFalse(flat(memory(seed, per_hour, memory=0.8)), f"{per_hour} MB an hour, sticky, seed {seed}")

    def test_noise_is_no_leak(self):
        called = sum(not flat(memory(seed, 0.0)) for seed in range(200))
        self.assertEqual(called, 0)
        called = sum(not flat(memory(seed, 0.0, memory=0.8)) for seed in range(200))
        self.assertLessEqual(called, 10, "noise that sticks for a while: one in twenty, as the bound promises")
        called = sum(not flat(memory(seed, 0.0, spikes=0.05)) for seed in range(200))
        self.assertEqual(called, 0, "single high samples")

    def test_the_bound_holds_in_nineteen_of_twenty(self):
        for sticky in (0.0, 0.8):
            below = 0
            for seed in range(400):
                found = slope_of(memory(seed, GOAL, memory=sticky))
                below += found.upper * HOUR >= GOAL
            self.assertGreater(below, 400 * 0.92, f"sticky {sticky}")

    def test_the_slope_is_right(self):
        found = slope_of([(n, 7 + 0.25 * n) for n in range(100)])
        self.assertAlmostEqual(found.slope, 0.25)
        self.assertAlmostEqual(found.upper, 0.25)
        self.assertAlmostEqual(found.lower, 0.25)

    def test_noise_too_wide_for_an_answer_is_not_called_flat(self):
        self.assertFalse(flat(memory(1, 0.0, noise=30.0)))

    def test_too_little_is_never_called_flat(self):
        self.assertFalse(flat([]))
        self.assertFalse(flat(memory(1, 0.0)[:11]))
        self.assertFalse(flat([(5, 40)] * 100), "no work was done")

    def test_steps_at_the_end_count(self):
        # A leak that begins in the last third.
        points = [(n, 40 + max(0, n - 160) * 0.1) for n in range(SAMPLES)]
        self.assertFalse(verdict(points, 12, GOAL)[0])

    def test_blocks_keep_all_points_in_order(self):
        for count in (12, 13, 25, 40, 41, 79, 80, 81, 500):
            blocks = block_medians([(n, n) for n in range(count)])
            self.assertLessEqual(len(blocks), 40)
            self.assertGreaterEqual(len(blocks), 12)
            self.assertEqual([x for x, _ in blocks], sorted({x for x, _ in blocks}))


if __name__ == "__main__":
    unittest.main()
