#!/usr/bin/env python3
"""What inert instrumentation costs: real programs built by plain clang and by deadheat-cc, run without the runtime.

Prints wall and CPU ratios per program and their geometric means. Variants run interleaved, and the values by which
programs check their own work must agree, or there is no figure. README.md says what is not measured.
"""

import argparse
import pathlib
import sys

import harness
import programs

PROGRAMS = ("pbzip2", "zstd", "x264", "memcached", "redis", "apache2", "leveldb", "sqlite3", "haproxy")


def variants(tools, flags):
    plain = programs.Variant("bench-plain", "clang-19", "clang++-19", flags)
    parts = (tools / "deadheat", tools.parent / "lib" / "deadheat" / "deadheat_plugin.so")
    inert = programs.Variant("bench-inert", str(tools / "deadheat-cc"), str(tools / "deadheat-c++"), flags, parts=parts)
    return {"plain": plain, "deadheat": inert}


def measure(name, choices, rounds, scale):
    for variant in choices.values():
        harness.announce(programs.build(name, variant))
    runners = {label: programs.runner(name, variant, scale) for label, variant in choices.items()}
    return harness.interleave(name, runners, rounds, harness.announce)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", default=PROGRAMS, metavar="PROGRAM", help="default: all nine")
    parser.add_argument("--tools", type=pathlib.Path, default=programs.ROOT / "build" / "bin",
                        help="where deadheat-cc is")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--scale", type=float, default=1.0, help="size of the workloads")
    parser.add_argument("--flags", default="-O2 -g")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    choices = variants(options.tools.resolve(), options.flags)
    try:
        programs.forget_stale(choices["deadheat"])
    except OSError as error:
        harness.announce(f"dispatch.py: error: {error.filename}: {error.strerror}: run make first, or give --tools")
        return 2
    results, failures = [], []
    for name in options.programs:
        try:
            results.append(measure(name, choices, options.rounds, options.scale))
        except harness.BenchError as error:
            failures.append(f"{name}: no figure: {error}")
    try:
        if results:
            harness.show(results, options.json)
    except (harness.BenchError, OSError) as error:
        failures.append(str(error))
    return harness.conclude(failures)


if __name__ == "__main__":
    sys.exit(main())
