"""The bench harness: order of runs, medians, ratios, means, and refusal to print a figure that is none."""

import contextlib
import io
import json
import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import dispatch  # noqa: E402
import harness  # noqa: E402
import programs  # noqa: E402
from harness import BenchError, Result, Sample  # noqa: E402


def result(subject="s", **walls):
    return Result(subject, {variant: [Sample(wall, wall * 2) for wall in rows] for variant, rows in walls.items()})


class Interleaving(unittest.TestCase):
    def run_variants(self, rounds, checks=None):
        order = []

        def runner(name):
            def run():
                order.append(name)
                return Sample(len(order), 1.0, (checks or {}).get(name))
            return run

        return harness.interleave("job", {name: runner(name) for name in "abc"}, rounds), order

    def test_every_round_runs_every_variant_in_order(self):
        measured, order = self.run_variants(3)
        self.assertEqual("".join(order), "abcabcabc")
        self.assertEqual([sample.wall for sample in measured.samples["b"]], [2, 5, 8])

    def test_variants_that_disagree_are_refused(self):
        self.run_variants(1, {"a": "5-requests", "b": "5-requests", "c": "5-requests"})
        with self.assertRaisesRegex(BenchError, "job: a says 5, b says 5, c says 6"):
            self.run_variants(1, {"a": "5", "b": "5", "c": "6"})
        with self.assertRaisesRegex(BenchError, "c says None"):
            self.run_variants(1, {"a": "5", "b": "5"})

    def test_nothing_to_measure_is_refused(self):
        with self.assertRaises(BenchError):
            self.run_variants(0)
        with self.assertRaises(BenchError):
            harness.interleave("job", {}, 1)


class Figures(unittest.TestCase):
    def test_a_ratio_is_of_medians_to_the_first_variant(self):
        measured = result(plain=[1.0, 9.0, 2.0], tool=[3.0, 3.0, 100.0])
        self.assertEqual(measured.ratio("plain", "wall"), 1.0)
        self.assertEqual(measured.ratio("tool", "wall"), 1.5)
        self.assertEqual(measured.median("tool", "cpu"), 6.0)

    def test_a_base_of_no_time_has_no_ratio(self):
        with self.assertRaisesRegex(BenchError, "no measurable wall time"):
            result(plain=[0.0], tool=[1.0]).ratio("tool", "wall")

    def test_the_geometric_mean_treats_double_and_half_alike(self):
        self.assertAlmostEqual(harness.geometric_mean([2.0, 0.5]), 1.0)
        self.assertAlmostEqual(harness.geometric_mean([2.0, 8.0]), 4.0)

    def test_the_table_has_every_variant_and_the_means_of_several_subjects(self):
        one, two = result("one", plain=[1.0], tool=[2.0]), result("two", plain=[1.0], tool=[8.0])
        lines = [line.split() for line in harness.table([one, two]).splitlines()]
        self.assertEqual(lines[2], ["one", "tool", "2.000", "4.000", "2.000", "2.000"])
        self.assertEqual(lines[-1], ["geometric", "mean", "tool", "4.000", "4.000"])
        self.assertNotIn("geometric", harness.table([one]))

    def test_json_has_samples_ratios_means_and_the_machine(self):
        document = json.loads(json.dumps(harness.as_json([result("one", plain=[1.0], tool=[2.0])])))
        tool = document["results"][0]["variants"]["tool"]
        self.assertEqual(tool["ratio"]["wall"], 2.0)
        self.assertEqual(tool["samples"], [{"wall": 2.0, "cpu": 4.0, "check": None}])
        self.assertEqual(document["geometric_mean"]["tool"]["cpu"], 2.0)
        self.assertEqual(document["machine"]["cores"], os.cpu_count())


class Commands(unittest.TestCase):
    def test_cpu_time_includes_that_of_children(self):
        spin = "import time\nwhile time.process_time() < 0.2: pass"
        command = [sys.executable, "-c", f"import subprocess, sys; subprocess.run([sys.executable, '-c', {spin!r}])"]
        sample = harness.command_runner(command)()
        self.assertGreater(sample.cpu, 0.1)

    def test_a_command_that_fails_has_no_figure(self):
        with self.assertRaisesRegex(BenchError, "exit status 3 of .*: sorry"):
            harness.command_runner(["sh", "-c", "echo sorry >&2; exit 3"])()

    def test_a_variant_is_a_name_and_a_command(self):
        self.assertEqual(harness.parse_variant("a=./p 'x y' k=v"), ("a", ["./p", "x y", "k=v"]))
        for text in ("./p", "=./p", "a="):
            with self.assertRaises(Exception):
                harness.parse_variant(text)


