#!/usr/bin/env python3
"""How many programs as people write them Deadheat judges rightly.

    bench/realistic.py [--verbs check run confirm] [--tools BUILD/bin] [PROGRAM...]

The programs of bench/realistic were written by engineers who did not look at the sources of the tool, with the marks of an annotated
program (test/tools) and SHOWN: a race that is found and demoted counts as not found. Half of them have a race or two of the kind that people
make (racy_*), half have none but look as if (safe_*). Prints each program that is judged wrongly with what is not as marked, then how many
of each kind and language were. Exit status 1 if one was.

Some races depend on the schedule: `run` need not meet them.
"""

import argparse
import collections
import concurrent.futures
import os
import pathlib
import sys

import matrix

FOLDER = pathlib.Path(__file__).resolve().parent / "realistic"


def kind_of(program):
    return f"{program.stem.partition('_')[0]} {program.suffix[1:]}"


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--verbs", nargs="+", choices=("check", "run", "confirm"), default=["check"])
    parser.add_argument("--tools", type=pathlib.Path, default=matrix.ROOT / "build/bin", help="folder of deadheat")
    parser.add_argument("programs", nargs="*", type=pathlib.Path, help="instead of all")
    options = parser.parse_args()
    programs = options.programs or sorted(FOLDER.glob("*.c*"))
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        verdicts = dict(zip(programs, pool.map(lambda path: matrix.judged(options.tools.resolve(), options.verbs, path), programs)))
    wrong = {program: problems for program, problems in verdicts.items() if problems}
    for problems in wrong.values():
        print("\n".join(problems))
    of_kind, wrong_of_kind = collections.Counter(map(kind_of, programs)), collections.Counter(map(kind_of, wrong))
    for kind in sorted(of_kind):
        print(f"{kind}: {wrong_of_kind[kind]} of {of_kind[kind]} programs are judged wrongly")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
