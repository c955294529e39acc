#!/usr/bin/env python3
"""Whether every labelled race and deadlock of the annotated programs is confirmed, and its schedule repeats it each time.

Builds each program that `confirm` judges, confirms, then replays every schedule file 20 times. A replay is good if the finding happens
again (exit status 1), nothing strayed, and the schedule that it records is byte for byte the one in the file. Prints one row a program.

    bench/replays.py [--tool build/bin/deadheat] [--times 20] [PROGRAM...]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
COMPILERS = {".c": "-cc", ".cpp": "-c++"}
CONFIRMED = ("confirmed", "harmful")
LIMIT = 300  # seconds for one confirm or replay


def wanted(program):
    """Programs that confirm judges: those without a VERBS line, or with confirm in it."""
    first = program.read_text().splitlines()[0]
    return "VERBS" not in first or "confirm" in first


def decisions(schedule):
    """The text of a schedule without its comments."""
    return [line.split("#")[0].rstrip() for line in schedule.read_text().splitlines()]


def replay_all(tool, findings, folder, times):
    """(replays, good ones) of all findings that were confirmed."""
    found = [one for one in findings if one["level"] in CONFIRMED]
    good = 0
    for one in found:
        schedule = folder / one["evidence"][-1]["schedule"]
        again = folder / "again.schedule"
        for _ in range(times):
            replay = subprocess.run([tool, "replay", schedule, "--record", again], cwd=folder, timeout=LIMIT,
                                    capture_output=True, text=True)
            good += replay.returncode == 1 and decisions(again) == decisions(schedule)
    return times * len(found), good


def judge(tool, program, folder, times):
    """(confirmed, most runs until a hit was possible, replays, good replays)"""
    binary, report = folder / program.stem, folder / "findings.json"
    compiler = tool.with_name(tool.name + COMPILERS[program.suffix])
    subprocess.run([compiler, "-O1", "-g", "-pthread", program, "-o", binary], check=True)
    subprocess.run([tool, "confirm", "-q", "--json", report, "--", binary], cwd=folder, timeout=LIMIT,
                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
    found = [one for one in json.loads(report.read_text())["findings"] if one["level"] in CONFIRMED]
    replays, good = replay_all(tool, found, folder, times)
    hits = [f"{one['evidence'][-1]['hits']}/{one['evidence'][-1]['runs']}" for one in found]
    return len(found), hits, replays, good


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/deadheat")
    parser.add_argument("--times", type=int, default=20)
    parser.add_argument("programs", nargs="*", type=pathlib.Path)
    options = parser.parse_args()
    programs = options.programs or sorted(path for path in (ROOT / "test/programs").glob("*/*") if wanted(path))
    bad = 0
    print("| program | confirmed | hits of runs | replays | as recorded |\n|---|---|---|---|---|")
    for program in programs:
        with tempfile.TemporaryDirectory() as folder:
            found, hits, replays, good = judge(options.tool.resolve(), program.resolve(), pathlib.Path(folder), options.times)
        bad += replays - good
        print(f"| {program.parent.name}/{program.stem} | {found} | {', '.join(hits)} | {replays} | {good} |", flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
