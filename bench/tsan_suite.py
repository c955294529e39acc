#!/usr/bin/env python3
"""Judges `deadheat run --full` by ThreadSanitizer's own tests, those of Debian's source package of LLVM.

Claim   Every RUN line that runs a program is a case. What its CHECK lines demand (a race; silence; a lock-order
        inversion) is compared with what Deadheat reports of the same program, compiled by the same line with
        deadheat-cc. One run, no retry.
Assumes apt can fetch the source package; x86-64 Linux with glibc.
Misses  what the tests check beside the verdict: stacks, names, the number of reports.

Exit status 1 if the agreement on races and silence is below the goal. tsan_cases.py has what is left out, with reasons.
"""

import argparse
import collections
import concurrent.futures
import dataclasses
import json
import os
import pathlib
import re
import shlex
import signal
import subprocess
import sys
import tempfile

import harness
import tsan_cases
from harness import BenchError
from tsan_cases import Expect

ROOT = pathlib.Path(__file__).resolve().parent.parent
CACHE = pathlib.Path(os.environ.get("PROGRAMS_CACHE", pathlib.Path.home() / ".cache/deadheat-programs"))
PACKAGE = "llvm-toolchain-19"
GOAL = 95.0
FOLDERS = ("", "Linux")


@dataclasses.dataclass
class Result:
    """Of one case. `races` are observed, `predicted` those below that, `cycles` lock orders that may deadlock."""

    case: tsan_cases.Case
    races: int = 0
    predicted: int = 0
    cycles: int = 0
    trouble: str = ""  # why there is no verdict

    @property
    def spoke(self):
        return self.cycles if self.case.expect is Expect.INVERSION else self.races

    @property
    def agrees(self):
        return not self.trouble and bool(self.spoke) == (self.case.expect is not Expect.SILENCE)

    @property
    def said(self):
        if self.trouble:
            return self.trouble
        return f"{self.races} observed, {self.predicted} predicted, {self.cycles} lock cycles"


# --- the suite -------------------------------------------------------------------------------------------------------

def fetch_suite():
    """The folder compiler-rt/test/tsan of the source package, downloaded and unpacked once."""
    folder = CACHE / "src" / PACKAGE
    done = folder / "suite"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        harness.announce(f"fetching the source of {PACKAGE} (160 MB)")
        download_source(folder)
        archive = next(folder.glob("*.orig.tar.xz"))
        run_tool(["tar", "-xf", archive, "-C", folder, "--wildcards", "*/compiler-rt/test/tsan/*",
                  "*/compiler-rt/test/sanitizer_common/*.h"])
        done.symlink_to(next(folder.glob("*/compiler-rt/test")).relative_to(folder))
    return done / "tsan"


def download_source(folder):
    """apt-get source with lists of its own: the system's sources as deb-src, and nothing under /etc changes."""
    apt = CACHE / "apt"
    options = ["-oDir::Etc::sourcelist=/dev/null", f"-oDir::Etc::sourceparts={apt}/parts",
               f"-oDir::State::lists={apt}/lists", f"-oDir::Cache={apt}/cache",
               f"-oAPT::Sandbox::User={os.environ.get('USER', 'root')}"]
    if not (apt / "ready").exists():
        for part in ("parts", "lists/partial", "cache/archives/partial"):
            (apt / part).mkdir(parents=True, exist_ok=True)
        for source in [pathlib.Path("/etc/apt/sources.list"), *pathlib.Path("/etc/apt/sources.list.d").glob("*")]:
            if source.exists():
                text = re.sub(r"^Types:.*", "Types: deb-src", source.read_text(), flags=re.MULTILINE)
                (apt / "parts" / source.name).write_text(re.sub(r"^deb\s", "deb-src ", text, flags=re.MULTILINE))
        run_tool(["apt-get", "-q", *options, "update"])
        (apt / "ready").touch()
    run_tool(["apt-get", "-q", *options, "source", "--download-only", PACKAGE], folder)


