#!/usr/bin/env python3
"""How many of the small programs that are put together from tables Deadheat judges rightly.

    bench/matrix.py [--language c cxx] [--count 100] [--seed 1] [--rows ROW...] [--verbs check run confirm] [--tools BUILD/bin] [--keep FOLDER]

A program is one row of each table of matrix_c.py or matrix_cxx.py: who owns the data, how threads get it, what it is, how it
is locked, and what is wrong, chosen at random by the seed. It carries the marks of an annotated program (test/tools), with
SHOWN: a race that is found and demoted counts as not found, since nobody sees it. Prints each program that is judged wrongly
with what is not as marked, then how many of each row of each table were. Exit status 1 if one was.

Judges what it builds, so a change of the tables makes figures of before incomparable; the same seed gives the same programs.
"""

import argparse
import collections
import concurrent.futures
import itertools
import os
import pathlib
import random
import subprocess
import sys
import tempfile

import matrix_c
import matrix_cxx

ROOT = pathlib.Path(__file__).resolve().parent.parent
JUDGE = ROOT / "test/tools/check_expectations.py"
LANGUAGES = {"c": matrix_c, "cxx": matrix_cxx}


def choices(language, count, seed, fixed=()):
    """`count` different programs, or all there are: their rows, and their text. A table of which rows are fixed has only these."""
    tables = [[row for row in table if row in fixed] or list(table) for table in LANGUAGES[language].TABLES.values()]
    combinations = list(itertools.product(*tables))
    random.Random(f"{language} {seed}").shuffle(combinations)
    texts = ((rows, LANGUAGES[language].program(*rows)) for rows in combinations)
    return dict(itertools.islice(((rows, text) for rows, text in texts if text is not None), count))


def judged(tools, verbs, program):
    """What is not as marked, a line each; the judge's own failures count, too."""
    command = [sys.executable, "-B", JUDGE, "--tool", tools / "deadheat", "--verbs", *verbs, "--", program]
    run = subprocess.run(command, capture_output=True, text=True, check=False)
    return run.stdout.splitlines()[:-1] if run.returncode == 1 else [] if run.returncode == 0 else [run.stdout + run.stderr]


def judge_all(options, language, folder):
    """{rows: what is not as marked} of all programs."""
    written = {}
    for rows, text in choices(language, options.count, options.seed, options.rows).items():
        written[rows] = folder / ("_".join(rows) + LANGUAGES[language].SUFFIX)
        written[rows].write_text(text)
    with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
        return dict(zip(written, pool.map(lambda path: judged(options.tools.resolve(), options.verbs, path), written.values())))


def show(language, verdicts):
    """Prints what is wrong; returns whether anything is."""
    wrong = {rows: problems for rows, problems in verdicts.items() if problems}
    for rows, problems in sorted(wrong.items()):
        for problem in problems:
            print(f"{'-'.join(rows)}: {problem.partition(': ')[2]}")
    print(f"{language}: {len(wrong)} of {len(verdicts)} programs are judged wrongly")
    for number, table in enumerate(LANGUAGES[language].TABLES):
        counts = collections.Counter(rows[number] for rows in wrong)
        if counts:
            print(f"  {table}: " + ", ".join(f"{row} {count}" for row, count in counts.most_common()))
    return bool(wrong)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--language", nargs="+", choices=LANGUAGES, default=list(LANGUAGES))
    parser.add_argument("--count", type=int, default=100, help="programs of each language (default: 100)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--rows", nargs="+", default=(), help="rows that the tables are narrowed to: map jthread")
    parser.add_argument("--verbs", nargs="+", choices=("check", "run", "confirm"), default=["check"])
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of deadheat")
    parser.add_argument("--keep", type=pathlib.Path, help="where the programs are left")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as temporary:
        folder = options.keep or pathlib.Path(temporary)
        folder.mkdir(parents=True, exist_ok=True)
        return int(any([show(language, judge_all(options, language, folder)) for language in options.language]))


if __name__ == "__main__":
    sys.exit(main())
