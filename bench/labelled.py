#!/usr/bin/env python3
"""Whether every labelled race and deadlock of every annotated program that executes is confirmed, and nothing else is.

Also of the programs whose VERBS line leaves `confirm` out: builds each, confirms with at most 100 runs a candidate, and says what became of
each label: confirmed; never executed, which a directed run has told; marked MISSED, with the mark's reason; or a defect. A finding that is
confirmed and carries no label is a defect, too, unless all its lines are marked FALSE for `confirm`. Then every schedule file is replayed.

    bench/labelled.py [--tool build/bin/deadheat] [--times 20] [PROGRAM...]

Exit status: 1 if there was a defect, or a replay that was not byte for byte the schedule of its file.
"""

import argparse
import collections
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
sys.path[:0] = [str(ROOT / "test/tools"), str(ROOT / "bench")]

import check_expectations as judge  # noqa: E402
import marks as ground_truth  # noqa: E402
import replays  # noqa: E402

RUNS = 100
UNEXECUTED = ("never-executed",)


def confirmed_of(tool, command, folder):
    """All findings of `confirm`, at whatever level."""
    report = folder / "findings.json"
    subprocess.run([tool, "confirm", "-q", "--runs", str(RUNS), "--json", report, "--", *command], cwd=folder,
                   timeout=replays.LIMIT, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    return json.loads(report.read_text())["findings"]


def lines_of(row, program):
    return row["kind"], judge.Finding(row).lines(program)


def fate(rows):
    """What became of a label, by the findings on its lines; the best one counts."""
    if not rows:
        return "no candidate"
    if any(row["level"] in replays.CONFIRMED for row in rows):
        return "confirmed"
    reasons = [row["not_climbed"] for row in rows if row.get("not_climbed")]
    for reason in reasons:
        if reason["reason"] not in UNEXECUTED:
            return reason["reason"] + f" ({reason['by']})"
    return "never executed" if reasons else "not tried"


def sort_labels(marks, findings, program):
    """({label: fate}, confirmed findings without a label)."""
    by_lines = collections.defaultdict(list)
    for row in findings:
        by_lines[lines_of(row, program)].append(row)
    fates = {row.label: fate(by_lines[row.kind, row.key]) for row in marks.expected.values()}
    known = {(row.kind, row.key) for row in marks.expected.values()}
    strays = [row for key, rows in by_lines.items() if key not in known for row in rows
              if row["level"] in replays.CONFIRMED and not is_excused(marks, key[1])]
    return fates, strays


def is_excused(marks, lines):
    return bool(lines) and all((line, "confirm") in marks.false for line in lines)


def defects_of(marks, fates, strays):
    found = []
    for row in marks.expected.values():
        what = fates[row.label]
        if what not in ("confirmed", "never executed") and "confirm" not in row.missed:
            found.append(f"{row.kind} {row.label}, lines {', '.join(map(str, row.key))}: {what}")
    return found + [f"confirmed without a label: {judge.Finding(row)}" for row in strays]


def examine(tool, program, times):
    """(row of the table, defects)"""
    marks = ground_truth.parse(program.read_text())
    with tempfile.TemporaryDirectory() as name:
        folder = pathlib.Path(name)
        binary = judge.build(tool, program, marks.flags, folder)
        findings = confirmed_of(tool, [binary, *marks.arguments], folder)
        replayed, good = replays.replay_all(tool, findings, folder, times)
    fates, strays = sort_labels(marks, findings, program)
    defects = defects_of(marks, fates, strays)
    if good != replayed:
        defects.append(f"{replayed - good} of {replayed} replays were not as recorded")
    counts = collections.Counter(fates.values())
    row = (len(fates), counts["confirmed"], counts["never executed"],
           len(fates) - counts["confirmed"] - counts["never executed"], len(strays), replayed, good)
    return row, defects


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/deadheat")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    programs = options.programs or sorted((ROOT / "test/programs").glob("*/*.c*"))
    sums, bad = [0] * 7, 0
    print("| program | labels | confirmed | never executed | other | without label | replays | as recorded |\n" + "|---" * 8 + "|")
    for program in programs:
        row, defects = examine(options.tool.resolve(), program.resolve(), options.times)
        sums = [one + other for one, other in zip(sums, row)]
        print(f"| {program.parent.name}/{program.stem} | " + " | ".join(map(str, row)) + " |", flush=True)
        for defect in defects:
            print(f"    {defect}", flush=True)
        bad += len(defects)
    print("| all | " + " | ".join(map(str, sums)) + " |")
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
