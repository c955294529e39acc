#!/usr/bin/env python3
"""Judges Deadheat by an annotated program: builds it, runs each verb on it, compares the findings with the marks.

Claim   Passes only if, for every verb: each labelled pair or cycle was found or is marked MISSED for that verb, no pair
        marked MISSED was found, each undemoted finding has a label or FALSE on all its lines, each FALSE was needed.
Assumes one source file per program; findings are read from --json, never from text (marks.py has the marks' grammar).
        Under `run` the program ended with status 0 and instrumented code of it was followed.
Cost    one build and one run of each verb.

A finding with demotions counts as found, unless the program says SHOWN, but not as a false report. Suppressed findings are not looked at, nor are
those below the level a verb vouches for (LEAST_LEVEL).

Exit status: 0 as marked, 1 not as marked, 2 a bad mark, a program that does not build, a tool that fails.
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

import marks as ground_truth

DEFAULT_FLAGS = ["-O1", "-g", "-pthread"]
COMPILERS = {".c": "-cc", ".cpp": "-c++"}
LEVELS = ("possible", "predicted", "observed", "confirmed", "harmful")
LEAST_LEVEL = {"check": "possible", "run": "predicted", "confirm": "confirmed"}
ARGUMENTS = {
    "check": lambda command, output: ["check", command[0], "--json", output],
    "run": lambda command, output: ["run", "--full", "--json", output, "--", *command],
    "confirm": lambda command, output: ["confirm", "--json", output, "--", *command],
}
DEADLINE = 300  # seconds: a hang must end, and no program here takes more than a few


class Failure(Exception):
    """The program could not be judged."""


def run_command(command, folder):
    try:
        return subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace", timeout=DEADLINE)
    except subprocess.TimeoutExpired:
        raise Failure(f"no end after {DEADLINE} s: {' '.join(map(str, command))}") from None
    except OSError as error:
        raise Failure(f"cannot run {command[0]}: {error.strerror}") from None


def demand(result, accepted):
    if result.returncode not in accepted:
        command = " ".join(map(str, result.args))
        raise Failure(f"exit status {result.returncode} of: {command}\n{result.stdout}{result.stderr}".rstrip())


def build(tool, program, flags, folder):
    compiler = tool.with_name(tool.name + COMPILERS[program.suffix])
    binary = folder / program.stem
    demand(run_command([compiler, *DEFAULT_FLAGS, *flags, program, "-o", binary], folder), {0})
    return binary


def findings_of(tool, verb, command, folder):
    """The findings of one verb, from a folder of its own: no verb may profit from what another has stored."""
    folder = folder / verb
    folder.mkdir()
    output = folder / "findings.json"
    demand(run_command([tool, *ARGUMENTS[verb](command, output)], folder), {0, 1})
    try:
        document = json.loads(output.read_text())
        if document["schema"] != 1:
            raise Failure(f"{verb}: findings of schema {document['schema']}, not 1")
        if verb == "run":
            demand_good_run(document["program"])
        return [Finding(row) for row in document["findings"] if counts(row, verb)]
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise Failure(f"{verb}: the findings cannot be read: {type(error).__name__} {error}") from None


def demand_good_run(program):
    if program["exit"] != 0:
        raise Failure(f"run: the program itself did not end well: {json.dumps(program)}")
    if not program["sites"]["late"]:
        raise Failure("run: no instrumented code was followed, so that nothing could have been found")


def counts(row, verb):
    enough = LEVELS.index(row["level"]) >= LEVELS.index(LEAST_LEVEL[verb])
    return enough and not row.get("suppressed", False)


class Finding:
    """A row of findings.json, as far as marks can speak of it."""

    def __init__(self, row):
        self.kind = row["kind"]
        places = row["cycle"] if self.kind == "deadlock" else row["accesses"]
        self.places = [(place["file"], place["line"]) for place in places]
        if self.kind == "race" and len(self.places) != 2:
            raise ValueError(f"a race of {len(self.places)} accesses")
        self.demoted = bool(row.get("demotions"))

    def lines(self, program):
        """The sorted lines, or None if the finding has a place outside the program."""
        if any(not is_file(program, file) for file, _ in self.places):
            return None
        lines = sorted(line for _, line in self.places)
        return tuple(sorted(set(lines)) if self.kind == "deadlock" else lines)

    def __str__(self):
        return f"{self.kind} " + " and ".join(f"{file}:{line}" for file, line in self.places)


def is_file(program, name):
    """Whether a finding's file is the program: findings name files relative to a root that only the tool knows."""
    parts = pathlib.PurePath(name).parts
    return bool(parts) and program.parts[-len(parts):] == parts


