#!/usr/bin/env python3
"""Holds linking to its cost: time and memory per statement stay flat from 10 k to 1 M statements.

    bench/link_scaling.py [--build BUILD] [--sizes N...] [--models DIR [--kernel]] [--analyse]

Prints a table; exit status 1 if the largest program takes more than three times as much per statement as the one of
100,000 (below that, what every program costs weighs too much), in seconds or in bytes.
"""

import argparse
import json
import pathlib
import subprocess
import sys

LIMIT = 3.0
SIZES = (10_000, 30_000, 100_000, 300_000, 1_000_000)


def measure(program, *arguments):
    return json.loads(subprocess.run([program, *arguments], check=True, stdout=subprocess.PIPE, text=True).stdout)


def per_statement(row):
    """(microseconds, bytes) that linking added for each statement."""
    added = (row["peak_mib"] - row["models_mib"]) * 2**20
    return row["seconds"] * 1e6 / row["statements"], added / row["statements"]


def growth(rows):
    """How much more the largest takes per statement than the first of 80,000 or more: (time, memory)."""
    large = [row for row in rows if row["statements"] >= 80_000]
    if len(large) < 2:
        return 1.0, 1.0
    first, last = per_statement(large[0]), per_statement(large[-1])
    return last[0] / first[0], last[1] / first[1]


def print_row(row):
    time, memory = per_statement(row)
    stages = ", ".join(f"{name} {seconds:.1f}" for name, seconds in row["stages"].items())
    print(f"{row['statements']:>10} statements {row['seconds']:>8.2f} s {row['peak_mib']:>6} MiB"
          f" {time:>6.1f} us and {memory:>5.0f} bytes each   ({stages})", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"))
    parser.add_argument("--sizes", type=int, nargs="+", default=SIZES)
    parser.add_argument("--models", type=pathlib.Path, help="link the models of a directory instead")
    parser.add_argument("--kernel", action="store_true", help="they are a kernel's")
    parser.add_argument("--analyse", action="store_true", help="hold the search for races to the same")
    options = parser.parse_args()
    more = ["--analyse"] if options.analyse else []
    program = options.build / "bin" / "link_scaling"
    subprocess.run(["ninja", "-C", options.build, "link_scaling"], check=True, stdout=subprocess.DEVNULL)
    if options.models:
        print_row(measure(program, "--models", options.models, *(["--kernel"] if options.kernel else []), *more))
        return 0
    rows = []
    for size in options.sizes:
        rows.append(measure(program, str(size), *more))
        print_row(rows[-1])
    time, memory = growth(rows)
    print(f"per statement, from the first large one to the largest: time x {time:.2f}, memory x {memory:.2f}")
    return 1 if max(time, memory) > LIMIT else 0


if __name__ == "__main__":
    sys.exit(main())
