#!/usr/bin/env python3
"""Measures variants of one job against each other: interleaved in one session, medians, ratios to the first variant.

Claim   Every round runs every variant once, in order (A B C A B C ...), so that slow drifts of the machine fall on all
        of them alike; a ratio compares medians of the same rounds.
Assumes nothing else uses the machine for longer than a round.
Misses  what README.md lists.

As a program: harness.py --rounds 5 --variant plain='./a.out' --variant traced='deadheat run -- ./a.out'
"""

import argparse
import dataclasses
import json
import math
import os
import platform
import shlex
import statistics
import subprocess
import sys
import time

METRICS = ("wall", "cpu")


class BenchError(Exception):
    """A run that failed or disagreed: there is no figure to print."""


@dataclasses.dataclass(frozen=True)
class Sample:
    """One run. `check` is what every variant must agree on; None where the job has nothing of the kind."""

    wall: float
    cpu: float
    check: str | None = None


@dataclasses.dataclass
class Result:
    """All rounds of one subject: {variant: [Sample]}, the first variant being the one that ratios refer to."""

    subject: str
    samples: dict

    def median(self, variant, metric):
        return statistics.median(getattr(sample, metric) for sample in self.samples[variant])

    def ratio(self, variant, metric):
        base = self.median(next(iter(self.samples)), metric)
        if base <= 0:
            raise BenchError(f"{self.subject}: the first variant took no measurable {metric} time")
        return self.median(variant, metric) / base

    def disagreement(self):
        """What the variants do not agree on, or None."""
        checks = {variant: sorted({str(sample.check) for sample in rows}) for variant, rows in self.samples.items()}
        if len({check for seen in checks.values() for check in seen}) <= 1:
            return None
        said = (f"{variant} says {' or '.join(seen)}" for variant, seen in checks.items())
        return f"{self.subject}: {', '.join(said)}"


def interleave(subject, runners, rounds, progress=lambda text: None):
    """Runs {variant: function that returns a Sample}, `rounds` times each; raises BenchError if checks differ."""
    if rounds < 1 or not runners:
        raise BenchError("nothing to measure: give at least one variant and one round")
    samples = {variant: [] for variant in runners}
    for number in range(1, rounds + 1):
        for variant, run in runners.items():
            progress(f"{subject}: round {number} of {rounds}, {variant}")
            samples[variant].append(run())
    result = Result(subject, samples)
    if problem := result.disagreement():
        raise BenchError(problem)
    return result


def command_runner(command, environment=None, folder=None):
    """A runner of a command line: its wall time, and the CPU time of it and of the children it waited for."""

    def run():
        began = time.perf_counter()
        process = subprocess.Popen(command, env=environment, cwd=folder, stdout=subprocess.DEVNULL,
                                   stderr=subprocess.PIPE, text=True, errors="replace")
        errors = process.stderr.read()
        _, status, usage = os.wait4(process.pid, 0)
        process.returncode = os.waitstatus_to_exitcode(status)
        process.stderr.close()
        if process.returncode:
            raise BenchError(f"exit status {process.returncode} of {shlex.join(command)}: {errors.strip()[-300:]}")
        return Sample(time.perf_counter() - began, usage.ru_utime + usage.ru_stime)

    return run


def geometric_mean(values):
    values = list(values)
    return math.exp(sum(map(math.log, values)) / len(values))


def table(results):
    """Text: per subject and variant the medians, and the ratios to the first variant; then the means of the ratios."""
    header = ["subject", "variant", "wall s", "cpu s", "x wall", "x cpu"]
    rows = [[result.subject, variant, *(f"{result.median(variant, metric):.3f}" for metric in METRICS),
             *(f"{result.ratio(variant, metric):.3f}" for metric in METRICS)]
            for result in results for variant in result.samples]
    means = [["geometric mean", variant, "", "", *(f"{means_of(results, variant)[metric]:.3f}" for metric in METRICS)]
             for variant in shared_variants(results)[1:]]
    return format_rows(header, rows + (means if len(results) > 1 else []))


def shared_variants(results):
    return [variant for variant in results[0].samples if all(variant in result.samples for result in results)]


def means_of(results, variant):
    return {metric: geometric_mean(result.ratio(variant, metric) for result in results) for metric in METRICS}


def format_rows(header, rows):
    widths = [max(len(row[column]) for row in [header, *rows]) for column in range(len(header))]
    align = [str.ljust if column < 2 else str.rjust for column in range(len(header))]
    lines = ("  ".join(align[i](cell, widths[i]) for i, cell in enumerate(row)) for row in [header, *rows])
    return "\n".join(line.rstrip() for line in lines)


def as_json(results):
    """Everything that was measured, with the machine it was measured on."""
    return {
        "machine": {"cores": os.cpu_count(), "architecture": platform.machine(), "kernel": platform.release()},
        "results": [{"subject": result.subject,
                     "variants": {variant: {"samples": [dataclasses.asdict(sample) for sample in rows],
                                            "ratio": {metric: result.ratio(variant, metric) for metric in METRICS}}
                                  for variant, rows in result.samples.items()}} for result in results],
        "geometric_mean": {variant: means_of(results, variant) for variant in shared_variants(results)},
    }


def show(results, json_file=None):
    print(table(results))
    if json_file:
        with open(json_file, "w") as output:
            json.dump(as_json(results), output, indent=2)
            output.write("\n")


def announce(text):
    print(text, file=sys.stderr, flush=True)


def conclude(failures):
    """Prints what failed, a line each, and returns the exit status of the bench."""
    for failure in failures:
        print(failure)
    return 1 if failures else 0


def parse_variant(text):
    name, equals, command = text.partition("=")
    if not equals or not name or not command.strip():
        raise argparse.ArgumentTypeError(f"'{text}' is not NAME=COMMAND")
    return name, shlex.split(command)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--variant", type=parse_variant, action="append", required=True, metavar="NAME=COMMAND")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--subject", default="command")
    parser.add_argument("--json", metavar="FILE")
    options = parser.parse_args()
    runners = {name: command_runner(command) for name, command in options.variant}
    try:
        show([interleave(options.subject, runners, options.rounds, announce)], options.json)
    except (BenchError, OSError) as error:
        print(f"harness.py: error: {error}", file=sys.stderr)
        return 2
    return 0


if __name__ == "__main__":
    sys.exit(main())
