"""Builds one program with clang and with Deadheat and demands that they behave the same.

    bodies_same.py [--levels 0123s] [--plain] --clang C --deadheat D -- FLAG-OR-SOURCE...

At each level, the program runs as clang built it, as Deadheat built it, and under `deadheat run` in the instrumented
bodies, in the plain ones, and changing at every decision: same standard output, same exit status. Unless --plain says
that no runtime reaches the program, accesses must have been counted in the instrumented bodies.
"""

import argparse
import json
import os
import subprocess
import sys

HANGS = 300  # seconds


def run(command, **variables):
    environment = {**os.environ, **variables}
    done = subprocess.run(command, stdout=subprocess.PIPE, env=environment, check=False, timeout=HANGS)
    return done.returncode, done.stdout


def build(compiler, arguments, level, output):
    command = [compiler, "-w", f"-O{level}", *arguments, "-o", output]
    subprocess.run(command, check=True, env={**os.environ, "DEADHEAT_STRICT": "1", "DEADHEAT_VERIFY": "1"})


def run_bodies(deadheat, bodies, program):
    report = f"{program}.{bodies}.json"
    command = [deadheat, "run", "-q", "--pass-through", "--json", report, "--", program]
    result = run(command, DEADHEAT_OPTIONS=f"sampler={bodies}")
    with open(report) as file:
        return result, json.load(file)["executed"]["executions"]


def check_level(options, level):
    plain, told = f"./plain{level}", f"./told{level}"
    is_cxx = any(argument.endswith(".cpp") for argument in options.arguments)
    build(options.clang + ("++" if is_cxx else ""), options.arguments, level, plain)
    build(options.deadheat + ("-c++" if is_cxx else "-cc"), options.arguments, level, told)
    expected = run([plain])
    results = {"inert": run([told])}
    for bodies in ("full", "none", "flip"):
        results[bodies], executions = run_bodies(options.deadheat, bodies, told)
        if bodies == "full" and (executions > 0) == options.plain:
            return [f"-O{level} counted {executions} accesses"]
    return [f"-O{level} {how}: {result} instead of {expected}" for how, result in results.items() if result != expected]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--levels", default="0123s")
    parser.add_argument("--plain", action="store_true")
    parser.add_argument("--clang", required=True)
    parser.add_argument("--deadheat", required=True)
    parser.add_argument("arguments", nargs="+")
    options = parser.parse_args()
    problems = [problem for level in options.levels for problem in check_level(options, level)]
    sys.exit("\n".join(problems) or 0)


if __name__ == "__main__":
    main()
