"""The round-trip bench: how runs become figures, and when it refuses one."""

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

import roundtrip  # noqa: E402
from harness import BenchError  # noqa: E402

ORIGINS = (*roundtrip.TRACED, *roundtrip.UNTRACED)


def document(sets, **executed):
    """What a run writes: {origin: (places, executions)}, and the sizes of the sets."""
    counts = {origin: executed.get(origin.replace(" ", "_"), (0, 0)) for origin in ORIGINS}
    origins = {origin: {"late": 9, "executed": places, "executions": times} for origin, (places, times) in counts.items()}
    return {"executed": {"origins": origins, "accesses": [{"sites": list(range(size))} for size in sets]}}


class Figures(unittest.TestCase):
    def test_shares_are_of_places_and_of_executions(self):
        row = roundtrip.read_run("p", "O2", document([1], metadata=(6, 10), merged=(2, 20), line_zero=(2, 970)))
        self.assertEqual(row.traced, 80.0)
        self.assertEqual(row.share(row.executions), 3.0)

    def test_an_untraced_place_has_no_set(self):
        row = roundtrip.read_run("p", "O2", document([1, 0, 3], metadata=(2, 2), no_location=(1, 1)))
        self.assertEqual(row.sets, (1, 3))

    def test_a_run_that_executed_nothing_has_no_figure(self):
        with self.assertRaisesRegex(BenchError, "p O1: no access was counted"):
            roundtrip.read_run("p", "O1", document([]))

    def test_the_percentile_is_a_value_that_occurs(self):
        self.assertEqual(roundtrip.percentile_95([1] * 95 + [7] * 5), 1)
        self.assertEqual(roundtrip.percentile_95([1] * 94 + [7] * 6), 7)
        self.assertEqual(roundtrip.percentile_95([4]), 4)

    def test_the_table_counts_what_is_untraced_by_cause(self):
        row = roundtrip.read_run("p", "O1", document([1, 3], metadata=(1, 1), location=(1, 1), no_early_site=(2, 2)))
        header, line = roundtrip.table([row]).splitlines()
        self.assertIn("no early site", header)
        self.assertEqual(line.split(), ["p", "O1", "4", "25.00", "25.00", "0.00", "0.00", "50.00", "50.00", "2.00", "3", "0",
                                        "0", "2"])


# A build leaves the level that the compiler was called with; a run writes what the program's name asks for.
FAKE_PROGRAMS = """#!/bin/bash
case $1 in
  build) echo "$2 $3: built in 0 s" ;;
  binaries) cat "$CC" >"$DEADHEAT_PROGRAMS/level"; echo /bin/true ;;
  run) shift 3; while [ "$1" != --json ]; do shift; done; cp "$DEADHEAT_PROGRAMS/zstd.json" "$2"
       echo "zstd v seconds=1 status=ok cpu=1 rss_mb=1" ;;
esac
"""
FAKE_TOOL = """#!/bin/bash
echo "  built by clang -O$(grep -o -- '-O[0-9]' "$DEADHEAT_PROGRAMS/level" | tail -c 2) in /"
[ -z "$OTHER" ] || echo "  built by clang -O3 in /"
"""


class Command(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = pathlib.Path(folder.name)
        self.tools = self.folder / "bin"
        plugin = self.folder / "lib" / "deadheat" / "deadheat_plugin.so"
        for file, text in ((self.folder / "programs.sh", FAKE_PROGRAMS), (self.tools / "deadheat", FAKE_TOOL), (plugin, "")):
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o755)
        settings = {"DEADHEAT_PROGRAMS": folder.name, "PROGRAMS_CACHE": str(self.folder / "cache"), "OTHER": ""}
        patch = unittest.mock.patch.dict(os.environ, settings)
        patch.start()
        self.addCleanup(patch.stop)

    def run_bench(self, **executed):
        (self.folder / "zstd.json").write_text(json.dumps(document([1], **executed)))
        arguments = ["roundtrip.py", "zstd", "--tools", str(self.tools), "--levels", "O1"]
        with unittest.mock.patch.object(sys, "argv", arguments), contextlib.redirect_stdout(io.StringIO()) as out, \
                contextlib.redirect_stderr(io.StringIO()):
            return roundtrip.main(), out.getvalue()

    def test_a_share_that_reaches_the_goal_is_success(self):
        status, output = self.run_bench(metadata=(95, 95), line_zero=(5, 5))
        self.assertEqual(status, 0, output)
        self.assertIn("95.00", output)

    def test_a_share_below_the_goal_is_told_and_fails(self):
        status, output = self.run_bench(metadata=(94, 99), line_zero=(6, 1))
        self.assertEqual(status, 1)
        self.assertIn("zstd O1: 94.00 % of the places are traced", output)

    def test_units_of_another_level_give_no_figure(self):
        os.environ["OTHER"] = "1"
        status, output = self.run_bench(metadata=(95, 95))
        self.assertEqual(status, 1)
        self.assertIn("1 units were not built at -O1 but at -O3", output)

    def test_a_missing_tool_is_told(self):
        (self.tools / "deadheat").unlink()
        self.assertEqual(self.run_bench(metadata=(1, 1))[0], 2)


if __name__ == "__main__":
    unittest.main()
