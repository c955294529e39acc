#!/usr/bin/env python3
"""How many directed runs a second `deadheat confirm` makes of a small program; goal 400 on two cores.

The program has two threads and a lock; the pair that is aimed at is ordered, so that every run of the campaign is made. Process
start, preload, scheduling, reading what the run left behind: all of it counts.

    bench/directed.py [--runs 500] [--tool build/bin/deadheat]
"""

import argparse
import json
import pathlib
import subprocess
import sys
import tempfile
import time

PROGRAM = """#include <pthread.h>
static int shared;
static pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
static void *work(void *unused) {
  for (int i = 0; i < 5; i++) {
    pthread_mutex_lock(&gate);
    shared++;
    pthread_mutex_unlock(&gate);
  }
  return unused;
}
int main(void) {
  pthread_t a, b;
  pthread_create(&a, 0, work, 0);
  pthread_create(&b, 0, work, 0);
  pthread_join(a, 0);
  pthread_join(b, 0);
  return 0;
}
"""
LINE = 7


def measure(tool, runs, folder):
    """Runs and seconds of one confirm."""
    source, binary, report = folder / "small.c", folder / "small", folder / "findings.json"
    source.write_text(PROGRAM)
    compiler = tool.with_name(tool.name + "-cc")
    subprocess.run([compiler, "-g", "-O1", source, "-o", binary, "-pthread"], check=True)
    command = [tool, "confirm", "-q", "--db", folder / "db", "--json", report, "--runs", str(runs),
               "--pair", f"small.c:{LINE}", "--", binary]
    began = time.monotonic()
    subprocess.run(command, check=True, cwd=folder)
    return json.loads(report.read_text())["directed"]["runs"], time.monotonic() - began


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=pathlib.Path("build/bin/deadheat"))
    parser.add_argument("--runs", type=int, default=500)
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        runs, seconds = measure(options.tool.resolve(), options.runs, pathlib.Path(folder))
    print(f"{runs} directed runs in {seconds:.2f} s: {runs / seconds:.0f} a second")
    return 0


if __name__ == "__main__":
    sys.exit(main())
