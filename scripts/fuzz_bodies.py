#!/usr/bin/env python3
"""Looks for programs that Deadheat's instrumentation makes compute something else.

Random C programs (Csmith, Debian packages csmith and libcsmith-dev) print a checksum of all their globals. Each is built by clang and by
deadheat-cc at every level and must print the same checksum without the runtime, in the instrumented bodies, and when
every decision changes body. A difference is printed with the commands that show it again; its files are kept.

    scripts/fuzz_bodies.py --build build --seconds 900
    scripts/fuzz_bodies.py --build build --seed 4711 --programs 1

Exit status: 0 all same, 1 differences, 2 bad usage.
"""

import argparse
import os
import pathlib
import random
import shutil
import subprocess
import sys
import tempfile
import time

CSMITH_INCLUDE = "/usr/include/csmith"
SHAPES = [  # one is drawn per program
    ["--max-funcs", "4", "--max-block-depth", "4", "--max-block-size", "6"],
    ["--max-funcs", "8", "--max-block-depth", "2", "--max-block-size", "3", "--inline-function"],
    ["--max-funcs", "3", "--jumps", "--max-block-depth", "5", "--no-argc"],
    ["--max-funcs", "5", "--no-bitfields", "--no-packed-struct", "--float"],
    ["--max-funcs", "6", "--max-pointer-depth", "3", "--max-array-dim", "2", "--no-volatiles"],
]
BODIES = ["full", "flip"]
COMPILE_SECONDS, PLAIN_SECONDS, TOLD_FACTOR = 120, 2, 60


class Tools:
    def __init__(self, build, clang):
        self.clang, self.wrapper = clang, build / "bin" / "deadheat-cc"
        self.deadheat = build / "bin" / "deadheat"


def compile_command(compiler, source, level, output):
    return [str(compiler), "-w", f"-O{level}", "-isystem", CSMITH_INCLUDE, str(source), "-o", str(output)]


def run(command, seconds, folder=None, **variables):
    """(exit status, standard output); None for the status of a command that took too long."""
    environment = {**os.environ, **variables}
    try:
        done = subprocess.run(command, capture_output=True, text=True, timeout=seconds, cwd=folder, env=environment)
    except subprocess.TimeoutExpired:
        return None, ""
    return done.returncode, done.stdout + (done.stderr if done.returncode not in (0, None) else "")


def compare_level(tools, source, level):
    """A list of (what differs, command) of one program at one level; None: the program runs too long to be of use."""
    plain, told = source.with_suffix(f".plain{level}"), source.with_suffix(f".told{level}")
    status, text = run(compile_command(tools.clang, source, level, plain), COMPILE_SECONDS)
    if status != 0:
        sys.exit(f"fuzz_bodies: clang refuses {source}: {text}")
    expected = run([str(plain)], PLAIN_SECONDS)
    if expected[0] is None:
        return None
    command = compile_command(tools.wrapper, source, level, told)
    status, text = run(command, COMPILE_SECONDS, DEADHEAT_STRICT="1", DEADHEAT_VERIFY="1")
    if status != 0:
        return [(f"does not compile: {text[-400:]}", command)]
    differences = []
    if run([str(told)], PLAIN_SECONDS * TOLD_FACTOR) != expected:
        differences.append(("computes something else without the runtime", [str(told)]))
    for bodies in BODIES:
        command = [str(tools.deadheat), "run", "-q", "--pass-through", "--", str(told)]
        if run(command, PLAIN_SECONDS * TOLD_FACTOR, DEADHEAT_OPTIONS=f"sampler={bodies}") != expected:
            differences.append(("computes something else", [f"DEADHEAT_OPTIONS=sampler={bodies}", *command]))
    return differences


def generate(seed, source):
    shape = random.Random(seed).choice(SHAPES)
    command = ["csmith", "--seed", str(seed), *shape, "-o", str(source)]
    return run(command, COMPILE_SECONDS, source.parent)[0] == 0  # it drops a file platform.info where it runs


def check_program(tools, seed, levels, folder, keep):
    """None: not usable; else how many differences it showed."""
    source = folder / f"seed{seed}.c"
    if not generate(seed, source):
        return None
    count, usable = 0, False
    for level in levels:
        differences = compare_level(tools, source, level)
        if differences is None:
            continue
        usable = True
        for what, command in differences:
            count += 1
            print(f"seed {seed} -O{level} {what}\n  {' '.join(command)}", flush=True)
    if count:
        shutil.copy(source, keep)
        print(f"  kept: {keep / source.name}", flush=True)
    for file in folder.iterdir():
        if not count:
            file.unlink()
    return count if usable else None


def parse(arguments):
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--build", type=pathlib.Path, default=pathlib.Path("build"), help="build folder")
    parser.add_argument("--clang", default="clang-19")
    parser.add_argument("--seed", type=int, help="of the first program; the others follow (default: from the clock)")
    parser.add_argument("--programs", type=int, help="stop after so many")
    parser.add_argument("--seconds", type=int, default=60, help="stop after so long, unless --programs is given")
    parser.add_argument("--levels", default="0123", help="optimisation levels, e.g. 02s")
    parser.add_argument("--keep", type=pathlib.Path, default=pathlib.Path("."), help="where differing programs go")
    return parser.parse_args(arguments)


def main(arguments):
    options = parse(arguments)
    tools = Tools(options.build.resolve(), options.clang)
    if not shutil.which("csmith") or not tools.wrapper.exists():
        print("fuzz_bodies: needs csmith (apt-get install csmith libcsmith-dev) and a build folder with bin/deadheat-cc (--build)",
              file=sys.stderr)
        return 2
    seed = options.seed if options.seed is not None else int(time.time())
    end = time.monotonic() + options.seconds
    programs = skipped = differences = 0
    with tempfile.TemporaryDirectory(prefix="fuzz_bodies") as folder:
        while programs < options.programs if options.programs else time.monotonic() < end:
            result = check_program(tools, seed, options.levels, pathlib.Path(folder), options.keep)
            seed += 1
            programs += result is not None
            skipped += result is None
            differences += result or 0
            if options.programs and skipped > 20 * options.programs:
                break
    print(f"{programs} programs compared, {skipped} not usable (too slow), {differences} differences; "
          f"next seed {seed}")
    return 1 if differences else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
