"""Tests of coverage.py's reading of other tools' texts."""

import pathlib
import sys
import unittest

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent))

import coverage  # noqa: E402

DWARF = """
0x0000000b: DW_TAG_compile_unit
              DW_AT_name	("src/a.c")
              DW_AT_comp_dir	("/work/out")

0x0000002a:   DW_TAG_subprogram
                DW_AT_low_pc	(0x0000000000001140)
                DW_AT_name	("plain")

0x0000003c:   DW_TAG_subprogram
                DW_AT_name	("declared")

0x0000004e:   DW_TAG_subprogram
                DW_AT_low_pc	(0x0000000000000000)
                DW_AT_name	("dropped")

0x00000060: DW_TAG_compile_unit
              DW_AT_name	("b.s")
              DW_AT_comp_dir	("/work/out")
"""
SYMBOLS = """0000000000001140 T plain
0000000000001180 t plain.told
0000000000004000 D data
"""
MODEL = """unit src/a.c
  built by clang version 19.1.7 (3) -O2 in /work/out
  checksum 87
  function  external  plain                    i32(ptr)  address taken
  function  weak      ns::f(int, char const*)  i32(i32,ptr)
  function  declared  printf                   i32(ptr,...)
  variable  external  data                     int       4
"""


class Coverage(unittest.TestCase):
    def test_only_functions_that_have_an_address_are_in_the_program(self):
        self.assertEqual(coverage.functions_by_unit(DWARF.splitlines()),
                         {"/work/out/src/a.c": {0x1140}, "/work/out/b.s": set()})

    def test_only_code_is_named(self):
        self.assertEqual(coverage.names_by_address(SYMBOLS), {0x1140: {"plain"}, 0x1180: {"plain.told"}})

    def test_a_declared_function_is_not_in_the_model(self):
        self.assertEqual(coverage.model_of(MODEL), ({"/work/out/src/a.c"}, {"plain", "ns::f(int, char const*)"}))

    def test_a_function_that_no_model_has_is_missing(self):
        names = {1: {"here"}, 2: {"gone"}, 3: {"here.told"}, 4: {"here.specialized.1"}}
        self.assertEqual(coverage.compare({"a.c": {1, 2, 3, 4}, "b.s": {5}}, names, {"a.c"}, {"here"}),
                         (3, ["a.c: gone"], ["b.s"]))


if __name__ == "__main__":
    unittest.main()
