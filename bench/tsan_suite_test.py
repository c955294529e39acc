"""ThreadSanitizer's tests as a bench: what their lines run and expect, and how a report becomes a verdict."""

import json
import pathlib
import subprocess
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import tsan_cases  # noqa: E402
import tsan_suite  # noqa: E402
from tsan_cases import Expect  # noqa: E402


def cases(text, name="a.c"):
    return [step.case for step in tsan_cases.read_test(name, text).steps if step.case]


RUN = "// RUN: %clang_tsan -O1 %s -o %t && %deflake %run %t | FileCheck %s\n"
QUIET = "// RUN: %clang_tsan -O1 %s -o %t && %run %t 2>&1 | FileCheck %s\n"


class Expectations(unittest.TestCase):
    def test_a_wanted_warning_is_a_race(self):
        self.assertEqual(cases(RUN + "// CHECK: WARNING: ThreadSanitizer: data race\n")[0].expect, Expect.RACE)

    def test_an_unwanted_warning_is_silence(self):
        self.assertEqual(cases(QUIET + "// CHECK-NOT: WARNING: ThreadSanitizer: data race\n// CHECK: DONE\n")[0].expect,
                         Expect.SILENCE)

    def test_a_line_that_must_fail_expects_a_race_whatever_its_text_says(self):
        self.assertEqual(cases(RUN + "// CHECK: Write of size 4\n")[0].expect, Expect.RACE)

    def test_inversions_are_apart(self):
        text = RUN + "// CHECK: ThreadSanitizer: lock-order-inversion (potential deadlock)\n"
        self.assertEqual(cases(text)[0].expect, Expect.INVERSION)

    def test_each_line_has_the_prefixes_it_names(self):
        text = ("// RUN: %clang_tsan %s -o %t\n// RUN: %deflake %run %t | FileCheck %s --check-prefix=LOUD\n"
                "// RUN: %env_tsan_opts=suppressions='%s.supp' %run %t 2>&1 | FileCheck %s --check-prefix=QUIET\n"
                "// LOUD: ThreadSanitizer: data race\n// QUIET-NOT: ThreadSanitizer: data race\n")
        self.assertEqual([(case.name, case.expect) for case in cases(text)],
                         [("a.c #1", Expect.RACE), ("a.c #2", Expect.SILENCE)])
        self.assertEqual([step.suppressions for step in tsan_cases.read_test("a.c", text).steps], ["", "", "%s.supp"])

    def test_lines_are_joined_where_they_go_on(self):
        steps = tsan_cases.read_test("a.c", "// RUN: %clang_tsan %s \\\n// RUN:   -o %t\n").steps
        self.assertEqual([step.line.split() for step in steps], [["%clang_tsan", "%s", "-o", "%t"]])


class Exclusions(unittest.TestCase):
    def test_another_kind_of_warning_has_its_reason(self):
        self.assertIn("thread leak", cases(RUN + "// CHECK: WARNING: ThreadSanitizer: thread leak\n")[0].excluded)

    def test_a_race_beside_another_warning_counts(self):
        text = RUN + "// CHECK: WARNING: ThreadSanitizer: data race\n// CHECK: WARNING: ThreadSanitizer: thread leak\n"
        self.assertEqual(cases(text)[0].excluded, "")

    def test_a_flag_excludes_only_its_own_line(self):
        text = QUIET + "// RUN: %env_tsan_opts=detect_deadlocks=0 %run %t 2>&1 | FileCheck %s\n"
        self.assertEqual([bool(case.excluded) for case in cases(text)], [False, True])


class Apart(unittest.TestCase):
    def test_what_is_counted_apart_changes_only_the_second_figure(self):
        agrees = tsan_suite.Result(tsan_cases.Case("a.c", Expect.RACE), races=1)
        apart = tsan_suite.Result(tsan_cases.Case("b.c", Expect.RACE, apart="why"))
        self.assertEqual(tsan_suite.agreement(tsan_suite.of_races([agrees, apart], with_apart=False)), 100)
        self.assertEqual(tsan_suite.agreement(tsan_suite.of_races([agrees, apart], with_apart=True)), 50)

    def test_it_is_named_by_the_test(self):
        self.assertTrue(cases(RUN, "free_race2.c")[0].apart)
        self.assertFalse(cases(RUN, "free_race3.c")[0].apart)


class Verdicts(unittest.TestCase):
    def result(self, expect, findings, ended=None):
        case = tsan_cases.Case("a.c", expect)
        rows = [{"kind": kind, "level": level, "suppressed": hidden} for kind, level, hidden in findings]
        with tempfile.TemporaryDirectory() as folder:
            report = pathlib.Path(folder) / "report.json"
            report.write_text(json.dumps({"program": {"signal": ended}, "findings": rows}))
            return tsan_suite.read_report(case, subprocess.CompletedProcess("", 0, ""), report)

    def test_an_observed_race_answers_an_expected_one(self):
        self.assertTrue(self.result(Expect.RACE, [("race", "observed", False)]).agrees)

    def test_a_predicted_race_is_not_observed(self):
        self.assertFalse(self.result(Expect.RACE, [("race", "predicted", False)]).agrees)
        self.assertTrue(self.result(Expect.SILENCE, [("race", "predicted", False)]).agrees)

    def test_a_suppressed_race_is_silence(self):
        self.assertTrue(self.result(Expect.SILENCE, [("race", "observed", True)]).agrees)

    def test_a_lock_cycle_answers_an_inversion_and_nothing_else(self):
        self.assertTrue(self.result(Expect.INVERSION, [("deadlock", "predicted", False)]).agrees)
        self.assertFalse(self.result(Expect.RACE, [("deadlock", "predicted", False)]).agrees)

    def test_a_program_that_must_be_silent_must_end_well(self):
        self.assertFalse(self.result(Expect.SILENCE, [], ended=11).agrees)
        self.assertTrue(self.result(Expect.RACE, [("race", "observed", False)], ended=11).agrees)

    def test_a_program_that_was_not_built_agrees_with_nothing(self):
        done = subprocess.CompletedProcess("", 1, "a.c:3: undefined reference to `f'")
        result = tsan_suite.read_report(tsan_cases.Case("a.c", Expect.SILENCE), done, pathlib.Path("/nonexistent"))
        self.assertFalse(result.agrees)
        self.assertIn("undefined reference", result.said)


if __name__ == "__main__":
    unittest.main()
