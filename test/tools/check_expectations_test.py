"""Every rule of the annotated programs is shown to pass and to fail, on a tool that reports what it is told to."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import check_expectations  # noqa: E402
import marks  # noqa: E402

# As the compiler it writes down its command line; as the tool it copies the findings made ready for the verb.
# In sh, because it starts so often.
FAKE_TOOL = r"""#!/bin/sh
here=$(dirname "$0") name=$(basename "$0") verb=$1 line=
if [ "$name" != deadheat ]; then
  echo "$name $*" >"$here/compiled"
  [ ! -e "$here/broken" ]
  exit
fi
for argument; do
  [ "$before" != --json ] || output=$argument
  before=$argument line="$line ${argument##*/}"
done
echo "${line# }" >>"$here/calls"
cp "$here/$verb.json" "$output"
exit "$(cat "$here/status")"
"""

GOOD = {"schema": 1, "program": {"exit": 0, "sites": {"late": 5}}, "findings": []}
SELF = "int n; // RACE a SELF\n"
PAIR = "int n;\nn = 1; // RACE a\nreturn n; // RACE a\n"


def finding(*lines, kind="race", level="harmful", file="topic/p.c", **fields):
    places = [{"file": file, "line": line} for line in lines]
    return {"kind": kind, "level": level, "cycle" if kind == "deadlock" else "accesses": places, **fields}


class Harness(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tool = self.folder / "deadheat"
        self.tool.write_text(FAKE_TOOL)
        self.tool.chmod(0o755)
        for name in ("deadheat-cc", "deadheat-c++"):
            os.symlink("deadheat", self.folder / name)
        (self.folder / "status").write_text("0")

    def judge(self, text, findings=(), verbs=("run",), name="p.c", document=None):
        """(exit status, output) with the same findings from every verb; a dict gives each verb its own."""
        program = self.folder / "topic" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(text)
        for verb in marks.VERBS:
            rows = findings.get(verb, []) if isinstance(findings, dict) else list(findings)
            content = GOOD | {"findings": rows} if document is None else document
            (self.folder / (verb + ".json")).write_text(content if isinstance(content, str) else json.dumps(content))
        with contextlib.redirect_stdout(io.StringIO()) as output:
            try:
                status = check_expectations.judge(self.tool, program, verbs)
            except check_expectations.Failure as error:
                status = 2
                print(error)
        return status, output.getvalue()

    def passes(self, *arguments, **options):
        status, output = self.judge(*arguments, **options)
        self.assertEqual(status, 0, output)

    def fails(self, message, *arguments, status=1, **options):
        actual, output = self.judge(*arguments, **options)
        self.assertEqual(actual, status, output)
        self.assertIn(message, output)


class Races(Harness):
    def test_a_marked_pair_must_be_found(self):
        self.passes(PAIR, [finding(2, 3)])
        self.passes(PAIR, [finding(3, 2)])
        self.fails("RACE a was not found on lines 2, 3", PAIR)

    def test_half_a_pair_is_not_the_pair(self):
        self.fails("RACE a was not found", PAIR, [finding(2, 2)])
        self.fails("not as a race with each other", PAIR, [finding(2, 3), finding(2, 2)])

    def test_a_self_race_needs_two_equal_accesses(self):
        self.passes(SELF, [finding(1, 1)])
        self.fails("RACE a was not found on lines 1, 1", SELF)

    def test_several_labels_may_stand_on_a_line(self):
        for first in ("// RACE a b", "// RACE a // RACE b"):
            text = f"n = 1; {first}\nf(n); // RACE a\ng(n); // RACE b\n"
            self.passes(text, [finding(1, 2), finding(1, 3)])
            self.fails("RACE b was not found", text, [finding(1, 2)])

    def test_lines_of_different_labels_are_no_pair(self):
        text = "a; // RACE a\nb; // RACE a\nc; // RACE b\nd; // RACE b\n"
        both = [finding(1, 2), finding(3, 4)]
        self.passes(text, both)
        self.fails("not as a race with each other", text, both + [finding(1, 3)])

    def test_a_finding_on_an_unmarked_line_fails(self):
        self.passes("int n;\n")
        self.fails("no mark for: race topic/p.c:1 and topic/p.c:1", "int n;\n", [finding(1, 1)])
        self.fails("no mark for", PAIR, [finding(2, 3), finding(1, 2)])

    def test_a_finding_in_another_file_is_unmarked(self):
        self.passes(PAIR, [finding(2, 3, file="p.c")])
        self.passes(PAIR, [finding(2, 3, file=str(self.folder.resolve() / "topic" / "p.c"))])
        for file in ("other/p.c", "topic/q.c", "p.cc", ""):
            self.fails("no mark for", PAIR, [finding(2, 3), finding(2, 3, file=file)])

    def test_a_reported_safe_line_is_named(self):
        text = "n = 1; // NORACE the join orders it\n"
        self.passes(text)
        self.fails("line 1 is marked NORACE, but: race", text, [finding(1, 1)])


class OtherKinds(Harness):
    CYCLE = "lock(b); // DEADLOCK a\nlock(a); // DEADLOCK a\n"

    def test_a_marked_cycle_must_be_found_with_all_its_edges(self):
        self.passes(self.CYCLE, [finding(2, 1, kind="deadlock")])
        self.fails("DEADLOCK a was not found on lines 1, 2", self.CYCLE)
        self.fails("DEADLOCK a was not found", self.CYCLE, [finding(1, 1, kind="deadlock")])

    def test_a_cycle_may_close_on_one_line(self):
        text = "lock(next); // DEADLOCK a\n"
        self.passes(text, [finding(1, 1, 1, kind="deadlock")])
        self.fails("was not found", text)

    def test_a_race_is_no_deadlock(self):
        self.fails("DEADLOCK a was not found", self.CYCLE, [finding(1, 2)])
        self.fails("RACE a was not found", PAIR, [finding(2, 3, kind="deadlock")])

    def test_a_kind_without_a_mark_fails(self):
        self.fails("no mark for: double-lock", "lock(a);\n", [finding(1, kind="double-lock")])


class KnownErrors(Harness):
    MISSED = "n = 1; // RACE a MISSED run: no detector yet\nf(n); // RACE a\n"
    FALSE = "n = 1; // FALSE run: disjoint indices\nf(n); // FALSE run: disjoint indices\n"

    def test_a_known_miss_passes_until_it_is_found(self):
        self.passes(self.MISSED)
        self.fails("MISSED run is stale, it was found: delete the mark", self.MISSED, [finding(1, 2)])

    def test_a_known_miss_may_stand_on_either_line_or_on_both(self):
        for text in ("a; // RACE a\nb; // RACE a MISSED run: why\n",
                     "a; // RACE a MISSED run: why\nb; // RACE a MISSED run: why\n"):
            self.passes(text)
            self.fails("delete the mark", text, [finding(1, 2)])

    def test_a_known_miss_holds_for_its_verb_alone(self):
        text = "n = 1; // RACE a SELF MISSED run: why\n"
        found = finding(1, 1)
        self.passes(text, {"check": [found]}, verbs=("check", "run"))
        self.fails("check: line 1: RACE a was not found", text, {}, verbs=("check", "run"))
        self.fails("run: line 1: RACE a: MISSED run is stale", text, [found], verbs=("check", "run"))

    def test_one_reason_may_serve_several_verbs(self):
        text = "n = 1; // RACE a SELF MISSED run, confirm: why\n"
        self.passes(text, verbs=("run", "confirm"))
        self.fails("check: line 1: RACE a was not found", text, verbs=marks.VERBS)

    def test_a_deadlock_may_be_missed_too(self):
        text = "lock(n); // DEADLOCK a MISSED run: why\n"
        self.passes(text)
        self.fails("delete the mark", text, [finding(1, 1, kind="deadlock")])

    def test_a_known_false_report_passes_until_it_is_gone(self):
        self.passes(self.FALSE, [finding(1, 2)])
        self.fails("FALSE run is stale, nothing false is reported here: delete the mark", self.FALSE)

    def test_a_known_false_report_needs_the_mark_on_all_its_lines(self):
        text = "n = 1; // FALSE run: why\nf(n);\n"
        self.passes(text, [finding(1, 1)])
        self.fails("no mark for", text, [finding(1, 2)])

    def test_a_known_false_report_holds_for_its_verb_alone(self):
        text = "n = 1; // FALSE run: why\n"
        self.passes(text, {"run": [finding(1, 1)]}, verbs=("check", "run"))
        self.fails("check: no mark for", text, [finding(1, 1)], verbs=("check", "run"))

    def test_a_true_pair_does_not_keep_a_false_mark_alive(self):
        text = "n = 1; // RACE a SELF // FALSE run: why\n"
        self.fails("FALSE run is stale", text, [finding(1, 1)])

    def test_a_line_may_have_a_true_and_a_false_side(self):
        text = "n = 1; // RACE a SELF // FALSE run: why\nf(n); // FALSE run: why\n"
        self.passes(text, [finding(1, 1), finding(1, 2)])
        self.fails("RACE a was not found", text, [finding(1, 2)])


class WhatCounts(Harness):
    DEMOTED = {"demotions": [{"reason": "thread-local-allocation", "why": "..."}]}

    def test_a_demoted_finding_is_found(self):
        self.passes(PAIR, [finding(2, 3, **self.DEMOTED)])
        self.fails("delete the mark", KnownErrors.MISSED, [finding(1, 2, **self.DEMOTED)])

    def test_a_demoted_finding_is_not_found_where_it_is_to_be_shown(self):
        self.fails("was not found", "// SHOWN\n" + PAIR, [finding(3, 4, **self.DEMOTED)])
        self.passes("// SHOWN\n" + PAIR, [finding(3, 4, **self.DEMOTED), finding(3, 4)])

    def test_a_demoted_finding_is_no_false_report(self):
        self.passes("int n;\n", [finding(1, 1, **self.DEMOTED)])
        self.passes("int n; // NORACE\n", [finding(1, 1, **self.DEMOTED)])
        self.fails("FALSE run is stale", KnownErrors.FALSE, [finding(1, 2, **self.DEMOTED)])
        self.fails("no mark for", "int n;\n", [finding(1, 1, demotions=[])])

    def test_a_suppressed_finding_is_not_looked_at(self):
        self.passes("int n;\n", [finding(1, 1, suppressed=True)])
        self.fails("RACE a was not found", PAIR, [finding(2, 3, suppressed=True)])
        self.passes(PAIR, [finding(2, 3, suppressed=False)])

    def test_a_verb_must_reach_the_level_it_vouches_for(self):
        enough = {"check": "possible", "run": "predicted", "confirm": "confirmed"}
        too_low = {"run": "possible", "confirm": "observed"}
        for verb, level in enough.items():
            self.passes(PAIR, [finding(2, 3, level=level)], verbs=(verb,))
            self.fails("no mark for", "int n;\n", [finding(1, 1, level=level)], verbs=(verb,))
        for verb, level in too_low.items():
            self.fails("RACE a was not found", PAIR, [finding(2, 3, level=level)], verbs=(verb,))
            self.passes("int n;\n", [finding(1, 1, level=level)], verbs=(verb,))


class BadMarks(Harness):
    def test_each_bad_mark_is_an_error_with_its_line(self):
        bad = {
            "int n; // RACE a\n": "1: RACE a stands on 1 line(s) instead of 2",
            "a; // RACE a\nb; // RACE a\nc; // RACE a\n": "1: RACE a stands on 3 line(s) instead of 2",
            "a; // RACE a SELF\nb; // RACE a\n": "1: RACE a SELF stands on 2 line(s) instead of 1",
            "a; // RACE a // RACE a\n": "1: a stands twice on this line",
            "a; // RACE\n": "1: RACE needs labels in lower case",
            "a; // RACE SELF\n": "1: RACE needs labels in lower case",
            "a; // RACE A SELF\n": "1: RACE needs labels in lower case",
            "a; // RACE a SELF b\n": "1: RACE needs labels in lower case",
            "a; // DEADLOCK\n": "1: DEADLOCK needs labels",
            "a; // DEADLOCK a SELF\n": "1: SELF is for races",
            "a; // RACE a SELF\n// RACE a SELF // NORACE\n": "2: RACE and NORACE contradict",
            "a; // RACE a b\nb; // RACE a b\n": "1: b marks the same lines as a",
            "a; // RACE a SELF MISSED run\n": "1: MISSED needs a verb and a reason",
            "a; // RACE a SELF MISSED run: \n": "1: MISSED needs a verb and a reason",
            "a; // RACE a SELF MISSED : why\n": "1: MISSED needs a verb and a reason",
            "a; // RACE a SELF MISSED hunt: why\n": "1: MISSED names 'hunt'",
            "a; // FALSE run\n": "1: FALSE needs a verb and a reason",
            "a; // FALSE run:\n": "1: FALSE needs a verb and a reason",
            "a; // FALSE why\n": "1: FALSE needs a verb and a reason",
            "a; // FALSE hunt: why\n": "1: FALSE names 'hunt'",
            "a; // MISSED run: why\n": "1: looks like a mark",
            "a; // the counter, RACE a\n": "1: looks like a mark",
            "a; // RACES a\n": "1: looks like a mark",
            "a; // RACE: a\n": "1: looks like a mark",
            "int n;\n// VERBS run\n": "2: VERBS belongs on line 1",
            "// VERBS\n": "1: VERBS wants some of",
            "// VERBS hunt\n": "1: VERBS wants some of",
            "// VERBS run run\n": "1: VERBS wants some of",
            "// VERBS run\n// RACE a SELF MISSED check: why\n": "2: MISSED names check, which VERBS leaves out",
            "// VERBS run\n// FALSE check: why\n": "2: FALSE names check, which VERBS leaves out",
            "\n\n// FLAGS -O2\n": "3: FLAGS belongs on line 2",
            "// FLAGS\n": "1: FLAGS without flags",
            "// SHOWN all\n": "1: SHOWN stands alone",
            "\n\n\n// ARGS a\n": "4: ARGS belongs on line 3",
            "// ARGS\n": "1: ARGS without arguments",
        }
        for text, message in bad.items():
            with self.subTest(text):
                self.fails(message, text, status=2)

    def test_ordinary_comments_and_strings_are_no_marks(self):
        self.passes('// False sharing, a race\nf("// RACE a"); // see RacerX\ng(\'"\'); int n = 1\'000; // trace\n')

    def test_a_mark_behind_a_string_is_read(self):
        self.passes('f("//", \'"\'); // RACE a SELF\n', [finding(1, 1)])
        self.fails("was not found", 'f("//", \'"\'); // RACE a SELF\n')

    def test_a_digit_separator_opens_no_literal(self):
        self.fails("delete the mark", "n += 1'000; // RACE a SELF MISSED run: it's early\n", [finding(1, 1)])


class Running(Harness):
    def calls(self):
        return (self.folder / "calls").read_text().splitlines()

    def test_the_verbs_are_called_as_users_call_them(self):
        self.passes("int n;\n", verbs=marks.VERBS)
        self.assertEqual(self.calls(), ["check p --json findings.json", "run --full --json findings.json -- p",
                                        "confirm --json findings.json -- p"])

    def test_a_program_is_run_with_its_arguments(self):
        self.passes("// ARGS a -b\n", verbs=marks.VERBS)
        self.assertEqual(self.calls(), ["check p --json findings.json", "run --full --json findings.json -- p a -b",
                                        "confirm --json findings.json -- p a -b"])

    def test_the_first_line_restricts_the_verbs(self):
        self.passes("// VERBS check confirm\n", verbs=marks.VERBS)
        self.assertEqual([call.split()[0] for call in self.calls()], ["check", "confirm"])

    def test_a_program_without_a_verb_to_run_cannot_pass(self):
        self.fails("none of its verbs (check)", "// VERBS check\n", verbs=("run",), status=2)

    def test_the_compiler_follows_the_extension_and_the_flags_line(self):
        self.passes("// VERBS run\n// FLAGS -O2 -DX\n")
        self.assertRegex((self.folder / "compiled").read_text(), r"^deadheat-cc -O1 -g -pthread -O2 -DX .*p\.c -o ")
        self.passes("int n;\n", name="p.cpp")
        self.assertRegex((self.folder / "compiled").read_text(), r"^deadheat-c\+\+ -O1 -g -pthread /.*p\.cpp -o ")
        self.fails("not a program", "int n;\n", name="p.rs", status=2)

    def test_a_program_that_does_not_build_is_an_error(self):
        (self.folder / "broken").touch()
        self.fails("exit status 1 of", "int n;\n", status=2)

    def test_findings_or_none_are_both_fine_and_other_states_are_errors(self):
        for status, outcome in (("0", 0), ("1", 0), ("2", 2), ("3", 2), ("66", 2)):
            (self.folder / "status").write_text(status)
            self.assertEqual(self.judge("int n;\n")[0], outcome, status)

    def test_findings_that_are_none_are_errors(self):
        self.passes("int n;\n", document=GOOD)
        strange_level = finding(1, 1, level="sure")
        bad = ({"schema": 2}, {"findings": None}, {"findings": [finding(1)]}, {"findings": [strange_level]})
        for document in ("", "{}", "[]", *(GOOD | change for change in bad)):
            with self.subTest(document):
                self.fails("", "int n;\n", document=document, status=2)

    def test_a_program_that_fails_under_run_is_an_error(self):
        for outcome in ({"exit": 1}, {"exit": None, "signal": 11}):
            document = GOOD | {"program": GOOD["program"] | outcome}
            self.fails("the program itself did not end well", "int n;\n", document=document, status=2)
            self.passes("int n;\n", document=document, verbs=("confirm",))

    def test_a_run_that_followed_nothing_is_an_error(self):
        document = GOOD | {"program": {"exit": 0, "sites": {"late": 0}}}
        self.fails("no instrumented code was followed", "int n;\n", document=document, status=2)

    def test_a_missing_tool_is_an_error(self):
        self.tool = self.folder / "absent"
        self.fails("cannot run", "int n;\n", status=2)


if __name__ == "__main__":
    unittest.main()
