#!/usr/bin/env python3
"""Whether directed runs hang: every program that does something a scheduler can get wrong, so many runs of each strategy.

The programs are those of test/cli/confirm_directed.test and confirm_outside.test (condition variables, a thread pool, std::async, semaphores,
barriers, signals, fork, detached threads, cancellation, stdio on a pipe, timers, loops that wait or never rest, exit beside running
threads) and those of bench/hangs, each of which says what it does in its first lines. Each has a pair that a lock orders, so that all runs are
made: about twice as many as are asked for, as it is two findings. A run that reaches the limit is a hang, and one that does not end with
status 0 is a failure: neither may be.

    bench/hangs.py [--runs 500] [--tool build/bin/deadheat] [NAME...]
"""

import argparse
import json
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent
TESTS = ("confirm_directed.test", "confirm_outside.test")
STRATEGIES = ("racefuzzer", "random", "pct")
COMPILERS = {".c": ("-cc", []), ".cpp": ("-c++", ["-std=c++20"])}
LIMIT = 20  # seconds for one run; the programs take milliseconds
MARK = "// aimed at"


def of_tests():
    """(file name, text, line) of the programs in the tests."""
    for test in TESTS:
        head, *parts = re.split(r"^#--- (\S+)\n", (ROOT / "test/cli" / test).read_text(), flags=re.MULTILINE)
        lines = dict(re.findall(r"--pair (\S+):(\d+)", head))
        yield from ((name, text, int(lines[name])) for name, text in zip(parts[::2], parts[1::2]) if name in lines)


def of_bench():
    for path in sorted((ROOT / "bench/hangs").iterdir()):
        text = path.read_text()
        yield path.name, text, next(number for number, line in enumerate(text.splitlines(), 1) if MARK in line)


def judge(tool, folder, name, text, line, runs):
    """Per strategy: runs, those that a limit ended, those that failed, seconds."""
    source, binary = folder / name, folder / pathlib.Path(name).stem
    source.write_text(text)
    compiler, flags = COMPILERS[source.suffix]
    subprocess.run([tool.with_name(tool.name + compiler), *flags, "-g", "-O1", "-pthread", source, "-o", binary], check=True)
    for strategy in STRATEGIES:
        report = folder / "report.json"
        subprocess.run([tool, "confirm", "-q", "--db", folder / (name + strategy), "--json", report, "--runs", str(runs), "--limit",
                        str(LIMIT), "--strategy", strategy, "--pair", f"{name}:{line}", "--", binary],
                       stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield strategy, json.loads(report.read_text())["directed"]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/deadheat")
    parser.add_argument("--runs", type=int, default=500)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    bad = 0
    print("| program | strategy | runs | hangs | failures | seconds |\n|---|---|---|---|---|---|")
    for name, text, line in [*of_tests(), *of_bench()]:
        if options.names and name not in options.names:
            continue
        with tempfile.TemporaryDirectory() as folder:
            for strategy, counts in judge(options.tool.resolve(), pathlib.Path(folder), name, text, line, options.runs):
                bad += counts["limited"] + counts["failed"]
                print(f"| {name} | {strategy} | {counts['runs']} | {counts['limited']} | {counts['failed']} | {counts['seconds']:.1f} |",
                      flush=True)
    return 1 if bad else 0


if __name__ == "__main__":
    sys.exit(main())
