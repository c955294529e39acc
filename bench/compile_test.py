"""The compile bench: which commands of a build are taken, and how they become figures."""

import os
import pathlib
import sys
import tempfile
import unittest
import unittest.mock

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import commands  # noqa: E402
import compile as bench  # noqa: E402
from harness import BenchError, Result, Sample  # noqa: E402


def parse(*words, folder="/b"):
    return commands.parse("p", {"folder": folder, "words": list(words)})


class Commands(unittest.TestCase):
    def test_level_output_and_dependencies_are_left_out(self):
        command = parse("-DA=1", "-O3", "-g", "-ggdb", "-MD", "-MF", "x.d", "-c", "-o", "x.o", "src/x.c", "-Werror")
        self.assertEqual(command, commands.Command("p", "/b", "src/x.c", ("-DA=1",)))
        self.assertEqual(command.name, "p/x.c")

    def test_the_language_is_told_by_the_source(self):
        self.assertFalse(parse("-c", "x.c").is_cpp)
        self.assertTrue(parse("-c", "x.cc").is_cpp)

    def test_flags_that_look_like_a_level_stay(self):
        self.assertEqual(parse("-c", "x.c", "-gsplit-dwarf", "-fgnu89-inline").words, ("-gsplit-dwarf", "-fgnu89-inline"))

    def test_links_probes_and_several_sources_are_no_compiles(self):
        for words in (("x.o", "-o", "x"), ("x.c", "-o", "x"), ("-c", "conftest.c"), ("-c", "x.c", "y.c"), ("-E", "-c", "x.c"), ()):
            self.assertIsNone(parse(*words), words)
        self.assertIsNone(parse("-c", "x.c", folder="/b/CMakeFiles/CMakeScratch/t"))


FAKE_PROGRAMS = """#!/bin/bash
B=$PROGRAMS_CACHE/build/$3/$2
[ ! -e "$B" ] || { "$CC" --version; echo "$2 $3: already built"; exit; }
mkdir -p "$B" && cd "$B" && echo 'int x;' >x.c
"$CC" -O2 -c x.c -o x.o && "$CC" -O2 -c x.c -o x2.o
echo 'int y;' >gone.c && "$CC" -c gone.c && rm gone.c
echo "$2 $3: built in 0 s"
"""


class Recording(unittest.TestCase):
    def test_a_build_is_recorded_once_without_repeats_and_lost_sources(self):
        with tempfile.TemporaryDirectory() as folder:
            script = pathlib.Path(folder) / "programs.sh"
            script.write_text(FAKE_PROGRAMS)
            script.chmod(0o755)
            settings = {"DEADHEAT_PROGRAMS": folder, "PROGRAMS_CACHE": f"{folder}/cache"}
            with unittest.mock.patch.dict(os.environ, settings):
                first, second = commands.of_program("p"), commands.of_program("p")
                self.assertNotIn(commands.LOG_VARIABLE, os.environ)
        self.assertEqual([command.source for command in first], ["x.c"])
        self.assertEqual(first, second)


def row(level, plain_cpu, our_cpu, plain=100, ours=150, model=10):
    samples = {"plain": [Sample(plain_cpu, plain_cpu)], "deadheat": [Sample(our_cpu, our_cpu)]}
    return bench.Row(level, Result("p/x.c", samples), plain, ours, model)


class Figures(unittest.TestCase):
    def test_units_come_in_the_order_of_the_list_and_none_may_be_missing(self):
        found = [commands.Command("zstd", "/", name, ()) for name in ("a/fileio.c", "huf_decompress.c", "zstd_compress.c")]
        self.assertEqual([command.source for command in bench.pick("zstd", found)],
                         ["zstd_compress.c", "huf_decompress.c", "a/fileio.c"])
        with self.assertRaisesRegex(BenchError, "does not compile huf_decompress.c"):
            bench.pick("zstd", [found[0], found[2]])

    def test_means_are_per_level_and_the_models_share_is_of_the_sum(self):
        rows = [row("O2", 1, 2), row("O2", 1, 0.5, plain=900, ours=900, model=190), row("O0", 1, 3)]
        optimised, plain = bench.all_means(rows)
        self.assertAlmostEqual(optimised["cpu"], 1.0)
        self.assertAlmostEqual(optimised["model_share"], 20.0)
        self.assertAlmostEqual(plain["wall"], 3.0)

    def test_goals_that_are_missed_are_told(self):
        self.assertEqual(list(bench.misses([row("O2", 1, 1.3), row("O0", 1, 1.5)])), [])
        told = "\n".join(bench.misses([row("O2", 1, 1.4), row("O0", 1, 1, model=30)]))
        self.assertIn("O2: compiling takes 1.40 times the CPU time, the goal is 1.30", told)
        self.assertIn("O0: models are 30.0 %", told)

    def test_the_table_ends_with_the_means(self):
        lines = bench.table([row("O2", 1, 2), row("O0", 1, 4)]).splitlines()
        self.assertEqual(lines[-2].split(), ["O2", "mean", "2.000", "2.000", "1.50", "10.0"])
        self.assertEqual(lines[-1].split()[:4], ["O0", "mean", "4.000", "4.000"])


if __name__ == "__main__":
    unittest.main()
