"""The checks of the tree can fail: each rule is shown to pass on a small good tree and to fail on one bad line."""

import contextlib
import io
import pathlib
import subprocess
import sys
import tempfile
import unittest

SCRIPTS = pathlib.Path(__file__).resolve().parents[2] / "scripts"
sys.path.insert(0, str(SCRIPTS))

import check_layers  # noqa: E402
import size_budget  # noqa: E402
import tree  # noqa: E402

LAYERS = """# comment
support:
abi:
model: support
ir: support model llvm-ir
capture: support
runtime: abi
"""


class Tree(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = pathlib.Path(folder.name)
        self.write("layers.txt", LAYERS)

    def write(self, name, text):
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)


class Layers(Tree):
    def problems(self, name, include):
        self.write(name, f"// a file\n#include {include}\n")
        return check_layers.check(self.root)[0]

    def test_granted_and_own_modules_may_be_included(self):
        for include in ('"support/error.h"', '"model/unit.h"', "<vector>", '"llvm/ADT/StringMap.h"', '"near.h"'):
            with self.subTest(include):
                self.assertEqual(self.problems("src/model/a.cpp", include), [])

    def test_a_module_that_is_not_granted_is_refused_with_its_line(self):
        (problem,) = self.problems("src/support/a.h", '"model/unit.h"')
        self.assertEqual(problem, "src/support/a.h:2: model/unit.h: layers.txt does not grant model to support")

    def test_def_files_are_checked_too(self):
        self.assertEqual(len(self.problems("src/abi/a.def", '"model/unit.h"')), 1)

    def test_ir_headers_need_the_grant(self):
        for header in ("llvm/IR/Function.h", "llvm/Passes/PassBuilder.h", "llvm/Analysis/CFG.h",
                       "llvm/Transforms/Utils/Cloning.h", "clang/AST/Decl.h", "clang/Driver/Options.h"):
            with self.subTest(header):
                self.assertEqual(self.problems("src/ir/a.cpp", f'"{header}"'), [])
                self.assertEqual(self.problems("src/ir/a.cpp", f"<{header}>"), [])
                self.assertEqual(len(self.problems("src/model/b.cpp", f'"{header}"')), 1)
                self.write("src/model/b.cpp", "")

    def test_capture_may_use_clang_driver_and_nothing_else_of_clang(self):
        self.assertEqual(self.problems("src/capture/a.cpp", '"clang/Driver/Options.h"'), [])
        self.assertEqual(len(self.problems("src/capture/a.cpp", '"clang/Basic/LangOptions.h"')), 1)

    def test_runtime_and_abi_are_free_of_llvm_and_of_the_cpp_library(self):
        for name in ("src/runtime/a.cpp", "src/abi/a.h"):
            for include in ("<vector>", "<cstdint>", '"llvm/ADT/StringMap.h"', "<experimental/simd>"):
                with self.subTest(name=name, include=include):
                    self.assertEqual(len(self.problems(name, include)), 1)
            self.assertEqual(self.problems(name, "<sys/mman.h>"), [])

    def test_a_test_of_the_runtime_may_use_the_cpp_library_but_no_foreign_module(self):
        self.assertEqual(self.problems("src/runtime/a_test.cpp", "<vector>"), [])
        self.assertEqual(len(self.problems("src/runtime/a_test.cpp", '"model/unit.h"')), 1)

    def test_a_path_through_the_parent_is_refused(self):
        self.assertEqual(len(self.problems("src/model/a.cpp", '"../support/error.h"')), 1)

    def test_a_folder_without_a_line_is_refused(self):
        self.assertIn("belongs to no module", self.problems("src/stray/a.cpp", "<vector>")[0])

    def test_layers_that_name_an_unknown_module_or_one_twice_are_refused(self):
        for text in ("model: suport\n", "model:\nmodel:\n", "model\n"):
            with self.subTest(text), self.assertRaises(ValueError):
                self.write("layers.txt", text)
                check_layers.check(self.root)

    def test_the_script_exits_1_on_a_problem(self):
        command = [sys.executable, "-B", SCRIPTS / "check_layers.py", "--root", self.root]
        self.write("src/support/a.h", "#include <vector>\n")
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 0)
        self.write("src/support/a.h", '#include "model/unit.h"\n')
        self.assertEqual(subprocess.run(command, capture_output=True).returncode, 1)