def run_tool(command, folder=None):
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, errors="replace")
    if done.returncode:
        raise BenchError(f"{command[0]} failed: {(done.stderr or done.stdout).strip()[-500:]}")


# --- one test --------------------------------------------------------------------------------------------------------

class Bench:
    """Compiles and runs the lines of tests, each test in a folder of its own."""

    def __init__(self, suite, build, scratch, limit):
        self.suite, self.build, self.scratch, self.limit = suite, build, pathlib.Path(scratch), limit
        self.shim = self.scratch / "shim.o"
        run_tool(["clang-19", "-O1", "-fPIC", "-c", ROOT / "bench/tsan_shim.c", "-o", self.shim])

    def judge(self, test):
        """The results of the cases of a test; lines that only prepare run in between, as lit would."""
        folder = self.scratch / test.name.replace("/", "_")
        folder.mkdir()
        results = []
        for number, step in enumerate(test.steps):
            case = step.case
            if case and case.excluded:
                # It may have compiled what a later line runs.
                self.shell(test, folder, step.line.split("%run")[0].rpartition("&&")[0], number)
                continue
            done, report = self.shell(test, folder, step.line, number, step.suppressions)
            if case:
                results.append(read_report(case, done, report))
        return results

    def shell(self, test, folder, line, number, suppressions=""):
        report = folder / f"{number}.json"
        if not line.strip():
            return None, report
        source, target = self.suite / test.name, folder / "t"
        run = [self.build / "bin/deadheat", "run", "--full", "--pass-through", "-q", "--json", report,
               "--db", folder / "db"]
        if suppressions:
            run += ["--suppressions", suppressions.replace("%s", str(source)).replace("%t", str(target))]
        common = f"-g -Wno-everything -I{self.suite.parent}"
        words = {"%clangxx_tsan": f"{self.build}/bin/deadheat-c++ -std=c++17 {common}", "%link_libcxx_tsan": "",
                 "%clang_tsan": f"{self.build}/bin/deadheat-cc {common}", "%darwin_min_target_with_tls_support": "",
                 "%run": f"timeout -s KILL {self.limit} " + shlex.join(map(str, run)) + " --",
                 "%dynamiclib": f"{target}.dynamic.so", "%ld_flags_rpath_so": "",
                 "%ld_flags_rpath_exe": f"{target}.dynamic.so"}
        line = re.sub(r"%env_tsan_opts=\S*", "", line)
        for word, text in words.items():
            line = line.replace(word, text)
        line = self.linked(line).replace("%s", str(source)).replace("%t", str(target))
        return self.bash(line, folder), report

    def linked(self, line):
        """Adds the shim to every command that links a program; what TSan shall not instrument is plain clang's."""
        return "&&".join(map(self.finished, line.split("&&")))

    def finished(self, command):
        if "-fno-sanitize=thread" in command:
            plain = command.replace(f"{self.build}/bin/deadheat-c++", "clang++-19")
            return plain.replace(f"{self.build}/bin/deadheat-cc", "clang-19").replace("-fno-sanitize=thread", "")
        links = "/bin/deadheat-c" in command and " -c " not in command
        return f"{command} {self.shim} -lpthread -ldl -lm " if links else command

    def bash(self, line, folder):
        process = subprocess.Popen(["bash", "-c", f"set -o pipefail; {line}"], cwd=folder, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE, stderr=subprocess.STDOUT, start_new_session=True)
        try:
            output, _ = process.communicate(timeout=4 * self.limit)
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            output, _ = process.communicate()
        return subprocess.CompletedProcess(line, process.returncode, output.decode(errors="replace"))


def read_report(case, done, report):
    last = done.stdout.strip().splitlines()[-1:] or [""]
    if done.returncode in (137, -9):
        return Result(case, trouble=f"not at its end in time: {last[0]}")
    if not report.exists():
        error = next((text for text in done.stdout.splitlines() if "error" in text or "undefined" in text), last[0])
        return Result(case, trouble=f"not built or not run: {error.strip()}")
    document = json.loads(report.read_text())
    ended = document["program"]["signal"]
    if ended and case.expect is Expect.SILENCE: # a program with a race may die of it
        return Result(case, trouble=f"ended by signal {ended}: {last[0]}")
    count = collections.Counter()
    for finding in document["findings"]:
        if not finding["suppressed"]:
            count[finding["kind"], finding["level"]] += 1
    return Result(case, count["race", "observed"], count["race", "predicted"],
                  sum(number for (kind, _), number in count.items() if kind == "deadlock"))


