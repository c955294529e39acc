#!/usr/bin/env python3
"""A table in the form of Table 1 of "Race Directed Random Testing of Concurrent Programs": what directed runs cost and confirm.

Per program: seconds of a plain run (median of three), of a run with every access watched (`run --full`), of a directed run (mean over a
hunt), and how many of these reached the limit; candidates, those that two threads execute and that got directed runs, confirmed and harmful findings; the share of directed runs that hit, over what was confirmed; and, where there is
harm, how often of `--tries` the plain program and random schedules of it show an error. A hunt has `--time` seconds. Servers are
started and stopped by a script, with a client of three connections.

    bench/table_one.py --variant S1 --plain plain [--time 60] [NAME...]

Real programs come from the scripts that bench/README.md names, built in two variants: by deadheat-cc, and plain. Ours are built here, and so are
leveldb's own tests and our drivers (bench/drivers) of two open libraries, from what the scripts left behind. All of it takes about
twenty programs times `--time`.
"""

import argparse
import json
import os
import pathlib
import statistics
import subprocess
import sys
import tempfile
import time

import programs as real_programs

ROOT = pathlib.Path(__file__).resolve().parent.parent
HERE = pathlib.Path(__file__).resolve().parent
LIMIT = 120  # seconds for anything but a hunt

CLIENT = HERE / "table_one_client.py"
MEMCACHED = 'd=$(mktemp -d); {program} -u root -t 2 -m 8 -s $d/s 2>/dev/null & p=$!; ' \
            'python3 -E -S {client} $d/s memcached; r=$?; kill $p; wait $p; rm -rf $d; exit $r'
REDIS = 'd=$(mktemp -d); {program} --port 0 --unixsocket $d/s --io-threads 2 --save "" --appendonly yes --dir $d >$d/log & p=$!; ' \
        'python3 -E -S {client} $d/s redis; r=$?; kill $p; wait $p; rm -rf $d; exit $r'
HAPROXY = 'd=$(mktemp -d); printf "%s\\n" "global" " nbthread 2" "defaults" " mode http" " timeout client 30s" ' \
          '"frontend in" " bind unix@$d/s" " stick-table type string size 1k expire 60s store http_req_rate(10s)" ' \
          '" http-request track-sc0 path" " http-request return status 200 content-type text/plain string ok" >$d/cfg; ' \
          '{program} -db -f $d/cfg 2>/dev/null & p=$!; python3 -E -S {client} $d/s haproxy; r=$?; kill $p; wait $p; rm -rf $d; exit $r'
REAL = {
    "pbzip2": ("pbzip2", "{program} -q -k -f -c -p2 -1 -b1 {folder}/text | cksum"),
    "zstd": ("zstd", "{program} -q -f -c -T2 -1 {folder}/long | cksum"),
    "x264": ("x264", "{program} --quiet --threads 2 --preset ultrafast --input-res 64x64 --frames 8 -o /dev/null {folder}/raw.yuv"),
    "memcached": ("memcached", MEMCACHED),
    "redis": ("redis-server", REDIS),
    "haproxy": ("haproxy", HAPROXY),
    "leveldb db_bench": ("db_bench", 'd=$(mktemp -d); {program} --db=$d --threads=2 --num=100 --write_buffer_size=70000 '
                            '--benchmarks=fillrandom,readrandom,deleterandom,readwhilewriting >/dev/null; r=$?; rm -rf $d; exit $r'),
}
# Programs that are made of a library's objects: the program of the scripts, sources below its build, arguments. {build}: that folder.
OWN_FOLDER = "d=$(mktemp -d); TEST_TMPDIR=$d {program} {arguments} >/dev/null 2>&1; r=$?; rm -rf $d; exit $r"
GTEST = ["-lgmock", "-lgtest", "-lgtest_main"]
LEVELDB = ["-std=c++17", "-I{build}/leveldb", "-I{build}/leveldb/include", "-I{build}/out/include", "-DLEVELDB_PLATFORM_POSIX=1"]
LEVELDB_TEST = ["{build}/leveldb/util/testutil.cc", "{build}/out/libleveldb.a"]
MADE = {
    "leveldb env_test": ("leveldb", [*LEVELDB, "{build}/leveldb/util/env_test.cc", *LEVELDB_TEST, *GTEST], ""),
    "leveldb recovery_test": ("leveldb", [*LEVELDB, "{build}/leveldb/db/recovery_test.cc", *LEVELDB_TEST, *GTEST], ""),
    "leveldb (driver)": ("leveldb", [*LEVELDB, HERE / "drivers/leveldb.cpp", "{build}/out/libleveldb.a"], "$d"),
    "sqlite3 (driver)": ("sqlite3", ["-I{build}/sqlite3", HERE / "drivers/sqlite3.c", "{build}/sqlite3.o", "-lm", "-ldl"], "$d"),
}
OURS = ("figures/racefuzzer_one.c", "figures/racefuzzer_two.c", "mutex/forgotten_lock.c", "condvar/queue.c",
        "deadlock/crossed.c", "deadlock/three_in_a_ring.c", "deadlock/rare_branch.cpp", "deadlock/condition_under_lock.c")


