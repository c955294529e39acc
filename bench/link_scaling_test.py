#!/usr/bin/env python3
"""Claims about link_scaling.py."""

import unittest

import link_scaling


def row(statements, seconds, mib):
    return {"statements": statements, "seconds": seconds, "peak_mib": mib + 10, "models_mib": 10}


class Growth(unittest.TestCase):
    def test_cost_that_grows_with_the_square_is_seen(self):
        self.assertEqual(link_scaling.growth([row(100_000, 1, 10), row(1_000_000, 100, 100)]), (10.0, 1.0))

    def test_small_programs_do_not_count(self):
        self.assertEqual(link_scaling.growth([row(10_000, 9, 9), row(100_000, 1, 10), row(1_000_000, 10, 100)]), (1.0, 1.0))

    def test_memory_of_the_models_is_not_that_of_linking(self):
        self.assertEqual(link_scaling.per_statement(row(2**20, 1, 100))[1], 100)


if __name__ == "__main__":
    unittest.main()
