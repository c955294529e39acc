#!/usr/bin/env python3
"""Whether `deadheat check` prints the same bytes with one job and with two.

    bench/check_jobs.py [--tools BUILD/bin] PROGRAM_OR_MODEL_DIR...

Every program is checked twice, each time with a store of its own; JSON and the list on the terminal are compared. Prints
a line for each; exit status 1 if one differs.
"""

import argparse
import pathlib
import subprocess
import sys
import tempfile

from harness import BenchError

ROOT = pathlib.Path(__file__).resolve().parent.parent
JOBS = (1, 2)


def checked(tools, program, jobs, folder):
    """(JSON, text) of one check."""
    report = folder / f"{jobs}.json"
    way = ["--model-dir", program] if program.is_dir() else [program]
    run = subprocess.run([tools / "deadheat", "check", "-j", str(jobs), "--db", folder / f"db{jobs}", "--json", report,
                          "--color", "never", *way], stderr=subprocess.PIPE, check=False)
    if run.returncode > 1:
        raise BenchError(f"{program}: {run.stderr.decode(errors='replace').strip().splitlines()[-1]}")
    return report.read_bytes(), without_costs(run.stderr)


def without_costs(text):
    """The lines that say what stages took differ each time."""
    return [line for line in text.splitlines() if not line.endswith(b" MiB")]


def compare(tools, program):
    with tempfile.TemporaryDirectory() as folder:
        one, two = (checked(tools, program, jobs, pathlib.Path(folder)) for jobs in JOBS)
    what = [name for name, first, second in zip(("JSON", "text"), one, two) if first != second]
    print(f"{program.name}: {', '.join(what) + ' differs' if what else 'the same'}, {len(one[0])} bytes", flush=True)
    return not what


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="+", type=pathlib.Path)
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of deadheat")
    options = parser.parse_args()
    try:
        return int(not all([compare(options.tools.resolve(), program) for program in options.programs]))
    except (BenchError, OSError) as error:
        print(f"check_jobs.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
