#!/usr/bin/env python3
"""Which sampler finds how many of the races, at which rate: section 5.3 of LiteRace, on our programs and on real ones.

Claim   Each run watches every access and says what each of seven samplers would have told of it, so all are judged on the same
        interleaving. Figures of a program are averages of its runs; races of a program with none are left out of the shares.
Misses  what README.md lists. Real programs run small workloads: a full log is dear.

Prints LiteRace's Table 3 (effective sampling rates), Table 4 (races, rare and frequent) and the figures 4 and 5 as tables. Exit
status 1 if tl-ad finds less than 70 % of the races, or tells more than 2 % of the accesses (weighted). With `--samplers tl-ad` a
run takes a third of the time.
"""

import argparse
import dataclasses
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile

import harness
import programs
from harness import BenchError

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "test/tools"))
import marks as ground_truth  # noqa: E402

SAMPLERS = ("tl-ad", "tl-fx", "g-ad", "g-fx", "rnd10", "rnd25", "ucp")
SCALES = {"memcached": 0.06, "redis": 0.004, "sqlite3": 0.03, "unbound": 0.04, "apache2": 0.3, "leveldb": 0.01,
          "pbzip2": 0.01, "zstd": 0.01, "x264": 0.03, "haproxy": 0.1}
# Cycles of the plain program for each access that a full log has of it, with all that it does beside, in the kernel too: what bursts
# in common have a share of. CPU time of a plain run at 0.3 of the work and accesses of a comparison, at 2.6 GHz.
CYCLES = {"memcached": 45, "sqlite3": 5, "unbound": 20, "apache2": 41, "leveldb": 3, "pbzip2": 2, "zstd": 4, "x264": 1, "haproxy": 10}
ALL_KINDS = ("rare", "frequent")
GOAL_FOUND, GOAL_RATE = 70.0, 2.0
SECONDS = 300


@dataclasses.dataclass
class Subject:
    """All runs of one program, each what `--compare-samplers` wrote as `samplers`."""

    name: str
    runs: list

    @property
    def accesses(self):
        return statistics.mean(run["accesses"] for run in self.runs)

    def races(self, kinds=ALL_KINDS):
        return statistics.median(sum(run[kind] for kind in kinds) for run in self.runs)

    def rate(self, sampler):
        return statistics.mean(share(row(run, sampler)["accesses"], run["accesses"]) for run in self.runs)

    def found(self, sampler, kinds=ALL_KINDS):
        """Per cent of the races, or None where there are none."""
        shares = [share(sum(row(run, sampler)[kind] for kind in kinds), sum(run[kind] for kind in kinds))
                  for run in self.runs if sum(run[kind] for kind in kinds)]
        return statistics.mean(shares) if shares else None


def row(run, sampler):
    return next(each for each in run["samplers"] if each["name"] == sampler)


def share(part, whole):
    return 100.0 * part / whole if whole else 0.0


def average(subjects, sampler, kinds):
    found = [subject.found(sampler, kinds) for subject in subjects]
    found = [each for each in found if each is not None]
    return statistics.mean(found) if found else None


def weighted_rate(subjects, sampler):
    """Of all accesses of all programs."""
    taken = sum(row(run, sampler)["accesses"] for subject in subjects for run in subject.runs)
    return share(taken, sum(run["accesses"] for subject in subjects for run in subject.runs))


def cell(value):
    return "-" if value is None else f"{value:.1f}"


def found_table(title, subjects, wanted, kinds):
    """A figure of the paper: for each program with such races, the share that each sampler finds."""
    rows = [[subject.name, "", *(cell(subject.found(sampler, kinds)) for sampler in wanted)] for subject in subjects
            if subject.races(kinds)]
    return harness.format_rows([title, "", *wanted], rows)


def tables(subjects, wanted=SAMPLERS):
    """The tables, as text."""
    rates = [[sampler, "", cell(weighted_rate(subjects, sampler)),
              cell(statistics.mean(subject.rate(sampler) for subject in subjects)),
              *(cell(average(subjects, sampler, kinds)) for kinds in (ALL_KINDS, ("rare",), ("frequent",)))]
             for sampler in wanted]
    races = [[subject.name, "", f"{subject.accesses:.0f}", f"{subject.races():g}", f"{subject.races(['rare']):g}",
              f"{subject.races(['frequent']):g}"] for subject in subjects]
    return "\n\n".join((
        harness.format_rows(["sampler", "", "weighted rate %", "average rate %", "races %", "rare %", "frequent %"], rates),
        harness.format_rows(["program", "", "accesses", "races", "rare", "frequent"], races),
        found_table("races found %", subjects, wanted, ALL_KINDS),
        found_table("rare ones %", subjects, wanted, ("rare",)),
        found_table("frequent ones %", subjects, wanted, ("frequent",))))


