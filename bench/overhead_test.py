"""The overhead bench: how runs become Table 5, and when a goal is missed."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import harness
import overhead  # noqa: E402


def measured(name, plain, told):
    """A program whose plain run takes that much CPU, and whose sampled one takes `told`, half of it in the program."""
    return harness.Result(name, {"plain": [overhead.Cost(1, plain, plain, 10)],
                                    "tl-ad": [overhead.Cost(2, told, told / 2, 30, 4.0)]})


class Figures(unittest.TestCase):
    def test_ratios_are_of_medians_to_plain(self):
        costs = {"plain": [overhead.Cost(1, 1, 1, 1)] * 3,
                 "tl-ad": [overhead.Cost(1, cpu, cpu, 1) for cpu in (1.5, 9, 1.2)]}
        self.assertEqual(harness.Result("p", costs).ratio("tl-ad", "cpu"), 1.5)

    def test_the_table_has_the_log_by_second_and_means_without_micro_benchmarks(self):
        text = overhead.table([measured("p", 1, 4), measured(overhead.MICRO[0], 1, 400)], ["plain", "tl-ad"])
        self.assertIn("2.0", text.splitlines()[2])
        self.assertTrue(text.splitlines()[-1].startswith("geometric mean"))
        self.assertIn("2.00", text.splitlines()[-1])

    def test_goals_are_of_the_program_alone_and_of_real_ones(self):
        self.assertEqual(overhead.missed_goals([measured("p", 1, 2.2), measured(overhead.MICRO[1], 1, 99)]), [])
        self.assertEqual(len(overhead.missed_goals([measured("p", 1, 4.2)])), 2)


if __name__ == "__main__":
    unittest.main()
