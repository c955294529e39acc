#!/usr/bin/env python3
"""What `deadheat run` costs: LiteRace's Table 5 and Figure 6 on real programs and two micro-benchmarks.

Variants, run interleaved, medians: plain clang; the instrumented program alone (dispatch checks); with synchronisation told;
with the default sampler; every access (`--full`); ThreadSanitizer; Helgrind on request. Of Deadheat's own variants CPU time is told
twice: the program's (as LiteRace has it, whose detector works later) and all, with the detector beside it.

Exit status 1 if the default sampler's geometric mean of the program's CPU over the real programs is above 1.15, or one above 2.
README.md says what is not measured.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import subprocess
import sys
import tempfile
import time

import harness
import programs
from harness import BenchError

PROGRAMS = ("pbzip2", "zstd", "x264", "memcached", "redis", "apache2", "leveldb", "sqlite3", "haproxy", "unbound")
MICRO = ("sharded_hash", "lock_free_list")
BUILDS = ("bench-plain", "bench-inert", "bench-tsan", "bench-dwarf4")
GOAL_MEAN, GOAL_EACH = 1.15, 2.0


@dataclasses.dataclass(frozen=True)
class Cost:
    """One run. `program` is the CPU of the program alone, `cpu` that of all; log and memory in MB."""

    wall: float
    cpu: float
    program: float
    rss: float
    log: float = 0.0
    check: str | None = None


@dataclasses.dataclass(frozen=True)
class Way:
    """How a variant is built, and run: under `deadheat run` with `options` unless these are None."""

    build: programs.Variant
    options: tuple | None = None


def ways(tools, builds, wanted):
    clang, ours = ("clang-19", "clang++-19"), (str(tools / "deadheat-cc"), str(tools / "deadheat-c++"))
    plain, inert = programs.Variant(builds[0], *clang), programs.Variant(builds[1], *ours)
    all_ways = {
        "plain": Way(plain),
        "dispatch": Way(inert),
        "sync": Way(inert, ("--sampler", "none")),
        "tl-ad": Way(inert, ()),
        "full": Way(inert, ("--full",)),
        "tsan": Way(programs.Variant(builds[2], *clang, flags="-O2 -g -fsanitize=thread")),
        # Of Debian 12: it cannot read the DWARF 5 that clang writes. One thread at a time, fairly, or spinning threads starve others.
        "helgrind": Way(programs.Variant(builds[3], *clang, flags="-O2 -gdwarf-4",
                                         wrap=("valgrind", "--tool=helgrind", "-q", "--fair-sched=yes"))),
    }
    return {name: all_ways[name] for name in wanted}


def wrap_of(way, tools, folder):
    if way.options is None:
        return way.build.wrap
    return (str(tools / "deadheat"), "run", "-q", *way.options, "--pass-through", "--db", str(folder / "db"), "--json",
            str(folder / "out.json"), "--")


def cost_of(sample, way, folder, rss):
    if way.options is None:
        return Cost(sample.wall, sample.cpu, sample.cpu, rss, 0.0, sample.check)
    executed = json.loads((folder / "out.json").read_text())["executed"]
    return Cost(sample.wall, sample.cpu, executed["cpu"]["program"], rss, executed["log_bytes"] / 1e6, sample.check)


def run_real(name, way, tools, scale):
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        line = programs.call(["run", name, way.build.name, *wrap_of(way, tools, folder)], way.build, scale)
        rss = float(dict(programs.FIELD.findall(line)).get("rss_mb", 0))
        return cost_of(programs.parse_run(line), way, folder, rss)


def build_micro(name, way, folder):
    out = folder / f"{name}-{way.build.name}"
    if not out.exists():
        source = programs.ROOT / "bench" / "programs" / f"{name}.cpp"
        subprocess.run([way.build.cxx, *way.build.flags.split(), "-std=c++17", "-pthread", source, "-o", out], check=True)
    return out


def run_micro(name, way, tools, builds):
    program = build_micro(name, way, builds)
    with tempfile.TemporaryDirectory() as folder:
        folder = pathlib.Path(folder)
        began = time.perf_counter()
        process = subprocess.Popen([*wrap_of(way, tools, folder), str(program)], stdout=subprocess.PIPE,
                                   stderr=subprocess.DEVNULL, text=True)
        check = process.stdout.read().strip()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        if process.returncode:
            raise BenchError(f"{name}: exit status {process.returncode}")
        sample = harness.Sample(time.perf_counter() - began, usage.ru_utime + usage.ru_stime, check)
        return cost_of(sample, way, folder, usage.ru_maxrss / 1024)


def table(measured, variants):
    """As Table 5: seconds of plain, then ratios of the program's CPU, all CPU and wall time, log in MB/s, memory in MB."""
    header = ["program", "variant", "wall s", "cpu s", "x program", "x all", "x wall", "log MB/s", "MB"]
    rows = []
    for each in measured:
        for variant in variants:
            speed = each.median(variant, "log") / max(each.median(variant, "wall"), 1e-9)
            rows.append([each.subject, variant, f"{each.median(variant, 'wall'):.2f}", f"{each.median(variant, 'cpu'):.2f}",
                         *(f"{each.ratio(variant, field):.2f}" for field in ("program", "cpu", "wall")),
                         f"{speed:.1f}", f"{each.median(variant, 'rss'):.0f}"])
    real = [each for each in measured if each.subject not in MICRO]
    for variant in variants[1:] if real else ():
        rows.append(["geometric mean", variant, "", "",
                     *(f"{mean(real, variant, field):.2f}" for field in ("program", "cpu", "wall")), "", ""])
    return harness.format_rows(header, rows)


