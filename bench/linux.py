#!/usr/bin/env python3
"""Models the Linux kernel: x86 defconfig, built by deadheat-cc in extract mode, into a model directory; then links it all.

    bench/linux.py build          # unpacks, configures, builds vmlinux; goes on where it was stopped. The better part of an hour
    bench/linux.py count          # C units, failed compiles, units without a model; exit status 1 if there is any of these
    bench/linux.py link           # time and memory of `deadheat check --model-dir --link-only`
    bench/linux.py check          # the search for races, as RELAY's table has it: functions, warnings, demotions, seconds per KLOC; twice
    bench/linux.py overhead       # CPU time of compiling some units, plain and in extract mode

Assumes the packages linux-source-6.12 flex bison bc libelf-dev libssl-dev, and 12 GB in the work folder (--work, default
../linux-build beside the checkout, or DEADHEAT_LINUX).
Misses  units that only modules have: defconfig builds its modules apart from vmlinux.
"""

import argparse
import collections
import json
import os
import pathlib
import random
import re
import resource
import shlex
import shutil
import subprocess
import sys
import tarfile
import time

import harness
from harness import BenchError

ROOT = pathlib.Path(__file__).resolve().parent.parent
ARCHIVE = pathlib.Path("/usr/src/linux-source-6.12.tar.xz")
OVERHEAD_GOAL = 1.15
LINK_SECONDS, LINK_GIBIBYTES = 180, 8
CHECK_SECONDS, CHECK_GIBIBYTES = 900, 12
RELAY_SECONDS_PER_KLOC = 72 * 3600 / 4500  # the paper: 72 hours for 4.5 MLOC on one machine
ANALYSED = re.compile(r"(\d+) functions? analysed")
REASON = re.compile(r'^ *"reason": "([a-z-]+)"', re.MULTILINE)
FAILED = re.compile(r"^make.*\*\*\* \[[^\]]*: (\S+\.o)\] Error", re.MULTILINE)
UNIT = re.compile(r"^unit (.+)\n  built by .* -O\S+ in (.+)$", re.MULTILINE)


class Tree:
    """The folders of one build."""

    def __init__(self, work):
        self.work = work
        self.source = work / "linux-source-6.12"
        self.output = work / "out"
        self.models = work / "models"
        self.log = work / "build.log"


def unpack(tree):
    if tree.source.exists():
        return
    if not ARCHIVE.exists():
        raise BenchError(f"{ARCHIVE} is missing: apt-get install linux-source-6.12")
    tree.work.mkdir(parents=True, exist_ok=True)
    with tarfile.open(ARCHIVE) as archive:
        archive.extractall(tree.work, filter="tar")


def make(tree, tools, jobs, *targets):
    environment = {**os.environ, "PATH": f"{tools}{os.pathsep}{os.environ['PATH']}", "DEADHEAT_MODE": "extract",
                   "DEADHEAT_MODEL_DIR": str(tree.models)}
    command = ["make", "-C", tree.source, f"O={tree.output}", "LLVM=-19", "CC=deadheat-cc", f"-j{jobs}", "-k", *targets]
    with open(tree.log, "a", encoding="utf-8") as log:
        return subprocess.run(command, env=environment, stdout=log, stderr=log, check=False).returncode


def build(tree, options):
    unpack(tree)
    tree.output.mkdir(exist_ok=True)
    if not (tree.output / ".config").exists() and make(tree, options.tools, options.jobs, "defconfig") != 0:
        raise BenchError(f"defconfig failed: see {tree.log}")
    begun = time.monotonic()
    status = make(tree, options.tools, options.jobs, "vmlinux")
    print(f"make vmlinux: status {status} after {time.monotonic() - begun:.0f} s; {tree.log}")
    return int(status != 0)


def compile_commands(tree):
    """The C units that deadheat-cc compiled, of all those kbuild has run."""
    file = tree.work / "compile_commands.json"
    script = tree.source / "scripts/clang-tools/gen_compile_commands.py"
    subprocess.run([sys.executable, script, "-d", tree.output, "-o", file], check=True)
    return units_of(json.loads(file.read_text()))


def units_of(entries):
    return [entry for entry in entries
            if entry["file"].endswith(".c") and shlex.split(entry["command"])[0].endswith("deadheat-cc")]


def modelled(tools, models):
    """The sources that have a model, as absolute paths."""
    text = subprocess.run([tools / "deadheat", "model", "dump", "--summary", models], check=True, text=True,
                          capture_output=True).stdout
    return sources_in(text)


def sources_in(text):
    """From the text of `model dump --summary`."""
    return {os.path.normpath(os.path.join(folder, source)) for source, folder in UNIT.findall(text)}


def count(tree, options):
    units = compile_commands(tree)
    failed = sorted(set(FAILED.findall(tree.log.read_text(errors="replace"))))
    known = modelled(options.tools, tree.models)
    without = sorted({unit["file"] for unit in units} - known)
    for name in failed:
        print(f"failed: {name}")
    for name in without:
        print(f"no model: {name}")
    size = sum(file.stat().st_size for file in tree.models.glob("*.dhm"))
    print(f"{len(units)} C units, {len(failed)} failed, {len(without)} without a model; models {size / 2**20:.0f} MiB")
    return int(bool(failed or without))