# --- all of them -----------------------------------------------------------------------------------------------------

def load_tests(suite, names):
    files = sorted(path for folder in FOLDERS for ending in ("*.c", "*.cpp") for path in (suite / folder).glob(ending))
    tests = [tsan_cases.read_test(str(path.relative_to(suite)), path.read_text()) for path in files]
    return [test for test in tests if not names or test.name in names or pathlib.Path(test.name).stem in names]


def row(name, results):
    agree = sum(result.agrees for result in results)
    return [name, str(len(results)), str(agree), f"{agreement(results):.1f}" if results else "-"]


def table(results, tests):
    rows = [row(expect.value, [result for result in results if result.case.expect is expect and not result.case.apart])
            for expect in Expect]
    rows += [row(why, [result for result in results if result.case.apart == why])
             for why in sorted({result.case.apart for result in results} - {""})]
    text = [harness.format_rows(["TSan's test expects", "cases", "agree", "per cent"], rows), "", "exceptions:"]
    text += [f"  {result.case.name}: expects {result.case.expect.value}; {result.said}" for result in results
             if not result.agrees] or ["  none"]
    reasons = collections.Counter(step.case.excluded for test in tests for step in test.steps if step.case)
    reasons.pop("", None)
    text += ["", "left out:"] + [f"  {number:3} {reason}" for reason, number in reasons.most_common()]
    return "\n".join(text)


def agreement(results):
    return 100 * sum(result.agrees for result in results) / max(1, len(results))


def of_races(results, with_apart):
    return [result for result in results
            if result.case.expect is not Expect.INVERSION and (with_apart or not result.case.apart)]


def judge_all(bench, tests, jobs):
    results = []
    with concurrent.futures.ThreadPoolExecutor(jobs) as pool:
        for number, found in enumerate(pool.map(bench.judge, tests), 1):
            results += found
            for result in found:
                if not result.agrees:
                    harness.announce(f"{result.case.name}: expects {result.case.expect.value}; {result.said}")
            if number % 25 == 0:
                harness.announce(f"{number} of {len(tests)} tests")
    return results


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("tests", nargs="*", help="names of tests, as simple_race.c or simple_race; default all")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / "build")
    parser.add_argument("--jobs", type=int, default=os.cpu_count())
    parser.add_argument("--limit", type=int, default=120, help="seconds until a program is stopped")
    parser.add_argument("--keep", metavar="DIR", help="compile and run in DIR, and leave everything there")
    parser.add_argument("--excluded", action="store_true", help="list the cases that are left out, and end")
    options = parser.parse_args()
    try:
        suite = fetch_suite().resolve()
        tests = load_tests(suite, options.tests)
        if options.excluded:
            print("\n".join(f"{step.case.name}: {step.case.excluded}" for test in tests for step in test.steps
                            if step.case and step.case.excluded))
            return 0
        with tempfile.TemporaryDirectory() as scratch:
            bench = Bench(suite, options.build.resolve(), options.keep or scratch, options.limit)
            results = judge_all(bench, tests, options.jobs)
    except (BenchError, OSError) as error:
        print(f"tsan_suite.py: error: {error}", file=sys.stderr)
        return 2
    print(table(results, tests))
    reached = agreement(of_races(results, with_apart=False))
    print(f"\nagreement on races and silence: {reached:.1f} % (goal {GOAL:.0f} %)")
    print(f"with what is counted apart: {agreement(of_races(results, with_apart=True)):.1f} %")
    return 0 if reached >= GOAL else 1


if __name__ == "__main__":
    sys.exit(main())