class SizeBudget(Tree):
    def function(self, lines):
        return "int f() {\n" + "  g();\n" * (lines - 2) + "}\n"

    def test_a_file_at_the_limit_passes_and_one_line_more_fails(self):
        self.write("src/model/a.h", "// line\n" * size_budget.FILE_LIMIT)
        self.assertEqual(size_budget.check(self.root)[0], [])
        self.write("src/model/a.h", "// line\n" * (size_budget.FILE_LIMIT + 1))
        self.assertIn("601 lines", size_budget.check(self.root)[0][0])

    def test_a_function_at_the_limit_passes_and_one_line_more_fails(self):
        self.write("src/model/a.cpp", self.function(size_budget.FUNCTION_LIMIT))
        self.assertEqual(size_budget.check(self.root)[0], [])
        self.write("src/model/a.cpp", "\n" + self.function(size_budget.FUNCTION_LIMIT + 1))
        self.assertIn("src/model/a.cpp:2: a function of 61 lines", size_budget.check(self.root)[0][0])

    def test_the_summary_gives_median_and_ninetieth_percentile(self):
        self.write("src/model/a.cpp", "".join(self.function(lines) for lines in range(2, 12)))
        self.assertIn("10 functions, median 6, p90 11, largest 11", size_budget.check(self.root)[1])

    def test_bodies_are_found_where_they_stand(self):
        bodies = {
            "namespace a {\nstruct S {\n  int f() const {\n    return 1;\n  }\n};\n}\n": [(3, 3)],
            "S::S(int x) : x_{x}, y_(2) {\n}\n": [(1, 2)],
            "S::S() : x_{1} {\n}\nS::~S() {\n}\n": [(1, 2), (3, 2)],
            "auto f() -> std::string {\n}\n": [(1, 2)],
            "struct s *f(int x) {\n}\n": [(1, 2)],
            "int f() { if (x) {\n g([] {\n}); }\n}\n": [(1, 4)],
            "template <typename T> T f(T x) {\n}\n": [(1, 2)],
            "struct __attribute__((packed)) S {\n int x;\n};\n": [],
            "struct S : B<decltype(f())> {\n int x;\n};\n": [],
            "enum class E : int {\n a,\n};\n": [],
            "const int t[] = {\n f(1),\n 2};\n": [],
            "class S {\npublic:\n  S() {}\n  bool f(struct s *x) { return x; }\n};\n": [(3, 1), (4, 1)],
            '// {\nconst char *s = "{ (";\nint f() {\n char c = \'{\'; return 1\'000;\n}\n': [(3, 3)],
            "#define M(x) f() { \\\n  {\nint f() {\n}\n": [(3, 2)],
        }
        for text, expected in bodies.items():
            with self.subTest(text):
                self.assertEqual(size_budget.functions(text), expected)


class Format(Tree):
    def status(self, *options):
        command = [sys.executable, "-B", SCRIPTS / "check_format.py", "--root", self.root, *options]
        return subprocess.run(command, capture_output=True).returncode

    def test_formatted_text_passes_other_text_fails_and_fix_repairs_it(self):
        self.write("src/model/a.cpp", "int f() { return 1; }\n")
        self.assertEqual(self.status(), 0)
        self.write("src/model/a.cpp", "int  f( ) {return 1;}\n")
        self.assertEqual(self.status(), 1)
        self.assertEqual(self.status("--fix"), 0)
        self.assertEqual(self.status(), 0)

    def test_lit_inputs_are_left_alone(self):
        self.write("test/ir/a.c", "int  f( ) {return 1;}\n")
        self.assertEqual(self.status(), 0)


class Report(unittest.TestCase):
    def test_problems_make_the_status_1(self):
        with contextlib.redirect_stdout(io.StringIO()) as output:
            self.assertEqual(tree.report("x", [], "fine"), 0)
            self.assertEqual(tree.report("x", ["bad"], "one"), 1)
        self.assertEqual(output.getvalue(), "x: fine\nx: bad\nx: one\n")


if __name__ == "__main__":
    unittest.main()