def link(tree, options):
    command = [options.tools / "deadheat", "check", "--model-dir", tree.models, "--link-only", "-j", str(options.jobs)]
    begun = time.monotonic()
    status = subprocess.run(command, check=False).returncode
    seconds = time.monotonic() - begun
    gibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    print(f"link: status {status}, {seconds:.0f} s with reading (goal {LINK_SECONDS} s), "
          f"{gibibytes:.1f} GiB (goal {LINK_GIBIBYTES})")
    return int(status != 0 or seconds > LINK_SECONDS or gibibytes > LINK_GIBIBYTES)


def kloc(sources):
    """Thousands of lines of the units' own files."""
    files = [path for path in map(pathlib.Path, sources) if path.exists()]
    return sum(path.read_bytes().count(b"\n") for path in files) / 1000


def demotions_in(report):
    """{filter: findings} of a findings.json, read line by line: it has hundreds of megabytes."""
    counts = collections.Counter()
    with open(report, encoding="utf-8") as lines:
        for line in lines:
            if match := REASON.match(line):
                counts[match.group(1)] += 1
    return counts


def check_once(tree, options):
    """(seconds, text) of one check with the store of before."""
    command = [options.tools / "deadheat", "check", "--model-dir", tree.models, "-j", str(options.jobs), "--db",
               tree.work / "db", "--json", tree.work / "findings.json", "--color", "never"]
    begun = time.monotonic()
    run = subprocess.run(command, check=False, stderr=subprocess.PIPE, text=True)
    if run.returncode > 1:
        raise BenchError(run.stderr.strip().splitlines()[-1])
    return time.monotonic() - begun, run.stderr


def check(tree, options):
    shutil.rmtree(tree.work / "db", ignore_errors=True)
    seconds, text = check_once(tree, options)
    gibibytes = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 2**20
    again, _ = check_once(tree, options)
    thousands = kloc(modelled(options.tools, tree.models))
    print("\n".join(line for line in text.splitlines() if " MiB" in line or "findings:" in line))
    for name, findings in sorted(demotions_in(tree.work / "findings.json").items()):
        print(f"  demoted {findings} {name}")
    print(f"check: {ANALYSED.search(text).group(1)} functions, {seconds:.0f} s (goal {CHECK_SECONDS}), {gibibytes:.1f} GiB "
          f"(goal {CHECK_GIBIBYTES}), {seconds / thousands:.2f} s per KLOC of {thousands:.0f} "
          f"(the paper: {RELAY_SECONDS_PER_KLOC:.0f}); again {again:.0f} s")
    return int(seconds > CHECK_SECONDS or gibibytes > CHECK_GIBIBYTES)


def compiler(unit, tools, mode, scratch):
    words = shlex.split(unit["command"])[1:]
    words = [word for word in words if not word.startswith("-Wp,-M")]
    words[words.index("-o") + 1] = str(scratch / f"{mode}.o")
    environment = {**os.environ, "DEADHEAT_MODE": mode, "DEADHEAT_MODEL_DIR": str(scratch), "DEADHEAT_STRICT": "1"}
    return harness.command_runner([str(tools / "deadheat-cc"), *words], environment, unit["directory"])


def overhead(tree, options):
    scratch = tree.work / "overhead"
    scratch.mkdir(exist_ok=True)
    units = compile_commands(tree)
    chosen = random.Random(1).sample(units, min(options.units, len(units)))
    results = [harness.interleave(os.path.relpath(unit["file"], tree.source),
                                  {mode: compiler(unit, options.tools, mode, scratch) for mode in ("off", "extract")},
                                  options.rounds, harness.announce) for unit in chosen]
    harness.show(results)
    cpu = {mode: sum(result.median(mode, "cpu") for result in results) for mode in ("off", "extract")}
    ratio = cpu["extract"] / cpu["off"]
    print(f"all units together: {ratio:.3f} of plain clang's CPU time (goal {OVERHEAD_GOAL})")
    return int(ratio > OVERHEAD_GOAL)


STEPS = {"build": build, "count": count, "link": link, "check": check, "overhead": overhead}


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("step", choices=STEPS)
    default = pathlib.Path(os.environ.get("DEADHEAT_LINUX", ROOT.parent / "linux-build"))
    parser.add_argument("--work", type=pathlib.Path, default=default, help="folder of sources, objects and models")
    parser.add_argument("--tools", type=pathlib.Path, default=ROOT / "build/bin", help="folder of deadheat-cc")
    parser.add_argument("--jobs", "-j", type=int, default=os.cpu_count())
    parser.add_argument("--units", type=int, default=40, help="of overhead: how many units")
    parser.add_argument("--rounds", type=int, default=3, help="of overhead")
    options = parser.parse_args()
    options.tools = options.tools.resolve()
    try:
        return STEPS[options.step](Tree(options.work.resolve()), options)
    except (BenchError, OSError, subprocess.CalledProcessError) as error:
        print(f"linux.py: {error}", file=sys.stderr)
        return 2


if __name__ == "__main__":
    sys.exit(main())