def inputs(folder):
    (folder / "text").write_bytes(b"".join(b"line %d of the text\n" % (n * n) for n in range(9000)))
    (folder / "long").write_bytes(b"".join(b"line %d of the long text\n" % (n * n % 9973) for n in range(60000)))
    (folder / "raw.yuv").write_bytes(bytes((n * 7 + n // 64) % 251 for n in range(64 * 64 * 3 // 2 * 8)))


def seconds(command, times=3, **options):
    took = []
    for _ in range(times):
        began = time.monotonic()
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=LIMIT, **options)
        took.append(time.monotonic() - began)
    return statistics.median(took)


def errors(command, tries, limit=3):
    """How many of so many runs end otherwise than the usual one, or not at all."""
    seen = []
    for _ in range(tries):
        try:
            done = subprocess.run(command, capture_output=True, timeout=limit)
            seen.append((done.returncode, done.stdout))
        except subprocess.TimeoutExpired:
            seen.append("hang")
    usual = max(set(seen), key=seen.count)
    return sum(one != usual for one in seen)


class Row:
    def __init__(self, tool, name, plain, directed, program, folder, options):
        self.tool, self.name, self.folder, self.options = tool, name, folder, options
        self.plain, self.directed, self.program = plain, directed, program

    def hunt(self):
        report = self.folder / "hunt.json"
        command = [self.tool, "hunt", "-q", "--db", self.folder / "db", "--json", report, "--time", str(self.options.time),
                   "--program", self.program, "--", *self.directed]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=self.options.time + LIMIT)
        return json.loads(report.read_text())

    def random_errors(self, found):
        """Harm of as many random schedules."""
        if not found:
            return ""
        report = self.folder / "random.json"
        command = [self.tool, "confirm", "-q", "--db", self.folder / "db2", "--json", report, "--strategy", "random", "--runs",
                   str(self.options.tries), "--program", self.program, "--", *self.directed]
        subprocess.run(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=600)
        known = {one["id"]: one for one in json.loads(report.read_text())["findings"]}
        hits = [known[one["id"]]["evidence"][-1] for one in found
                if one["id"] in known and known[one["id"]]["level"] in ("confirmed", "harmful")]
        return f"{max((hit['hits'] for hit in hits), default=0)} of {max((hit['runs'] for hit in hits), default=self.options.tries)}"

    def line(self):
        plain = seconds(self.plain)
        hybrid = seconds([self.tool, "run", "--full", "-q", "--db", self.folder / "db3", "--limit", "60", "--", *self.directed], 1)
        result = self.hunt()
        runs = result["directed"]
        findings = result["findings"]
        tried = [one for one in findings if (one.get("not_climbed") or {}).get("reason") in ("always-ordered", "not-hit")]
        good = [one for one in findings if one["level"] in ("confirmed", "harmful")]
        harmful = [one for one in good if one["level"] == "harmful"]
        evidence = [one["evidence"][-1] for one in good]
        hits, made = sum(one["hits"] for one in evidence), sum(one["runs"] for one in evidence)
        free = f"{errors(self.plain, self.options.tries)} of {self.options.tries}" if harmful else ""
        each = runs["seconds"] / runs["runs"] if runs["runs"] else 0
        share = f"{hits / made:.2f}" if made else "–"
        return (f"| {self.name} | {plain:.3f} | {hybrid:.2f} | {each:.3f} | {runs['limited']} of {runs['runs']} | {len(findings)} | "
                f"{len(tried) + len(good)} | {len(good)} | "
                f"{len(harmful)} | {share} | {free} | {self.random_errors(harmful)} |")


def binaries(name, variant):
    listed = subprocess.run([real_programs.script(), "binaries", name, variant], check=True, capture_output=True, text=True)
    return [pathlib.Path(path) for path in listed.stdout.split()]


def real_row(name, tool, folder, options):
    stem, text = REAL[name]

    def command(variant):
        program = next(path for path in binaries(name.split()[0], variant) if path.name == stem)
        return program, ["sh", "-c", text.format(program=program, folder=folder, client=CLIENT)]

    program, directed = command(options.variant)
    return Row(tool, name, command(options.plain)[1], directed, program, folder, options)


def compile_with(tool, plus, flags, program):
    """`tool` is deadheat, or None for plain clang."""
    compiler = tool.with_name("deadheat-c++" if plus else "deadheat-cc") if tool else ("clang++-19" if plus else "clang-19")
    subprocess.run([compiler, "-g", "-pthread", *flags, "-o", program], check=True)


def made_row(name, tool, folder, options):
    library, sources, arguments = MADE[name]

    def command(compiler, variant, program):
        build = next(path for path in binaries(library, variant)[0].parents if path.name == library and path.parent.name == variant)
        compile_with(compiler, library == "leveldb", ["-O2", *(str(flag).format(build=build) for flag in sources)], program)
        return ["sh", "-c", OWN_FOLDER.format(program=program, arguments=arguments)]

    directed = command(tool, options.variant, folder / "directed")
    return Row(tool, name, command(None, options.plain, folder / "plain"), directed, folder / "directed", folder, options)


def our_row(name, tool, folder, options):
    source = ROOT / "test/programs" / name
    plain, directed = folder / "plain", folder / "directed"
    for compiler, program in ((None, plain), (tool, directed)):
        compile_with(compiler, source.suffix == ".cpp", ["-O1", source], program)
    return Row(tool, name.rsplit(".", 1)[0], [plain], [directed], directed, folder, options)


def row_of(name, *how):
    return (real_row if name in REAL else made_row if name in MADE else our_row)(name, *how)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--tool", type=pathlib.Path, default=ROOT / "build/bin/deadheat")
    parser.add_argument("--variant", default="deadheat")
    parser.add_argument("--plain", default="plain")
    parser.add_argument("--time", type=int, default=60)
    parser.add_argument("--tries", type=int, default=100)
    parser.add_argument("names", nargs="*")
    options = parser.parse_args()
    tool = options.tool.resolve()
    print("| program | plain s | hybrid s | directed s | hung | candidates | tried | confirmed | harmful | probability | errors, plain | errors, random |")
    print("|---|---|---|---|---|---|---|---|---|---|---|---|")
    for name in options.names or [*OURS, *REAL, *MADE]:
        with tempfile.TemporaryDirectory() as folder:
            folder = pathlib.Path(folder)
            inputs(folder)
            print(row_of(name, tool, folder, options).line(), flush=True)
    return 0


if __name__ == "__main__":
    sys.exit(main())