def missed_goals(subjects):
    found, rate = average(subjects, "tl-ad", ALL_KINDS), weighted_rate(subjects, "tl-ad")
    missed = []
    if found is None or found < GOAL_FOUND:
        missed.append(f"tl-ad finds {cell(found)} % of the races (goal {GOAL_FOUND:g})")
    if rate > GOAL_RATE:
        missed.append(f"tl-ad tells {rate:.2f} % of the accesses (goal {GOAL_RATE:g})")
    return missed


def read(path):
    return json.loads(path.read_text())["samplers"]


def run_small(source, tools, folder):
    """One of test/programs: compiled, run, compared."""
    compiler = tools / ("deadheat-cc" if source.suffix == ".c" else "deadheat-c++")
    program, out = folder / "program", folder / "out.json"
    flags = ground_truth.parse(source.read_text()).flags
    subprocess.run([compiler, "-O1", "-g", "-pthread", "-w", *flags, source, "-o", program], check=True,
                   capture_output=True)
    command = [tools / "deadheat", "run", "-q", "--compare-samplers", "--fail-on", "harmful", "--limit", "60",
               "--db", folder / "db", "--json", out, "--", program]
    subprocess.run(command, capture_output=True, timeout=SECONDS, check=False)
    return read(out)


def runtime_options(name, bits):
    cycles = f":access_cycles={CYCLES[name]}" if name in CYCLES else ""
    return f"compared={bits}{cycles}"


def run_real(name, variant, tools, folder, bits):
    out = folder / "out.json"
    os.environ["DEADHEAT_OPTIONS"] = runtime_options(name, bits)
    wrap = (str(tools / "deadheat"), "run", "-q", "--compare-samplers", "--pass-through", "--db", str(folder / "db"),
            "--json", str(out), "--")
    programs.runner(name, dataclasses.replace(variant, wrap=wrap), SCALES[name])()
    return read(out)


def measure(name, run_once, rounds):
    """Of the runs that came to their end; a server's client may have lost patience in another."""
    runs, failed = [], ""
    for number in range(1, rounds + 1):
        harness.announce(f"{name}: run {number} of {rounds}")
        try:
            with tempfile.TemporaryDirectory() as folder:
                runs.append(run_once(pathlib.Path(folder)))
        except BenchError as error:
            failed = str(error)
            harness.announce(f"{name}: run {number} failed: {error}")
    if not any(run["accesses"] for run in runs):
        raise BenchError(failed or "no access was watched")
    return Subject(name, runs)


def is_racy(text):
    """Whether it has races, and is one that `run` judges: the first line may say otherwise."""
    first = text.partition("\n")[0]
    return "// RACE" in text and (not first.startswith("// VERBS") or "run" in first.split())


def racy_sources():
    folder = programs.ROOT / "test" / "programs"
    return sorted(path for path in folder.rglob("*.c*") if is_racy(path.read_text()))


def compared_bits(wanted):
    """As the runtime wants it: a bit each, in the order of SAMPLERS."""
    return sum(1 << SAMPLERS.index(name) for name in set(wanted))


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("programs", nargs="*", metavar="PROGRAM", help="real programs; default: those of SCALES")
    parser.add_argument("--no-small", action="store_true", help="leave out the racy ones of test/programs")
    parser.add_argument("--no-real", action="store_true")
    parser.add_argument("--variant", default="bench-inert", help="kept build of the real programs")
    parser.add_argument("--tools", type=pathlib.Path, default=programs.ROOT / "build" / "bin")
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--samplers", type=lambda text: text.split(","), default=list(SAMPLERS), metavar="NAME,...",
                        help="those to compare; fewer are cheaper. tl-ad has to be one")
    options = parser.parse_args()
    if "tl-ad" not in options.samplers or not set(options.samplers) <= set(SAMPLERS):
        parser.error(f"samplers are {', '.join(SAMPLERS)}, and tl-ad has to be among them")
    bits = compared_bits(options.samplers)
    os.environ["DEADHEAT_OPTIONS"] = f"compared={bits}"
    tools = options.tools.resolve()
    variant = programs.Variant(options.variant, str(tools / "deadheat-cc"), str(tools / "deadheat-c++"))
    wanted = {}
    if not options.no_small:
        wanted |= {source.stem: lambda folder, source=source: run_small(source, tools, folder)
                   for source in racy_sources()}
    if not options.no_real:
        wanted |= {name: lambda folder, name=name: run_real(name, variant, tools, folder, bits)
                   for name in options.programs or SCALES}
    subjects, failures = [], []
    for name, run_once in wanted.items():
        try:
            subjects.append(measure(name, run_once, options.rounds))
        except (BenchError, OSError, subprocess.SubprocessError, ValueError) as error:
            failures.append(f"{name}: no figure: {error}")
    if subjects:
        print(tables(subjects, options.samplers))
        failures += missed_goals(subjects)
    return harness.conclude(failures)


if __name__ == "__main__":
    sys.exit(main())
