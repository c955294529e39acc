"""The Linux bench: what counts as a unit, as failed, and as modelled."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import linux as bench  # noqa: E402


def entry(command, file):
    return {"command": f"{command} -c {file}", "directory": "/out", "file": file}


class Units(unittest.TestCase):
    def test_assembler_and_programs_of_the_build_are_no_units(self):
        entries = [entry("deadheat-cc", "/src/init/main.c"), entry("deadheat-cc", "/src/entry.S"),
                   entry("clang-19", "/src/scripts/kconfig/conf.c"), entry("/opt/bin/deadheat-cc", "/src/kernel/fork.c")]
        self.assertEqual([unit["file"] for unit in bench.units_of(entries)], ["/src/init/main.c", "/src/kernel/fork.c"])

    def test_a_model_names_its_source_by_the_folder_of_its_compile(self):
        text = ("unit ../src/a.c\n  built by clang version 19.1.7 (3) -O2 in /work/out\n  checksum 87\n\n"
                "unit /src/b.c\n  built by clang version 19.1.7 (3) -O0 in /work/out\n")
        self.assertEqual(bench.sources_in(text), {"/work/src/a.c", "/src/b.c"})

    def test_a_failed_compile_is_found_in_the_log_of_make(self):
        log = ("  CC      init/main.o\n"
               "make[3]: *** [/src/scripts/Makefile.build:229: drivers/base/core.o] Error 1\n"
               "make[2]: *** [/src/scripts/Makefile.build:478: drivers/base] Error 2\n")
        self.assertEqual(bench.FAILED.findall(log), ["drivers/base/core.o"])


if __name__ == "__main__":
    unittest.main()