FAKE_PROGRAMS = """#!/bin/bash
echo "$1 $2 $3 $CC $CFLAGS $PROGRAMS_SCALE" >>"$DEADHEAT_PROGRAMS/calls"
[ "$1" = run ] || { echo "$2 $3: already built"; exit; }
[ "$2" != redis ] || { echo "$2 $3 seconds=1 status=fail cpu=1 rss_mb=1 exit 1"; exit 1; }
case $3 in *plain) s=2.0 ;; *) s=3.0 ;; esac
case $2 in zstd) check=$3 ;; *) check=same ;; esac
echo "$2 $3 seconds=$s status=ok cpu=4.0 rss_mb=39.2 check=$check"
"""


class Programs(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        (self.folder / "programs.sh").write_text(FAKE_PROGRAMS)
        (self.folder / "programs.sh").chmod(0o755)
        self.tools = self.folder / "bin"
        self.plugin = self.folder / "lib" / "deadheat" / "deadheat_plugin.so"
        for file in (self.tools / "deadheat", self.plugin):
            file.parent.mkdir(parents=True)
            file.write_text("first")
        settings = {"DEADHEAT_PROGRAMS": folder.name, "PROGRAMS_CACHE": str(self.folder / "cache")}
        patch = unittest.mock.patch.dict(os.environ, settings)
        patch.start()
        self.addCleanup(patch.stop)

    def dispatch(self, *arguments):
        before, sys.argv = sys.argv, ["dispatch.py", "--tools", str(self.tools), *arguments]
        try:
            with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()):
                return dispatch.main(), out.getvalue()
        finally:
            sys.argv = before

    def test_the_line_of_a_run_becomes_a_sample(self):
        line = "memcached dh seconds=3.301 status=ok cpu=4.518 rss_mb=39.2 check=800000-requests"
        self.assertEqual(programs.parse_run(line), Sample(3.301, 4.518, "800000-requests"))
        for bad in ("memcached dh seconds=3 status=fail cpu=4 rss_mb=3 exit 1", "", "a b seconds=x status=ok cpu=1"):
            with self.assertRaises(BenchError):
                programs.parse_run(bad)

    def test_dispatch_builds_once_and_runs_interleaved_with_the_variants_compilers(self):
        status, output = self.dispatch("pbzip2", "--rounds", "2", "--scale", "0.5")
        self.assertEqual(status, 0, output)
        plain = "pbzip2 bench-plain clang-19 -O2 -g"
        inert = f"pbzip2 bench-inert {self.tools.resolve()}/deadheat-cc -O2 -g"
        self.assertEqual((self.folder / "calls").read_text().splitlines(), [
            f"build {plain} 1.0", f"build {inert} 1.0", *[f"run {plain} 0.5", f"run {inert} 0.5"] * 2])
        self.assertEqual(output.splitlines()[-1].split(), ["pbzip2", "deadheat", "3.000", "4.000", "1.500", "1.000"])

    def test_dispatch_gives_no_figure_where_checks_differ_or_a_run_fails(self):
        status, output = self.dispatch("zstd", "redis", "pbzip2", "--rounds", "1")
        self.assertEqual(status, 1)
        self.assertIn("zstd: no figure: zstd: plain says bench-plain, deadheat says bench-inert", output)
        self.assertIn("redis: no figure: programs.sh run redis bench-plain", output)
        self.assertIn("pbzip2   deadheat   3.000", output)

    def test_builds_of_a_compiler_that_changed_are_forgotten(self):
        kept = self.folder / "cache" / "build" / "bench-inert" / "pbzip2"
        for content, survives in (("first", False), ("first", True), ("second", False)):
            kept.mkdir(parents=True, exist_ok=True)
            self.plugin.write_text(content)
            self.assertEqual(self.dispatch("pbzip2", "--rounds", "1")[0], 0)
            self.assertEqual(kept.exists(), survives)

    def test_a_missing_compiler_is_told(self):
        self.plugin.unlink()
        self.assertEqual(self.dispatch("pbzip2")[0], 2)

    def test_a_missing_folder_is_told_with_its_remedy(self):
        (self.folder / "programs.sh").unlink()
        with self.assertRaisesRegex(BenchError, "set DEADHEAT_PROGRAMS"):
            programs.script()


if __name__ == "__main__":
    unittest.main()
