#!/usr/bin/env python3
"""What compiling with deadheat-cc costs: real units, compiled by plain clang and by deadheat-cc with the same words.

Prints per level and unit the ratios of wall and CPU time and of object bytes, and the share of the model in the bytes of a plain
-g object; then their means. Exit status 1 if a mean is above its goal. README.md says what is not measured.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import re
import subprocess
import sys
import tempfile

import commands
import harness
import programs
from harness import BenchError

# A handful of each program: its largest, a hot one and an ordinary one.
UNITS = {
    "zstd": ("zstd_compress.c", "huf_decompress.c", "fileio.c"),
    "redis": ("server.c", "networking.c", "sds.c"),
    "memcached": ("memcached.c", "items.c"),
    "leveldb": ("db_impl.cc", "version_set.cc", "block.cc"),
    "x264": ("macroblock.c", "me.c"),
    "apache2": ("core.c", "mod_include.c"),
    "haproxy": ("http_ana.c", "stick_table.c"),
    "sqlite3": ("sqlite3.c",),
}
ONCE = ("sqlite3/sqlite3.c",)  # takes as long as all others together
GOALS = {"O2": 1.30, "O0": 1.50}
MODEL_GOAL = 20.0
SECTION = re.compile(r"^\.deadheat\s+(\d+)\s", re.MULTILINE)


@dataclasses.dataclass(frozen=True)
class Row:
    level: str
    result: harness.Result  # of variants "plain" and "deadheat"
    plain_bytes: int
    bytes: int
    model_bytes: int

    @property
    def model_share(self):
        return 100.0 * self.model_bytes / self.plain_bytes

    @property
    def growth(self):
        return self.bytes / self.plain_bytes


def pick(program, found):
    """The Commands of UNITS among those of a program, in that order; raises BenchError for one that is missing."""
    by_name = {}
    for command in found:
        by_name.setdefault(pathlib.Path(command.source).name, command)
    wanted = UNITS[program]
    if missing := [name for name in wanted if name not in by_name]:
        raise BenchError(f"its build does not compile {', '.join(missing)}")
    return [by_name[name] for name in wanted]


def compilers(tools):
    return {"plain": ("clang-19", "clang++-19"), "deadheat": (str(tools / "deadheat-cc"), str(tools / "deadheat-c++"))}


def section_bytes(file):
    listing = subprocess.run(["llvm-size-19", "-A", str(file)], capture_output=True, text=True, check=True).stdout
    found = SECTION.search(listing)
    if not found:
        raise BenchError(f"{file.name}: the object has no model")
    return int(found[1])


def measure(command, level, tools, rounds):
    environment = os.environ | {"DEADHEAT_STRICT": "1", "CCACHE_DISABLE": "1"}
    with tempfile.TemporaryDirectory() as folder:
        runners, objects = {}, {}
        for variant, names in compilers(tools).items():
            objects[variant] = pathlib.Path(folder) / f"{variant}.o"
            words = [names[command.is_cpp], *command.words, f"-{level}", "-g", "-w", "-c", command.source, "-o", str(objects[variant])]
            runners[variant] = harness.command_runner(words, environment, command.folder)
        rounds = 1 if command.name in ONCE else rounds
        result = harness.interleave(command.name, runners, rounds, harness.announce)
        plain, ours = (objects[variant].stat().st_size for variant in ("plain", "deadheat"))
        return Row(level, result, plain, ours, section_bytes(objects["deadheat"]))


def cells(row):
    times = (f"{row.result.median(variant, 'cpu'):.2f}" for variant in ("plain", "deadheat"))
    ratios = (f"{row.result.ratio('deadheat', metric):.3f}" for metric in harness.METRICS)
    return [row.level, row.result.subject, *times, *ratios, str(row.plain_bytes // 1024), f"{row.growth:.2f}",
            f"{row.model_bytes / 1024:.1f}", f"{row.model_share:.1f}"]


def means(level, rows):
    """The figures that the goals are about: means of ratios are geometric, the model's share is that of the sum."""
    ratios = harness.means_of([row.result for row in rows], "deadheat")
    growth = harness.geometric_mean(row.growth for row in rows)
    share = 100.0 * sum(row.model_bytes for row in rows) / sum(row.plain_bytes for row in rows)
    return {"level": level, **ratios, "growth": growth, "model_share": share}


def table(rows):
    header = ["level", "unit", "plain cpu s", "deadheat cpu s", "x wall", "x cpu", "plain KB", "x bytes", "model KB", "model %"]
    lines = [cells(row) for row in rows]
    for mean in all_means(rows):
        lines.append([mean["level"], "mean", "", "", f"{mean['wall']:.3f}", f"{mean['cpu']:.3f}", "", f"{mean['growth']:.2f}", "",
                      f"{mean['model_share']:.1f}"])
    return harness.format_rows(header, lines)


def all_means(rows):
    levels = dict.fromkeys(row.level for row in rows)
    return [means(level, [row for row in rows if row.level == level]) for level in levels]


def misses(rows):
    for mean in all_means(rows):
        goal = GOALS.get(mean["level"])
        if goal and mean["cpu"] > goal:
            yield f"{mean['level']}: compiling takes {mean['cpu']:.2f} times the CPU time, the goal is {goal:.2f}"
        if mean["model_share"] > MODEL_GOAL:
            yield f"{mean['level']}: models are {mean['model_share']:.1f} % of the objects' bytes, the goal is {MODEL_GOAL} %"


def keep(rows, file):
    with open(file, "w") as output:
        json.dump({"units": [{"level": row.level, "plain_bytes": row.plain_bytes, "bytes": row.bytes,
                              "model_bytes": row.model_bytes, **harness.as_json([row.result])["results"][0]} for row in rows],
                   "means": all_means(rows)}, output, indent=2)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", choices=[*UNITS, []], default=[], metavar="PROGRAM",
                        help="default: all eight")
    parser.add_argument("--tools", type=pathlib.Path, default=programs.ROOT / "build" / "bin", help="where deadheat-cc is")
    parser.add_argument("--levels", nargs="+", default=list(GOALS), metavar="LEVEL", help="O2, O0, ...")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    tools, rows, failures = options.tools.resolve(), [], []
    if not (tools / "deadheat-cc").exists():
        harness.announce(f"compile.py: error: no deadheat-cc in {tools}: run make first, or give --tools")
        return 2
    for program in options.programs or UNITS:
        try:
            units = pick(program, commands.of_program(program))
            rows += [measure(unit, level, tools, options.rounds) for unit in units for level in options.levels]
        except BenchError as error:
            failures.append(f"{program}: no figure: {error}")
    if rows:
        rows.sort(key=lambda row: options.levels.index(row.level))
        print(table(rows))
        failures += misses(rows)
        if options.json:
            keep(rows, options.json)
    return harness.conclude(failures)


if __name__ == "__main__":
    sys.exit(main())
