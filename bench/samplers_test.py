"""The sampler bench: how runs become the paper's tables, and when a goal is missed."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import samplers  # noqa: E402


def run(accesses, rare, frequent, **found):
    """What a run writes; found: {sampler: (accesses, rare, frequent)}, others all."""
    rows = []
    for name in samplers.SAMPLERS:
        taken = found.get(name.replace("-", "_"), (accesses, rare, frequent))
        rows.append(dict(zip(("name", "accesses", "rare", "frequent"), (name, *taken))))
    return {"accesses": accesses, "rare": rare, "frequent": frequent, "samplers": rows}


class Figures(unittest.TestCase):
    def test_a_program_has_the_average_of_its_runs(self):
        subject = samplers.Subject("p", [run(100, 1, 3, tl_ad=(1, 0, 2)), run(100, 1, 3, tl_ad=(3, 1, 3))])
        self.assertEqual(subject.found("tl-ad"), 75.0)
        self.assertEqual(subject.found("tl-ad", ["rare"]), 50.0)
        self.assertEqual(subject.rate("tl-ad"), 2.0)

    def test_the_weighted_rate_is_of_all_accesses(self):
        subjects = [samplers.Subject("small", [run(100, 0, 1, tl_ad=(100, 0, 1))]),
                    samplers.Subject("large", [run(9900, 0, 1, tl_ad=(0, 0, 0))])]
        self.assertEqual(samplers.weighted_rate(subjects, "tl-ad"), 1.0)
        self.assertEqual(samplers.average(subjects, "tl-ad", ("rare", "frequent")), 50.0)

    def test_programs_without_races_do_not_count_as_found(self):
        subjects = [samplers.Subject("quiet", [run(100, 0, 0)]), samplers.Subject("p", [run(100, 0, 2, tl_ad=(1, 0, 1))])]
        self.assertEqual(samplers.average(subjects, "tl-ad", ("rare", "frequent")), 50.0)
        self.assertIn("-", samplers.tables(subjects))

    def test_programs_that_run_does_not_judge_are_left_out(self):
        self.assertTrue(samplers.is_racy("// VERBS check run\nx++; // RACE a\n"))
        self.assertFalse(samplers.is_racy("// VERBS check\nx++; // RACE a\n"))
        self.assertFalse(samplers.is_racy("x++;\n"))

    def test_rare_races_and_frequent_ones_have_a_table_each(self):
        subjects = [samplers.Subject("p", [run(1000, 4, 2, tl_ad=(1, 1, 2))]), samplers.Subject("q", [run(1000, 0, 2)])]
        rows = [line.split() for line in samplers.tables(subjects, ["tl-ad"]).split("\n")]
        self.assertIn(["p", "25.0"], rows)
        self.assertEqual(rows.count(["q", "100.0"]), 2)

    def test_the_runtime_is_told_which_samplers_to_compare(self):
        self.assertEqual(samplers.compared_bits(["tl-ad"]), 1)
        self.assertEqual(samplers.compared_bits(samplers.SAMPLERS), 127)
        self.assertEqual(samplers.runtime_options("haproxy", 1), "compared=1:access_cycles=10")
        self.assertEqual(samplers.runtime_options("other", 127), "compared=127")

    def test_each_goal_that_is_missed_is_told(self):
        good = [samplers.Subject("p", [run(1000, 0, 10, tl_ad=(20, 0, 7))])]
        self.assertEqual(samplers.missed_goals(good), [])
        bad = [samplers.Subject("p", [run(1000, 0, 10, tl_ad=(21, 0, 6))])]
        self.assertEqual(len(samplers.missed_goals(bad)), 2)


if __name__ == "__main__":
    unittest.main()