def mean(measured, variant, field):
    return harness.geometric_mean(each.ratio(variant, field) for each in measured)


def missed_goals(measured):
    real = [each for each in measured if each.subject not in MICRO and "tl-ad" in each.samples]
    if not real:
        return []
    missed = [f"{each.subject}: tl-ad costs {each.ratio('tl-ad', 'program'):.2f} x plain (goal {GOAL_EACH:g})"
              for each in real if each.ratio("tl-ad", "program") > GOAL_EACH]
    if (all_of := mean(real, "tl-ad", "program")) > GOAL_MEAN:
        missed.append(f"tl-ad costs {all_of:.2f} x plain in the mean (goal {GOAL_MEAN:g})")
    return missed


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=(*MICRO, *PROGRAMS), metavar="PROGRAM")
    parser.add_argument("--variants", default="plain,dispatch,sync,tl-ad,full,tsan", help="of them, plain first")
    parser.add_argument("--builds", default=",".join(BUILDS),
                        help="names of the kept builds; those that are not given are as they are by default")
    parser.add_argument("--tools", type=pathlib.Path, default=programs.ROOT / "build" / "bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--scale", type=float, default=1.0)
    parser.add_argument("--no-build", action="store_true", help="take the kept builds as they are")
    options = parser.parse_args()
    tools, variants = options.tools.resolve(), options.variants.split(",")
    builds = options.builds.split(",")
    chosen = ways(tools, [*builds, *BUILDS[len(builds):]], variants)
    measured, failures = [], []
    with tempfile.TemporaryDirectory() as folder:
        for name in options.programs:
            try:
                if name not in MICRO and not options.no_build:
                    for way in chosen.values():
                        harness.announce(programs.build(name, way.build))
                runners = {variant: (lambda way=way: run_micro(name, way, tools, pathlib.Path(folder))) if name in MICRO
                           else (lambda way=way: run_real(name, way, tools, options.scale))
                           for variant, way in chosen.items()}
                measured.append(harness.interleave(name, runners, options.rounds, harness.announce))
            except (BenchError, OSError, subprocess.SubprocessError, KeyError) as error:
                failures.append(f"{name}: no figure: {error}")
    if measured:
        print(table(measured, variants))
        failures += missed_goals(measured)
    return harness.conclude(failures)


if __name__ == "__main__":
    sys.exit(main())
