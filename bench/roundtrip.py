#!/usr/bin/env python3
"""How many executed accesses of optimised real programs can be traced back to the source.

Per program and level: the places that ran (late accesses), the share of them that carries at least one early site, the
same weighted by executions, the size of the sets, and the untraced places by cause. Exit status 1 if a share of
places is below the goal. README.md says what is not measured.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import shlex
import statistics
import subprocess
import sys
import tempfile

import harness
import programs
from harness import BenchError

PROGRAMS = ("zstd", "redis", "memcached", "leveldb", "pbzip2", "sqlite3")
LEVELS = ("O1", "O2")
GOAL = 95.0

# Counting every access costs more than ten times the plain run, and which places run does not depend on the amount.
SCALES = {"zstd": 0.1, "redis": 0.05, "memcached": 0.1, "leveldb": 0.05, "pbzip2": 0.1, "sqlite3": 0.05}

TRACED = ("metadata", "location", "line", "merged")
UNTRACED = ("no location", "line zero", "no early site")
BUILT = re.compile(r"^  built by .* -(O\d) in ", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Row:
    """What one run of one program told. `places` and `executions` are {origin: count}."""

    program: str
    level: str
    places: dict
    executions: dict
    sets: tuple  # of traced places, how many sites each has

    def share(self, counts):
        total = sum(counts.values())
        return 100.0 * sum(counts[origin] for origin in TRACED) / total if total else 0.0

    @property
    def traced(self):
        return self.share(self.places)


def read_run(program, level, document):
    """The Row of what `deadheat run --json` wrote; raises BenchError where nothing was executed."""
    executed = document["executed"]
    places = {origin: count["executed"] for origin, count in executed["origins"].items()}
    executions = {origin: count["executions"] for origin, count in executed["origins"].items()}
    if not sum(places.values()):
        raise BenchError(f"{program} {level}: no access was counted")
    sets = tuple(len(access["sites"]) for access in executed["accesses"] if access["sites"])
    return Row(program, level, places, executions, sets)


def percentile_95(values):
    return sorted(values)[(len(values) * 95 - 1) // 100] if values else 0


def table(rows):
    header = ["program", "level", "places", *(f"% {origin}" for origin in TRACED), "% traced", "% of executions", "set mean",
              "set p95", *UNTRACED]
    lines = []
    for row in rows:
        total = sum(row.places.values())
        origins = (f"{100.0 * row.places[origin] / total:.2f}" for origin in TRACED)
        lines.append([row.program, row.level, str(total), *origins, f"{row.traced:.2f}", f"{row.share(row.executions):.2f}",
                      f"{statistics.fmean(row.sets) if row.sets else 0:.2f}", str(percentile_95(row.sets)),
                      *(str(row.places[origin]) for origin in UNTRACED)])
    return harness.format_rows(header, lines)


def variant_of(tools, level, report=""):
    name = f"bench-roundtrip-{level}"
    folder = programs.kept_builds(programs.Variant(name, "", ""))
    parts = (tools / "deadheat", tools.parent / "lib" / "deadheat" / "deadheat_plugin.so")
    wrap = (str(tools / "deadheat"), "run", "--full", "-q", "--pass-through", "--json", str(report), "--")
    return programs.Variant(name, str(folder / "cc"), str(folder / "c++"), f"-{level} -g", wrap, parts)


def prepare(tools, level):
    """Compilers that have the last word on the level: some recipes and makefiles set their own."""
    variant = variant_of(tools, level)
    programs.forget_stale(variant)
    for compiler, tool in ((variant.cc, "deadheat-cc"), (variant.cxx, "deadheat-c++")):
        script = pathlib.Path(compiler)
        script.write_text(f'#!/bin/sh\nexec {shlex.quote(str(tools / tool))} "$@" -{level} -g\n')
        script.chmod(0o755)


def check_level(program, variant, level):
    """A figure of one level must not hide units of another."""
    binary = programs.call(["binaries", program, variant.name], variant).splitlines()[0]
    dump = subprocess.run([variant.wrap[0], "model", "dump", "--summary", binary], capture_output=True, text=True)
    if dump.returncode:
        raise BenchError(dump.stderr.strip())
    if other := [found for found in BUILT.findall(dump.stdout) if found != level]:
        raise BenchError(f"{len(other)} units were not built at -{level} but at -{other[0]}")


def measure(program, level, tools, scale):
    with tempfile.TemporaryDirectory() as folder:
        report = pathlib.Path(folder) / "run.json"
        variant = variant_of(tools, level, report)
        harness.announce(programs.build(program, variant))
        check_level(program, variant, level)
        harness.announce(f"{program} {level}: run")
        programs.runner(program, variant, scale * SCALES.get(program, 0.1))()
        return read_run(program, level, json.loads(report.read_text()))


def keep(rows, file):
    with open(file, "w") as output:
        json.dump([dataclasses.asdict(row) for row in rows], output, indent=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=PROGRAMS, metavar="PROGRAM", help="default: all six")
    parser.add_argument("--tools", type=pathlib.Path, default=programs.ROOT / "build" / "bin",
                        help="where deadheat-cc is")
    parser.add_argument("--levels", nargs="+", default=LEVELS, metavar="LEVEL", help="O1, O2, ...")
    parser.add_argument("--scale", type=float, default=1.0, help="factor on the sizes of the workloads")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    os.environ["DEADHEAT_STRICT"] = "1"  # a unit that fell back to plain clang would silently be missing
    tools = options.tools.resolve()
    rows, failures = [], []
    try:
        for level in options.levels:
            prepare(tools, level)
    except OSError as error:
        harness.announce(f"roundtrip.py: error: {error.filename}: {error.strerror}: run make first, or give --tools")
        return 2
    for program in options.programs:
        for level in options.levels:
            try:
                rows.append(measure(program, level, tools, options.scale))
            except BenchError as error:
                failures.append(f"{program} {level}: no figure: {error}")
    if rows:
        print(table(rows))
        failures += [f"{row.program} {row.level}: {row.traced:.2f} % of the places are traced, the goal is {GOAL} %"
                     for row in rows if row.traced < GOAL]
        if options.json:
            keep(rows, options.json)
    return harness.conclude(failures)


if __name__ == "__main__":
    sys.exit(main())