def compare(marks, verb, findings, program):
    """What is not as marked, in sentences."""
    expected = {(row.kind, row.key): row for row in marks.expected.values()}
    found, false_used, problems = set(), set(), []
    for finding in findings:
        lines = finding.lines(program)
        if (finding.kind, lines) in expected:
            if not (marks.shown and finding.demoted):
                found.add((finding.kind, lines))
        elif not finding.demoted:
            excused = {(line, verb) for line in lines or ()}
            false_used |= excused & marks.false.keys()
            if not excused or not excused <= marks.false.keys():
                problems.append(unexpected(finding, lines, marks))
    problems += [problem for key, row in expected.items() if (problem := miss(row, verb, key in found))]
    for line, marked_verb in sorted(marks.false):
        if marked_verb == verb and (line, verb) not in false_used:
            problems.append(f"line {line}: FALSE {verb} is stale, nothing false is reported here: delete the mark")
    return problems


def unexpected(finding, lines, marks):
    if safe := [line for line in lines or () if line in marks.safe]:
        return f"line {safe[0]} is marked NORACE, but: {finding}"
    labelled = {line for row in marks.expected.values() for line in row.lines}
    if lines and set(lines) <= labelled:
        return f"the lines are marked, but not as a {finding.kind} with each other: {finding}"
    return f"no mark for: {finding}"


def miss(row, verb, was_found):
    place = f"line {row.lines[0]}: {row.kind.upper()} {row.label}"
    if was_found and verb in row.missed:
        return f"{place}: MISSED {verb} is stale, it was found: delete the mark"
    if not was_found and verb not in row.missed:
        return f"{place} was not found on lines {', '.join(map(str, row.key))}"
    return None


def judge(tool, program, available):
    """Prints what is not as marked; returns the exit status."""
    if program.suffix not in COMPILERS:
        raise Failure(f"not a program: its name must end in {' or '.join(COMPILERS)}")
    try:
        marks = ground_truth.parse(program.read_text())
    except ground_truth.BadMarks as error:
        raise Failure("bad marks, by line\n" + str(error)) from None
    verbs = [verb for verb in marks.verbs if verb in available]
    if not verbs:
        raise Failure(f"none of its verbs ({' '.join(marks.verbs)}) is among those to run ({' '.join(available)})")
    problems = []
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        binary = build(tool, program, marks.flags, folder)
        for verb in verbs:
            findings = findings_of(tool, verb, [binary, *marks.arguments], folder)
            problems += [f"{verb}: {problem}" for problem in compare(marks, verb, findings, program)]
    for problem in problems:
        print(f"{program.name}: {problem}")
    print(f"{program.name}: {len(marks.expected)} labels, verbs {' '.join(verbs)}, {len(problems)} not as marked")
    return 1 if problems else 0


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--tool", type=pathlib.Path, required=True, help="the deadheat to judge")
    parser.add_argument("--verbs", nargs="+", choices=ground_truth.VERBS, default=ground_truth.VERBS,
                        help="the verbs that exist (default: all)")
    parser.add_argument("program", type=pathlib.Path)
    options = parser.parse_args()
    try:
        return judge(options.tool.absolute(), options.program.resolve(), options.verbs)
    except (Failure, OSError) as error:
        print(f"{options.program}: {error}")
        return 2


if __name__ == "__main__":
    sys.exit(main())
