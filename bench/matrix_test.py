"""The matrix: programs that the seed decides, whole texts, marks that the judge reads."""

import pathlib
import re
import sys
import unittest

HERE = pathlib.Path(__file__).resolve().parent
sys.path[:0] = [str(HERE), str(HERE.parent / "test/tools")]

import marks  # noqa: E402
import matrix  # noqa: E402
import matrix_parts  # noqa: E402


class Programs(unittest.TestCase):
    def test_a_seed_gives_the_same_programs(self):
        for language in matrix.LANGUAGES:
            self.assertEqual(matrix.choices(language, 20, 7), matrix.choices(language, 20, 7))
            self.assertNotEqual(matrix.choices(language, 20, 7), matrix.choices(language, 20, 8))

    def test_no_text_has_a_place_left_open(self):
        for language in matrix.LANGUAGES:
            for rows, text in matrix.choices(language, 200, 3).items():
                self.assertIsNone(re.search(r"\{(o|a|b|l|way|name|method)\}", text), rows)

    def test_marks_say_what_the_fault_says(self):
        for language in matrix.LANGUAGES:
            for rows, text in matrix.choices(language, 100, 5).items():
                read = marks.parse(text)
                self.assertTrue(read.shown)
                self.assertEqual(len(read.expected), 1 if matrix_parts.FAULTS[rows[-1]].marks else 0, rows)

    def test_every_row_is_met(self):
        for language, module in matrix.LANGUAGES.items():
            chosen = matrix.choices(language, 400, 1)
            for number, table in enumerate(module.TABLES.values()):
                self.assertEqual({rows[number] for rows in chosen}, set(table))


if __name__ == "__main__":
    unittest.main()
